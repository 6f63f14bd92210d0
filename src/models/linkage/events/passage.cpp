#include "models/linkage/events/passage.h"

#include "math/functions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

using Weights = std::array<double, GaussNodes::kMost>;

/// A change of the states by this part of the tolerance is none; one that no longer falls is
/// rounding, up to that many tolerances.
constexpr double kSettled = 0.1, kMostRounding = 20;

/// What steps with different nodes may differ by, in tolerances. The step with more nodes is kept,
/// and is far better than the difference.
constexpr double kMostError = 20;

/// How far the polynomial may be from the constraints at the nodes, in tolerances: on another
/// branch it would be far away.
constexpr double kMostGap = 1e4;

/// The largest difference of two states, in tolerances.
double difference(std::span<const double> a, std::span<const double> b,
                  std::span<const double> scale)
{
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        largest = max(largest, abs(a[k] - b[k]) / scale[k]);
    return largest;
}

/// Found once, for thousands of linkages.
template <int kCount>
const GaussNodes& nodes()
{
    static const GaussNodes made(kCount);
    return made;
}

} // namespace

Passage::Passage(const LinkagePlan& plan, LinkageSystem& system)
    : plan_(&plan), system_(&system), six_(nodes<6>()), seven_(nodes<7>()), eight_(nodes<8>()),
      nine_(nodes<9>())
{
    constexpr std::uint32_t kSmall = 1000; // larger ones make room when they need it
    if (plan.may_become_singular() && plan.state_size() <= kSmall)
        make_room(plan.memory_size + plan.rows.size());
}

void Passage::make_room(std::size_t memory_size)
{
    const std::size_t n = 2 * plan_->state_size();
    for (std::vector<double>* list : {&before_, &end_, &other_end_, &projected_, &start_})
        list->resize(n);
    node_memory_.resize(memory_size);
    memory_.resize(memory_size);
    for (std::vector<Node>* nodes : {&nodes_, &others_}) {
        nodes->resize(GaussNodes::kMost);
        for (Node& node : *nodes) {
            node.y.resize(n);
            node.slope.resize(n);
            node.memory.resize(memory_size);
        }
    }
}

void Passage::prepare(const GaussNodes& gauss, const PassageInterval& interval,
                      std::span<const double> memory)
{
    length_ = interval.end - interval.begin;
    int i = 0;
    for (Node& node : used(gauss)) {
        node.time = interval.begin + length_ * gauss.place(i++);
        std::copy(memory.begin(), memory.end(), node.memory.begin());
    }
}

/// The polynomial at a place of the interval.
void Passage::place(const GaussNodes& gauss, double at, std::span<const double> y,
                    std::span<double> out) const
{
    Weights weights;
    const auto count = static_cast<std::size_t>(gauss.count());
    gauss.weigh(at, std::span(weights).first(count));
    std::copy(y.begin(), y.end(), out.begin());
    for (std::size_t j = 0; j < count; ++j)
        for (std::size_t k = 0; k < out.size(); ++k)
            out[k] += length_ * weights[j] * nodes_[j].slope[k];
}

/// Puts a node onto the constraints and finds its slope there.
bool Passage::look(Node& node, bool is_first)
{
    constexpr int kMostIterations = 12;
    const std::size_t n = plan_->state_size();
    const LinkageState state{{node.y.data(), n}, {node.y.data() + n, n}, node.memory};
    const Instant instant{node.time, Side::after, state.x, state.v};
    if (!project_positions(*system_, node.time, Side::after, state, kMostIterations) ||
        !system_->update(instant, node.memory) ||
        (is_first && !system_->choose_rows(node.memory, row_count_)) ||
        !project_rates(*system_, node.time, Side::after, state) ||
        !system_->update(instant, node.memory) || !system_->factor())
        return false;
    if (is_first) {
        system_->update_weakest();
        node.strength = system_->weakest();
        if (system_->is_singular())
            return false;
    }
    std::copy(state.v.begin(), state.v.end(), node.slope.begin());
    system_->solve_accelerations(std::span(node.slope).subspan(n));
    return std::all_of(node.slope.begin(), node.slope.end(),
                       [](double x) { return std::isfinite(x); });
}

/// From node to node, each from where the one before it leads.
bool Passage::march(const GaussNodes& gauss, std::span<const double> y)
{
    const std::size_t n = plan_->state_size();
    const std::span<Node> nodes = used(gauss);
    for (Node& node : nodes) {
        std::copy_n(y.begin() + std::ptrdiff_t(n), n, node.slope.begin());
        std::fill(node.slope.begin() + std::ptrdiff_t(n), node.slope.end(), 0.0);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        place(gauss, gauss.place(static_cast<int>(i)), y, nodes[i].y);
        if (!look(nodes[i], true))
            return false;
        for (std::size_t j = i + 1; j < nodes.size(); ++j)
            for (std::size_t k = 0; k < n; ++k) {
                nodes[j].slope[n + k] = nodes[i].slope[n + k];
                nodes[j].slope[k] =
                    nodes[i].slope[k] + (nodes[j].time - nodes[i].time) * nodes[i].slope[n + k];
            }
    }
    return true;
}

/// Slopes at these nodes from the polynomial through others.
void Passage::start_from(const GaussNodes& gauss, const GaussNodes& other)
{
    Weights weights;
    const auto count = static_cast<std::size_t>(other.count());
    const double begin = others_.front().time - length_ * other.place(0);
    for (Node& node : used(gauss)) {
        const double at = (node.time - begin) / length_;
        other.interpolate(at, std::span(weights).first(count));
        std::fill(node.slope.begin(), node.slope.end(), 0.0);
        std::size_t nearest = 0;
        for (std::size_t j = 0; j < count; ++j) {
            if (abs(others_[j].time - node.time) < abs(others_[nearest].time - node.time))
                nearest = j;
            for (std::size_t k = 0; k < node.slope.size(); ++k)
                node.slope[k] += weights[j] * others_[j].slope[k];
        }
        node.memory = others_[nearest].memory;
    }
}

/// The state at the end of the interval, on the constraints where that is possible.
void Passage::finish(const GaussNodes& gauss, std::span<const double> y, double end,
                     std::vector<double>& out)
{
    constexpr int kMostIterations = 8;
    const std::size_t n = plan_->state_size();
    place(gauss, 1, y, out);
    node_memory_ = used(gauss).back().memory;
    projected_ = out;
    const LinkageState state{{projected_.data(), n}, {projected_.data() + n, n}, node_memory_};
    if (!system_->update({end, Side::before, state.x, state.v}, node_memory_) || !system_->factor())
        return;
    system_->update_weakest();
    if (!system_->is_singular() &&
        project_positions(*system_, end, Side::before, state, kMostIterations) &&
        project_rates(*system_, end, Side::before, state))
        out = projected_;
}

/// Until the state at the end no longer changes. The nodes themselves are not compared: across the
/// branch their velocities are made of rounding near the posture, which does no harm, for every
/// node and the end are put onto the branch again.
bool Passage::refine(const GaussNodes& gauss, std::span<const double> y,
                     std::span<const double> scale, std::vector<double>& end)
{
    constexpr int kMostIterations = 40;
    double last = 0;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
        before_ = end;
        double gap = 0; // between the polynomial and the constraints
        for (std::size_t i = 0; i < used(gauss).size(); ++i) {
            place(gauss, gauss.place(static_cast<int>(i)), y, nodes_[i].y);
            projected_ = nodes_[i].y;
            if (!look(nodes_[i], false))
                return false;
            const std::size_t n = plan_->state_size();
            gap = max(gap, difference(std::span(projected_).first(n),
                                      std::span(nodes_[i].y).first(n), scale.first(n)));
        }
        finish(gauss, y, interval_.end, end);
        const double change = difference(before_, end, scale);
        const bool is_rounding = iteration > 2 && change > 0.5 * last && change < kMostRounding;
        if (iteration > 0 && (change < kSettled || is_rounding))
            return gap < kMostGap;
        if (iteration > 6 && !(change < last))
            return false;
        last = change;
    }
    return false;
}

bool Passage::step(const PassageInterval& interval, std::span<const double> y,
                   std::span<const double> memory, std::span<const double> scale,
                   std::span<double> y_new)
{
    const bool is_same = interval.begin == interval_.begin && interval.end == interval_.end &&
                         interval.change == interval_.change && std::ranges::equal(y, start_) &&
                         std::ranges::equal(memory, memory_);
    if (!is_same) {
        make_room(memory.size());
        interval_ = interval;
        std::copy(y.begin(), y.end(), start_.begin());
        std::copy(memory.begin(), memory.end(), memory_.begin());
        is_found_ = find(interval, y, memory, scale);
    }
    std::copy(end_.begin(), end_.end(), y_new.begin());
    return is_found_;
}

bool Passage::find(const PassageInterval& interval, std::span<const double> y,
                   std::span<const double> memory, std::span<const double> scale)
{
    row_count_ = system_->count_rows(memory);
    const double at = (interval.change - interval.begin) / (interval.end - interval.begin);
    gauss_ = eight_.distance_to(at) >= nine_.distance_to(at) ? &eight_ : &nine_;
    prepare(*gauss_, interval, memory);
    if (!march(*gauss_, y) || !refine(*gauss_, y, scale, end_))
        return false;
    std::swap(nodes_, others_);
    const GaussNodes& fewer = six_.distance_to(at) >= seven_.distance_to(at) ? six_ : seven_;
    prepare(fewer, interval, memory);
    start_from(fewer, *gauss_);
    const bool is_found = refine(fewer, y, scale, other_end_);
    std::swap(nodes_, others_);
    return is_found && difference(end_, other_end_, scale) <= kMostError;
}

void Passage::read(double time, std::span<double> y) const
{
    place(*gauss_, (time - interval_.begin) / length_, start_, y);
}

/// The root of the strength falls to zero on one side and rises on the other, both straight.
std::optional<double> Passage::find_change() const
{
    constexpr double kApart = 0.25; // of the way between two nodes
    const auto root = [&](std::size_t i) { return sqrt(nodes_[i].strength); };
    const auto zero = [&](std::size_t near, std::size_t far) {
        const double slope = (root(far) - root(near)) / (nodes_[far].time - nodes_[near].time);
        return nodes_[near].time - root(near) / slope;
    };
    for (std::size_t m = 1; m + 2 < static_cast<std::size_t>(gauss_->count()); ++m) {
        if (!(root(m) < root(m - 1)) || !(root(m + 1) < root(m + 2)))
            continue;
        const double left = zero(m, m - 1), right = zero(m + 1, m + 2);
        const double gap = nodes_[m + 1].time - nodes_[m].time;
        const double middle = (left + right) / 2;
        if (abs(left - right) < kApart * gap && middle > nodes_[m].time - kApart * gap &&
            middle < nodes_[m + 1].time + kApart * gap)
            return middle;
    }
    return std::nullopt;
}

} // namespace sinew

#include "solve/linear/sparse/front_plan.h"

#include "solve/linear/sparse/dissection.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;
constexpr std::uint32_t kWidest = 48; // numbers of a front's own
constexpr double kFill = 0.1;         // zeros that a wider front may have, of its columns
constexpr std::size_t kLeaf = 400;    // vertices that are not dissected
constexpr double kLittle = 32;        // or so many in all
constexpr double kThin = 1000;        // multiplications for a number: no order would save much

using List = std::vector<std::uint32_t>;

/// Neighbours of each vertex, both ways.
Graph neighbours_of(const BlockPattern& pattern)
{
    Graph lists(pattern.vertices.size());
    for (const BlockPattern::Block& block : pattern.blocks)
        if (block.row != block.column) {
            lists[block.row].push_back(block.column);
            lists[block.column].push_back(block.row);
        }
    return lists;
}

/// For each vertex in its place: those behind it that it is joined to when it is eliminated; and
/// the first of them, its parent.
struct Tree {
    std::vector<List> border;
    List parent;
};

Tree make_tree(const Graph& neighbours, const List& order)
{
    const std::size_t n = order.size();
    List place(n);
    for (std::uint32_t k = 0; k < n; ++k)
        place[order[k]] = k;
    Tree tree{std::vector<List>(n), List(n, kNone)};
    std::vector<List> children(n);
    for (std::uint32_t k = 0; k < n; ++k) {
        List& border = tree.border[k];
        for (const std::uint32_t other : neighbours[order[k]])
            if (place[other] > k)
                border.push_back(place[other]);
        for (const std::uint32_t child : children[k])
            for (const std::uint32_t p : tree.border[child])
                if (p > k)
                    border.push_back(p);
        std::ranges::sort(border);
        border.erase(std::unique(border.begin(), border.end()), border.end());
        if (!border.empty()) {
            tree.parent[k] = border[0];
            children[border[0]].push_back(k);
        }
    }
    return tree;
}

/// Places in an order in which every parent follows the last of its children at once.
List postorder(const Tree& tree)
{
    const std::size_t n = tree.parent.size();
    std::vector<List> children(n + 1);
    for (std::uint32_t k = 0; k < n; ++k)
        children[tree.parent[k] == kNone ? n : tree.parent[k]].push_back(k);
    List result, stack(children[n].rbegin(), children[n].rend());
    std::vector<char> is_open(n, 0);
    while (!stack.empty()) {
        const std::uint32_t k = stack.back();
        if (is_open[k] || children[k].empty()) {
            result.push_back(k);
            stack.pop_back();
            continue;
        }
        is_open[k] = 1;
        stack.insert(stack.end(), children[k].rbegin(), children[k].rend());
    }
    return result;
}

} // namespace

namespace {

/// When the rows of a vertex have all that they touch of one owner before them.
std::uint32_t first_complete(const BlockPattern& pattern, const List& neighbours, const List& place)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> last; // by owner: a row meets few
    for (const std::uint32_t other : neighbours)
        if (const auto& vertex = pattern.vertices[other]; !vertex.is_row) {
            const auto known =
                std::ranges::find(last, vertex.owner, [](auto& l) { return l.first; });
            if (known == last.end())
                last.push_back({vertex.owner, place[other]});
            else
                known->second = std::max(known->second, place[other]);
        }
    std::uint32_t first = last.empty() ? 0 : kNone;
    for (const auto& [owner, at] : last)
        first = std::min(first, at);
    return first;
}

} // namespace

namespace {

/// Rows wait until they have all that they touch of one owner before them, and all of `after`.
List move_rows(const BlockPattern& pattern, const Graph& neighbours, std::span<const List> after,
               List order)
{
    List place(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k)
        place[order[k]] = k;
    List key = place;
    for (std::uint32_t v = 0; v < key.size(); ++v)
        if (pattern.vertices[v].is_row)
            key[v] = std::max(key[v], first_complete(pattern, neighbours[v], place));
    for (std::uint32_t v = 0; v < after.size(); ++v)
        for (const std::uint32_t other : after[v])
            key[v] = std::max(key[v], place[other]);
    std::ranges::sort(order, {}, [&](std::uint32_t v) {
        return std::tuple(key[v], pattern.vertices[v].is_row, v);
    });
    return order;
}

/// Multiplications that an order asks for.
double cost_of(const BlockPattern& pattern, const Graph& neighbours, const List& order)
{
    const Tree tree = make_tree(neighbours, order);
    double cost = 0;
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        double rest = 0;
        for (const std::uint32_t other : tree.border[k])
            rest += pattern.vertices[order[other]].size;
        cost += pattern.vertices[order[k]].size * rest * rest;
    }
    return cost;
}

} // namespace

std::vector<std::uint32_t> find_block_order(const BlockPattern& pattern,
                                            std::span<const List> after)
{
    const Graph graph = neighbours_of(pattern);
    // A leaf as large as all is minimum degree; a small one is nested dissection.
    List best = move_rows(pattern, graph, after, dissect(graph, graph.size()));
    if (graph.size() <= kLeaf)
        return best;
    const double cost = cost_of(pattern, graph, best);
    if (cost <= kThin * double(pattern.size()))
        return best;
    List other = move_rows(pattern, graph, after, dissect(graph, kLeaf));
    if (cost_of(pattern, graph, other) < cost)
        best = std::move(other);
    return best;
}

namespace {

/// A front while the plan is made: vertices by their place.
struct Draft {
    List own, border;
    std::uint32_t parent = kNone;
};

class Maker {
public:
    Maker(const BlockPattern& pattern, List order, FrontPlan& plan)
        : pattern_(pattern), plan_(plan), order_(std::move(order))
    {
    }

    void run()
    {
        order();
        join();
        lay_out();
        link();
        place_inputs();
    }

private:
    std::uint32_t size_of(std::uint32_t place) const
    {
        return pattern_.vertices[order_[place]].size;
    }
    std::uint32_t size_of(const List& places) const
    {
        std::uint32_t sum = 0;
        for (const std::uint32_t place : places)
            sum += size_of(place);
        return sum;
    }

    void order()
    {
        const Graph neighbours = neighbours_of(pattern_);
        const List post = postorder(make_tree(neighbours, order_));
        List sorted;
        for (const std::uint32_t k : post)
            sorted.push_back(order_[k]);
        order_ = std::move(sorted);
        tree_ = make_tree(neighbours, order_);
    }

    /// Makes fronts, wider where a vertex follows its only, or its last, child without much fill.
    void join()
    {
        for (std::uint32_t k = 0; k < order_.size(); ++k) {
            List& border = tree_.border[k];
            if (!drafts_.empty() && tree_.parent[k - 1] == k && may_join(drafts_.back(), k)) {
                drafts_.back().own.push_back(k);
                drafts_.back().border = border;
            } else {
                drafts_.push_back({{k}, border});
            }
        }
    }

    bool may_join(const Draft& draft, std::uint32_t k) const
    {
        const double own = size_of(draft.own), next = size_of(k);
        const double before = size_of(draft.border), after = next + size_of(tree_.border[k]);
        const double zeros = own * (after - before);
        return zeros == 0 || (own + next <= kWidest &&
                              zeros <= std::max(kLittle, kFill * (own + next) * (own + after)));
    }

    void lay_out()
    {
        front_of_.resize(order_.size());
        for (std::uint32_t f = 0; f < drafts_.size(); ++f)
            for (const std::uint32_t place : drafts_[f].own)
                front_of_[place] = f;
        plan_.size = pattern_.size();
        plan_.is_row.resize(plan_.size);
        for (std::uint32_t v = 0; v < order_.size(); ++v)
            std::fill_n(plan_.is_row.begin() + pattern_.start[v], pattern_.vertices[v].size,
                        char(pattern_.vertices[v].is_row));
        for (Draft& draft : drafts_) {
            Front& front = plan_.fronts.emplace_back();
            front.first_index = std::uint32_t(plan_.index.size());
            front.own = size_of(draft.own);
            front.all = front.own + size_of(draft.border);
            front.first_factor = std::uint32_t(plan_.factor_count);
            plan_.factor_count += std::size_t(front.own) * front.all;
            plan_.largest = std::max<std::size_t>(plan_.largest, front.all);
            const std::size_t rest = front.all - front.own;
            plan_.largest_rest = std::max(plan_.largest_rest, rest * rest);
            for (const List* list : {&draft.own, &draft.border})
                for (const std::uint32_t place : *list) {
                    const std::uint32_t v = order_[place];
                    front.has_rows |= pattern_.vertices[v].is_row;
                    for (std::uint32_t i = 0; i < pattern_.vertices[v].size; ++i)
                        plan_.index.push_back(pattern_.start[v] + i);
                }
            for (double k = 0; k < front.own; ++k)
                plan_.cost += (front.all - k) * (front.all - k + 1) / 2;
            if (!draft.border.empty())
                draft.parent = front_of_[draft.border[0]];
        }
    }

    /// Notes where vertices stand in a front, by place; of others it says nothing.
    void note_offsets(const Draft& draft)
    {
        offset_.resize(order_.size());
        std::uint32_t at = 0;
        for (const List* list : {&draft.own, &draft.border})
            for (const std::uint32_t place : *list) {
                offset_[place] = at;
                at += size_of(place);
            }
    }

    void link()
    {
        std::vector<List> children(drafts_.size());
        for (std::uint32_t f = 0; f < drafts_.size(); ++f)
            if (drafts_[f].parent != kNone)
                children[drafts_[f].parent].push_back(f);
        std::size_t stack = 0;
        for (std::uint32_t f = 0; f < drafts_.size(); ++f) {
            Front& front = plan_.fronts[f];
            front.first_child = std::uint32_t(plan_.child.size());
            front.children = std::uint32_t(children[f].size());
            note_offsets(drafts_[f]);
            for (const std::uint32_t c : children[f]) {
                plan_.child.push_back(c);
                add_runs(drafts_[c], plan_.fronts[c]);
                stack -= std::size_t(rest_of(c)) * rest_of(c);
            }
            stack += std::size_t(rest_of(f)) * rest_of(f);
            plan_.stack_count = std::max(plan_.stack_count, stack);
        }
    }

    std::uint32_t rest_of(std::uint32_t f) const
    {
        return plan_.fronts[f].all - plan_.fronts[f].own;
    }

    void add_runs(const Draft& child, Front& front)
    {
        front.first_run = std::uint32_t(plan_.runs.size());
        std::uint32_t from = 0;
        for (const std::uint32_t place : child.border) {
            const std::uint32_t to = offset_[place], count = size_of(place);
            const bool goes_on =
                front.runs > 0 && plan_.runs.back().to + plan_.runs.back().count == to;
            if (goes_on)
                plan_.runs.back().count += count;
            else {
                plan_.runs.push_back({from, to, count});
                ++front.runs;
            }
            from += count;
        }
    }

    void place_inputs()
    {
        List place(order_.size());
        for (std::uint32_t k = 0; k < order_.size(); ++k)
            place[order_[k]] = k;
        std::vector<std::vector<std::uint32_t>> of_front(drafts_.size());
        for (std::uint32_t b = 0; b < pattern_.blocks.size(); ++b) {
            const BlockPattern::Block& block = pattern_.blocks[b];
            of_front[front_of_[std::min(place[block.row], place[block.column])]].push_back(b);
        }
        for (std::uint32_t f = 0; f < drafts_.size(); ++f) {
            note_offsets(drafts_[f]);
            plan_.fronts[f].first_input = std::uint32_t(plan_.inputs.size());
            plan_.fronts[f].inputs = std::uint32_t(of_front[f].size());
            for (const std::uint32_t b : of_front[f]) {
                const BlockPattern::Block& block = pattern_.blocks[b];
                const std::uint32_t row = offset_[place[block.row]];
                const std::uint32_t column = offset_[place[block.column]];
                plan_.inputs.push_back({block.first, pattern_.vertices[block.row].size,
                                        pattern_.vertices[block.column].size, row, column,
                                        block.row == block.column, row < column});
            }
        }
    }

    const BlockPattern& pattern_;
    FrontPlan& plan_;
    List order_, front_of_;
    List offset_; ///< in the front of note_offsets()
    Tree tree_;
    std::vector<Draft> drafts_;
};

} // namespace

FrontPlan::FrontPlan(const BlockPattern& pattern) : FrontPlan(pattern, find_block_order(pattern)) {}

FrontPlan::FrontPlan(const BlockPattern& pattern, std::vector<std::uint32_t> order)
{
    Maker(pattern, std::move(order), *this).run();
}

} // namespace sinew

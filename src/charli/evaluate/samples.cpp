// Motion that is known at samples: smooth tracks, and objects that follow a node of a file.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"
#include "geometry/node_motion.h"
#include "math/sampled.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>

namespace sinew::charli {

namespace {

/// A polynomial in time, as formulas.
struct Polynomial {
    std::function<Value(Operation, Value, Value)> apply;
    Value value;

    friend Polynomial operator*(double a, const Polynomial& b)
    {
        return {b.apply, b.apply(Operation::multiply, {a}, b.value)};
    }
    friend Polynomial operator+(double a, const Polynomial& b)
    {
        return {b.apply, b.apply(Operation::add, {a}, b.value)};
    }
    friend Polynomial operator*(const Polynomial& a, const Polynomial& b)
    {
        return {a.apply, a.apply(Operation::multiply, a.value, b.value)};
    }
};

/// "'Hips', 'Spine', 'Head' and 40 more".
std::string listed(const std::vector<std::string>& names)
{
    constexpr std::size_t kShown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
        text += (i == 0 ? "'" : ", '") + excerpt(names[i], 40) + "'";
    if (names.size() > kShown)
        text += " and " + std::to_string(names.size() - kShown) + " more";
    return text;
}

} // namespace

/// Between two samples a polynomial in time, which holds until the next; before the first and
/// behind the last the value stays. Where a time stands twice the velocity may jump.
///                                                             [notes: pose_curve, eqs 6, 8]
std::vector<Key> Evaluator::pieces_through(std::span<const double> times,
                                           std::span<const double> values, Origin origin)
{
    const auto with = [&](Operation operation, Value a, Value b) {
        return apply(operation, a, b, origin);
    };
    const auto value = [&](std::size_t i) { return values[i]; };
    const Value time = add_formula({.operation = Operation::time});
    std::vector<Key> pieces{{.value = {values[0]}, .at = times[0] - 1}};
    for (std::size_t low = 0, high = 0; low < times.size(); low = high + 1) {
        high = low;
        while (high + 1 < times.size() && times[high] < times[high + 1])
            ++high;
        const auto rates = [&](std::size_t k) {
            return rates_in(times, k, window_about(times, k, low, high), value);
        };
        for (std::size_t k = low; k < high; ++k) {
            const double h = times[k + 1] - times[k];
            const Value gone = with(Operation::subtract, time, {times[k]});
            const Polynomial s{with, with(Operation::multiply, {1 / h}, gone)};
            const Polynomial way =
                quintic_value(values[k], rates(k), values[k + 1], rates(k + 1), h, s);
            pieces.push_back({.value = way.value, .at = times[k], .easing = Easing::hold});
        }
    }
    pieces.push_back({.value = {values.back()}, .at = times.back(), .easing = Easing::hold});
    return pieces;
}

void Evaluator::smooth_track(std::uint32_t number)
{
    const Track track = scene.tracks[number];
    std::vector<double> times, values;
    for (const Key& key : track.keys) {
        if (!times.empty() && !(times.back() < key.at)) // told already
            return;
        times.push_back(key.at);
        values.push_back(key.value.number);
    }
    scene.tracks[number].keys = pieces_through(times, values, track.origin);
}

/// Once the times of keys are known that count frames.
void Evaluator::finish_smooth_tracks()
{
    for (const std::uint32_t number : smooth_tracks_)
        smooth_track(number);
}

/// One number of a followed node: a constant where it stays the same.
Value Evaluator::add_samples(std::span<const double> times, std::span<const double> values,
                             bool may_stay, Origin origin)
{
    const auto differs = [&](double value) { return value != values[0]; };
    if (may_stay && std::ranges::none_of(values, differs))
        return {values[0]};
    // A simulation that begins with the animation begins in motion: what is at rest before the
    // first key would give everything on it a blow.
    constexpr double kBefore = 1e-9; // [s]
    std::vector<Key> pieces = pieces_through(times, values, origin);
    pieces[1].at -= kBefore;
    scene.tracks.push_back({.keys = std::move(pieces), .origin = origin});
    return add_formula({.operation = Operation::track,
                        .index = static_cast<std::uint32_t>(scene.tracks.size() - 1)});
}

/// The node that a call of `follow` names; faults are told.
std::optional<NodeSamples> Evaluator::find_node_motion(Site call, const Arguments& arguments)
{
    const Bound &file = arguments.bound[0], &wanted = arguments.bound[1];
    const auto file_name =
        resolve_file(file.origin, std::string(file.text), name_below_folder(*call.tree));
    const auto bytes = file_name ? read_asset(file, *file_name) : std::nullopt;
    if (!bytes)
        return std::nullopt;
    const std::string shown = "'" + excerpt(file.text, 100) + "'";
    const Result<NodeTree> tree = read_nodes(*file_name, *bytes);
    if (!tree) {
        const Problem& first = tree.problems().front();
        const std::string line =
            first.place.line > 0 ? "line " + std::to_string(first.place.line) + ": " : "";
        error(file.origin, "nodes-faulty", shown + " cannot be read, " + line + first.what,
              first.hint);
        return std::nullopt;
    }
    const std::vector<std::uint32_t> found = find_nodes(*tree, wanted.text);
    if (found.size() == 1) {
        NodeSamples samples = sample_node(*tree, found[0]);
        if (samples.are_sound)
            return samples;
        error(wanted.origin, "node-without-size",
              "'" + excerpt(wanted.text, 100) + "' has no size or place at some time",
              "follow its parent, or give it a scale above 0");
    } else if (found.empty()) {
        const std::vector<std::string_view> names(tree->names.begin(), tree->names.end());
        error(wanted.origin, "unknown-node",
              shown + " has no node '" + excerpt(wanted.text, 100) + "'",
              similar_hint(wanted.text, names, "it has " + listed(tree->names)));
    } else {
        std::vector<std::string> paths;
        for (const std::uint32_t node : found)
            paths.push_back(sinew::path_of(*tree, node));
        error(wanted.origin, "several-nodes",
              shown + " has several nodes '" + excerpt(wanted.text, 100) + "'",
              "say which: " + listed(paths));
    }
    return std::nullopt;
}

/// A rotation and a translation, in the units of the scene.
std::vector<Transformation> Evaluator::make_followed(const NodeSamples& samples, double scale,
                                                     Origin origin)
{
    using Kind = TransformationKind;
    std::vector<Transformation> made;
    const auto column = [&](auto&& part) {
        std::vector<double> values;
        for (std::size_t i = 0; i < samples.times.size(); ++i)
            values.push_back(part(i));
        return values;
    };
    const Quat first = samples.rotations[0];
    const bool turns =
        std::ranges::any_of(samples.rotations, [&](const Quat& q) { return q != first; });
    const Vec3 angles = turns_of(rotation_matrix(first));
    for (int k = 0; k < 3 && !turns; ++k)
        made.push_back({Kind(int(Kind::rotate_x) + k), {angles[k]}});
    constexpr std::array<double Quat::*, 4> parts = {&Quat::w, &Quat::x, &Quat::y, &Quat::z};
    for (int k = 0; k < 4 && turns; ++k) {
        const auto values =
            column([&](std::size_t i) { return samples.rotations[i].*parts[std::size_t(k)]; });
        made.push_back(
            {Kind(int(Kind::turn_w) + k), add_samples(samples.times, values, false, origin)});
    }
    for (int k = 0; k < 3; ++k) {
        const auto values = column([&](std::size_t i) { return samples.positions[i][k] * scale; });
        made.push_back(
            {Kind(int(Kind::translate_x) + k), add_samples(samples.times, values, true, origin)});
    }
    return made;
}

/// Made once for all that follow the same node alike.
void Evaluator::append_follow(Site call, const Arguments& arguments, Origin origin)
{
    const auto number = [&](std::size_t i) {
        const Bound& bound = arguments.bound[i];
        return bound.kind == Bound::Kind::none ? arguments.signature[i].fallback
                                               : bound.value.number;
    };
    const double begin = number(2), speed = number(3), scale = number(4);
    std::string key = name_below_folder(*call.tree);
    for (const std::size_t text : {0, 1})
        key += "\n" + std::string(arguments.bound[text].text);
    for (const double said : {begin, speed, scale})
        key += "\n" + number_text(said);
    const auto [known, is_new] = followed_.try_emplace(key);
    if (is_new) {
        auto samples = find_node_motion(call, arguments);
        if (!samples)
            return;
        for (double& time : samples->times)
            time = begin + time / speed;
        known->second = make_followed(*samples, scale, origin);
    }
    for (Transformation transformation : known->second) {
        transformation.origin = origin;
        scene.transformations.push_back(transformation);
    }
}

} // namespace sinew::charli

// Cutting a scene into parts, and joining their frames.

#include "sinew/parts.h"

#include "base/contract.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace sinew {

namespace {

struct Obstacle {
    const char *why, *hint;
};
constexpr Obstacle kObstacles[] = {
    {"carry or hold other things, or are held", "release them, or let a track move them instead"},
    {"are drawn to a pose", ""},
    {"may touch bodies or rods", "contact(0) on strands that need not touch anything"},
    {"may touch each other", "strands(touch = bodies)"},
    {"feel each other in a continuum", ""},
    {"stand on what moves freely", "let a track move it"},
};
enum Why : std::size_t { held, posed, touching, each_other, continuum, riding };

/// What of a scene keeps a tree from being computed apart.
class Judge {
public:
    explicit Judge(const Scene& scene) : scene_(scene)
    {
        for (const StrandSite& site : scene.strand_sites)
            held_.insert(scene.strands[site.curve].tree.index);
        for (const StrandConstraint& c : scene.strand_constraints)
            for (const ObjectId end : {c.a, c.b})
                if (end.is_valid())
                    held_.insert(tree_around(end));
        for (const StrandPose& pose : scene.strand_poses)
            posed_.insert(pose.tree.index);
        for (const RigidBody& body : scene.bodies)
            free_.insert(body.object.index);
        for (const StrandSite& site : scene.strand_sites)
            free_.insert(site.object.index);
        for (const RodSite& site : scene.rod_sites)
            free_.insert(site.object.index);
        for (const Air& air : scene.airs)
            has_continuum_ = has_continuum_ || air.kind == AirKind::continuum;
        for (const StrandProperty& property : scene.strand_properties)
            if (property.kind == StrandPropertyKind::contact &&
                property.curve == StrandCurve::kNone && property.a.is_constant() &&
                property.a.number <= 0.5)
                untouchable_.insert(property.tree.index);
    }

    /// The number of an obstacle; nothing where the tree can be cut.
    std::optional<std::size_t> find_obstacle(ObjectId tree) const
    {
        if (held_.contains(tree.index))
            return held;
        if (posed_.contains(tree.index))
            return posed;
        const bool touches = !untouchable_.contains(tree.index);
        if (touches && scene_.settings.strands.touch_each_other)
            return each_other;
        if (touches && (!scene_.bodies.empty() || !scene_.rods.empty()))
            return touching;
        if (has_continuum_)
            return continuum;
        if (!is_driven(tree))
            return riding;
        return std::nullopt;
    }

private:
    std::uint32_t tree_around(ObjectId object) const
    {
        while (object.is_valid() && !trees().contains(object.index))
            object = scene_.objects[object.index].parent;
        return object.is_valid() ? object.index : 0;
    }
    const std::set<std::uint32_t>& trees() const
    {
        if (trees_.empty())
            for (const StrandCurve& curve : scene_.strands)
                trees_.insert(curve.tree.index);
        return trees_;
    }

    /// Whether a frame and all it rides on are known in advance.
    bool is_driven(ObjectId object) const
    {
        for (; object.is_valid(); object = carrier_of(object)) {
            if (free_.contains(object.index))
                return false;
            const Object& o = scene_.objects[object.index];
            for (std::uint32_t i = 0; i < o.transformation_count; ++i)
                if (!is_known_in_advance(scene_,
                                         scene_.transformations[o.first_transformation + i].amount))
                    return false;
        }
        return true;
    }
    ObjectId carrier_of(ObjectId object) const
    {
        const Object& o = scene_.objects[object.index];
        return o.on.is_valid() ? o.on : o.parent;
    }

    const Scene& scene_;
    std::set<std::uint32_t> held_, posed_, free_, untouchable_;
    mutable std::set<std::uint32_t> trees_;
    bool has_continuum_ = false;
};

void add_reason(const Scene& scene, ObjectId tree, std::size_t obstacle, PartPlan& plan)
{
    const Obstacle& found = kObstacles[obstacle];
    const auto same = std::ranges::find(plan.reasons, found.why, &PartPlan::Reason::why);
    if (same != plan.reasons.end()) {
        ++same->count;
        return;
    }
    plan.reasons.push_back({.why = found.why,
                            .example = object_names(scene)[tree.index],
                            .count = 1,
                            .hint = found.hint});
}

} // namespace

namespace {

/// For every curve the one that it grows from in the end: curves that hang together.
std::vector<std::uint32_t> find_roots(const Scene& scene)
{
    std::vector<std::uint32_t> roots(scene.strands.size());
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
        const std::uint32_t from = scene.strands[i].from;
        roots[i] = from == StrandCurve::kNone ? i : roots[from];
    }
    return roots;
}

} // namespace

PartPlan plan_parts(const Scene& scene, int count)
{
    SINEW_EXPECTS(count >= 1);
    PartPlan plan{.count = count};
    plan.part_of.assign(scene.strands.size(), 0);
    plan.segments.assign(static_cast<std::size_t>(count), 0);
    const Judge judge(scene);
    std::map<std::uint32_t, std::optional<std::size_t>> obstacles; // by object
    const std::vector<std::uint32_t> roots = find_roots(scene);
    std::size_t total = 0;
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
        const StrandCurve& curve = scene.strands[i];
        auto found = obstacles.find(curve.tree.index);
        if (found == obstacles.end())
            found = obstacles.emplace(curve.tree.index, judge.find_obstacle(curve.tree)).first;
        const bool is_root = roots[i] == i;
        plan.tree_count += is_root && !found->second ? 1 : 0;
        if (is_root && found->second)
            add_reason(scene, curve.tree, *found->second, plan);
        (found->second ? plan.shared_segments : total) += curve.segments;
    }
    // Contiguous shares, by what lies before each tree.
    std::size_t before = 0;
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
        const StrandCurve& curve = scene.strands[i];
        if (obstacles[curve.tree.index])
            continue;
        const std::size_t share =
            std::min(before * std::size_t(count) / total, std::size_t(count) - 1);
        plan.part_of[i] = roots[i] == i ? std::uint32_t(share + 1) : plan.part_of[roots[i]];
        plan.segments[plan.part_of[i] - 1] += curve.segments;
        before += curve.segments;
    }
    return plan;
}

namespace {

/// Air on strands that are not there.
void leave_air_out(Scene& cut, std::vector<char> is_there)
{
    for (const StrandCurve& curve : cut.strands)
        is_there[curve.object.index] = 1;
    for (const Rod& rod : cut.rods)
        is_there[rod.object.index] = 1;
    std::erase_if(cut.airs, [&](Air& air) {
        const bool was_on_some = !air.on.empty();
        std::erase_if(air.on, [&](ObjectId object) { return !is_there[object.index]; });
        return was_on_some && air.on.empty();
    });
}

} // namespace

Scene cut_scene(const Scene& scene, const PartPlan& plan, int part)
{
    SINEW_EXPECTS(part >= 1 && part <= plan.count && plan.part_of.size() == scene.strands.size());
    Scene cut = scene;
    std::vector<std::uint32_t> number(scene.strands.size(), StrandCurve::kNone);
    std::vector<char> has_strands(scene.objects.size(), 0);
    cut.strands.clear();
    for (std::size_t i = 0; i < scene.strands.size(); ++i) {
        if (plan.part_of[i] != 0 && plan.part_of[i] != std::uint32_t(part))
            continue;
        number[i] = std::uint32_t(cut.strands.size());
        StrandCurve& curve = cut.strands.emplace_back(scene.strands[i]);
        has_strands[curve.tree.index] = 1;
        if (curve.from != StrandCurve::kNone)
            curve.from = number[curve.from];
    }
    std::erase_if(cut.trees, [&](const StrandTree& t) { return !has_strands[t.object.index]; });
    std::erase_if(cut.strand_properties, [&](StrandProperty& p) {
        if (p.curve != StrandCurve::kNone)
            p.curve = number[p.curve];
        else if (has_strands[p.tree.index])
            return false;
        return p.curve == StrandCurve::kNone;
    });
    leave_air_out(cut, has_strands);
    for (StrandSite& site : cut.strand_sites)
        site.curve = number[site.curve];
    for (StrandPose& pose : cut.strand_poses)
        pose.curve = number[pose.curve];
    return cut;
}

Frame join_frames(const Scene& scene, const PartPlan& plan, std::span<const Frame> parts)
{
    SINEW_EXPECTS(parts.size() == std::size_t(plan.count));
    Frame whole = parts[0];
    whole.nodes.clear();
    whole.segments.clear();
    std::vector<std::size_t> node(parts.size(), 0), segment(parts.size(), 0); // read so far
    const auto take = [&](std::size_t part, std::size_t count, bool is_seen) {
        const Frame& from = parts[part];
        SINEW_EXPECTS(node[part] + count < from.nodes.size() &&
                      segment[part] + count <= from.segments.size());
        if (is_seen) {
            const auto first = from.nodes.begin() + std::ptrdiff_t(node[part]);
            whole.nodes.insert(whole.nodes.end(), first, first + std::ptrdiff_t(count) + 1);
            const auto begin = from.segments.begin() + std::ptrdiff_t(segment[part]);
            whole.segments.insert(whole.segments.end(), begin, begin + std::ptrdiff_t(count));
        }
        node[part] += count + 1;
        segment[part] += count;
    };
    for (std::size_t i = 0; i < scene.strands.size(); ++i) {
        const std::uint32_t owner = plan.part_of[i];
        for (std::size_t part = 0; part < parts.size(); ++part)
            if (owner == 0 || owner == part + 1)
                take(part, scene.strands[i].segments, owner != 0 || part == 0);
    }
    for (const Rod& rod : scene.rods)
        take(0, rod.spans, true);
    return whole;
}

} // namespace sinew

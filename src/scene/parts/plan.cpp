// Which part of a scene is computed in which part, and why some things are in all.

#include "sinew/parts.h"

#include "base/contract.h"
#include "scene/ids_in.h"
#include "scene/parts/islands.h"
#include "sinew/part_objects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

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
    explicit Judge(const Scene& scene) : scene_(scene), driven_(scene)
    {
        for (const StrandSite& site : scene.strand_sites)
            held_.insert(scene.strands[site.curve].tree.index);
        for (const StrandConstraint& c : scene.strand_constraints)
            for (const ObjectId end : {c.a, c.b})
                if (end.is_valid())
                    held_.insert(tree_around(end));
        for (const StrandPose& pose : scene.strand_poses)
            posed_.insert(pose.tree.index);
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
        if (!driven_.is_driven(tree))
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

    const Scene& scene_;
    DrivenFrames driven_;
    std::set<std::uint32_t> held_, posed_, untouchable_;
    mutable std::set<std::uint32_t> trees_;
    bool has_continuum_ = false;
};

/// Once for all that are the same; only the first is asked for its name.
template <class Name>
void add_reason(PartPlan::Reason reason, std::size_t count, PartPlan& plan, const Name& name)
{
    const auto same = std::ranges::find_if(plan.reasons, [&](const PartPlan::Reason& known) {
        return known.one == reason.one && known.why == reason.why;
    });
    if (same != plan.reasons.end()) {
        same->count += count;
        return;
    }
    reason.count = count;
    reason.example = name();
    plan.reasons.push_back(std::move(reason));
}

/// For every curve the one that it grows from in the end: curves that hang together.
std::vector<std::uint32_t> find_roots(const Scene& scene)
{
    std::vector<std::uint32_t> roots(scene.strands.size());
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
        const std::uint32_t from = scene.strands[i].from;
        roots[i] = from < i ? roots[from] : i;
    }
    return roots;
}

// A span of a rod costs as much as some segments of strands; parts are balanced by it.
constexpr std::size_t kSegmentsASpan = 10;

/// What can be cut, and what it costs; why not the rest. Strands come before rods.
struct Cuts {
    struct Piece {
        std::uint32_t first = 0; ///< its first strand or rod
        bool is_rod = false;
        std::size_t cost = 0; ///< as so many segments
    };
    std::vector<Piece> pieces = {};
    std::vector<std::uint32_t> roots = {}, islands = {}; ///< of strands and rods
    std::size_t cost = 0;                                ///< of all pieces
};

void find_trees(const Scene& scene, Cuts& cuts, PartPlan& plan)
{
    const Judge judge(scene);
    std::map<std::uint32_t, std::optional<std::size_t>> obstacles; // by object
    std::vector<std::size_t> piece(scene.strands.size());
    cuts.roots = find_roots(scene);
    for (std::uint32_t i = 0; i < cuts.roots.size(); ++i) {
        const StrandCurve& curve = scene.strands[i];
        auto found = obstacles.find(curve.tree.index);
        if (found == obstacles.end())
            found = obstacles.emplace(curve.tree.index, judge.find_obstacle(curve.tree)).first;
        const bool is_root = cuts.roots[i] == i;
        if (found->second) {
            plan.shared_segments += curve.segments;
            const Obstacle& why = kObstacles[*found->second];
            if (is_root)
                add_reason({.one = "tree",
                            .many = "trees",
                            .why = why.why,
                            .example = {},
                            .hint = why.hint},
                           1, plan, [&] { return object_names(scene)[curve.tree.index]; });
            continue;
        }
        if (is_root) {
            piece[i] = cuts.pieces.size();
            cuts.pieces.push_back({.first = i});
            ++plan.tree_count;
        }
        cuts.pieces[piece[cuts.roots[i]]].cost += curve.segments;
    }
}

void find_islands(const Scene& scene, Cuts& cuts, PartPlan& plan)
{
    const RodIslands islands = find_rod_islands(scene);
    std::vector<std::size_t> piece(scene.rods.size());
    cuts.islands = islands.first;
    for (std::uint32_t i = 0; i < scene.rods.size(); ++i) {
        const std::uint32_t first = islands.first[i];
        if (const RodIslands::Obstacle* why = islands.obstacle[i]) {
            plan.shared_spans += scene.rods[i].spans;
            add_reason(
                {.one = "rod", .many = "rods", .why = why->why, .example = {}, .hint = why->hint},
                1, plan, [&] { return rod_names(scene)[i]; });
            continue;
        }
        if (first == i) {
            piece[i] = cuts.pieces.size();
            cuts.pieces.push_back({.first = i, .is_rod = true});
            ++plan.island_count;
        }
        cuts.pieces[piece[first]].cost += kSegmentsASpan * scene.rods[i].spans;
    }
}

/// What is in every part whatever the script says.
void add_whole_systems(const Scene& scene, PartPlan& plan)
{
    const auto is_free = [](const RigidBody& body) { return !body.is_obstacle(); };
    if (const auto first = std::ranges::find_if(scene.bodies, is_free); first != scene.bodies.end())
        add_reason({.one = "body",
                    .many = "bodies",
                    .why = "may touch each other wherever they go",
                    .example = {}},
                   std::size_t(std::ranges::count_if(scene.bodies, is_free)), plan,
                   [&] { return object_names(scene)[first->object.index]; });
    if (!scene.coordinates.empty())
        add_reason({.one = "coordinate",
                    .many = "coordinates",
                    .why = "take their steps together, by one measure of the error",
                    .example = {}},
                   scene.coordinates.size(), plan, [&] { return scene.coordinates.front().name; });
}

} // namespace

PartPlan plan_parts(const Scene& scene, int count)
{
    SINEW_EXPECTS(count >= 1);
    PartPlan plan{.count = count};
    plan.part_of.assign(scene.strands.size(), 0);
    plan.part_of_rod.assign(scene.rods.size(), 0);
    plan.segments.assign(static_cast<std::size_t>(count), 0);
    plan.spans.assign(static_cast<std::size_t>(count), 0);
    Cuts cuts;
    find_trees(scene, cuts, plan);
    find_islands(scene, cuts, plan);
    add_whole_systems(scene, plan);
    for (const Cuts::Piece& piece : cuts.pieces)
        cuts.cost += piece.cost;
    // Contiguous shares, by what lies before each piece. The first part always has something.
    std::size_t before = 0;
    for (const Cuts::Piece& piece : cuts.pieces) {
        const std::size_t share =
            std::min(before * std::size_t(count) / cuts.cost, std::size_t(count) - 1);
        (piece.is_rod ? plan.part_of_rod : plan.part_of)[piece.first] = std::uint32_t(share + 1);
        before += piece.cost;
    }
    for (std::size_t i = 0; i < plan.part_of.size(); ++i)
        if ((plan.part_of[i] = plan.part_of[cuts.roots[i]]) != 0)
            plan.segments[plan.part_of[i] - 1] += scene.strands[i].segments;
    for (std::size_t i = 0; i < plan.part_of_rod.size(); ++i)
        if ((plan.part_of_rod[i] = plan.part_of_rod[cuts.islands[i]]) != 0)
            plan.spans[plan.part_of_rod[i] - 1] += scene.rods[i].spans;
    return plan;
}

bool shares_motion(const Scene& scene, const PartPlan& plan)
{
    return plan.shared_segments + plan.shared_spans + scene.coordinates.size() > 0 ||
           !std::ranges::all_of(scene.bodies, &RigidBody::is_obstacle);
}

} // namespace sinew

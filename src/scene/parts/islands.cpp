// Islands of rods, for shots in parts.
//
// Rods that constraints join move together. An island moves by itself where nothing of it touches
// what moves freely, is held to it, or carries other things: then its rods have the same bits
// whether the other islands are there or not.

#include "scene/parts/islands.h"

#include "scene/formula.h"
#include "scene/ids_in.h"
#include "sinew/part_objects.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string_view>

namespace sinew {

std::vector<std::uint32_t> rods_of_sites(const Scene& scene)
{
    std::vector<std::uint32_t> rods(scene.objects.size(), std::uint32_t(-1));
    for (const RodSite& site : scene.rod_sites)
        rods[site.object.index] = site.rod;
    return rods;
}

const RodConstraint* constraint_of_leaf(const Scene& scene, const Formula& formula)
{
    if (formula.operation != Operation::contact)
        return nullptr;
    const ConstraintPlace place = constraint_of(formula);
    return place.list == ConstraintList::rod ? &scene.rod_constraints[place.index] : nullptr;
}

namespace {

constexpr std::uint32_t kNone = std::uint32_t(-1);

using Obstacle = RodIslands::Obstacle;
constexpr Obstacle kTouchEachOther{"may touch each other", "rods(contact = bodies)"};
constexpr Obstacle kTouchBodies{"may touch bodies that move",
                                "rods(contact = none), or contact(0) on rods that touch nothing"};
constexpr Obstacle kRest{"come to rest together", ""};
constexpr Obstacle kHeld{"are held to what moves freely", "let a track move it instead"};
constexpr Obstacle kCarries{"carry other things, or are named by them", ""};

/// By object: the first rod that is a point's, or that the object itself is or names.
std::vector<std::uint32_t> rods_of_objects(const Scene& scene)
{
    std::vector<std::uint32_t> rods = rods_of_sites(scene);
    for (std::uint32_t i = 0; i < scene.rods.size(); ++i)
        for (const ObjectId id : {scene.rods[i].object, scene.rods[i].whole})
            if (id.is_valid() && rods[id.index] == kNone)
                rods[id.index] = i;
    return rods;
}

/// The rod that a constraint holds, of those that it holds the first.
std::uint32_t owner_of(const RodConstraint& constraint, std::span<const std::uint32_t> of_site,
                       std::span<const std::uint32_t> of_object)
{
    for (const ObjectId end : {constraint.a, constraint.b})
        if (end.is_valid() && of_site[end.index] != kNone)
            return of_site[end.index];
    return of_object[constraint.a.index];
}

class Search {
public:
    explicit Search(const Scene& scene)
        : scene_(scene), site_(rods_of_sites(scene)), rod_(rods_of_objects(scene)), driven_(scene)
    {
        found_.first.resize(scene.rods.size());
        std::iota(found_.first.begin(), found_.first.end(), 0u);
        found_.obstacle.assign(scene.rods.size(), nullptr);
    }

    RodIslands find()
    {
        join_pieces();
        for (const RodConstraint& constraint : scene_.rod_constraints)
            join_held(constraint);
        look_at_contacts();
        look_at_riders();
        look_at_names();
        for (std::uint32_t i = 0; i < found_.first.size(); ++i) {
            found_.first[i] = root(i);
            if (found_.obstacle[i] && !found_.obstacle[found_.first[i]])
                found_.obstacle[found_.first[i]] = found_.obstacle[i];
        }
        for (std::uint32_t i = 0; i < found_.first.size(); ++i)
            found_.obstacle[i] = found_.obstacle[found_.first[i]];
        return std::move(found_);
    }

private:
    std::uint32_t root(std::uint32_t rod) const
    {
        while (found_.first[rod] != rod)
            rod = found_.first[rod];
        return rod;
    }
    void join(std::uint32_t a, std::uint32_t b)
    {
        a = root(a), b = root(b);
        found_.first[std::max(a, b)] = std::min(a, b);
    }
    void mark(std::uint32_t rod, const Obstacle& why)
    {
        if (!found_.obstacle[rod])
            found_.obstacle[rod] = &why;
    }
    void mark_all(const Obstacle& why)
    {
        for (std::uint32_t i = 0; i < scene_.rods.size(); ++i)
            mark(i, why);
    }

    /// Rods of one object, and the pieces of one that is cut.
    void join_pieces()
    {
        for (std::uint32_t i = 0; i < scene_.rods.size(); ++i)
            for (const ObjectId id : {scene_.rods[i].object, scene_.rods[i].whole})
                if (id.is_valid() && site_[id.index] == kNone)
                    join(i, rod_[id.index]);
    }

    void join_held(const RodConstraint& constraint)
    {
        const std::uint32_t own = owner_of(constraint, site_, rod_);
        ObjectId ends[] = {constraint.a, constraint.b, constraint.frame, {}};
        if (constraint.path.is_valid())
            ends[3] = scene_.paths[constraint.path.index].frame;
        for (const ObjectId end : ends) {
            if (!end.is_valid())
                continue;
            if (rod_[end.index] != kNone)
                join(own, rod_[end.index]);
            if (site_[end.index] == kNone && !driven_.is_driven(end))
                mark(own, kHeld);
        }
    }

    void look_at_contacts()
    {
        if (scene_.settings.settle || scene_.settings.rods.is_quasi_static)
            mark_all(kRest);
        const RodContact contact = scene_.settings.rods.contact;
        if (contact == RodContact::all)
            mark_all(kTouchEachOther);
        const bool has_free = std::ranges::any_of(scene_.bodies, [&](const RigidBody& body) {
            return !body.is_obstacle() || !driven_.is_driven(body.object);
        });
        for (std::uint32_t i = 0; i < scene_.rods.size(); ++i)
            if (const Value on = scene_.rods[i].contact;
                has_free && contact != RodContact::none && !(on.is_constant() && on.number <= 0.5))
                mark(i, kTouchBodies);
    }

    ObjectId carrier_of(ObjectId object) const
    {
        const Object& o = scene_.objects[object.index];
        return o.on.is_valid() ? o.on : o.parent;
    }

    /// Objects that stand on points of rods.
    void look_at_riders()
    {
        for (std::uint32_t i = 1; i < scene_.objects.size(); ++i) {
            const ObjectId carrier = carrier_of(ObjectId{i});
            if (site_[i] == kNone && carrier.is_valid() && site_[carrier.index] != kNone)
                mark(site_[carrier.index], kCarries);
        }
    }

    /// What else of a scene names points of rods: strands, forces, drawings, probes, events.
    void look_at_names()
    {
        constexpr std::array<std::string_view, 10> kOwnWords = {
            "objects", "rods",  "rod_sites", "rod_cuts", "colours",
            "airs",    "looks", "children",  "paths",    "rod_constraints"};
        for_each_field(
            [&](FieldName name, const auto& list) {
                if (std::ranges::find(kOwnWords, name.text) == kOwnWords.end())
                    for_each_id<ObjectId>(list, [&](const ObjectId& id) {
                        const auto& rods = name.text == "events" ? rod_ : site_;
                        if (id.index < rods.size() && rods[id.index] != kNone)
                            mark(rods[id.index], kCarries);
                    });
            },
            scene_);
        for (const Formula& formula : scene_.formulas)
            if (formula.operation == Operation::position ||
                formula.operation == Operation::contact) {
                if (rod_[formula.index] != kNone)
                    mark(rod_[formula.index], kCarries);
                else if (formula.operation == Operation::contact && site_[formula.index] != kNone)
                    mark(site_[formula.index], kCarries);
                if (const RodConstraint* named = constraint_of_leaf(scene_, formula))
                    mark(owner_of(*named, site_, rod_), kCarries);
            }
        std::vector<char> is_held(scene_.paths.size(), 0); // by constraints of rods alone
        for (const RodConstraint& constraint : scene_.rod_constraints)
            if (constraint.path.is_valid())
                is_held[constraint.path.index] = 1;
        for (std::uint32_t i = 0; i < scene_.paths.size(); ++i)
            if (const ObjectId frame = scene_.paths[i].frame;
                !is_held[i] && frame.is_valid() && site_[frame.index] != kNone)
                mark(site_[frame.index], kCarries);
    }

    const Scene& scene_;
    std::vector<std::uint32_t> site_, rod_; ///< by object
    DrivenFrames driven_;
    RodIslands found_;
};

} // namespace

DrivenFrames::DrivenFrames(const Scene& scene) : scene_(scene)
{
    for (const RigidBody& body : scene.bodies)
        if (!body.is_obstacle())
            free_.insert(body.object.index);
    for (const StrandSite& site : scene.strand_sites)
        free_.insert(site.object.index);
    for (const RodSite& site : scene.rod_sites)
        free_.insert(site.object.index);
}

bool DrivenFrames::is_driven(ObjectId object) const
{
    std::size_t depth = 0; // what rides on itself is a fault that is told later
    while (object.is_valid()) {
        if (++depth > scene_.objects.size() || free_.contains(object.index))
            return false;
        const Object& o = scene_.objects[object.index];
        for (std::uint32_t i = 0; i < o.transformation_count; ++i)
            if (!is_known_in_advance(scene_,
                                     scene_.transformations[o.first_transformation + i].amount))
                return false;
        object = o.on.is_valid() ? o.on : o.parent;
    }
    return true;
}

RodIslands find_rod_islands(const Scene& scene) { return Search(scene).find(); }

std::vector<std::uint32_t> rods_of_constraints(const Scene& scene)
{
    const std::vector<std::uint32_t> site = rods_of_sites(scene), object = rods_of_objects(scene);
    std::vector<std::uint32_t> rods;
    for (const RodConstraint& constraint : scene.rod_constraints)
        rods.push_back(owner_of(constraint, site, object));
    return rods;
}

} // namespace sinew

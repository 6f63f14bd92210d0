#include "scene/constraints/sorter.h"

#include "scene/constraints/points.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <array>

namespace sinew {

ConstraintSorter::ConstraintSorter(Scene& scene, std::span<const Constraint> constraints,
                                   std::function<std::string(ObjectId)> name_of)
    : scene_(scene), constraints_(place_points(scene, constraints)), ends_(scene),
      name_of_(std::move(name_of)), is_cut_(scene.objects.size())
{
    for (const RodCut& cut : scene.rod_cuts)
        is_cut_[cut.site.index] = true;
}

template <class AllRanked, class List>
void ConstraintSorter::append(AllRanked ranked, ConstraintList kind, List& list)
{
    std::ranges::stable_sort(ranked, {}, [](const auto& each) { return each.rank; });
    for (const auto& each : ranked) {
        note_place(each.number, kind, list.size());
        list.push_back(each.made);
    }
}

void ConstraintSorter::append_joints(const std::vector<std::pair<std::size_t, Joint>>& joints)
{
    for (auto [number, joint] : joints)
        if (hold_bodies(joint)) {
            note_place(number, ConstraintList::joint, scene_.joints.size());
            scene_.joints.push_back(joint);
        }
}

std::vector<ConstraintFault> ConstraintSorter::run()
{
    constexpr std::array kOfLinkages = {ConstraintList::distance, ConstraintList::path,
                                        ConstraintList::spring};
    const auto sizes_of_linkages = [&] {
        return std::array{scene_.distance_constraints.size(), scene_.path_constraints.size(),
                          scene_.point_springs.size()};
    };
    places_.resize(constraints_.size());
    for (number_ = 0; number_ < constraints_.size(); ++number_) {
        const Constraint& c = constraints_[number_];
        if (refuse_whole_rod(c))
            continue;
        const std::array before = sizes_of_linkages();
        std::visit([&](const auto& law) { sort(law, c); }, c.law);
        for (std::size_t k = 0; k < before.size(); ++k)
            if (sizes_of_linkages()[k] > before[k])
                note_place(number_, kOfLinkages[k], before[k]);
    }
    append(std::move(strands_), ConstraintList::strand, scene_.strand_constraints);
    append(std::move(rods_), ConstraintList::rod, scene_.rod_constraints);
    append_joints(joints_);
    append_joints(distance_joints_);
    return std::move(faults_);
}

bool ConstraintSorter::is_on_strand(const End& end) const
{
    return end.object.is_valid() && ends_.is_on_strand(end.object);
}

bool ConstraintSorter::is_on_rod(const End& end) const
{
    return end.object.is_valid() && ends_.is_on_rod(end.object);
}

bool ConstraintSorter::is_in_body(const End& end) const
{
    return end.object.is_valid() && ends_.is_in_body(end.object);
}

void ConstraintSorter::refuse(const Constraint& c, std::string_view code, std::string what,
                              std::string hint, ConstraintFault::Doubt doubt)
{
    faults_.push_back({c.origin, code, std::move(what), std::move(hint), doubt, number_});
}

void ConstraintSorter::refuse_conditions(const Constraint& c, bool has_more)
{
    if (c.release.breaks || c.release.beyond || has_more)
        refuse(c, "not-of-strands",
               "`breaks`, `beyond` and `angle` are for rods; a strand is released by `until` or "
               "`active`",
               "write `until = 2`, or `active = {1 at 0 sec hold 0 at 2 sec}`");
}

bool ConstraintSorter::refuse_on_strand(const Constraint& c)
{
    if (!is_on_strand(c.a))
        return false;
    refuse(c, "not-of-strands", "this holds points of rods, not of strands",
           "use position_constraint, fusion or orientation_constraint");
    return true;
}

bool ConstraintSorter::refuse_whole_rod(const Constraint& c)
{
    const bool slides =
        std::holds_alternative<SlidingLaw>(c.law) || std::holds_alternative<WheelLaw>(c.law);
    for (const End* end : {&c.a, &c.b}) {
        const bool is_whole = end->object.is_valid() && ends_.is_whole_rod(end->object);
        if (!is_whole || (slides && end == &c.a))
            continue;
        refuse(c, "whole-rod",
               "'" + name_of(*end) + "' is a whole rod, of which this holds a point",
               "say which: `" + name_of(*end) + " at 0.5 along`");
        return true;
    }
    return false;
}

bool ConstraintSorter::refuse_no_point(const Constraint& c)
{
    for (const End* end : {&c.a, &c.b})
        if (end->object.is_valid() && ends_.is_whole_strand(end->object)) {
            refuse(c, "whole-strand",
                   "'" + name_of(*end) + "' is a whole strand, of which this holds a point",
                   "say which: `" + name_of(*end) + " at 1 along`");
            return true;
        }
    if (!c.b.is_path())
        return false;
    refuse(c, "wants-point", "this is held at a point, not along a curve", "write point(x, y, z)");
    return true;
}

bool ConstraintSorter::refuse_root(const Constraint& c)
{
    const bool is_second = c.a.object.is_valid() && !ends_.is_root(c.a.object);
    const End &root = is_second ? c.b : c.a, &other = is_second ? c.a : c.b;
    if (!root.object.is_valid() || !ends_.is_root(root.object) || !is_in_body(other))
        return false;
    refuse(c, "holds-root",
           "the root of a strand is fixed in its def: '" + name_of(other) +
               "' would be fixed there",
           "hold it to another point, `braid at 1 along`, or in its place by ball_joint(" +
               name_of(other) + ", point(...))");
    return true;
}

StrandConstraint ConstraintSorter::for_strand(StrandConstraintKind kind, const Constraint& c)
{
    const bool is_second = !is_on_strand(c.a) && is_on_strand(c.b);
    const End &a = is_second ? c.b : c.a, &b = is_second ? c.a : c.b;
    return {.kind = kind,
            .a = a.object,
            .b = b.object,
            .path = b.path,
            .frame = c.frame,
            .active = active_until(c.release),
            .ease = c.release.ease,
            .origin = c.origin};
}

RodConstraint ConstraintSorter::for_rod(RodConstraintKind kind, const Constraint& c) const
{
    return {.kind = kind,
            .a = c.a.object,
            .b = c.b.object,
            .path = c.b.path,
            .frame = c.frame,
            .release = c.release,
            .origin = c.origin};
}

Problems sort_constraints(Scene& scene, std::span<const Constraint> constraints)
{
    Problems problems;
    const auto exists = [&](const End& end) {
        return (!end.object.is_valid() || end.object.index < scene.objects.size()) &&
               (!end.path.is_valid() || end.path.index < scene.paths.size());
    };
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const Constraint& c = constraints[i];
        if (!c.a.object.is_valid() || !exists(c.a) || !exists(c.b))
            problems.push_back(make_problem(scene, Severity::error, "no-such-object", c.origin,
                                            "constraints[" + std::to_string(i) + "]",
                                            "names an object or a path that does not exist",
                                            "use numbers of elements of the scene"));
    }
    if (!problems.empty())
        return problems;
    scene.distance_constraints.clear();
    scene.path_constraints.clear();
    scene.point_springs.clear();
    scene.joints.clear();
    scene.strand_constraints.clear();
    scene.rod_constraints.clear();
    const std::vector<std::string> names = object_names(scene);
    for (ConstraintFault& fault : ConstraintSorter(scene, constraints, [&](ObjectId object) {
                                      return names[object.index];
                                  }).run())
        problems.push_back(make_problem(scene, Severity::error, std::string(fault.code),
                                        fault.origin,
                                        "constraints[" + std::to_string(fault.number) + "]",
                                        std::move(fault.what), std::move(fault.hint)));
    return problems;
}

} // namespace sinew

// Which things of a scene move together: union-find over the coordinates.

#include "models/linkage/equations/plan.h"

#include "scene/formula.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"

#include <numeric>

namespace sinew {

namespace {

class Finder {
public:
    explicit Finder(const Scene& scene)
        : scene_(scene), root_(scene.coordinates.size()), is_used_(scene.coordinates.size()),
          of_object_(scene.objects.size(), kNoIndex), bodies_(make_body_map(scene))
    {
        std::iota(root_.begin(), root_.end(), 0u);
        join_frames();
        join_statements();
    }

    std::vector<LinkageParts> linkages()
    {
        std::vector<LinkageParts> found;
        std::vector<std::uint32_t> number(root_.size(), kNoIndex);
        for (std::uint32_t i = 0; i < root_.size(); ++i) {
            if (!is_used_[i])
                continue;
            std::uint32_t& k = number[find(i)];
            if (k == kNoIndex) {
                k = static_cast<std::uint32_t>(found.size());
                found.emplace_back();
            }
            found[k].coordinates.push_back(i);
        }
        share_statements(number, found);
        for (const ObjectId end : held_ends())
            if (const std::uint32_t c = of_object_[end.index]; c != kNoIndex && is_used_[c])
                found[number[find(c)]].held.push_back(end);
        return found;
    }

private:
    void share_statements(const std::vector<std::uint32_t>& number,
                          std::vector<LinkageParts>& found)
    {
        const auto share = [&](auto member, const auto& list, auto coordinate_of) {
            for (std::uint32_t i = 0; i < list.size(); ++i)
                if (const std::uint32_t c = coordinate_of(list[i]); c != kNoIndex && is_used_[c])
                    (found[number[find(c)]].*member).push_back(i);
        };
        const auto of = [&](ObjectId object) { return of_object_[object.index]; };
        using P = LinkageParts;
        share(&P::masses, scene_.masses, [&](auto& m) { return of(m.object); });
        share(&P::box_masses, scene_.box_masses, [&](auto& m) { return of(m.object); });
        share(&P::labels, scene_.labels, [&](auto& l) { return of(l.object); });
        share(&P::distance_constraints, scene_.distance_constraints,
              [&](auto& c) { return either(of(c.a), of(c.b)); });
        share(&P::path_constraints, scene_.path_constraints,
              [&](auto& c) { return either(of(c.point), of(scene_.paths[c.path.index].frame)); });
        share(&P::point_springs, scene_.point_springs,
              [&](auto& s) { return is_tie(s) ? kNoIndex : either(of(s.a), of(s.b)); });
        share(&P::coordinate_springs, scene_.coordinate_springs,
              [&](auto& s) { return s.coordinate.index; });
        share(&P::limits, scene_.coordinate_limits, [&](auto& l) { return l.coordinate.index; });
        share(&P::frictions, scene_.coordinate_frictions,
              [&](auto& f) { return f.coordinate.index; });
        for (std::uint32_t i = 0; i < scene_.events.size(); ++i)
            if (const std::uint32_t k = number[find(scene_.events[i].time.index)]; k != kNoIndex)
                found[k].events.push_back(i);
        share(&P::forces, scene_.forces, [&](auto& f) { return of(f.object); });
        share(&P::torques, scene_.torques, [&](auto& t) { return t.coordinate.index; });
        share(&P::turn_torques, scene_.turn_torques, [&](auto& t) { return t.turn.index; });
        share(&P::drags, scene_.drags, [&](auto& d) { return of(d.object); });
    }

    /// The objects at which something else holds a linkage: joints, springs, strands, rods, and
    /// obstacles, since what touches them pushes the linkage.
    std::vector<ObjectId> held_ends() const
    {
        std::vector<ObjectId> ends;
        const auto hold = [&](ObjectId end) {
            if (end.is_valid() && !bodies_.around[end.index].is_valid())
                ends.push_back(end);
        };
        for (const Joint& joint : scene_.joints) {
            hold(joint.a);
            hold(joint.b);
        }
        for (const PointSpring& spring : scene_.point_springs)
            if (is_tie(spring)) {
                hold(spring.a);
                hold(spring.b);
            }
        for (const StrandCurve& strand : scene_.strands)
            hold(strand.tree);
        for (const RigidBody& body : scene_.bodies)
            if (body.is_obstacle())
                ends.push_back(body.object);
        for (const StrandConstraint& constraint : scene_.strand_constraints)
            for (const ObjectId end : {constraint.a, constraint.b, constraint.frame})
                hold(end);
        for (const RodConstraint& constraint : scene_.rod_constraints)
            for (const ObjectId end : {constraint.a, constraint.b, constraint.frame})
                hold(end);
        return ends;
    }

    /// A spring between a linkage and a body: a matter of rows.
    bool is_tie(const PointSpring& spring) const
    {
        return bodies_.is_in_moved(spring.a) || bodies_.is_in_moved(spring.b);
    }

    static std::uint32_t either(std::uint32_t a, std::uint32_t b) { return a != kNoIndex ? a : b; }

    std::uint32_t find(std::uint32_t i)
    {
        while (root_[i] != i)
            i = root_[i] = root_[root_[i]];
        return i;
    }

    std::uint32_t join(std::uint32_t a, std::uint32_t b)
    {
        if (a != kNoIndex && b != kNoIndex) {
            const std::uint32_t i = find(a), j = find(b);
            root_[std::max(i, j)] = std::min(i, j);
        }
        return either(a, b);
    }

    /// One of the coordinates that a value depends on, all joined.
    std::uint32_t coordinate_of(Value value)
    {
        std::uint32_t any = kNoIndex;
        for_each_leaf(scene_, value, [&](const Formula& leaf) {
            if (leaf.operation == Operation::coordinate || leaf.operation == Operation::rate)
                any = join(any, leaf.index);
            else if (leaf.operation == Operation::position)
                any = join(any, join(of_object_[leaf.index], of_object_[leaf.frame.index]));
        });
        return any;
    }

    template <class... Values>
    std::uint32_t join_values(std::uint32_t any, Values... values)
    {
        ((any = join(any, coordinate_of(values))), ...);
        return any;
    }

    /// Marks the coordinates that a place or a length depends on: they move something, or are moved
    /// by it.
    void use(Value value)
    {
        for_each_leaf(scene_, value, [&](const Formula& leaf) {
            if (leaf.operation == Operation::coordinate &&
                scene_.coordinates[leaf.index].kind != CoordinateKind::event)
                is_used_[leaf.index] = true;
        });
    }

    void join_frames()
    {
        ObjectId faulty;
        for (const ObjectId id : order_of_frames(scene_, faulty)) {
            const Object& object = scene_.objects[id.index];
            const ObjectId parent = frame_parent(object);
            std::uint32_t any = parent.is_valid() ? of_object_[parent.index] : kNoIndex;
            for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
                const Value amount = scene_.transformations[object.first_transformation + k].amount;
                any = join_values(any, amount);
                use(amount);
            }
            of_object_[id.index] = any;
        }
    }

    void join_statements()
    {
        const auto of = [&](ObjectId object) { return of_object_[object.index]; };
        for (const DistanceConstraint& c : scene_.distance_constraints)
            if (const std::uint32_t ends = join(of(c.a), of(c.b)); ends != kNoIndex) {
                join_values(ends, c.distance, c.release.active);
                use(c.distance);
            }
        for (const PathConstraint& c : scene_.path_constraints) {
            const Path& path = scene_.paths[c.path.index];
            std::uint32_t any = join_values(join(of(c.point), of(path.frame)), c.release.active);
            const bool is_movable = any != kNoIndex;
            for (std::uint32_t i = 0; i < path.points.count; ++i) {
                any = join_values(any, scene_.values[path.points.first + i]);
                if (is_movable)
                    use(scene_.values[path.points.first + i]);
            }
        }
        for (const PointSpring& s : scene_.point_springs)
            if (!is_tie(s))
                join_values(join(of(s.a), of(s.b)), s.rest_length, s.stiffness, s.damping);
        for (const CoordinateSpring& s : scene_.coordinate_springs)
            join_values(s.coordinate.index, s.rest_length, s.stiffness, s.damping, s.most);
        for (const CoordinateFriction& f : scene_.coordinate_frictions)
            join_values(f.coordinate.index, f.most);
        for (const Event& event : scene_.events) {
            const std::uint32_t any = join_values(event.time.index, event.condition);
            for (const Event::RateSet& set : event.rates)
                join_values(join(any, set.coordinate.index), set.rate);
        }
        for (const Force& f : scene_.forces)
            join_values(join(of(f.object), of(f.frame)), f.x, f.y, f.z);
        for (const Torque& t : scene_.torques)
            join_values(t.coordinate.index, t.value);
        for (const TurnTorque& t : scene_.turn_torques)
            join_values(t.turn.index, t.x, t.y, t.z, t.stiffness, t.damping);
        for (const Drag& d : scene_.drags)
            join_values(of(d.object), d.coefficient);
        for (const Field& field : scene_.fields) {
            const std::uint32_t source = join_values(of(field.frame), field.x, field.y, field.z);
            for (const ObjectId top : field.on)
                for (std::uint32_t i = top.index; i < scene_.objects[top.index].end; ++i)
                    join(source, of_object_[i]);
        }
        const Settings& settings = scene_.settings;
        const std::uint32_t gravity =
            join_values(kNoIndex, settings.gravity_x, settings.gravity_y, settings.gravity_z);
        // An import may look at every coordinate.
        if (gravity != kNoIndex || !scene_.imports.empty())
            for (std::uint32_t i = 1; i < root_.size(); ++i)
                join(0, i);
    }

    const Scene& scene_;
    std::vector<std::uint32_t> root_;
    std::vector<bool> is_used_;
    std::vector<std::uint32_t> of_object_; ///< any coordinate that moves it
    BodyMap bodies_;
};

} // namespace

std::vector<LinkageParts> find_linkages(const Scene& scene) { return Finder(scene).linkages(); }

} // namespace sinew

// Applied forces. A force on a point goes to the three coordinates of its place, a torque on an
// angle to its ξ and η: τ δθ = τ (ξ δη − η δξ).

#include "models/linkage/paper/equations/forces.h"

#include "math/functions.h"
#include "scene/formula.h"

#include <algorithm>

namespace sinew::charli_method {

namespace {

/// Leaves along the motion, for rates of values.
struct MovingLeaves {
    const System& system;
    const Instant& at;

    Jet2 time() const { return Jet2::variable(at.time); }
    Jet2 along() const { return 0; }
    Side side() const { return at.side; }
    Jet2 coordinate(std::uint32_t i) const { return {at.coordinates[i], at.coordinate_rates[i]}; }
    Jet2 imported(std::uint32_t i) const { return at.imports[i]; }
    Jet2 position(const Formula& formula) const
    {
        return at.jet(system.positions[std::size_t(&formula - system.scene.formulas.data())]);
    }
};

/// Leaves as they are at one instant.
struct NumberLeaves {
    const System& system;
    std::span<const ImportFunction> imports;
    const Instant& at;

    double time() const { return at.time; }
    double along() const { return 0; }
    Side side() const { return at.side; }
    double coordinate(std::uint32_t i) const { return at.coordinates[i]; }
    double rate(std::uint32_t i) const { return at.coordinate_rates[i]; }
    double rate_of(Value value) const
    {
        return evaluate<Jet2>(system.scene, value, MovingLeaves{system, at}).first;
    }
    double imported(std::uint32_t i) const
    {
        return imports[i]({at.time, at.coordinates, at.coordinate_rates}).value;
    }
    double position(const Formula& formula) const
    {
        return at.value(system.positions[std::size_t(&formula - system.scene.formulas.data())]);
    }
};

class Forces {
public:
    Forces(const System& system, std::span<const ImportFunction> imports, const Instant& at,
           std::span<double> forces)
        : system_(system), scene_(system.scene), leaves_{system, imports, at}, at_(at),
          forces_(forces)
    {
    }

    void run()
    {
        std::fill(forces_.begin(), forces_.end(), 0.0);
        const Settings& s = scene_.settings;
        const Vec3 gravity = vector(s.gravity_x, s.gravity_y, s.gravity_z);
        for (const MassPoint& mass : system_.masses)
            push(mass.place, mass.mass * gravity);
        add_fields();
        for (std::size_t i = 0; i < scene_.forces.size(); ++i) {
            const Force& force = scene_.forces[i];
            push(system_.force_points[i],
                 turned(system_.force_frames[i], vector(force.x, force.y, force.z)));
        }
        for (std::size_t i = 0; i < scene_.drags.size(); ++i) {
            const Triple& point = system_.drag_points[i];
            push(point, -number(scene_.drags[i].coefficient) * at_.velocity(point));
        }
        for (const Torque& torque : scene_.torques)
            twist(torque.coordinate, number(torque.value));
        add_springs();
    }

private:
    double number(Value value) const { return evaluate<double>(scene_, value, leaves_); }
    Vec3 vector(Value x, Value y, Value z) const { return {number(x), number(y), number(z)}; }

    /// Components along the axes of a frame, in the world; a scale changes no force.
    Vec3 turned(const Chain& frame, const Vec3& v) const
    {
        if (frame.empty())
            return v;
        const auto value = [&](Factor factor) { return at_.value(factor); };
        const Vec3 origin = apply_chain<double>(frame, Vec3{}, value);
        Vec3 sum;
        for (int k = 0; k < 3; ++k) {
            Vec3 axis;
            axis[k] = 1;
            sum += v[k] * normalised(apply_chain<double>(frame, axis, value) - origin);
        }
        return sum;
    }

    void push(const Triple& point, const Vec3& force)
    {
        for (std::size_t k = 0; k < 3; ++k)
            if (!point[k].is_known)
                forces_[point[k].index] += force[int(k)];
    }

    void twist(CoordinateId coordinate, double torque)
    {
        if (const std::uint32_t unknown = system_.script_unknowns[coordinate.index];
            unknown != kNone) {
            forces_[unknown] += torque;
        } else if (const std::uint32_t number = system_.script_turns[coordinate.index];
                   number != kNone) {
            const Turn& turn = system_.turns[number];
            const double xi = at_.values[turn.xi], eta = at_.values[turn.eta];
            const double share = torque / (xi * xi + eta * eta);
            forces_[turn.xi] -= share * eta;
            forces_[turn.eta] += share * xi;
        }
    }

    void add_fields()
    {
        for (std::size_t i = 0; i < scene_.fields.size(); ++i) {
            const Field& field = scene_.fields[i];
            const Vec3 a = turned(system_.field_frames[i], vector(field.x, field.y, field.z));
            for (const std::uint32_t mass : system_.field_masses[i])
                push(system_.masses[mass].place, system_.masses[mass].mass * a);
        }
    }

    void add_springs()
    {
        for (std::size_t i = 0; i < scene_.point_springs.size(); ++i) {
            const PointSpring& spring = scene_.point_springs[i];
            const auto& [a, b] = system_.spring_ends[i];
            const Vec3 d = at_.place(b) - at_.place(a);
            const double l = length(d);
            if (!(l > 0))
                continue; // ends that meet: no direction to push in
            const Vec3 n = d / l;
            const double pull = number(spring.stiffness) * (l - number(spring.rest_length)) +
                                number(spring.damping) * dot(n, at_.velocity(b) - at_.velocity(a));
            push(a, pull * n);
            push(b, -pull * n);
        }
        for (const CoordinateSpring& spring : scene_.coordinate_springs) {
            const std::uint32_t i = spring.coordinate.index;
            twist(spring.coordinate,
                  -number(spring.stiffness) * (at_.coordinates[i] - number(spring.rest_length)) -
                      number(spring.damping) * at_.coordinate_rates[i]);
        }
    }

    const System& system_;
    const Scene& scene_;
    NumberLeaves leaves_;
    const Instant& at_;
    std::span<double> forces_;
};

} // namespace

void update_forces(const System& system, std::span<const ImportFunction> imports,
                   const Instant& instant, std::span<double> forces)
{
    Forces(system, imports, instant, forces).run();
}

} // namespace sinew::charli_method

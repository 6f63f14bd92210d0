// Random mechanisms: the accelerations of the paper's large system are those of the small one.

#include "support/scene_builder.h"
#include "unit/models/linkage/charli_look.h"

#include <random>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Objects on and in one another, moved by numbers, coordinates, functions of time, formulas and
/// places; masses, blocks, rods between them.
class MechanismMaker {
public:
    explicit MechanismMaker(std::uint32_t seed) : random_(seed) {}

    Scene run()
    {
        const int coordinates = 1 + below(4), objects = 2 + below(4);
        for (int i = 0; i < coordinates; ++i)
            coordinates_.push_back(
                builder_.add_coordinate("q" + std::to_string(i), number(-1, 1), number(-2, 2)));
        for (int i = 0; i < objects; ++i)
            add_object();
        Scene scene = builder_.finish();
        add_rods(scene);
        return scene;
    }

private:
    int below(int n) { return int(random_() % unsigned(n)); }
    double number(double low, double high) { return low + (high - low) * below(1000) / 1000; }
    Value coordinate() { return coordinates_[std::size_t(below(int(coordinates_.size())))]; }
    ObjectId object() { return objects_[std::size_t(below(int(objects_.size())))]; }

    void add_object()
    {
        const bool is_first = objects_.empty();
        const ObjectId parent = !is_first && below(2) ? objects_.back() : ObjectId{0};
        const ObjectId on = !is_first && below(4) == 0 ? object() : ObjectId{};
        const ObjectId id = builder_.add_object("o", parent, on);
        const int count = 1 + below(4);
        for (int i = 0; i < count; ++i) {
            const auto kind = static_cast<TransformationKind>(below(10));
            Value value = amount();
            if (kind >= TransformationKind::scale) // between 1.2 and 1.8
                value = builder_.apply(
                    Operation::add, {1.5},
                    builder_.apply(Operation::divide, builder_.apply(Operation::sine, value), {3}));
            builder_.transform(id, kind, value);
        }
        objects_.push_back(id);
        if (below(3) == 0)
            builder_.scene.box_masses.push_back(
                {.object = id, .mass = number(0.5, 3), .size = {1, 0.5, 0.3}});
        else
            builder_.scene.masses.push_back({.object = id, .mass = number(0.5, 3)});
    }

    Value amount()
    {
        switch (below(objects_.empty() ? 5 : 6)) {
        case 0: return {number(-1.5, 1.5)};
        case 1:
        case 2: return coordinate();
        case 3:
            return builder_.apply(Operation::add, {number(0.5, 1)},
                                  builder_.apply(Operation::sine, builder_.time()));
        case 4:
            return builder_.apply(Operation::multiply, {number(-3, 3)},
                                  builder_.apply(Operation::add, coordinate(),
                                                 builder_.apply(Operation::sine, coordinate())));
        default: {
            const ObjectId frame = below(2) ? object() : ObjectId{0};
            const Value place = builder_.position(object(), static_cast<Axis>(below(3)), frame);
            return builder_.apply(Operation::add, place, coordinate());
        }
        }
    }

    /// As long as they are at the start.
    void add_rods(Scene& scene)
    {
        std::vector<double> q;
        for (const Coordinate& c : scene.coordinates)
            q.push_back(c.initial);
        const Kinematics kinematics(scene, q, kTime);
        if (!kinematics.is_sound())
            return;
        const int count = below(3);
        for (int i = 0; i < count; ++i) {
            const ObjectId a = object(), b = object();
            const double apart = length(kinematics.frame(b).origin - kinematics.frame(a).origin);
            if (apart > 0.1)
                scene.distance_constraints.push_back({.a = a, .b = b, .distance = {apart}});
        }
    }

public:
    static constexpr double kTime = 0.4;

private:
    std::mt19937 random_;
    SceneBuilder builder_;
    std::vector<Value> coordinates_;
    std::vector<ObjectId> objects_;
};

} // namespace

TEST_CASE("accelerations of random mechanisms are those of their own coordinates")
{
    int compared = 0, contradictory = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const Scene scene = MechanismMaker(seed).run();
        if (!validate(scene).empty() || !build_system(scene))
            continue; // places that depend on themselves, coordinates that move no mass

        CharliLook look(scene, MechanismMaker::kTime);
        Solution solution;
        const Eigen::VectorXd a = look.accelerations(CharliSolver::sparse, solution);
        contradictory += solution.contradiction != kNone;
        if (solution.is_singular || solution.contradiction != kNone)
            continue;
        ++compared;
        const Eigen::VectorXd expected =
            accelerations_by_differences(scene, MechanismMaker::kTime, charli_fall);

        for (const Jet2& f : look.rows.residuals)
            CHECK(std::abs(f.value) < 1e-12);
        // Rounding / step² of the differences.
        CHECK((a - expected).cwiseAbs().maxCoeff() < 1e-5 * (1 + expected.cwiseAbs().maxCoeff()));
    }
    CHECK(compared > 100);
    CHECK(contradictory < 60); // rods between things that cannot move so
}

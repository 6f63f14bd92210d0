#include "linkage_scenes.h"

#include <cmath>

namespace sinew::bench {

namespace {

class SceneBuilder {
public:
    SceneBuilder()
    {
        scene_.objects.push_back({.name = "world"});
        scene_.objects[0].end = 1;
    }

    Value add_coordinate(const std::string& name, double initial)
    {
        const auto index = static_cast<std::uint32_t>(scene_.coordinates.size());
        scene_.coordinates.push_back({.name = name, .initial = initial});
        const auto formula = static_cast<std::uint32_t>(scene_.formulas.size());
        scene_.formulas.push_back({.operation = Operation::coordinate, .index = index});
        return {.formula = formula};
    }

    /// An object in the world, or riding on another.
    ObjectId add_object(const std::string& name, ObjectId on = {})
    {
        const auto index = static_cast<std::uint32_t>(scene_.objects.size());
        Object object;
        object.name = name + std::to_string(index);
        object.parent = ObjectId{0};
        object.on = on;
        object.end = index + 1;
        object.first_transformation = static_cast<std::uint32_t>(scene_.transformations.size());
        scene_.objects.push_back(object);
        scene_.objects[0].end = index + 1;
        return ObjectId{index};
    }

    /// To the object added last; innermost first.
    void transform(TransformationKind kind, Value amount)
    {
        scene_.transformations.push_back({.kind = kind, .amount = amount});
        ++scene_.objects.back().transformation_count;
    }

    ObjectId add_anchor(const Vec3& place)
    {
        const ObjectId anchor = add_object("anchor");
        transform(TransformationKind::translate_x, {place.x});
        transform(TransformationKind::translate_y, {place.y});
        transform(TransformationKind::translate_z, {place.z});
        return anchor;
    }

    ObjectId add_mass(const Vec3& place, bool is_in_space)
    {
        const std::string number = std::to_string(scene_.masses.size());
        const Value x = add_coordinate("x" + number, place.x),
                    y = add_coordinate("y" + number, place.y);
        const Value z = is_in_space ? add_coordinate("z" + number, place.z) : Value{};
        const ObjectId object = add_object("m");
        transform(TransformationKind::translate_x, x);
        transform(TransformationKind::translate_y, y);
        if (is_in_space)
            transform(TransformationKind::translate_z, z);
        scene_.masses.push_back({.object = object, .mass = 1});
        return object;
    }

    void tie(ObjectId a, ObjectId b)
    {
        scene_.distance_constraints.push_back({.a = a, .b = b, .distance = {1.0}});
    }

    Scene& scene() { return scene_; }

private:
    Scene scene_;
};

} // namespace

Scene make_chain(int masses, double angle)
{
    SceneBuilder builder;
    ObjectId above = builder.add_anchor({0, 0, 0});
    for (int i = 1; i <= masses; ++i) {
        const ObjectId mass =
            builder.add_mass({i * std::sin(angle), -i * std::cos(angle), 0}, false);
        builder.tie(above, mass);
        above = mass;
    }
    return std::move(builder.scene());
}

Scene make_nested_chain(int masses, double angle)
{
    SceneBuilder builder;
    ObjectId above;
    for (int i = 0; i < masses; ++i) {
        const Value turn =
            builder.add_coordinate("theta" + std::to_string(i), i == 0 ? angle : 0.0);
        above = builder.add_object("m", above);
        builder.transform(TransformationKind::translate_y, {-1.0});
        builder.transform(TransformationKind::rotate_z, turn);
        builder.scene().masses.push_back({.object = above, .mass = 1});
    }
    return std::move(builder.scene());
}

Scene make_ladder(int masses)
{
    SceneBuilder builder;
    ObjectId left = builder.add_anchor({0, 0, 0}), right = builder.add_anchor({1, 0, 0});
    for (int i = 1; 2 * i <= masses; ++i) {
        // Leaning over: all its squares are rhombi, and no rung is parallel to a rail.
        const double x = i * std::sin(0.8), y = -i * std::cos(0.8);
        const ObjectId a = builder.add_mass({x, y, 0}, false);
        const ObjectId b = builder.add_mass({x + 1, y, 0}, false);
        builder.tie(left, a);
        builder.tie(right, b);
        builder.tie(a, b);
        left = a;
        right = b;
    }
    return std::move(builder.scene());
}

Scene make_net(int rows, int columns)
{
    // The sum of two curves made of unit steps: all neighbours are 1 m apart.
    const auto down = [](int i) {
        const double a = 0.3 * std::sin(1.7 * i), b = 0.3 * std::cos(2.3 * i);
        return Vec3{std::sin(a), -std::cos(a) * std::cos(b), std::cos(a) * std::sin(b)};
    };
    const auto across = [](int j) {
        const double a = 0.4 * std::sin(2.9 * j), b = 0.4 * std::cos(1.3 * j);
        return Vec3{std::cos(a) * std::cos(b), std::sin(a), std::cos(a) * std::sin(b)};
    };
    SceneBuilder builder;
    std::vector<ObjectId> before, row;
    Vec3 start{0, 0, 0};
    for (int i = 0; i < rows; ++i) {
        Vec3 place = start;
        row.clear();
        for (int j = 0; j < columns; ++j) {
            row.push_back(builder.add_mass(place, true));
            if (i == 0 && (j == 0 || j == columns - 1))
                builder.tie(builder.add_anchor(place + Vec3{0, 1, 0}), row.back());
            if (i > 0)
                builder.tie(before[static_cast<std::size_t>(j)], row.back());
            if (j > 0)
                builder.tie(row[row.size() - 2], row.back());
            place += across(j);
        }
        std::swap(before, row);
        start += down(i);
    }
    return std::move(builder.scene());
}

} // namespace sinew::bench

#pragma once

#include "sinew/scene.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sinew::test {

/// Makes scenes without the language. Objects are added parents first, one branch after the other;
/// `finish` puts their transformations and ends in place.
class SceneBuilder {
public:
    SceneBuilder() { scene.objects.push_back({.name = "world", .is_anonymous = true}); }

    Scene scene; ///< everything but objects and transformations may be added directly

    ObjectId add_object(const std::string& name, ObjectId parent = ObjectId{0}, ObjectId on = {})
    {
        scene.objects.push_back({.name = name, .parent = parent, .on = on});
        transformations_.resize(scene.objects.size());
        return {static_cast<std::uint32_t>(scene.objects.size() - 1)};
    }

    void transform(ObjectId object, TransformationKind kind, Value amount)
    {
        transformations_.resize(scene.objects.size());
        transformations_[object.index].push_back({.kind = kind, .amount = amount});
    }

    Value add_coordinate(const std::string& name, double initial = 0, double rate = 0)
    {
        scene.coordinates.push_back({.name = name, .initial = initial, .initial_rate = rate});
        return add_formula({.operation = Operation::coordinate,
                            .index = static_cast<std::uint32_t>(scene.coordinates.size() - 1)});
    }

    Value add_formula(const Formula& formula)
    {
        scene.formulas.push_back(formula);
        return {0, static_cast<std::uint32_t>(scene.formulas.size() - 1)};
    }

    Value time() { return add_formula({.operation = Operation::time}); }

    Value apply(Operation operation, Value a, Value b = {})
    {
        return add_formula({.operation = operation, .a = a, .b = b});
    }

    Value position(ObjectId object, Axis axis, ObjectId frame)
    {
        return add_formula({.operation = Operation::position,
                            .axis = axis,
                            .index = object.index,
                            .frame = frame});
    }

    Value add_track(std::vector<Key> keys, bool along = false)
    {
        scene.tracks.push_back({.along = along, .keys = std::move(keys)});
        return add_formula({.operation = Operation::track,
                            .index = static_cast<std::uint32_t>(scene.tracks.size() - 1)});
    }

    PathId add_path(PathKind kind, const std::vector<Value>& points, ObjectId frame = ObjectId{0})
    {
        Path path{.kind = kind, .frame = frame};
        path.points = {static_cast<std::uint32_t>(scene.values.size()),
                       static_cast<std::uint32_t>(points.size())};
        scene.values.insert(scene.values.end(), points.begin(), points.end());
        scene.paths.push_back(path);
        return {static_cast<std::uint32_t>(scene.paths.size() - 1)};
    }

    /// The scene so far.
    Scene finish() const
    {
        Scene result = scene;
        for (std::size_t i = result.objects.size(); i-- > 0;) {
            Object& object = result.objects[i];
            object.end = std::max(object.end, static_cast<std::uint32_t>(i + 1));
            if (object.parent.is_valid()) {
                Object& parent = result.objects[object.parent.index];
                parent.end = std::max(parent.end, object.end);
            }
        }
        for (std::size_t i = 0; i < transformations_.size(); ++i) {
            result.objects[i].first_transformation =
                static_cast<std::uint32_t>(result.transformations.size());
            result.objects[i].transformation_count =
                static_cast<std::uint32_t>(transformations_[i].size());
            result.transformations.insert(result.transformations.end(), transformations_[i].begin(),
                                          transformations_[i].end());
        }
        return result;
    }

private:
    std::vector<std::vector<Transformation>> transformations_;
};

} // namespace sinew::test

#include "display/colours.h"

#include "sinew/display.h"

#include <map>
#include <string>
#include <utility>

namespace sinew {

namespace {

/// What tells masses of different colours apart: the part of the scene, and their own name in it.
using Kin = std::pair<std::string, std::string>;

Kin kin_of(const Scene& scene, ObjectId object)
{
    Kin kin;
    for (ObjectId id = object; id.is_valid() && id.index != 0;
         id = scene.objects[id.index].parent) {
        const Object& it = scene.objects[id.index];
        if (it.is_anonymous)
            continue;
        if (kin.second.empty())
            kin.second = it.name;
        kin.first = it.name;
    }
    return kin;
}

/// Objects without a value of their own take that of the object around them, which comes before.
template <class T>
void inherit(const Scene& scene, std::vector<std::optional<T>>& values)
{
    for (std::size_t i = 1; i < values.size(); ++i)
        if (const ObjectId parent = scene.objects[i].parent; !values[i] && parent.is_valid())
            values[i] = values[parent.index];
}

} // namespace

Colours::Colours(const Scene& scene)
    : written_(scene.objects.size()), given_(scene.objects.size()), looks_(scene.objects.size())
{
    for (const ObjectLook& look : scene.looks) {
        looks_[look.object.index] = look.look;
        if (look.colour)
            written_[look.object.index] = look.colour;
    }
    inherit(scene, looks_);
    for (const Colour& colour : scene.colours)
        written_[colour.object.index] = colour.rgb;
    inherit(scene, written_);
    std::map<Kin, std::size_t> kins;
    const auto give = [&](ObjectId object) {
        if (written_[object.index])
            return;
        const std::size_t next = kins.size();
        const auto [kin, is_new] = kins.try_emplace(kin_of(scene, object), next);
        given_[object.index] = palette_colour(kin->second);
    };
    for (const Mass& mass : scene.masses)
        give(mass.object);
    for (const BoxMass& box : scene.box_masses)
        give(box.object);
    std::size_t next = kins.size(); // a pile of one colour is hard to read
    for (const RigidBody& body : scene.bodies)
        if (!body.is_obstacle() && !written_[body.object.index])
            given_[body.object.index] = palette_colour(next++);
    inherit(scene, given_);
}

std::optional<Vec3> Colours::written(ObjectId object) const { return written_[object.index]; }

std::optional<Vec3> Colours::of_mass(ObjectId object) const
{
    return written_[object.index] ? written_[object.index] : given_[object.index];
}

} // namespace sinew

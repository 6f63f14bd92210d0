// What explains a picture: forces as arrows, contacts as marks, names beside things.

#include "math/functions.h"
#include "sinew/render.h"

#include <set>

namespace sinew {

namespace {

/// By kind: weight, spring, applied, drag, constraint, hand, contact.
Vec3 force_colour(ActingForce::Kind kind)
{
    constexpr std::size_t kColours[] = {5, 3, 0, 4, 1, 2, 6};
    return palette_colour(kColours[std::size_t(kind)]);
}

} // namespace

std::vector<Arrow> make_arrows(std::span<const ActingForce> forces, const Frame& frame,
                               double scale)
{
    std::vector<Arrow> arrows;
    for (const ActingForce& force : forces) {
        const Vec3 from = force.place.value_or(frame.objects[force.object.index].origin);
        arrows.push_back(
            {from, from + force.force * scale, force_colour(force.kind), force.object});
    }
    return arrows;
}

std::vector<Mark> make_marks(std::span<const Contact> contacts, double length)
{
    constexpr Vec3 kDark = {0.10, 0.11, 0.13}; // no body has it, nor a layer
    std::vector<Mark> marks;
    for (const Contact& contact : contacts)
        marks.push_back({contact.place, contact.place + contact.normal * length, kDark});
    return marks;
}

std::vector<Caption> make_captions(const Scene& scene, const Display& display,
                                   const DisplayFrame& frame)
{
    const std::vector<std::string> names = object_names(scene);
    std::vector<Caption> captions;
    std::set<ObjectId> named;
    for (const Element& element : display.elements) {
        const bool is_place =
            element.kind == ElementKind::sphere || element.kind >= ElementKind::box;
        const bool is_seen =
            element.role == ElementRole::thing || element.role == ElementRole::label;
        if (!is_place || !is_seen || element.kind == ElementKind::plane ||
            !element.object.is_valid() || element.object.index == 0 ||
            !named.insert(element.object).second)
            continue;
        captions.push_back({element.kind == ElementKind::sphere ? frame.points[element.first]
                                                                : frame.poses[element.first].origin,
                            names[element.object.index]});
    }
    return captions;
}

} // namespace sinew

#include "scene/objects/rods.h"

#include <cmath>

namespace sinew {

SampledPath sample_rod(const Scene& scene, const Rod& rod, std::uint32_t count)
{
    return sample_by_chords(scene, scene.paths[rod.path.index], count * rod.spans, rod.begin,
                            rod.end);
}

std::vector<RodShape> sample_rods(const Scene& scene)
{
    std::vector<RodShape> shapes;
    for (const Rod& rod : scene.rods) {
        SampledPath sampled = sample_rod(scene, rod, 1);
        RodShape& shape = shapes.emplace_back();
        shape.nodes = std::move(sampled.points);
        shape.length = sampled.length;
        Quat frame;
        for (std::size_t k = 0; k + 1 < shape.nodes.size(); ++k) {
            const Vec3 chord = shape.nodes[k + 1] - shape.nodes[k];
            if (const double size = length(chord); size > 0)
                frame = k == 0 ? first_frame(chord / size) : carry_frame(frame, chord / size);
            shape.segments.push_back(frame);
        }
    }
    return shapes;
}

Affine frame_on_rod(const RodShape& shape, double along)
{
    return frame_on_strand(shape.nodes, shape.segments, along);
}

void add_drawn_rods(const Scene& scene, Frame& frame)
{
    if (scene.rods.empty())
        return;
    const std::vector<RodShape> shapes = sample_rods(scene);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Affine& place = frame.objects[scene.rods[i].object.index];
        const Quat turn = rotation_quat(place.linear);
        for (const Vec3& node : shapes[i].nodes)
            frame.nodes.push_back(apply(place, node));
        for (const Quat& segment : shapes[i].segments)
            frame.segments.push_back(turn * segment);
    }
}

namespace {
constexpr double kPi = 3.14159265358979323846;
}

std::array<double, 3> stiffness_of(const Rod& rod)
{
    const double square = rod.radius * rod.radius, area = kPi * square;
    const double bend = rod.bend_stiffness.value_or(rod.young * area * square / 4);
    return {rod.stretch_stiffness.value_or(rod.young * area), bend,
            rod.twist_stiffness.value_or(bend / (1 + rod.poisson))};
}

double mass_per_length_of(const Rod& rod)
{
    return rod.mass_per_length.value_or(rod.density * kPi * rod.radius * rod.radius);
}

double mass_of_rod(const Rod& rod, double drawn_length)
{
    return mass_per_length_of(rod) * rod.rest_length.value_or(drawn_length);
}

} // namespace sinew

// Bodies that carry linkages. Such a body is two things that six rows hold together: a block of the
// pile with a share of its mass, and a frame of the linkage, with six coordinates, that has the
// rest. Between steps the body is the truth and the frame is put where it is. [notes: rows, eq. 8]

#include "scene/kinematics.h"
#include "scene/objects/carried.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

/// Imports of the script know its own coordinates only.
ImportFunction with_first_coordinates(const ImportFunction& import, std::size_t count)
{
    return [import, count](const ImportInput& input) {
        ImportInput seen = input;
        seen.coordinates = input.coordinates.first(count);
        seen.rates = input.rates.first(count);
        return import(seen);
    };
}

} // namespace

void World::Parts::make_linkages()
{
    const double start = scene.settings.start;
    for (const Coordinate& coordinate : scene.coordinates) {
        coordinates.push_back(coordinate.initial);
        rates.push_back(coordinate.initial_rate);
    }
    if (!find_carriers(scene).empty()) {
        std::vector<double> values;
        for (const ImportFunction& import : imports) {
            values.push_back(import({start, coordinates, rates}).value);
            linkage_imports.push_back(with_first_coordinates(import, coordinates.size()));
        }
        carried = make_carried_scene(
            scene, place_objects(scene, frame_order, {start, coordinates, values}));
        coordinates.resize(carried.scene.coordinates.size());
        rates.resize(coordinates.size());
    }
    linkages = std::make_unique<LinkageModel>(scene_of_linkages(),
                                              has_carriers() ? linkage_imports : imports);
}

std::vector<BodyMotion> World::Parts::carried_motions() const
{
    std::vector<BodyMotion> motions;
    for (const CarrierFrame& carrier : carried.carriers) {
        const Site site = *linkages->find_site(carrier.object, kLinkages);
        SiteMotion at;
        linkages->locate(look, scene.settings.start, {&site, 1}, {&at, 1});
        motions.push_back({.object = carrier.object,
                           .pose = at.pose,
                           .velocity = at.twist.linear,
                           .spin = at.twist.angular});
    }
    return motions;
}

void World::Parts::share_masses()
{
    for (const CarrierFrame& carrier : carried.carriers) {
        coupling.frames.push_back({.body = carrier.body,
                                   .site = *linkages->find_site(carrier.object, kLinkages),
                                   .in_object = rigid.centre_in_object(carrier.body)});
        coupling.is_used = true;
        rigid.scale_mass(carrier.body, 1 - kCarriedShare);
    }
    bodies_now = rigid.make_input();
}

void World::Parts::place_carried_frames()
{
    if (!has_carriers())
        return;
    for (const CarrierFrame& carrier : carried.carriers) {
        const BodyMotion body = rigid.motion_of(carrier.body, state.pile);
        linkages->turn_frame(carrier.object, angles_of(body.pose.rotation));
        const Vec3 spin = rotate(conjugate(body.pose.rotation), body.spin);
        const std::size_t first = carrier.first_coordinate;
        for (int k = 0; k < 3; ++k) {
            const auto i = static_cast<std::size_t>(k);
            coordinates[first + i] = body.pose.translation[k];
            rates[first + i] = body.velocity[k];
            coordinates[first + 3 + i] = 0;
            rates[first + 3 + i] = spin[k];
        }
    }
    linkages->write_coordinates(coordinates, rates, state.models[kLinkages]);
}

} // namespace sinew

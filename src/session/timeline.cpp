// Frames from a take: forwards as they are wanted, and again from the nearest snapshot.

#include "session/parts.h"
#include "sinew/names.h"
#include "sinew/stop.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sinew {

namespace {

constexpr std::size_t kSnapshotBytes = std::size_t(256) << 20; // of all snapshots kept, roughly
constexpr std::size_t kShotBytes = std::size_t(1) << 30;       // of all frames kept

std::size_t bytes_of(const Shot& shot)
{
    const Frame& f = shot.frame;
    return sizeof(Shot) + f.objects.size() * sizeof(Affine) +
           (f.points.size() + f.nodes.size()) * sizeof(Vec3) + f.segments.size() * sizeof(Quat) +
           f.loads.size() * sizeof(ConstraintLoad) + f.sections.size() * sizeof(SectionForce);
}

double gravity_of(const Scene& scene)
{
    const Settings& s = scene.settings;
    return length(Vec3{s.gravity_x.number, s.gravity_y.number, s.gravity_z.number});
}

/// A hand that lets a weight sag by a fortieth of the scene, and does not swing.
Grab make_grab(const World& world, ObjectId object, const Input& input, double extent)
{
    constexpr double kSlowest = 6; // rad/s, where there is little gravity
    const double mass = world.mass_around(object);
    const double omega = std::max(kSlowest, std::sqrt(40 * gravity_of(world.scene()) / extent));
    return {.object = object,
            .target = input.target,
            .stiffness = mass * omega * omega,
            .damping = 1.4 * mass * omega,
            .point = input.point,
            .along = input.point.x,
            .curve = static_cast<std::uint32_t>(std::max(0.0, input.point.y))};
}

/// A scene that starts where another world stands.
Scene continued(Scene scene, const World& world)
{
    scene.settings.start = world.time();
    scene.settings.end = std::max(scene.settings.end, world.time());
    scene.settings.assemble = true;
    for (std::size_t i = 0; i < scene.coordinates.size(); ++i) {
        scene.coordinates[i].initial = world.coordinates()[i];
        scene.coordinates[i].initial_rate = world.rates()[i];
    }
    return scene;
}

} // namespace

void Session::Parts::leave_frame()
{
    world_frame = -1;
    is_midway = false;
}

void Session::Parts::invalidate(std::int64_t from)
{
    recorded = std::min(recorded, from);
    if (from <= valid) {
        stale = std::max(stale, valid);
        valid = from;
        fault.reset();
    }
    snapshots.erase(snapshots.lower_bound(from), snapshots.end());
    statistics.erase(statistics.lower_bound(from), statistics.end());
    std::erase_if(eras, [&](const Era& era) { return era.first > 0 && era.first >= from; });
    if (world_frame >= from || (is_midway && world_frame + 1 >= from))
        leave_frame();
    if (world_era > 0 && world_era >= from)
        world.reset();
}

std::int64_t Session::Parts::planned_count() const
{
    const Settings& settings = scene.settings;
    const double frames = (settings.end - settings.start) * settings.frame_rate;
    constexpr double kMostFrames = 1e7;
    return static_cast<std::int64_t>(std::min(kMostFrames, std::floor(frames + 1e-6))) + 1;
}

double Session::Parts::time_of(std::int64_t frame) const
{
    return scene.settings.start + double(frame) / scene.settings.frame_rate;
}

// ---------------------------------------------------------------- the world at a frame

/// Recordings of older versions have shorter names.
ObjectId Session::Parts::find_held(const std::string& name) const
{
    if (const auto found = objects.find(name); found != objects.end())
        return {found->second};
    const std::vector<std::size_t> meant = find_names(object_paths(scene), name);
    return meant.size() == 1 ? ObjectId{static_cast<std::uint32_t>(meant.front())} : ObjectId{};
}

std::vector<Grab> Session::Parts::grabs_at(std::int64_t frame) const
{
    const Input* grab = find_grab(take.inputs, frame);
    if (!grab)
        return {};
    const ObjectId object = find_held(grab->name);
    if (!object.is_valid())
        return {};
    if (!world)
        return {{.object = object, // to look at
                 .target = grab->target,
                 .point = grab->point,
                 .along = grab->point.x}};
    return {make_grab(*world, object, *grab, extent)};
}

/// Where a slider was moved on the way to a frame, the world goes on as another one.
Problems Session::Parts::enter_era(std::int64_t frame)
{
    const auto is_change = [&](const Input& input) {
        return input.kind == Input::Kind::parameter && input.frame == frame;
    };
    if (std::ranges::none_of(take.inputs, is_change))
        return {};
    if (eras.back().first < frame) {
        Result<Scene> next = scene_from(take, frame);
        if (!next)
            return next.problems();
        eras.push_back({.first = frame,
                        .scene = continued(std::move(*next), *world),
                        .bodies = world->bodies()});
    }
    const auto era = std::ranges::find(eras, frame, &Era::first);
    Result<World> made = make_world(*era, options);
    if (!made)
        return made.problems();
    made->take_curves(*world);
    world = std::move(*made);
    world_era = frame;
    return {};
}

/// From one frame to the next, as the take says.
StepReport Session::Parts::move_on()
{
    const std::int64_t next = world_frame + 1;
    StepReport report;
    if (!is_midway) {
        if (Problems refused = enter_era(next); has_errors(refused)) {
            report.fault = refused.front();
            return report;
        }
        if (Problems refused = world->set_grabs(grabs_at(next)); !refused.empty())
            report.warnings.push_back(refused.front());
    }
    StepReport step = world->advance(time_of(next));
    step.warnings.insert(step.warnings.end(), report.warnings.begin(), report.warnings.end());
    is_midway = is_stopped(step.fault);
    world_frame += is_midway ? 0 : 1;
    return step;
}

/// Takes the world to the last snapshot at or before a frame, or to the start.
bool Session::Parts::restore_before(std::int64_t frame)
{
    if (is_midway && world_frame >= frame)
        leave_frame();
    auto snapshot = snapshots.upper_bound(frame);
    const std::int64_t at = snapshot == snapshots.begin() ? 0 : std::prev(snapshot)->first;
    if (world && world_frame >= at && world_frame <= frame)
        return true; // it is nearer
    if (snapshot == snapshots.begin() && restore_recorded(frame))
        return true;
    const auto era = std::prev(std::ranges::upper_bound(eras, at, {}, &Era::first));
    const bool has_snapshot = snapshot != snapshots.begin();
    if (!world || world_era != era->first || !has_snapshot) {
        Result<World> made = make_world(*era, options);
        if (!made)
            return false;
        world = std::move(*made);
        world_era = era->first;
    }
    world_frame = at;
    is_midway = false;
    return !has_snapshot || world->restore(std::prev(snapshot)->second);
}

bool Session::Parts::stand_at(std::int64_t frame)
{
    if (!restore_before(frame))
        return false;
    while (world_frame < frame)
        if (move_on().fault)
            return false;
    return true;
}

// ---------------------------------------------------------------- frames

void Session::Parts::keep(std::int64_t frame, std::shared_ptr<const Shot> shot)
{
    std::shared_ptr<const Shot>& place = shots[frame];
    if (place)
        shot_bytes -= bytes_of(*place);
    shot_bytes += bytes_of(*shot);
    place = std::move(shot);
    for (auto oldest = shots.begin(); shot_bytes > kShotBytes && oldest->first != frame;
         oldest = shots.erase(oldest))
        shot_bytes -= bytes_of(*oldest->second);
}

bool Session::Parts::store_frame(FrameStatistics&& made)
{
    made.energy = world->energy();
    made.state_hash = world->state_hash();
    std::vector<std::byte> bytes = world->snapshot();
    const std::size_t all = bytes.size() * static_cast<std::size_t>(planned_count());
    if (valid % static_cast<std::int64_t>(all / kSnapshotBytes + 1) == 0)
        snapshots[valid] = std::move(bytes);
    statistics[valid] = made;
    keep(valid,
         std::make_shared<const Shot>(Shot{.frame = world->frame(),
                                           .statistics = std::move(made),
                                           .grabs = hands_on(world->frame(), grabs_at(valid))}));
    ++valid;
    stale = std::max(stale, valid);
    return true;
}

bool Session::Parts::advance()
{
    using Clock = std::chrono::steady_clock;
    const std::int64_t count =
        std::max(planned_count(), valid + (find_grab(take.inputs, valid) ? 1 : 0));
    if (fault || valid >= count)
        return false;
    const Clock::time_point begin = Clock::now();
    const auto stop = [&](Problem&& problem) {
        fault = std::move(problem);
        world.reset();
        return false;
    };
    FrameStatistics made;
    const bool goes_on = is_midway && world_frame == valid - 1;
    if (!goes_on && !stand_at(std::max<std::int64_t>(valid - 1, 0)))
        return !is_stopping() &&
               stop({.code = "cannot-simulate",
                     .place = {.file = take.name},
                     .what = "the way to frame " + std::to_string(valid) + " cannot be simulated",
                     .hint = "start again from the beginning"});
    if (valid == 0)
        made.report.warnings = world->start_notes();
    else
        made.report = move_on();
    if (is_stopped(made.report.fault))
        return false;
    if (made.report.fault)
        return stop(std::move(*made.report.fault));
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
    made.elapsed_ms = elapsed.count();
    return store_frame(std::move(made));
}

std::shared_ptr<const Shot> Session::Parts::shot_at(std::int64_t frame)
{
    while (valid <= frame && frame < planned_count() && advance()) {
    }
    return find_shot(frame);
}

std::shared_ptr<const Shot> Session::Parts::find_shot(std::int64_t frame)
{
    if (const auto found = shots.find(frame); found != shots.end())
        return found->second;
    if (frame < 0 || frame >= valid)
        return nullptr;
    std::shared_ptr<const Shot> shot = frame < recorded ? read_shot(frame) : nullptr;
    if (!shot && stand_at(frame))
        shot =
            std::make_shared<const Shot>(Shot{.frame = world->frame(),
                                              .statistics = statistics[frame],
                                              .grabs = hands_on(world->frame(), grabs_at(frame))});
    if (shot)
        keep(frame, shot);
    return shot;
}

} // namespace sinew

#include "world_handle.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sinew/display.h"
#include "sinew/names.h"

#include <algorithm>
#include <cmath>

namespace sinew::python {

namespace {

bool has_same_sizes(const Frame& a, const Frame& b)
{
    return a.objects.size() == b.objects.size() && a.points.size() == b.points.size() &&
           a.nodes.size() == b.nodes.size() && a.segments.size() == b.segments.size() &&
           a.loads.size() == b.loads.size() && a.sections.size() == b.sections.size();
}

bool has_same_names(const Scene& a, const Scene& b)
{
    const auto same_name = [](const auto& x, const auto& y) { return x.name == y.name; };
    return std::ranges::equal(a.coordinates, b.coordinates, same_name) &&
           object_paths(a) == object_paths(b);
}

Scene starting_from(Scene scene, const Beginning& beginning)
{
    scene.settings.start = beginning.time;
    scene.settings.end = std::max(scene.settings.end, beginning.time);
    scene.settings.assemble = true;
    for (std::size_t i = 0; i < scene.coordinates.size(); ++i) {
        scene.coordinates[i].initial = beginning.coordinates[i];
        scene.coordinates[i].initial_rate = beginning.rates[i];
    }
    return scene;
}

using Numbers = std::vector<double>;

Numbers numbers_of(const BodyMotion& body)
{
    const Quat q = body.pose.rotation;
    const Vec3 x = body.pose.translation, v = body.velocity, w = body.spin;
    return {
        double(body.object.index), q.x, q.y, q.z, q.w, x.x, x.y, x.z, v.x, v.y, v.z, w.x, w.y, w.z};
}

BodyMotion body_of(const Numbers& n)
{
    if (n.size() != 14)
        throw nb::value_error("not the state of a world");
    return {.object = {std::uint32_t(n[0])},
            .pose = {{n[1], n[2], n[3], n[4]}, {n[5], n[6], n[7]}},
            .velocity = {n[8], n[9], n[10]},
            .spin = {n[11], n[12], n[13]}};
}

Numbers numbers_of(const Grab& g)
{
    return {double(g.object.index),
            g.target.x,
            g.target.y,
            g.target.z,
            g.stiffness,
            g.damping,
            g.point.x,
            g.point.y,
            g.point.z,
            g.along,
            double(g.curve)};
}

Grab grab_of(const Numbers& n)
{
    if (n.size() != 11)
        throw nb::value_error("not the state of a world");
    return {.object = {std::uint32_t(n[0])},
            .target = {n[1], n[2], n[3]},
            .stiffness = n[4],
            .damping = n[5],
            .point = {n[6], n[7], n[8]},
            .along = n[9],
            .curve = std::uint32_t(n[10])};
}

} // namespace

WorldHandle::WorldHandle(const SceneHandle& scene, const Imports& imports, int threads, bool settle)
    : scene_(scene), threads_(threads), is_settled_(settle)
{
    if (threads < 1 || threads > 1024)
        throw nb::value_error("threads must be 1 to 1024");
    for (const auto& [name, function] : imports)
        imports_.emplace(name, Callback(function));
    const Use use(*this);
    world_.emplace(make(scene_, {}, settle));
    take_frame();
    first_ = *frame_;
    views_ = make_views(frame_);
}

World WorldHandle::make(const SceneHandle& handle, const std::optional<Beginning>& beginning,
                        bool settle)
{
    Scene scene = beginning ? starting_from(*handle.scene, *beginning) : *handle.scene;
    scene.settings.settle = scene.settings.settle || settle;
    WorldOptions options{.threads = threads_, .imports = {}};
    if (beginning)
        options.bodies = beginning->bodies;
    for (const auto& [name, function] : imports_)
        options.imports[name] = function;
    std::optional<Result<World>> made;
    {
        const Listening listening;
        nb::gil_scoped_release free;
        made.emplace(World::create(scene, options));
    }
    raise_signal();
    raise_errors();
    if (!*made)
        raise(made->problems());
    return std::move(**made);
}

void WorldHandle::settle()
{
    const Use use(*this);
    world_.emplace(make(scene_, {}, true));
    beginning_.reset();
    is_settled_ = true;
    grabs_.clear();
    take_frame();
}

// ---------------------------------------------------------------- time

void WorldHandle::check_until(double until) const
{
    if (!std::isfinite(until) || until < world_->time())
        throw nb::value_error(("time moves forward: until must be finite and at least " +
                               std::to_string(world_->time()))
                                  .c_str());
}

StepReport WorldHandle::advance(double until)
{
    const Use use(*this);
    check_until(until);
    StepReport report;
    do {
        {
            const Listening listening;
            nb::gil_scoped_release free;
            report = compute(until);
        }
        note_motion();
        raise_signal();
    } while (is_stopped(report.fault)); // whoever handled the signal wants it to go on
    raise_errors();
    return report;
}

StepReport WorldHandle::step(std::optional<double> dt)
{
    const double length = dt.value_or(1 / scene_.scene->settings.frame_rate);
    if (!std::isfinite(length) || length < 0)
        throw nb::value_error("dt must be finite and not negative");
    return advance(time() + length);
}

// ---------------------------------------------------------------- other numbers

Beginning WorldHandle::beginning_here() const
{
    return locked([](const World& world) -> Beginning {
        return {.time = world.time(),
                .coordinates = {world.coordinates().begin(), world.coordinates().end()},
                .rates = {world.rates().begin(), world.rates().end()},
                .bodies = world.bodies()};
    });
}

void WorldHandle::become(const SceneHandle& scene, Beginning beginning)
{
    const Use use(*this);
    World next = make(scene, beginning, false);
    next.take_curves(*world_);
    if (!has_same_sizes(next.frame(), *frame_))
        throw nb::value_error("with these parameters the scene has other parts: make a new World");
    world_.emplace(std::move(next));
    scene_ = scene;
    beginning_ = std::move(beginning);
    if (!grabs_.empty())
        set_grabs(std::vector(grabs_));
    note_motion();
}

void WorldHandle::set_parameters(const Parameters& parameters)
{
    const SceneHandle next = with_parameters(scene_, parameters);
    if (!has_same_names(*scene_.scene, *next.scene))
        throw nb::value_error("with these parameters the scene has other parts: make a new World");
    become(next, beginning_here());
}

void WorldHandle::continue_from(Beginning beginning) { become(scene_, std::move(beginning)); }

// ---------------------------------------------------------------- hands

ObjectId WorldHandle::object(const std::string& name) const
{
    return {std::uint32_t(find_named(object_paths(*scene_.scene), name, "object"))};
}

/// A hand that lets a weight sag by a fortieth of the scene [rad/s].
double WorldHandle::suitable_frequency() const
{
    constexpr double kSlowest = 6; // rad/s, where there is little gravity
    const Settings& s = scene_.scene->settings;
    const double gravity = length(Vec3{s.gravity_x.number, s.gravity_y.number, s.gravity_z.number});
    const double extent = 100 * make_display(*scene_.scene, first_).unit;
    return std::max(kSlowest, std::sqrt(40 * gravity / extent));
}

void WorldHandle::grab(Grab grab)
{
    const Use use(*this);
    const ObjectId grip = world_->find_grip(grab.object);
    if (!grip.is_valid())
        throw nb::value_error("that object cannot be held: it does not move freely");
    grab.object = grip;
    const double mass = world_->mass_around(grip), omega = suitable_frequency();
    if (grab.stiffness == 0)
        grab.stiffness = mass * omega * omega;
    if (grab.damping == 0)
        grab.damping = 1.4 * std::sqrt(grab.stiffness * mass);
    std::vector<Grab> next = grabs_;
    std::erase_if(next, [&](const Grab& old) { return old.object == grip; });
    next.push_back(grab);
    set_grabs(std::move(next));
}

void WorldHandle::release(std::optional<ObjectId> object)
{
    const Use use(*this);
    std::vector<Grab> next;
    if (object)
        for (const Grab& grab : grabs_)
            if (grab.object != world_->find_grip(*object))
                next.push_back(grab);
    set_grabs(std::move(next));
}

void WorldHandle::set_grabs(std::vector<Grab> grabs)
{
    if (const Problems refused = world_->set_grabs(grabs); has_errors(refused))
        raise(refused);
    grabs_ = std::move(grabs);
}

// ---------------------------------------------------------------- bytes

nb::bytes WorldHandle::snapshot() const
{
    const std::vector<std::byte> bytes =
        locked([](const World& world) { return world.snapshot(); });
    return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void WorldHandle::restore(nb::bytes bytes)
{
    const Use use(*this);
    const bool is_good =
        world_->restore({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()});
    if (!is_good)
        throw nb::value_error("these bytes are not a snapshot of this scene");
    note_motion();
}

nb::tuple WorldHandle::reduced() const
{
    nb::dict imports;
    for (const auto& [name, function] : imports_)
        imports[name.c_str()] = function.function();
    nb::object beginning = nb::none();
    if (beginning_) {
        std::vector<Numbers> bodies;
        for (const BodyMotion& body : beginning_->bodies)
            bodies.push_back(numbers_of(body));
        beginning =
            nb::make_tuple(beginning_->time, beginning_->coordinates, beginning_->rates, bodies);
    }
    std::vector<Numbers> grabs;
    for (const Grab& grab : grabs_)
        grabs.push_back(numbers_of(grab));
    return nb::make_tuple(scene_, imports, threads_, is_settled_, beginning, snapshot(), grabs);
}

void WorldHandle::rebuild(const std::optional<nb::tuple>& beginning, nb::bytes snapshot,
                          const nb::list& grabs)
{
    if (beginning) {
        Beginning begun{.time = nb::cast<double>((*beginning)[0]),
                        .coordinates = nb::cast<Numbers>((*beginning)[1]),
                        .rates = nb::cast<Numbers>((*beginning)[2])};
        for (const Numbers& body : nb::cast<std::vector<Numbers>>((*beginning)[3]))
            begun.bodies.push_back(body_of(body));
        if (begun.coordinates.size() != scene_.scene->coordinates.size() ||
            begun.rates.size() != begun.coordinates.size())
            throw nb::value_error("not the state of a world");
        become(scene_, std::move(begun));
    }
    restore(snapshot);
    std::vector<Grab> held;
    for (nb::handle grab : grabs)
        held.push_back(grab_of(nb::cast<Numbers>(grab)));
    const Use use(*this);
    set_grabs(std::move(held));
}

// ---------------------------------------------------------------- frames

/// The frame is made when it is looked at: at once where someone holds an array, or a part of one,
/// else when it is asked for. Imports have their say, and their errors, within the step.
void WorldHandle::note_motion()
{
    is_stale_ = true;
    if (!imports_.empty()) {
        nb::gil_scoped_release free;
        take_frame();
    }
    for (const Array* view : {&views_.poses, &views_.points, &views_.nodes, &views_.segments,
                              &views_.loads, &views_.sections})
        if (is_stale_ && view->value.is_valid() && Py_REFCNT(view->value.ptr()) > 1)
            take_frame();
}

/// What another thread steps is looked at by that one.
void WorldHandle::refresh()
{
    if (!is_stale_ || is_used_.exchange(true))
        return;
    take_frame();
    is_used_ = false;
}

/// Into the same memory, which arrays look at.
void WorldHandle::take_frame()
{
    is_stale_ = false;
    const Frame now = world_->frame();
    frame_->time = now.time;
    frame_->objects.assign(now.objects.begin(), now.objects.end());
    frame_->points.assign(now.points.begin(), now.points.end());
    frame_->nodes.assign(now.nodes.begin(), now.nodes.end());
    frame_->segments.assign(now.segments.begin(), now.segments.end());
    frame_->loads.assign(now.loads.begin(), now.loads.end());
    frame_->sections.assign(now.sections.begin(), now.sections.end());
}

void WorldHandle::raise_signal()
{
    Listening::raise_if_starved();
    if (PyErr_CheckSignals() != 0)
        throw nb::python_error();
}

void WorldHandle::raise_errors() const
{
    for (const auto& [name, function] : imports_)
        function.raise_error();
}

} // namespace sinew::python

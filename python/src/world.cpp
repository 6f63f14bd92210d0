#include "bindings.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sinew/stop.h"
#include "sinew/world.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <sys/syscall.h>
#include <unistd.h>

namespace sinew::python {

namespace {

/// A Python function that any thread may call and drop.
class Callback {
public:
    explicit Callback(nb::object function)
        : held_(new Held{std::move(function)}, [](Held* held) {
              nb::gil_scoped_acquire hold;
              delete held;
          })
    {
    }

    ImportValue operator()(const ImportInput& input) const
    {
        nb::gil_scoped_acquire hold;
        try {
            const auto list = [](std::span<const double> numbers) {
                return std::vector<double>(numbers.begin(), numbers.end());
            };
            const ImportValue answer =
                value_of(held_->function(input.time, list(input.coordinates), list(input.rates)));
            if (std::isfinite(answer.value) && std::isfinite(answer.first.value_or(0)) &&
                std::isfinite(answer.second.value_or(0)))
                return answer;
            throw std::invalid_argument("an import returned a number that is not finite");
        } catch (nb::python_error& error) {
            if (!held_->error)
                held_->error.emplace(std::move(error));
        } catch (const std::exception& error) {
            held_->complaint = error.what();
        }
        return {.value = std::numeric_limits<double>::quiet_NaN()};
    }

    /// Raises what the function raised.
    void raise_error() const
    {
        if (held_->error) {
            nb::python_error error = std::move(*held_->error);
            held_->error.reset();
            throw error;
        }
        if (!held_->complaint.empty())
            throw nb::value_error(std::exchange(held_->complaint, {}).c_str());
    }

private:
    struct Held {
        nb::object function;
        std::optional<nb::python_error> error = {};
        std::string complaint = {};
    };

    /// A number, or it with one or two derivatives.
    static ImportValue value_of(nb::object answer)
    {
        ImportValue out;
        if (nb::try_cast(answer, out.value))
            return out;
        std::vector<double> list;
        if (!nb::try_cast(answer, list) || list.empty() || list.size() > 3)
            throw std::invalid_argument(
                "an import returns a number, or (value, first derivative, second derivative)");
        out.value = list[0];
        if (list.size() > 1)
            out.first = list[1];
        if (list.size() > 2)
            out.second = list[2];
        return out;
    }

    std::shared_ptr<Held> held_;
};

using Imports = std::map<std::string, nb::object>;

/// Ctrl-C ends what a world computes on the main thread, where Python listens to signals, for as
/// long as this lives. Python's own handler is called too, and decides what then becomes of it.
class Listening {
public:
    Listening()
    {
        if (getpid() != static_cast<pid_t>(syscall(SYS_gettid)) || is_taken_)
            return;
        struct sigaction action {};
        sigaction(SIGINT, nullptr, &before_);
        if (before_.sa_handler == SIG_IGN || before_.sa_handler == SIG_DFL)
            return; // not Python's business either
        is_mine_ = is_taken_ = true;
        wish_ = false;
        scope_.emplace(&wish_);
        action.sa_sigaction = hear;
        action.sa_flags = before_.sa_flags | SA_SIGINFO;
        action.sa_mask = before_.sa_mask;
        sigaction(SIGINT, &action, nullptr);
    }
    ~Listening()
    {
        if (!is_mine_)
            return;
        sigaction(SIGINT, &before_, nullptr);
        is_taken_ = false;
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

private:
    static void hear(int signal, siginfo_t* info, void* context)
    {
        wish_ = true;
        if (before_.sa_flags & SA_SIGINFO)
            before_.sa_sigaction(signal, info, context);
        else
            before_.sa_handler(signal);
    }

    static inline std::atomic<bool> wish_ = false;
    static inline struct sigaction before_ = {};
    static inline bool is_taken_ = false; // of the main thread alone
    bool is_mine_ = false;
    std::optional<StopScope> scope_;
};

/// A world, its frame as arrays see it, and a guard against two threads at once.
class WorldHandle {
    class Use {
    public:
        explicit Use(const WorldHandle& world) : world_(world)
        {
            if (world.is_used_.exchange(true))
                throw std::runtime_error("the world is stepping in another thread");
        }
        ~Use() { world_.is_used_ = false; }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        const WorldHandle& world_;
    };

public:
    /// A question that the world answers while nothing steps it.
    template <class Question>
    auto locked(Question&& question) const
    {
        const Use use(*this);
        return question(*world_);
    }

    WorldHandle(const SceneHandle& scene, const Imports& imports, int threads, bool settle)
        : scene_(scene), threads_(threads)
    {
        if (threads < 1 || threads > 1024)
            throw nb::value_error("threads must be 1 to 1024");
        for (const auto& [name, function] : imports)
            imports_.emplace(name, Callback(function));
        create(settle);
        first_ = *frame_;
        views_ = make_views(frame_);
    }

    void create(bool settle)
    {
        const Use use(*this);
        Scene scene = *scene_.scene;
        scene.settings.settle = scene.settings.settle || settle;
        WorldOptions options{.threads = threads_, .imports = {}};
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
        world_.emplace(std::move(**made));
        take_frame();
    }

    StepReport advance(double until)
    {
        const Use use(*this);
        if (!std::isfinite(until) || until < world_->time())
            throw nb::value_error(("time goes on: until must be finite and at least " +
                                   std::to_string(world_->time()))
                                      .c_str());
        StepReport report;
        do {
            {
                const Listening listening;
                nb::gil_scoped_release free;
                report = world_->advance(until);
            }
            note_motion();
            raise_signal();
        } while (is_stopped(report.fault)); // whoever handled the signal wants it to go on
        raise_errors();
        return report;
    }

    StepReport step(std::optional<double> dt)
    {
        const double length = dt.value_or(1 / scene_.scene->settings.frame_rate);
        if (!std::isfinite(length) || length < 0)
            throw nb::value_error("dt must be finite and not negative");
        return advance(time() + length);
    }

    double time() const
    {
        return locked([](const World& world) { return world.time(); });
    }

    nb::bytes snapshot() const
    {
        const std::vector<std::byte> bytes =
            locked([](const World& world) { return world.snapshot(); });
        return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    void restore(nb::bytes bytes)
    {
        const Use use(*this);
        const bool is_good =
            world_->restore({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()});
        if (!is_good)
            throw nb::value_error("these bytes are no snapshot of this scene");
        note_motion();
    }

    const Frame& frame()
    {
        refresh();
        return *frame_;
    }
    const Frame& first() const { return first_; }
    const SceneHandle& scene() const { return scene_; }
    /// Made once: they show the world as it is now, whenever that is.
    const FrameViews& views()
    {
        refresh();
        return views_;
    }

private:
    /// The frame is made when it is looked at: at once where someone holds an array, or a part of
    /// one, else when it is asked for. Imports have their say, and their errors, within the step.
    void note_motion()
    {
        is_stale_ = true;
        if (!imports_.empty()) {
            nb::gil_scoped_release free;
            take_frame();
        }
        for (const nb::object* view :
             {&views_.poses, &views_.points, &views_.nodes, &views_.segments, &views_.loads})
            if (is_stale_ && Py_REFCNT(view->ptr()) > 1)
                take_frame();
    }

    /// What another thread steps is looked at by that one.
    void refresh()
    {
        if (!is_stale_ || is_used_.exchange(true))
            return;
        take_frame();
        is_used_ = false;
    }

    /// Into the same memory, which arrays look at.
    void take_frame()
    {
        is_stale_ = false;
        const Frame now = world_->frame();
        frame_->time = now.time;
        frame_->objects.assign(now.objects.begin(), now.objects.end());
        frame_->points.assign(now.points.begin(), now.points.end());
        frame_->nodes.assign(now.nodes.begin(), now.nodes.end());
        frame_->segments.assign(now.segments.begin(), now.segments.end());
        frame_->loads.assign(now.loads.begin(), now.loads.end());
    }

    static void raise_signal()
    {
        if (PyErr_CheckSignals() != 0)
            throw nb::python_error();
    }

    void raise_errors() const
    {
        for (const auto& [name, function] : imports_)
            function.raise_error();
    }

    SceneHandle scene_;
    int threads_;
    std::map<std::string, Callback> imports_;
    std::optional<World> world_;
    std::shared_ptr<Frame> frame_ = std::make_shared<Frame>();
    Frame first_;
    FrameViews views_;
    bool is_stale_ = false;
    mutable std::atomic<bool> is_used_ = false;
};

nb::object forces_of(const WorldHandle& handle)
{
    const auto forces = handle.locked([](const World& world) { return world.forces(); });
    std::vector<double> vectors;
    std::vector<std::uint32_t> objects;
    for (const ActingForce& force : forces) {
        objects.push_back(force.object.index);
        vectors.insert(vectors.end(), {force.force.x, force.force.y, force.force.z});
    }
    const std::size_t count = forces.size();
    return nb::make_tuple(nb::cast(objects), owned(std::move(vectors), {count, 3}));
}

void add_report(nb::module_& module)
{
    nb::class_<StepReport>(module, "StepReport", "What an advance did. False where time stopped.")
        .def_ro("steps", &StepReport::steps)
        .def_ro("iterations", &StepReport::iterations)
        .def_ro("rows", &StepReport::rows)
        .def_ro("residual", &StepReport::residual)
        .def_ro("converged", &StepReport::converged)
        .def_ro("warnings", &StepReport::warnings)
        .def_ro("fault", &StepReport::fault)
        .def("__bool__", [](const StepReport& report) { return !report.fault; });
}

} // namespace

void add_world(nb::module_& module)
{
    add_report(module);
    nb::class_<WorldHandle>(module, "World", "Everything in a scene, advancing together in time.")
        .def(nb::init<const SceneHandle&, const Imports&, int, bool>(), nb::arg("scene"),
             nb::kw_only(), nb::arg("imports") = Imports{}, nb::arg("threads") = 1,
             nb::arg("settle") = false)
        .def_prop_ro("scene", &WorldHandle::scene)
        .def_prop_ro("time", &WorldHandle::time)
        .def("step", &WorldHandle::step, nb::arg("dt") = nb::none(),
             "Advances by dt seconds, or by one frame.")
        .def("advance", &WorldHandle::advance, nb::arg("until"))
        .def(
            "settle", [](WorldHandle& world) { world.create(true); },
            "Starts again, from the static equilibrium.")
        .def_prop_ro(
            "poses", [](WorldHandle& world) { return world.views().poses; },
            "Objects as (n, 4, 3): axes x, y, z and the origin of each.")
        .def_prop_ro(
            "points", [](WorldHandle& world) { return world.views().points; },
            "Points of drawings.")
        .def_prop_ro(
            "nodes", [](WorldHandle& world) { return world.views().nodes; },
            "Nodes of strands, one strand behind the other, then of rods.")
        .def_prop_ro(
            "segments", [](WorldHandle& world) { return world.views().segments; },
            "Frames of their segments: x, y, z, w.")
        .def_prop_ro(
            "loads", [](WorldHandle& world) { return world.views().loads; },
            "Of constraints of strands, then of rods, as (n, 3, 3): place [m], force [N] and "
            "torque [N m].")
        .def("forces", &forces_of, "Objects, and the forces that act on each [N].")
        .def(
            "residuals",
            [](const WorldHandle& world) {
                auto values = world.locked([](const World& w) { return w.residuals(); });
                const std::size_t count = values.size();
                return owned(std::move(values), {count});
            },
            "Errors of distance, then path constraints [m].")
        .def_prop_ro("coordinates",
                     [](const WorldHandle& world) {
                         auto values = world.locked([](const World& w) {
                             return std::vector<double>(w.coordinates().begin(),
                                                        w.coordinates().end());
                         });
                         const std::size_t count = values.size();
                         return owned(std::move(values), {count});
                     })
        .def_prop_ro(
            "energy",
            [](const WorldHandle& world) {
                const Energy e = world.locked([](const World& w) { return w.energy(); });
                return nb::make_tuple(e.kinetic, e.potential);
            },
            "Kinetic and potential [J].")
        .def("snapshot", &WorldHandle::snapshot)
        .def("restore", &WorldHandle::restore, nb::arg("snapshot"))
        .def("hash",
             [](const WorldHandle& world) {
                 return world.locked([](const World& w) { return w.state_hash(); });
             })
        .def(
            "picture",
            [](WorldHandle& world, int width, int height, int samples) {
                const Frame now = world.frame();
                return picture_of(*world.scene().scene, world.first(), now, width, height, samples);
            },
            nb::arg("width") = 640, nb::arg("height") = 360, nb::arg("samples") = 48,
            "A picture, as the bytes of a PNG file.");
}

} // namespace sinew::python

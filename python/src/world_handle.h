#pragma once

// A world as Python holds it: its frame as arrays see it, and a guard against two threads at once.

#include "callback.h"
#include "listening.h"

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sinew::python {

using Imports = std::map<std::string, nb::object>;

/// Where a world begins that continues another one with other numbers.
struct Beginning {
    double time = 0;
    std::vector<double> coordinates = {}, rates = {}; ///< as Scene::coordinates
    std::vector<BodyMotion> bodies = {};
};

class WorldHandle {
public:
    /// While it lives nobody else uses the world.
    class Use {
    public:
        explicit Use(const WorldHandle& world) : world_(&world)
        {
            if (world.is_used_.exchange(true))
                throw std::runtime_error("the world is stepping in another thread");
        }
        Use(Use&& other) noexcept : world_(std::exchange(other.world_, nullptr)) {}
        ~Use()
        {
            if (world_)
                world_->is_used_ = false;
        }
        Use& operator=(Use&&) = delete;

    private:
        const WorldHandle* world_;
    };

    WorldHandle(const SceneHandle& scene, const Imports& imports, int threads, bool settle);

    /// A question that the world answers while nothing steps it.
    template <class Question>
    auto locked(Question&& question) const
    {
        const Use use(*this);
        return question(*world_);
    }

    double time() const
    {
        return locked([](const World& world) { return world.time(); });
    }
    StepReport advance(double until);
    StepReport step(std::optional<double> dt);

    // The same in three parts, for several worlds at once; `compute` needs no lock of Python's.
    void check_until(double until) const;
    StepReport compute(double until) { return world_->advance(until); }
    void note_motion();
    void raise_errors() const;
    static void raise_signal();

    /// Starts again from the static equilibrium.
    void settle();

    /// Continues from here with another scene of the same parts, or with other numbers.
    void set_parameters(const Parameters& parameters);
    void continue_from(Beginning beginning);
    Beginning beginning_here() const;

    /// Holds an object by a spring and a damper; a stiffness of 0 stands for one that suits its
    /// mass.
    void grab(Grab grab);
    void release(std::optional<ObjectId> object);
    const std::vector<Grab>& grabs() const { return grabs_; }

    nb::bytes snapshot() const;
    void restore(nb::bytes bytes);

    /// What makes an equal world: see `rebuild`.
    nb::tuple reduced() const;
    void rebuild(const std::optional<nb::tuple>& beginning, nb::bytes snapshot,
                 const nb::list& grabs);

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
    ObjectId object(const std::string& name) const;

private:
    World make(const SceneHandle& handle, const std::optional<Beginning>& beginning, bool settle);
    void become(const SceneHandle& scene, Beginning beginning);
    void set_grabs(std::vector<Grab> grabs);
    double suitable_frequency() const;
    void refresh();
    void take_frame();

    SceneHandle scene_;
    int threads_;
    std::map<std::string, Callback> imports_;
    std::optional<Beginning> beginning_; ///< none: the script's
    bool is_settled_ = false;
    std::optional<World> world_;
    std::vector<Grab> grabs_;
    std::shared_ptr<Frame> frame_ = std::make_shared<Frame>();
    Frame first_;
    FrameViews views_;
    bool is_stale_ = false;
    mutable std::atomic<bool> is_used_ = false;
};

} // namespace sinew::python

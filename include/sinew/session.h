#pragma once

// A person at work on a script: what they did with mouse, sliders and editor, and the frames that
// follow from it. Frames are a function of the take alone: the same take gives the same bits.

#include "sinew/error.h"
#include "sinew/frame.h"
#include "sinew/language.h"
#include "sinew/record.h"
#include "sinew/scene.h"
#include "sinew/world.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A script and everything that was done to it while it ran.
struct Take {
    std::string name;                                   ///< of the script, for messages
    std::string script;                                 ///< its text
    std::map<std::string, std::string> parameters = {}; ///< at the start, as `-D` gives them
    std::vector<Input> inputs = {};                     ///< ascending frames (sinew/record.h)

    bool operator==(const Take&) const = default;
};

/// Finds the functions of a scene's imports, or says what is missing.
using BindImports =
    std::function<Result<std::map<std::string, ImportFunction>>(const Scene& scene)>;

struct SessionOptions {
    ReadFile read_file = no_files(); ///< for what the script includes
    std::optional<double> frame_rate = {}, seconds = {}, step = {}; ///< win over the script's
    int threads = 1;
    BindImports bind_imports = {}; ///< none: scripts with imports are refused
};

/// One computed frame.
struct Shot {
    Frame frame;
    FrameStatistics statistics;
    std::vector<Grab> grabs; ///< what the mouse held on the way to it
};

/// What was done in a recording, and how: to do it again.
Result<Take> take_of(const Recording& recording);
Result<SessionOptions> options_of(const Recording& recording, SessionOptions options);

/// Frames 0 .. valid_count() − 1 are computed and right; those from there to stale_count() − 1 are
/// left from before a change. Not safe for several threads at once.
class Session {
public:
    static Result<Session> open(Take take, SessionOptions options);

    /// The take of a recording, its frames taken as computed; what is changed is simulated anew.
    static Result<Session> open(std::shared_ptr<const Recording> recording, SessionOptions options);

    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    const Take& take() const noexcept;
    const Scene& scene() const noexcept;       ///< as the script and the start parameters give it
    const Problems& problems() const noexcept; ///< warnings and notes of reading it
    std::uint32_t revision() const noexcept;   ///< another number: another scene, other elements

    bool can_simulate() const noexcept; ///< false: a recording that can only be looked at

    std::int64_t frame_count() const noexcept; ///< planned, or more where a hand held on
    std::int64_t valid_count() const noexcept;
    std::int64_t stale_count() const noexcept; ///< ≥ valid_count()
    double time_of(std::int64_t frame) const noexcept;

    /// Computes frame valid_count(). False when there is nothing to do: all is computed, or the
    /// simulation has stopped with `fault`.
    bool advance();
    const std::optional<Problem>& fault() const noexcept;

    /// Null when it was never computed. A frame that was forgotten for want of memory is made
    /// again.
    std::shared_ptr<const Shot> shot(std::int64_t frame);

    /// The values of the parameters on the way to a frame.
    std::map<std::string, double> parameters(std::int64_t frame) const;

    /// What World tells of a computed frame; simulates from the nearest snapshot. Of a recording
    /// that can only be looked at: what constraints of strands and rods push with, no more.
    struct Details {
        std::vector<ActingForce> forces;
        std::vector<double> residuals;
        std::vector<Contact> contacts;
        std::vector<int> layers;
    };
    std::optional<Details> details(std::int64_t frame);

    // --- what a person does. Each can be undone; a problem leaves everything as it was. ---------

    /// Holds an object on the way to `frame` and from there on; frames from it on become stale.
    /// While it is held the take has no end. `point`: where a body is held, in its object's frame.
    Problems grab(std::int64_t frame, ObjectId object, Vec3 target, Vec3 point = {0, 0, 0});

    /// The point of an object that is at a place in a frame, for `grab`; of a mass its origin.
    Vec3 point_at(std::int64_t frame, ObjectId object, Vec3 place);
    Problems release(std::int64_t frame);

    /// Another value from `frame` on where the objects stay the same, else from the start.
    Problems set_parameter(std::int64_t frame, const std::string& name, double value);

    /// Another script, from the start. Its text says everything: values that sliders were set to
    /// give way to it.
    Problems set_script(const std::string& text);

    /// An object, and where it was clicked.
    struct Spot {
        ObjectId object = {};
        Vec3 place = {0, 0, 0}; ///< in the world, in the frame that is meant
    };

    /// Edits of the script. Pinning starts from the pose at `frame` where the script can say it.
    /// What holds strands and rods holds from that frame on: all before it stays. Without a place
    /// they are pinned where a hand held them last.
    Problems pin(std::int64_t frame, ObjectId object, std::optional<Vec3> place = {});
    Problems unpin(std::int64_t frame, ObjectId object);
    Problems move(ObjectId object, Vec3 by);

    /// Ties a strand or rod to another, or to anything else.
    Problems tie(std::int64_t frame, const Spot& one, const Spot& other);
    Problems thread(std::int64_t frame, ObjectId bead, const Spot& rod); ///< a body onto a rod
    Problems cut(std::int64_t frame, const Spot& rod);

    /// Ends the pin, knot or pearl that is nearest.
    Problems loosen(std::int64_t frame, const Spot& spot);

    /// Forgets what mouse and sliders did.
    void restart();

    bool can_undo() const noexcept;
    bool can_redo() const noexcept;
    void undo();
    void redo();

    /// The script with what the sliders are set to written into it.
    std::string script_to_save() const;

    /// What can be done with an object by hand.
    struct Handle {
        ObjectId grip = {};    ///< what a grab takes hold of; invalid: it cannot be grabbed
        bool is_fixed = false; ///< `move` can put it elsewhere
        bool is_pinned = false;
    };
    const std::vector<Handle>& handles() const noexcept; ///< as Scene::objects

    /// Writes script, inputs, frames and snapshots; computes what is missing first.
    Problems write_recording(const std::string& path);

private:
    struct Parts;
    explicit Session(std::unique_ptr<Parts> parts) noexcept;
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew

#pragma once

#include "sinew/session.h"

#include <map>
#include <span>
#include <unordered_map>

namespace sinew {

/// What a scene is from a frame on: a slider may have changed it on the way.
struct Era {
    std::int64_t first = 0; ///< the frame on the way to which it first counts
    Scene scene;
    std::vector<BodyMotion> bodies = {}; ///< where they were then
};

/// A script read with its start parameters, and the world at its start.
struct Opening {
    Scene scene;
    Problems problems = {};
    std::optional<World> world = {}; ///< none: it can only be looked at
    std::vector<Session::Handle> handles = {};
};

/// Where everything is that a script may say at its start.
struct Beginning {
    Vec3 place = {0, 0, 0};                           ///< of the object
    std::vector<double> coordinates = {}, rates = {}; ///< empty: the start stays as it was
    bool is_exact = false; ///< every digit, however ugly: else what people read
};

struct CurvePlace;

struct Session::Parts {
    SessionOptions options;
    std::shared_ptr<const Recording> recording = {}; ///< has frames 0 .. recorded − 1
    std::int64_t recorded = 0;

    Take take = {};
    std::vector<Take> before = {}, after = {}; ///< to undo, to redo
    std::string last_change = {};              ///< changes of one kind in a row are undone as one
    std::map<std::string, double> first_parameters = {};       ///< as they were when it was opened
    std::map<std::string, std::string> opened_parameters = {}; ///< of the take that was opened

    Scene scene = {};
    Problems problems = {};
    std::vector<Handle> handles = {};
    bool can_simulate = true;
    std::uint32_t revision = 0;
    double extent = 1;                                           ///< of the scene [m]
    std::unordered_map<std::string, std::uint32_t> objects = {}; ///< by name

    std::vector<Era> eras = {}; ///< ascending; the first begins at 0
    std::optional<World> world = {};
    std::int64_t world_frame = 0; ///< where the world stands; −1: at no frame of this take
    bool is_midway = false;       ///< it was stopped on the way to the frame behind that
    std::int64_t world_era = 0;   ///< first frame of its era
    std::map<std::int64_t, std::vector<std::byte>> snapshots = {};
    std::map<std::int64_t, std::shared_ptr<const Shot>> shots = {};
    std::size_t shot_bytes = 0;
    std::map<std::int64_t, FrameStatistics> statistics = {}; ///< of frames computed here
    std::int64_t valid = 0, stale = 0;
    std::optional<Problem> fault = {};

    // --- opening.cpp
    Result<Opening> read(const Take& take, bool must_run) const;
    Result<Scene> scene_from(const Take& take, std::int64_t frame) const;
    void begin(Take&& take, Opening&& opening);

    // --- timeline.cpp
    void remember_parameters();
    void invalidate(std::int64_t from);
    std::int64_t planned_count() const;
    double time_of(std::int64_t frame) const;
    bool advance();
    bool stand_at(std::int64_t frame);
    void leave_frame(); ///< the world stands at none
    StepReport move_on();
    std::shared_ptr<const Shot> find_shot(std::int64_t frame);
    std::shared_ptr<const Shot> shot_at(std::int64_t frame); ///< computed where it is not yet

    bool store_frame(FrameStatistics&& statistics);
    bool restore_before(std::int64_t frame);
    Problems enter_era(std::int64_t frame);
    ObjectId find_held(const std::string& name) const; ///< what a hand held under this name
    std::vector<Grab> grabs_at(std::int64_t frame) const;
    std::vector<Grab> hands_on(const Frame& frame, std::vector<Grab> grabs) const;
    void keep(std::int64_t frame, std::shared_ptr<const Shot> shot);

    // --- changes.cpp
    void note(const std::string& change);
    void set_take(Take&& take, Opening&& opening);
    void set_inputs(std::vector<Input>&& inputs);
    Problems set_text(std::string&& text);
    Problems set_next(Take&& next);
    Result<Take> pinned(ObjectId object, Beginning&& pose) const;
    // --- knots.cpp
    std::optional<CurvePlace> held_place(ObjectId object) const;
    Result<std::string> designator(const CurvePlace& place) const;
    Result<std::string> other_end(ObjectId object, const Vec3& place, const Frame& frame,
                                  std::string& label) const;
    std::string since(std::int64_t frame) const;
    Problems add_statements(const std::vector<std::string>& statements);
    Problems add_knot(std::int64_t frame, const std::string& label, const std::string& beginning);
    Problems pin_curve(std::int64_t frame, const CurvePlace& place);
    Problems loosen(std::int64_t frame, ObjectId object, std::optional<Vec3> place);
    Problem refuse(std::string code, std::string what, std::string hint) const;
    ObjectId grip_of(ObjectId object) const;
    void go_to(std::optional<Take>&& next);

    // --- store.cpp
    std::shared_ptr<const Shot> read_shot(std::int64_t frame) const;
    bool restore_recorded(std::int64_t frame);
};

Result<World> make_world(const Era& era, const SessionOptions& options);

/// Values of parameters on the way to a frame, as `-D` gives them.
std::map<std::string, std::string> parameters_at(const Take& take, std::int64_t frame);

/// The grab in force on the way to a frame; none when the mouse holds nothing.
const Input* find_grab(std::span<const Input> inputs, std::int64_t frame);

/// The same objects, coordinates and drawings in the same order: a state of one is one of the
/// other.
bool has_same_parts(const Scene& a, const Scene& b);

/// A number as a script would write it, exactly.
std::string script_number(double value);

// --- edits.cpp: each gives the text after the edit

Result<std::string> add_pin(const Take& take, const Scene& scene, ObjectId object,
                            const Beginning& pose);
Result<std::string> remove_pin(const Take& take, const Scene& scene, ObjectId object);
Result<std::string> move_object(const Take& take, const Scene& scene, ObjectId object,
                                const Vec3& by);
bool is_pin(const Scene& scene, ObjectId object);

/// The same for a body: a ball joint that holds it where its origin is at the start.
Result<std::string> add_body_pin(const Take& take, const Scene& scene, ObjectId object,
                                 const Vec3& place);
Result<std::string> remove_body_pin(const Take& take, const Joint& pin);
const Joint* find_body_pin(const Scene& scene, ObjectId object, const Vec3& place);

/// A number as people read it, or exactly.
std::string written_number(double value, bool is_exact);
std::string written_vector(const Vec3& vector, bool is_exact = false); ///< as three arguments
Problem cannot_name(const Take& take, const std::string& name);
std::vector<std::string> identifiers_of(const std::string& text);
std::string free_name(const std::vector<std::string>& taken, const std::string& stem);

// --- curves.cpp: curves are numbered strands first, then rods, as the nodes of frames

/// The number-th curve of an object.
std::optional<std::uint32_t> find_curve(const Scene& scene, ObjectId object, std::uint32_t number);
std::span<const Vec3> nodes_of_curve(const Scene& scene, const Frame& frame, std::uint32_t curve);

/// A place on a curve of an object.
struct CurvePlace {
    std::uint32_t curve = 0, number = 0; ///< of all, of those of the object
    double along = 0;                    ///< fraction of its length
};

/// What of an object's curves is nearest to a place; none: it has no curves.
std::optional<CurvePlace> find_place(const Scene& scene, const Frame& frame, ObjectId object,
                                     const Vec3& place);
Vec3 point_along(std::span<const Vec3> nodes, double along);

// --- knots.cpp

/// Whether a constraint that holds a curve at a fixed point still does when all tracks have ended.
std::vector<ObjectId> pinned_curves(const Scene& scene);

} // namespace sinew

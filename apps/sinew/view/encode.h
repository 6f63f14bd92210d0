#pragma once

// What the program says to the page (viewer/PROTOCOL.md), as text and bytes.

#include "messages.h"
#include "shelf.h"
#include "transport.h"

#include "sinew/display.h"
#include "sinew/language.h"
#include "sinew/outline.h"
#include "sinew/session.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew::viewer {

struct WelcomeText {
    std::string name; ///< of the script
    bool is_recording = false, can_simulate = true;
    std::uint32_t visit = 0; ///< how many pages came before, since the script was opened
};
std::string encode(const WelcomeText& welcome);

/// The script's camera in a frame, in the world; none: the script has none.
std::optional<Camera> world_camera(const Scene& scene, const Frame& frame);

/// Whether it rides on something, or goes by keys.
bool is_moving(const Camera& camera);

/// A scene with everything that the page needs once. `values` of parameters win over the scene's.
struct SceneText {
    const Session* session = nullptr;
    std::uint32_t revision = 0;
    const Display* display = nullptr;
    Bounds bounds;
    std::optional<Camera> camera = {}; ///< of the first frame
    std::map<std::string, double> values = {};
};
std::string encode(const SceneText& scene);

struct StatusText {
    std::int64_t frame = 0;
    double time = 0;
    bool is_playing = false, loop = false;
    double speed = 1;
    std::int64_t valid = 0, stale = 0, frame_count = 0;
    bool is_computing = false, can_undo = false, can_redo = false, is_changed = false;
    bool is_waiting = false; ///< commands of pages are not done yet
    std::string fault = {};
    double steps_ms = 0;
    std::int64_t busy_frame = 0; ///< that is being computed
    int busy_seconds = 0;        ///< since when
    bool is_opening = false, is_writing = false;

    bool operator==(const StatusText&) const = default;
};
std::string encode(const StatusText& status);

struct ScriptText {
    std::string text;
    std::uint32_t revision = 0;
};
std::string encode(const ScriptText& script);

std::string encode(const Problems& problems);

struct Inspection {
    ObjectId object;
    std::string name;
    std::vector<std::array<std::string, 2>> rows;
};
std::string encode(const Inspection& inspection);

/// Numbers of one frame: time, kinetic, potential, residual, steps, milliseconds.
using SeriesRow = std::array<double, 6>;
SeriesRow series_row(double time, const FrameStatistics& statistics);
std::string encode_series(std::int64_t first, std::span<const SeriesRow> rows);

struct Notice {
    Severity severity = Severity::note;
    std::string text;
};
std::string encode(const Notice& notice);
/// The problem that a person made, in a line or two.
Notice notice_of(const Problem& problem);

struct Saved {
    std::string name;
    bool is_recording = false;
};
std::string encode(const Saved& saved);

/// Numbers of a quantity in frames from `first` on; none for a frame that was forgotten.
struct WatchText {
    message::Watch::Quantity what;
    std::int64_t first = 0;
    std::vector<std::vector<double>> rows = {};
};
std::string encode(const WatchText& watch);

/// What can be opened.
struct FilesText {
    std::vector<std::string> files; ///< of the folder
    std::vector<ExampleText> examples;
};
std::string encode(const FilesText& files);

/// The answer to a question of the editor.
struct AssistText {
    std::int64_t id = 0;
    std::vector<Completion> completions = {};
    std::optional<Hover> hover = {};
    std::optional<CallHelp> call = {};
    std::optional<TextSpan> definition = {}; ///< in the script itself
};
std::string encode(const AssistText& answer);

/// One binary message. Forces, residuals, contacts and layers are empty where nobody wants them.
struct FrameBytes {
    std::uint32_t revision = 0, frame = 0;
    bool is_stale = false;
    const DisplayFrame* display = nullptr;
    const Frame* places = nullptr; ///< of objects, for forces and hands
    std::span<const ActingForce> forces = {};
    std::span<const double> residuals = {};
    std::span<const Grab> hands = {};
    std::span<const Contact> contacts = {};
    std::span<const int> layers = {};
    std::optional<Camera> camera = {}; ///< of a script whose camera moves: in the world
};
std::string encode(const FrameBytes& frame);

} // namespace sinew::viewer

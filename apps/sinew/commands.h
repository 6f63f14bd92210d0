#pragma once

// The commands of the program. Each returns the exit status: 0 fine, 1 the input has problems, 3
// the simulation stopped early.

#include "printing.h"

#include "sinew/look.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace sinew {
enum class RodLoad : std::uint8_t;
}

namespace sinew::app {

struct CheckOptions {
    std::vector<std::string> scripts; ///< "-" is standard input
    std::map<std::string, std::string> parameters;
    bool json = false, is_quiet = false;
    Colour colour = Colour::automatic;
};
int check(const CheckOptions& options);

struct RunOptions {
    std::string script;
    std::map<std::string, std::string> parameters;
    std::map<std::string, std::string> imports; ///< name, library
    std::optional<double> seconds, fps, step;   ///< win over the script's
    int threads = 0;                            ///< 0: as many as there are processors
    std::string out;                            ///< empty: the script's name, in this folder
    std::string table;                          ///< empty: none
    std::optional<double> error;                ///< of recorded places [m]; 0: exact
    int part = 0, part_count = 0;               ///< 0: the whole shot
    bool is_mpi = false;                        ///< this process computes the part of its rank
    std::string scratch;                        ///< where it is written before it is moved to out
    bool resume = false;
    bool json = false, is_quiet = false;
    Colour colour = Colour::automatic;
};
int run(const RunOptions& options);

struct PlanOptions {
    std::string script;
    std::map<std::string, std::string> parameters;
    int parts = 0;
    bool json = false;
    Colour colour = Colour::automatic;
};
int plan(const PlanOptions& options);

struct JoinOptions {
    std::vector<std::string> parts; ///< recordings
    std::string out;
    bool json = false, is_quiet = false;
    Colour colour = Colour::automatic;
};
int join(const JoinOptions& options);

struct InfoOptions {
    std::string recording;
    bool json = false;
    bool check = false;    ///< read everything
    bool contacts = false; ///< list who met whom instead
    Colour colour = Colour::automatic;
};
int info(const InfoOptions& options);

struct ViewOptions {
    std::string file; ///< a script or a recording
    std::map<std::string, std::string> parameters;
    std::map<std::string, std::string> imports;
    std::optional<double> seconds, fps, step;
    int threads = 0;
    std::optional<std::uint16_t> port; ///< none: any that is free
    std::string listen;                ///< empty: this machine only
    bool no_open = false;
    bool exit_when_closed = false;
};
int view(const ViewOptions& options);

struct DemoOptions {
    std::string name;   ///< of an example; empty: the first one
    std::string folder; ///< empty: sinew-demo, in this folder
    bool is_list = false;
    bool json = false; ///< of the list
    bool is_quiet = false;
    bool no_view = false;
    bool no_open = false;
    bool exit_when_closed = false;
    Colour colour = Colour::automatic;
};
int demo(const DemoOptions& options);

constexpr std::int64_t kAllFrames = INT64_MAX; ///< as the end of a range

struct PictureOptions {
    std::string file; ///< a script or a recording
    std::string out;  ///< its end says the kind
    std::map<std::string, std::string> parameters;
    std::map<std::string, std::string> imports;
    std::optional<double> seconds, fps, step; ///< of a script, instead of its own
    std::optional<std::int64_t> frame;        ///< none: one is chosen
    std::optional<std::pair<std::int64_t, std::int64_t>> frames;
    int width = 1280, height = 720;
    struct View {
        std::array<double, 7> values; ///< position, target, field of view [rad]
        bool has_angle = false;
    };
    std::optional<View> camera;
    bool frames_all = false; ///< the script's camera does not count
    std::optional<int> samples;
    bool raw = false; ///< noise stays
    /// Options that override the script's studio.
    std::optional<Sky> sky = {};
    std::optional<Floor> floor = {};
    std::optional<double> aperture = {}, focus = {}; ///< [m]
    std::optional<double> blur = {}; ///< the part of a frame that the shutter is open
    Children hairs;
    double trails = 0; ///< seconds of the way behind each mass
    bool transparent = false, labels = false, forces = false, constraints = false, axes = false;
    bool twist = false;
    double thickness = 1;
    bool contacts = false, layers = false;
    std::optional<RodLoad> colour_by = {};               ///< of rods
    std::optional<std::pair<double, double>> scale = {}; ///< of these colours [N, N m]
    int threads = 0;
    bool json = false, is_quiet = false;
    Colour colour = Colour::automatic;
};
int render(const PictureOptions& options);

struct ExportCommand {
    std::string recording, out;
    std::string program;                  ///< "blender", ...; empty: none
    std::optional<std::string> up, basis; ///< win over the program's
    std::optional<double> scale;          ///< too
    std::optional<std::int64_t> frame;    ///< this one alone
    std::optional<std::pair<std::int64_t, std::int64_t>> frames;
    std::uint32_t every = 1;
    std::uint32_t hairs = 0; ///< about each strand
    std::int64_t clip_frames = 0;
    bool json = false, is_quiet = false;
    Colour colour = Colour::automatic;
};
int export_recording(const ExportCommand& command);

struct FormatOptions {
    std::vector<std::string> scripts; ///< "-" is standard input
    bool write = false;
    bool only_check = false;
};
int format(const FormatOptions& options);

struct NewOptions {
    std::string script;
    std::string from; ///< an example; empty: a pendulum
};
int new_script(const NewOptions& options);

struct ExamplesOptions {
    std::string text; ///< in name or description; empty: all
    bool json = false;
    Colour colour = Colour::automatic;
};
int examples(const ExamplesOptions& options);

struct HelpOptions {
    std::string word;
    bool reference = false;
};
int help(const CLI::App& program, const HelpOptions& options);

int doctor(bool json);
int tokens(const std::string& script);
int language_server();

} // namespace sinew::app

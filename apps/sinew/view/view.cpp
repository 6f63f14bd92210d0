// `sinew view`: a script or a recording in the browser.

#include "view.h"

#include "commands.h"
#include "imports.h"

#include "sinew/language.h"
#include "sinew/record.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

/// Why there is nothing to look at. A script with errors is shown all the same: to mend it.
std::string find_obstacle(const std::string& file)
{
    std::error_code fault;
    if (!fs::exists(file, fault))
        return "there is no such file";
    if (!fs::is_regular_file(file, fault))
        return "is not a file";
    if (viewer::is_recording(file)) {
        const Result<Recording> recording = Recording::open(file);
        return recording ? "" : recording.problems()[0].what;
    }
    return viewer::read_text(file) ? "" : "cannot be read, or is too large for a script";
}

BindImports make_binder(const std::map<std::string, std::string>& imports)
{
    return [imports](const Scene& scene) -> Result<std::map<std::string, ImportFunction>> {
        Result<BoundImports> bound = bind_imports(scene, imports);
        if (!bound)
            return bound.problems();
        return std::move(bound->functions);
    };
}

} // namespace

int view(const ViewOptions& options)
{
    if (const std::string obstacle = find_obstacle(options.file); !obstacle.empty()) {
        fmt::print(stderr, "{}: {}\n      hint: give a script (.charli) or a recording (.sinew)\n",
                   printable(options.file), obstacle);
        return 1;
    }
    std::optional<viewer::Address> address =
        options.listen.empty() ? viewer::Address{} : viewer::parse_address(options.listen);
    if (!address) {
        fmt::print(stderr,
                   "--listen {}: not an address; write it as 192.168.1.5 or 192.168.1.5:8080\n",
                   printable(options.listen));
        return 2;
    }
    if (options.port)
        address->port = *options.port;
    const int processors = std::max(1, int(std::thread::hardware_concurrency()));
    viewer::PlayerOptions player{
        .file = options.file,
        .parameters = options.parameters,
        .session = {.frame_rate = options.fps,
                    .seconds = options.seconds,
                    .step = options.step,
                    .threads = options.threads > 0 ? options.threads : processors,
                    .bind_imports = make_binder(options.imports)}};
    return viewer::serve(std::move(player),
                         {.address = *address,
                          .has_address = !options.listen.empty() || options.port.value_or(0) != 0,
                          .open_browser = !options.no_open,
                          .exit_when_closed = options.exit_when_closed});
}

} // namespace sinew::app

// A recording in which bytes were changed: whatever is read from it is a value or a problem, and
// what is read fits the scene.

#include "fuzz.h"

#include "sinew/language.h"
#include "sinew/record.h"
#include "sinew/session.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace sinew;

namespace {

constexpr const char* kScript =
    "def crate body(density = 1); box(1, 1, 1); end; crate; line(0, 0, 0, 1, 1, 0);"
    "simulate(0, 0.2);";

std::string scratch_name(const char* ending)
{
    return "/tmp/sinew-fuzz-" + std::to_string(getpid()) + ending;
}

/// A whole recording, as bytes.
std::string make_recording()
{
    const std::string path = scratch_name("-whole.sinew");
    Result<Session> session = Session::open({.name = "t.charli", .script = kScript}, {});
    fuzz::require(session && session->write_recording(path).empty(), "there is a recording");
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    unlink(path.c_str());
    return bytes;
}

} // namespace

/// Four bytes of input put one byte into the recording: three say where, one what.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    static const std::string whole = make_recording();
    static const std::string path = scratch_name(".sinew");
    std::string bytes = whole;
    for (std::size_t i = 0; i + 4 <= size; i += 4) {
        const std::size_t at =
            data[i] | std::size_t(data[i + 1]) << 8 | std::size_t(data[i + 2]) << 16;
        bytes[at % bytes.size()] = static_cast<char>(data[i + 3]);
    }
    std::ofstream(path, std::ios::binary) << bytes;
    Result<Recording> recording = Recording::open(path);
    if (!recording) {
        fuzz::require(!recording.problems().empty(), "a refusal says why");
        return 0;
    }
    (void)recording->check(true);
    auto shared = std::make_shared<const Recording>(std::move(*recording));
    Result<Session> session = Session::open(shared, {});
    for (std::int64_t i = 0; session && i < std::min<std::int64_t>(session->valid_count(), 10); ++i)
        if (const auto shot = session->shot(i))
            fuzz::require(shot->frame.objects.size() == session->scene().objects.size(),
                          "frames fit the scene");
    unlink(path.c_str());
    return 0;
}

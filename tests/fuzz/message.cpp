// Messages of a page gone mad: each ends in a message whose numbers can be used, or in a problem.

#include "messages.h"

#include "fuzz.h"

using namespace sinew;

namespace {

struct Check {
    void operator()(const viewer::message::Seek& seek) const
    {
        fuzz::require(seek.frame >= 0, "frames count from 0");
    }
    void operator()(const viewer::message::Speed& speed) const
    {
        fuzz::require(speed.value >= 0.01 && speed.value <= 100, "speeds are in range");
    }
    void operator()(const viewer::message::Grab& grab) const
    {
        fuzz::require(grab.object.is_valid() && is_finite(grab.target), "grabs are of something");
    }
    void operator()(const viewer::message::Drag& drag) const
    {
        fuzz::require(is_finite(drag.target), "targets are places");
    }
    void operator()(const viewer::message::Move& move) const
    {
        fuzz::require(move.object.is_valid() && is_finite(move.by), "moves are of something");
    }
    void operator()(const viewer::message::Parameter& parameter) const
    {
        fuzz::require(is_finite(parameter.value) && parameter.name.size() < 256,
                      "values are numbers");
    }
    template <class Other>
    void operator()(const Other&) const
    {
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const Result<viewer::Message> message = viewer::parse_message(text);
    if (message)
        std::visit(Check{}, *message);
    else
        fuzz::require(!message.problems().empty() && !message.problems()[0].what.empty(),
                      "who is not understood is told why");
    return 0;
}

#include "base/overload.h"

#include <utility>

namespace sinew {

namespace {

thread_local OverloadScope* innermost = nullptr;

} // namespace

OverloadScope::OverloadScope() noexcept : before_(std::exchange(innermost, this)) {}

OverloadScope::~OverloadScope() { innermost = before_; }

bool is_too_many(std::size_t count, const Overload& bound) noexcept
{
    if (count <= bound.most)
        return false;
    if (innermost && !innermost->found_)
        innermost->found_ = bound;
    return true;
}

Problem make_too_many(const Overload& overload, const std::string& script)
{
    return {.code = "too-many-pairs",
            .place = {.file = script},
            .what = "there are more than " + std::to_string(overload.most) + " " + overload.of +
                    ", which no memory holds",
            .hint = "move apart what is in one place, make it smaller, or divide the scene"};
}

} // namespace sinew

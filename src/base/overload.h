#pragma once

#include "sinew/error.h"

#include <cstddef>
#include <optional>
#include <string>

namespace sinew {

/// A count that grew beyond what a machine can hold.
struct Overload {
    const char* of = ""; ///< what was counted, for people: "pairs of shapes"
    std::size_t most = 0;
};

/// While it lives, whoever counts on this thread may say that there are too many. They then leave
/// out all of them and go on, so that nothing grows; whoever began throws the result away.
class OverloadScope {
public:
    OverloadScope() noexcept;
    ~OverloadScope();
    OverloadScope(const OverloadScope&) = delete;
    OverloadScope& operator=(const OverloadScope&) = delete;

    const std::optional<Overload>& found() const noexcept { return found_; }

private:
    friend bool is_too_many(std::size_t, const Overload&) noexcept;

    std::optional<Overload> found_;
    OverloadScope* before_;
};

/// Notes it where there are.
bool is_too_many(std::size_t count, const Overload& bound) noexcept;

/// In the script of this name.
Problem make_too_many(const Overload& overload, const std::string& script);

} // namespace sinew

#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sinew {

/// How bad a problem is. An error leaves no scene; a warning and a note do.
enum class Severity { error, warning, note };

/// Where in a text something stands. Lines and columns count from 1, columns in characters.
struct Place {
    std::string file = {}; ///< as the caller named it; or an element of a scene, "masses[3].mass"
    int line = 0;          ///< 0: the place is the file or element as a whole
    int column = 0;
    int length = 0; ///< characters to underline

    bool operator==(const Place&) const = default;
};

/// "pendulum.charli:12:8", or the file alone when there is no line.
std::string to_string(const Place& place);

/// A second place that explains a problem: where a name was declared, who included a file.
struct Remark {
    Place place;
    std::string what;
};

/// One thing wrong with the input, in words its author understands.
struct Problem {
    Severity severity = Severity::error;
    std::string code = {}; ///< stable short name, "unknown-transformation"
    Place place = {};
    std::string what = {}; ///< the fact, quoting the offending value
    std::string hint = {}; ///< what to write instead
    std::vector<Remark> remarks = {};
    std::string source_line = {}; ///< the text of the line at `place`, for display
};

using Problems = std::vector<Problem>;

bool has_errors(const Problems& problems);

/// Either a value or the complete list of reasons why there is none.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::move(value)) {}
    Result(Problems problems) : content_(std::move(problems)) {}
    Result(Problem problem) : content_(Problems{std::move(problem)}) {}

    explicit operator bool() const { return content_.index() == 0; }
    T& operator*() & { return std::get<0>(content_); }
    const T& operator*() const& { return std::get<0>(content_); }
    T&& operator*() && { return std::get<0>(std::move(content_)); }
    T* operator->() { return &std::get<0>(content_); }
    const T* operator->() const { return &std::get<0>(content_); }

    /// Empty when there is a value.
    const Problems& problems() const
    {
        static const Problems none;
        return content_.index() == 0 ? none : std::get<1>(content_);
    }

private:
    std::variant<T, Problems> content_;
};

} // namespace sinew

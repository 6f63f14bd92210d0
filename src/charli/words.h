#pragma once

#include "sinew/scene.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::charli {

/// What an argument of a built-in may be.
enum class ArgumentKind : std::uint8_t {
    number,     ///< known when the script is read
    value,      ///< may move: a track, a formula of time, coordinates, positions
    whole,      ///< a whole number known when the script is read
    coordinate, ///< a `dynamic` variable
    object,     ///< an instance
    path,       ///< point(...), line(...), spline(...) or a name of one
    points,     ///< x, y, z of each point, as many as wanted; always the last argument
    word,       ///< one of the words listed
};

enum class Range : std::uint8_t { any, positive, not_negative, unit_interval };

struct Argument {
    std::string_view name;
    ArgumentKind kind = ArgumentKind::value;
    std::string_view unit = ""; ///< "m", "rad", "kg"; empty: a plain number
    std::string_view meaning = "";
    Range range = Range::any;
    bool is_optional = false;
    double fallback = 0;         ///< when optional and absent
    std::string_view words = ""; ///< of kind word: the choices, separated by spaces
    int least_points = 0;        ///< of kind points
    int most_points = 0;         ///< of kind points; 0: any number
};

using Signature = std::span<const Argument>;

enum class WordKind : std::uint8_t {
    transformation, ///< behind an object
    primitive,      ///< a statement that puts something at the frame it stands in
    drawing,        ///< likewise, only to be seen
    constraint,
    force,
    setting,
    path,     ///< right of `=` or as an argument
    function, ///< of numbers, in expressions
    start,    ///< initial(...)
};

struct Call;

/// One built-in word: all that evaluation, checking, completion, hover and the reference page know.
struct Word {
    std::string_view name;
    WordKind kind;
    std::span<const Signature> signatures;
    std::string_view meaning;
    std::string_view example;
    /// Adds a statement to the scene; for the kinds primitive to setting.
    void (*add)(const Call& call, Scene& scene) = nullptr;
    /// Operation of a function, PathKind of a path, TransformationKind of a transformation.
    std::uint8_t code = 0;
    bool takes_on = false; ///< `... on a, b`
};

/// The one table, in the order of the reference page.
std::span<const Word> words();

/// Null when there is no such built-in. A name may stand twice: `line` is a path and a drawing.
const Word* find_word(std::string_view name, WordKind kind);
const Word* find_statement_word(std::string_view name);
const Word* find_any_word(std::string_view name);

constexpr bool is_statement(WordKind kind)
{
    return kind >= WordKind::primitive && kind <= WordKind::setting;
}

std::string_view title_of(WordKind kind);

/// "dist_constraint(a, b, distance)", with optional arguments in brackets.
std::string signature_text(const Word& word, Signature signature);

/// An argument after evaluation.
struct Bound {
    enum class Kind : std::uint8_t { none, poison, value, path, object, coordinate, text, word };

    Kind kind =
        Kind::none; ///< none: an optional argument left out; poison: a fault already reported
    Value value = {};
    PathId path = {};
    ObjectId object = {};
    CoordinateId coordinate = {};
    std::string_view text = {};
    std::uint32_t pending = kNotPending; ///< an object named before all instances exist
    Origin origin = {};

    static constexpr std::uint32_t kNotPending = 0xffffffff;
};

/// A statement of a built-in with its arguments in the order of the signature.
struct Call {
    const Word& word;
    Signature signature;
    std::span<const Bound> arguments;
    std::span<const Value> points; ///< of the last argument of kind points
    std::span<const ObjectId> on;
    ObjectId object; ///< the frame it acts in: its own when it is transformed, else that of the def
    ObjectId frame;  ///< of the def it is written in
    Origin origin;

    bool has(std::size_t i) const
    {
        return i < arguments.size() && arguments[i].kind != Bound::Kind::none;
    }
    Value value(std::size_t i) const
    {
        return has(i) ? arguments[i].value : Value{signature[i].fallback};
    }
    double number(std::size_t i) const { return value(i).number; }
};

} // namespace sinew::charli

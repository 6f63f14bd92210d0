#pragma once

#include "geometry/shot.h"
#include "sinew/scene.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {
struct Constraint;
}

namespace sinew::charli {

/// What an argument of a built-in may be.
enum class ArgumentKind : std::uint8_t {
    number,     ///< known when the script is read
    value,      ///< may move: a track, a formula of time, coordinates, positions
    whole,      ///< a whole number known when the script is read
    coordinate, ///< a `dynamic` variable
    turn,       ///< a `dynamic ball` variable
    event,      ///< the name of an event
    object,     ///< an instance
    along,      ///< a strand and a place on it: `trunk at 0.6 along`
    path,       ///< point(...), line(...), spline(...) or a name of one
    points,     ///< x, y, z of each point, as many as wanted; always the last argument
    numbers,    ///< as many as wanted; always the last argument
    word,       ///< one of the words listed
    file,       ///< the name of a file, as a string
    text,       ///< any other text
    list,       ///< a list, or a vector: a list of numbers
    anything,   ///< numbers, lists, texts, as many as wanted; always the last argument
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
    int least_points = 0;        ///< of kind points or numbers
    int most_points = 0;         ///< of kind points; 0: any number
    bool may_ramp = false;       ///< may change along a curve

    bool is_list() const
    {
        return kind == ArgumentKind::points || kind == ArgumentKind::numbers ||
               kind == ArgumentKind::anything;
    }
};

using Signature = std::span<const Argument>;

enum class WordKind : std::uint8_t {
    transformation, ///< behind an object
    motion,         ///< behind an object too: how its bodies move at the start
    primitive,      ///< a statement that puts something at the frame it stands in
    shape,          ///< likewise, a part of a body
    drawing,        ///< likewise, only to be seen
    body,           ///< what the def around it is, as a body
    strand,         ///< what the def around it is, as a tree of strands
    constraint,
    joint,
    force,
    setting,
    path,     ///< right of `=` or as an argument
    function, ///< of numbers and lists, in expressions
    start,    ///< initial(...)
};

/// Functions that are computed when the script is read; the codes of others are Operations.
enum class ListFunction : std::uint8_t {
    dot = 128,
    cross,
    length,
    unit,
    count,
    concat,
    random,
    rate,
    since,
    contact_force,
    sign,
    constraint_force,
    constraint_length,
    constraint_error,
    tension,
    kinetic_energy,
    potential_energy,
    bending_moment,
    twist_moment
};

/// Transformations of several amounts: joints, nodes of files. The codes of others are
/// TransformationKinds.
enum class JointCode : std::uint8_t { ball = 128, free, universal, screw, follow };

struct Call;

/// One built-in word: all that evaluation, checking, completion, hover and the reference page know.
struct Word {
    std::string_view name;
    WordKind kind;
    std::span<const Signature> signatures;
    std::string_view meaning;
    std::string_view example;
    /// Adds a statement to the scene; for the kinds primitive to setting, but for what only tells
    /// values (echo, assert).
    void (*add)(const Call& call, Scene& scene) = nullptr;
    /// Operation of a function, PathKind of a path, TransformationKind of a transformation,
    /// ShapeKind of a shape.
    std::uint8_t code = 0;
    bool takes_on = false; ///< `... on a, b`; only words of strands may be without
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

/// The text with its ASCII letters in lower case.
std::string lower(std::string_view text);

/// The groups of words in the order of the reference page.
std::span<const WordKind> page_order();

/// "dist_constraint(a, b, distance)", with optional arguments in brackets.
std::string signature_text(const Word& word, Signature signature);

/// An argument after evaluation.
struct Bound {
    enum class Kind : std::uint8_t {
        none,
        poison,
        value,
        path,
        object,
        coordinate,
        turn,
        text,
        word,
        list,
    };

    Kind kind =
        Kind::none; ///< none: an optional argument left out; poison: a fault already reported
    Value value = {};
    PathId path = {};
    ObjectId object = {};
    CoordinateId coordinate = {}; ///< of a turn: the first of its four
    std::string_view text = {};
    std::uint32_t pending = kNotPending; ///< an object named before all instances exist
    std::uint32_t list = 0;              ///< number of a list in the evaluator
    Origin origin = {};

    static constexpr std::uint32_t kNotPending = 0xffffffff;
};

/// What a statement finds wrong with its arguments taken together.
struct CallFault {
    Origin origin;
    std::string_view code;
    std::string what, hint;
};

/// A surface made for a statement, from a file or from its points.
struct Surface {
    std::uint32_t mesh = Shape::kNoMesh; ///< in Scene::meshes
    std::uint32_t columns = 0;           ///< of a height field
    bool operator==(const Surface&) const = default;
};

class GroomSource;

/// Curves made for a statement, from a file or grown on a surface.
struct Groom {
    std::vector<ValueList> curves = {};       ///< their points
    std::vector<StrandRoot> roots = {};       ///< of each, where they stand on a skin; else none
    std::shared_ptr<GroomSource> unmade = {}; ///< of curves that are only counted
    std::vector<double> stiffness = {};       ///< factor of each, where a map says so; else none
};

/// A statement of a built-in with its arguments in the order of the signature.
struct Call {
    const Word& word;
    Signature signature;
    std::span<const Bound> arguments;
    std::span<const Value> points; ///< of the last argument of kind points or numbers
    std::span<const ObjectId> on;
    ObjectId object; ///< the frame it acts in: its own when it is transformed, else that of the def
    ObjectId frame;  ///< of the def it is written in
    Origin origin;
    Surface surface;                              ///< of a shape that needs one
    const Groom* groom = nullptr;                 ///< of a word that makes curves so
    const FileShot* shot = nullptr;               ///< of a camera or timing from a file
    std::vector<Constraint>* constraints;         ///< where words that hold things add theirs
    std::vector<Event::RateSet>* rates = nullptr; ///< of the event it stands in; none: in no event
    std::vector<CallFault>* faults; ///< told in the end; nothing may be added to the scene then

    bool has(std::size_t i) const
    {
        return i < arguments.size() && arguments[i].kind != Bound::Kind::none;
    }
    Value value(std::size_t i) const
    {
        return has(i) ? arguments[i].value : Value{signature[i].fallback};
    }
    double number(std::size_t i) const { return value(i).number; }

    /// The argument of that name; null when it is left out, or not of this signature.
    const Bound* find(std::string_view name) const
    {
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (signature[i].name == name)
                return has(i) ? &arguments[i] : nullptr;
        return nullptr;
    }
    void fault(std::string_view code, std::string what, std::string hint) const
    {
        faults->push_back({origin, code, std::move(what), std::move(hint)});
    }
};

} // namespace sinew::charli

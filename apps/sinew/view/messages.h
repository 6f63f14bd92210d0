#pragma once

// What the page says (viewer/PROTOCOL.md), read without trust: every field is checked, and whatever
// comes ends in a message or a problem.

#include "sinew/error.h"
#include "sinew/ids.h"
#include "sinew/math.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinew::viewer {

namespace message {

struct Play {};
struct Pause {};
struct Step {
    std::int64_t by = 1;
};
struct Seek {
    std::int64_t frame = 0;
};
struct Speed {
    double value = 1;
};
struct Loop {
    bool on = false;
};
struct Restart {};
struct Grab {
    ObjectId object;
    Vec3 target;
};
struct Drag {
    Vec3 target;
};
struct Release {};
struct Move {
    ObjectId object;
    Vec3 by;
};
struct Pin {
    ObjectId object;
    std::optional<Vec3> place; ///< where a strand or rod is meant
};
struct Unpin {
    ObjectId object;
};
struct Tie {
    ObjectId object;
    Vec3 place;
    ObjectId other;
    Vec3 other_place;
};
struct Thread {
    ObjectId bead;
    ObjectId object;
    Vec3 place;
};
struct Cut {
    ObjectId object;
    Vec3 place;
};
struct Loosen {
    ObjectId object;
    Vec3 place;
};
struct Select {
    ObjectId object; ///< invalid: nothing
};
struct Show {
    bool forces = false, residuals = false, contacts = false, layers = false;

    bool operator==(const Show&) const = default;
};
/// Values of a plotted quantity, over all frames.
struct Watch {
    enum class Kind : std::uint8_t {
        object, ///< place and speed of an object
        probe,  ///< numbers of a `probe` of the script
        load    ///< what a constraint of strands and rods pushes and turns with
    };
    struct Quantity {
        Kind kind = Kind::object;
        std::uint32_t number = 0;

        bool operator==(const Quantity&) const = default;
    };

    std::vector<Quantity> list;
};
struct Parameter {
    std::string name;
    double value = 0;
};
struct Script {
    std::string text;
};
struct Save {
    std::optional<std::string> name;
};
struct Record {
    std::optional<std::string> name;
};
struct Undo {};
struct Redo {};
struct List {};
struct Open {
    std::string name;
    bool is_example = false; ///< else a file of the folder
};
struct New {};
struct Assist {
    enum class What { complete, hover, call, definition };

    std::int64_t id = 0; ///< of the question, for the answer
    What what = What::complete;
    std::string text;
    std::size_t offset = 0; ///< [bytes]
};

} // namespace message

using Message =
    std::variant<message::Play, message::Pause, message::Step, message::Seek, message::Speed,
                 message::Loop, message::Restart, message::Grab, message::Drag, message::Release,
                 message::Move, message::Pin, message::Unpin, message::Tie, message::Thread,
                 message::Cut, message::Loosen, message::Select, message::Show, message::Watch,
                 message::Parameter, message::Script, message::Save, message::Record, message::Undo,
                 message::Redo, message::List, message::Open, message::New, message::Assist>;

/// Never throws; numbers in the message are finite and in range, names are short.
Result<Message> parse_message(std::string_view text);

} // namespace sinew::viewer

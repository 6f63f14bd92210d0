#pragma once

// What editors show of the structure of a script: its outline, what can be folded, what names stand
// for, and which argument of which call is being typed. All from the text alone.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A name that a script introduces, with what stands inside it.
struct OutlineItem {
    enum class Kind { def, function, variable, dynamic, import, param, instance };

    std::string name;
    Kind kind = Kind::variable;
    std::size_t offset = 0, length = 0;           ///< of the whole statement
    std::size_t name_offset = 0, name_length = 0; ///< of the name in it
    std::vector<OutlineItem> children = {};
};
std::vector<OutlineItem> script_outline(const std::string& text);

/// A piece of text that can be shown as one line: a block from its head to its `end`, or a comment.
struct ScriptFold {
    std::size_t offset = 0, length = 0;
    bool is_comment = false;
};
std::vector<ScriptFold> script_folds(const std::string& text);

/// What a word of the script is, for colours; in the order of the text. A comment of several lines
/// is one for each line.
struct ScriptMeaning {
    enum class Kind {
        keyword,
        word,
        def,
        function,
        variable,
        parameter,
        argument,
        number,
        string,
        comment
    };

    std::size_t offset = 0, length = 0;
    Kind kind = Kind::variable;
};
std::vector<ScriptMeaning> script_meanings(const std::string& text);

/// The call that an offset lies in: what it takes, and which argument is being typed.
struct CallHelp {
    struct Form {
        std::string text; ///< "dist_constraint(a, b, distance)"
        std::vector<std::string> arguments;
        std::vector<std::string> meanings; ///< of each, empty where nothing is to be said
    };
    std::vector<Form> forms;
    std::string meaning;
    std::size_t argument = 0; ///< counted from 0
};
std::optional<CallHelp> call_help(const std::string& text, std::size_t offset);

/// The word that a hint proposes to write instead ("did you mean 'body'?"); empty: none.
std::string proposed_word(const std::string& hint);

/// The comment that stands directly above a line, without its marks; empty when there is none.
std::string comment_above(const std::string& text, std::size_t offset);

} // namespace sinew

#pragma once

// The CHARLI language: from text to a checked Scene and back.

#include "sinew/error.h"
#include "sinew/parts.h"
#include "sinew/scene.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// What became of the wish to read a file.
struct FileText {
    enum class Status { ok, missing, outside, unreadable, too_large };

    Status status = Status::missing;
    std::string text = {};
};

/// How a script reaches the files it includes. The name is relative to the folder of the main
/// script and has no `..` that would lead out of it.
using ReadFile = std::function<FileText(const std::string& name)>;

/// Reads below one folder and nowhere else: neither `..` nor a symbolic link leads out of it.
ReadFile files_below(const std::string& folder);

/// Reads nothing: for scripts that may not include.
ReadFile no_files();

struct ReadOptions {
    std::map<std::string, std::string> parameters =
        {};                                ///< `-D name=value`: a number, with a unit if wanted
    std::optional<double> frame_rate = {}; ///< wins over the script's
    bool check_start = true;               ///< also look at the physics of the start
    bool makes_curves = true; ///< false: those of grooms are only counted, for `read_part`
};

class UnmadeCurves;

/// A script after reading. Without errors among the problems the scene is whole and sound.
struct ScriptReading {
    Scene scene;
    Reading reading; ///< meaningful when there are no errors
    Problems problems;
    /// A reading that only counted keeps them here: plan_parts and read_part use its scene.
    std::shared_ptr<UnmadeCurves> unmade = {};

    bool is_sound() const { return !has_errors(problems); }
};

/// Reads a script from memory. `name` appears in messages.
ScriptReading read_script(const std::string& name, std::string text, const ReadFile& read_file,
                          const ReadOptions& options = {});

/// Reads a script from disk; what it includes must lie in its folder or below.
ScriptReading read_script_file(const std::string& path, const ReadOptions& options = {});

/// One part of a script that was read without making its curves: makes those of the part, leaves
/// all other strands out, and checks what is left. Requires that the reading is sound.
ScriptReading read_part(ScriptReading whole, const PartPlan& plan, int part,
                        const ReadOptions& options = {});

/// Problems as people read them: place, fact, the line with a caret, the remedy.
std::string problems_text(const Problems& problems, bool colour);

// --- tools
// ----------------------------------------------------------------------------------------

/// The script in its standard layout: same words, same comments, same lines; or its syntax
/// problems.
Result<std::string> format_script(const std::string& name, const std::string& text);

/// A script being edited by a tool: every comment and blank that an edit does not mean stays.
/// Each edit is checked: it either leaves a script that parses, or the text as it was and a
/// problem.
class ScriptEditor {
public:
    static Result<ScriptEditor> open(const std::string& name, std::string text);

    const std::string& text() const { return text_; }

    /// Gives a variable, a parameter or `dynamic` another value: `set_value("length", "2.5")`. A
    /// name in a def is `def_name.name`. The new value is an expression, a track, `initial(...)` or
    /// a path.
    Problems set_value(const std::string& name, const std::string& value);

    /// Replaces an argument, counted from 0, of the `statement`-th statement whose head is `word`,
    /// counted from 0 over the whole script in the order of the text.
    Problems set_argument(const std::string& word, int statement, int argument,
                          const std::string& value);

    /// Moves an instance in its parent's frame: the last translation in its list is adjusted where
    /// it is a plain number, else a `translate` is added. `name` as `object_names` gives it for an
    /// instance written in the main script: "left", "crate#2", "b[3]".
    Problems move_instance(const std::string& name, Vec3 by);

    /// Adds a statement at the end of the script, or as the last one of a def's body.
    Problems add_statement(const std::string& statement, const std::string& def_name = "");

    /// Removes the `statement`-th statement whose head is `word`, with the line if nothing else is
    /// on it.
    Problems remove_statement(const std::string& word, int statement);

    /// Removes the statement that a byte of the text lies in: an Origin's offset.
    Problems remove_statement_at(std::size_t offset);

    /// Lets what such a statement says end at a time [s]: its argument `active` is 0 from there on,
    /// and before it what it was.
    Problems end_statement_at(std::size_t offset, double time);

private:
    ScriptEditor(std::string name, std::string text)
        : name_(std::move(name)), text_(std::move(text))
    {
    }
    Problems replace(std::size_t offset, std::size_t length, const std::string& by);
    Problems remove(std::size_t begin, std::size_t end); ///< with the line if nothing else is on it

    std::string name_;
    std::string text_;
};

/// A place in a text by bytes, as editors and tools need it.
struct TextSpan {
    std::string file; ///< as in ReadFile, relative to the main script's folder
    std::size_t offset = 0;
    std::size_t length = 0;

    bool operator==(const TextSpan&) const = default;
};

struct Completion {
    enum class Kind { keyword, word, variable, object, def, unit, easing, argument };

    std::string label;
    Kind kind = Kind::keyword;
    std::string detail = {};        ///< one line
    std::string documentation = {}; ///< markdown
};

struct Hover {
    TextSpan span;
    std::string markdown;
};

/// What an editor asks about a script while it is typed.
class ScriptAssistant {
public:
    /// `name` is the script's file name within its folder; `read_file` serves its includes.
    ScriptAssistant(std::string name, std::string text, const ReadFile& read_file);

    const Problems& problems() const { return reading_.problems; }
    std::vector<Completion> complete(std::size_t offset) const;
    std::optional<Hover> hover(std::size_t offset) const;
    std::optional<TextSpan> definition(std::size_t offset) const;
    /// Every place of the name at the offset, its definition included; empty when it has none.
    std::vector<TextSpan> references(std::size_t offset) const;
    /// True when the word can be a name: no reserved word, made of letters, digits and _.
    static bool is_name(std::string_view word);

private:
    struct Link {
        TextSpan use, definition;
    };
    const Link* find_link(std::size_t offset) const;
    std::string describe(const TextSpan& definition) const;

    std::string name_;
    std::string text_;
    ScriptReading reading_;
    std::vector<Link> links_;
};

// --- the words of the language
// --------------------------------------------------------------------

/// The reference page of all built-in words, in markdown.
std::string words_reference();

/// What a word of the language means, as plain text; empty for an unknown word.
std::string word_help(const std::string& word);

/// The closest word of the language, or the empty string: "did you mean ...".
std::string similar_word(const std::string& word);

/// A built-in word in one line.
struct WordSummary {
    std::string name;
    std::string group;     ///< "Transformations", "Strands and rods", ...
    std::string signature; ///< "dist_constraint(a, b, distance)"
    std::string meaning;   ///< its first sentence

    bool operator==(const WordSummary&) const = default;
};

/// Words that have to do with a text: those whose name contains it, those that other programs call
/// so ("hair", "rope", "collider"), then those whose meaning contains it. Best first.
std::vector<WordSummary> find_words(const std::string& text);

/// The groups of built-in words, in the order of the reference page.
std::vector<std::string> word_groups();

/// A token as editors colour it, for tests of their grammars.
struct ScriptToken {
    enum class Kind {
        keyword,
        unit,
        easing,
        constant,
        number,
        string,
        identifier,
        punctuation,
        unknown
    };

    std::size_t offset = 0;
    std::size_t length = 0;
    Kind kind = Kind::unknown;
};
std::vector<ScriptToken> script_tokens(const std::string& text);

/// The version of the library, "0.2.0".
std::string version();

} // namespace sinew

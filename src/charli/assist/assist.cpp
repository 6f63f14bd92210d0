// What an editor asks while a script is typed: completion, hover, definition, references.

#include "base/text.h"
#include "charli/assist/completer.h"
#include "charli/assist/quiet_linker.h"
#include "charli/text/read.h"
#include "sinew/language.h"
#include "sinew/outline.h"

#include <algorithm>
#include <tuple>

namespace sinew {

using namespace charli;

namespace {

/// Enough for a thousand trees, and read within half a second: an editor asks after every letter.
constexpr std::uint64_t kStatements = 150'000;

/// What is too much for the moment is no fault of the script.
void excuse_work(Problems& problems)
{
    for (Problem& problem : problems)
        if (problem.code == "too-much-work" || problem.code == "loop-too-long") {
            problem.severity = Severity::note;
            problem.what = "while it is edited no more than " + std::to_string(kStatements) +
                           " statements of the script are carried out";
            problem.hint = "`sinew check` reads all of it";
        }
}

} // namespace

ScriptAssistant::ScriptAssistant(std::string name, std::string text, const ReadFile& read_file)
    : name_(std::move(name)), text_(std::move(text))
{
    std::vector<Evaluator::Link> links;
    Limits limits;
    limits.statement_count = kStatements;
    reading_ = charli::read(name_, text_, read_file, {}, limits, &links);
    excuse_work(reading_.problems);
    const auto span = [&](Origin origin) {
        return TextSpan{reading_.scene.files[origin.file].name, origin.offset, origin.length};
    };
    // A def with many instances gives each link many times.
    const auto key = [](const Evaluator::Link& link) {
        return std::tuple(link.use.file, link.use.offset, link.use.length, link.definition.file,
                          link.definition.offset, link.definition.length);
    };
    std::sort(links.begin(), links.end(),
              [&](const Evaluator::Link& a, const Evaluator::Link& b) { return key(a) < key(b); });
    links.erase(std::unique(links.begin(), links.end(),
                            [&](const Evaluator::Link& a, const Evaluator::Link& b) {
                                return key(a) == key(b);
                            }),
                links.end());
    std::vector<QuietLinker::Link> live;
    for (const Evaluator::Link& link : links)
        if (link.use.file < reading_.scene.files.size() &&
            link.definition.file < reading_.scene.files.size())
            live.push_back({span(link.use), span(link.definition)});
    ParsedFiles files(reading_.scene.files);
    for (const auto& list : {live, QuietLinker(files, live).run()})
        for (const QuietLinker::Link& link : list)
            links_.push_back({link.use, link.definition});
}

std::vector<Completion> ScriptAssistant::complete(std::size_t offset) const
{
    offset = std::min(offset, text_.size());
    if (is_in_comment_or_string(text_, offset))
        return {};
    ParsedFiles files(reading_.scene.files);
    return complete_at(text_, offset, files);
}

const ScriptAssistant::Link* ScriptAssistant::find_link(std::size_t offset) const
{
    for (const Link& link : links_)
        if (link.use.file == name_ && link.use.offset <= offset &&
            offset <= link.use.offset + link.use.length)
            return &link;
    for (const ScriptToken& token : script_tokens(text_)) // the _x of tip_x
        if (token.kind == ScriptToken::Kind::identifier && token.offset < offset &&
            offset <= token.offset + token.length)
            for (const Link& link : links_)
                if (link.use.file == name_ && link.use.offset == token.offset)
                    return &link;
    return nullptr;
}

std::optional<TextSpan> ScriptAssistant::definition(std::size_t offset) const
{
    const Link* link = find_link(offset);
    return link ? std::optional(link->definition) : std::nullopt;
}

std::vector<TextSpan> ScriptAssistant::references(std::size_t offset) const
{
    std::vector<TextSpan> spans;
    const Link* found = find_link(offset);
    if (!found)
        return spans;
    spans.push_back(found->definition);
    for (const Link& link : links_)
        if (link.definition == found->definition)
            spans.push_back(link.use);
    std::sort(spans.begin(), spans.end(), [](const TextSpan& a, const TextSpan& b) {
        return std::tie(a.file, a.offset) < std::tie(b.file, b.offset);
    });
    spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
    return spans;
}

/// The line of a definition, and of the value assigned to it.
std::string ScriptAssistant::describe(const TextSpan& definition) const
{
    for (const SourceFile& file : reading_.scene.files) {
        if (file.name != definition.file)
            continue;
        std::string out = "```charli\n" + std::string(line_at(*file.text, definition.offset));
        for (const Link& link : links_) {
            if (!(link.definition == definition) || link.use == definition ||
                link.use.file != definition.file)
                continue;
            const std::size_t behind =
                file.text->find_first_not_of(" \t", link.use.offset + link.use.length);
            if (behind != std::string::npos && (*file.text)[behind] == '=' &&
                (*file.text)[behind + 1] != '=') {
                out += "\n" + std::string(line_at(*file.text, link.use.offset));
                break;
            }
        }
        const std::string comment = comment_above(*file.text, definition.offset);
        return out + "\n```" + (comment.empty() ? "" : "\n\n" + comment);
    }
    return "";
}

std::optional<Hover> ScriptAssistant::hover(std::size_t offset) const
{
    if (is_in_comment_or_string(text_, offset))
        return std::nullopt;
    for (const ScriptToken& token : script_tokens(text_)) {
        if (offset < token.offset || offset >= token.offset + token.length)
            continue;
        const bool is_name = token.kind == ScriptToken::Kind::identifier;
        if (const Link* link = is_name ? find_link(token.offset) : nullptr)
            return Hover{link->use, describe(link->definition)};
        const std::string help = word_help(text_.substr(token.offset, token.length));
        const bool is_word =
            token.kind != ScriptToken::Kind::number && token.kind != ScriptToken::Kind::punctuation;
        if (is_word && !help.empty())
            return Hover{{name_, token.offset, token.length}, "```\n" + help + "```"};
        return std::nullopt;
    }
    return std::nullopt;
}

bool ScriptAssistant::is_name(std::string_view word)
{
    const std::vector<ScriptToken> tokens = script_tokens(std::string(word));
    return tokens.size() == 1 && tokens[0].kind == ScriptToken::Kind::identifier &&
           tokens[0].length == word.size();
}

} // namespace sinew

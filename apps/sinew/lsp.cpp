#include "lsp.h"

#include "commands.h"
#include "sinew/outline.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <poll.h>
#include <strings.h>
#include <unistd.h>
#include <utility>

namespace sinew::app {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t kLongestMessage = 64u << 20;
constexpr int kDeepestMessage = 100; // of brackets in brackets; the protocol needs some ten

/// Raised inside the server for a request it cannot serve; becomes an error answer.
struct Refusal {
    int code;
    std::string message;
};

// --- places: the protocol counts lines from 0 and columns in UTF-16 units
// -------------------------

std::size_t utf16_length(unsigned char first_byte)
{
    if ((first_byte & 0xc0) == 0x80)
        return 0; // goes on with a character
    return first_byte >= 0xf0 ? 2 : 1;
}

std::size_t whole_number(const json& value)
{
    if (!value.is_number_unsigned())
        throw Refusal{-32602, "a place is made of whole numbers from 0"};
    return value.get<std::size_t>();
}

std::size_t offset_of(const std::string& text, const json& position)
{
    std::size_t line = whole_number(position.at("line"));
    std::size_t units = whole_number(position.at("character"));
    std::size_t offset = 0;
    for (; line > 0; --line) {
        offset = text.find('\n', offset);
        if (offset == std::string::npos)
            return text.size();
        ++offset;
    }
    while (offset < text.size() && text[offset] != '\n') {
        const std::size_t length = utf16_length(static_cast<unsigned char>(text[offset]));
        if (length > units)
            break;
        if (units == 0 && length > 0)
            break;
        units -= length;
        ++offset;
    }
    return offset;
}

json position_of(const std::string& text, std::size_t offset)
{
    offset = std::min(offset, text.size());
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    std::size_t units = 0;
    const std::size_t start = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    for (std::size_t i = start; i < offset; ++i)
        units += utf16_length(static_cast<unsigned char>(text[i]));
    return {{"line", line}, {"character", units}};
}

/// Finds places one behind the other without walking the text again for each.
class PlaceFinder {
public:
    explicit PlaceFinder(std::string text) : text_(std::move(text)) {}

    /// Requires an offset not before the last one.
    json find(std::size_t offset)
    {
        for (; at_ < std::min(offset, text_.size()); ++at_) {
            units_ = text_[at_] == '\n'
                         ? 0
                         : units_ + utf16_length(static_cast<unsigned char>(text_[at_]));
            line_ += text_[at_] == '\n';
        }
        return {{"line", line_}, {"character", units_}};
    }

private:
    std::string text_;
    std::size_t at_ = 0, line_ = 0, units_ = 0;
};

json range_of(const std::string& text, std::size_t offset, std::size_t length)
{
    return {{"start", position_of(text, offset)}, {"end", position_of(text, offset + length)}};
}

/// Byte offset of a place that counts lines and characters from 1.
std::size_t offset_of(const std::string& text, int line, int column)
{
    std::size_t offset = 0;
    for (; line > 1; --line) {
        const std::size_t next = text.find('\n', offset);
        if (next == std::string::npos)
            return text.size();
        offset = next + 1;
    }
    for (int characters = 0; offset < text.size() && text[offset] != '\n'; ++offset) {
        characters += (text[offset] & 0xc0) != 0x80;
        if (characters == column)
            break;
    }
    return offset;
}

// --- addresses
// ------------------------------------------------------------------------------------

int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

std::string path_of(const std::string& uri)
{
    std::string encoded = uri.starts_with("file://") ? uri.substr(7) : uri;
    std::string path;
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        if (encoded[i] == '%' && i + 2 < encoded.size() && hex_digit(encoded[i + 1]) >= 0 &&
            hex_digit(encoded[i + 2]) >= 0) {
            path += static_cast<char>(16 * hex_digit(encoded[i + 1]) + hex_digit(encoded[i + 2]));
            i += 2;
        } else {
            path += encoded[i];
        }
    }
    return path;
}

std::string uri_of(const std::string& path)
{
    std::string uri = "file://";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain =
            std::isalnum(byte) || std::string_view("/-._~").find(c) != std::string_view::npos;
        if (is_plain) {
            uri += c;
        } else {
            constexpr char digits[] = "0123456789ABCDEF";
            uri += {'%', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return uri;
}

std::string folder_of(const std::string& uri)
{
    return fs::path(path_of(uri)).parent_path().string();
}
std::string name_of(const std::string& uri) { return fs::path(path_of(uri)).filename().string(); }

int completion_kind(Completion::Kind kind)
{
    switch (kind) {
    case Completion::Kind::keyword: return 14;
    case Completion::Kind::word: return 3;
    case Completion::Kind::variable: return 6;
    case Completion::Kind::object: return 18;
    case Completion::Kind::def: return 7;
    case Completion::Kind::unit: return 11;
    case Completion::Kind::easing: return 20;
    case Completion::Kind::argument: return 10;
    }
    return 1;
}

json range_of(const std::string& text, const Place& place)
{
    const std::size_t begin = offset_of(text, place.line, place.column);
    const std::size_t end = offset_of(text, place.line, place.column + place.length);
    return range_of(text, begin, end > begin ? end - begin : 0);
}

json diagnostic_of(const Problem& problem, const std::string& text)
{
    const int severity = problem.severity == Severity::error     ? 1
                         : problem.severity == Severity::warning ? 2
                                                                 : 3;
    return {{"range", range_of(text, problem.place)},
            {"severity", severity},
            {"code", problem.code},
            {"source", "sinew"},
            {"message", problem.what + (problem.hint.empty() ? "" : "; " + problem.hint)}};
}

/// In the order of ScriptMeaning::Kind.
constexpr const char* kTokenTypes[] = {"keyword",   "function", "class",  "function", "variable",
                                       "parameter", "property", "number", "string",   "comment"};

json capabilities()
{
    return {{"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
            {"completionProvider", {{"triggerCharacters", {"(", ",", "=", "."}}}},
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"referencesProvider", true},
            {"renameProvider", {{"prepareProvider", true}}},
            {"documentFormattingProvider", true},
            {"documentSymbolProvider", true},
            {"foldingRangeProvider", true},
            {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
            {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
            {"semanticTokensProvider",
             {{"full", true},
              {"legend", {{"tokenTypes", kTokenTypes}, {"tokenModifiers", json::array()}}}}}};
}

int symbol_kind(OutlineItem::Kind kind)
{
    switch (kind) {
    case OutlineItem::Kind::def: return 5;       // class
    case OutlineItem::Kind::function: return 12; // function
    case OutlineItem::Kind::param: return 14;    // constant
    case OutlineItem::Kind::instance: return 19; // object
    default: return 13;                          // variable
    }
}

json symbols_of(const std::string& text, const std::vector<OutlineItem>& items)
{
    json out = json::array();
    for (const OutlineItem& item : items)
        out.push_back({{"name", item.name},
                       {"kind", symbol_kind(item.kind)},
                       {"range", range_of(text, item.offset, item.length)},
                       {"selectionRange", range_of(text, item.name_offset, item.name_length)},
                       {"children", symbols_of(text, item.children)}});
    return out;
}

} // namespace

// --- messages
// -------------------------------------------------------------------------------------

void LanguageServer::receive(const std::string& message)
{
    const auto is_shallow = [](int depth, json::parse_event_t, const json&) {
        return depth < kDeepestMessage;
    };
    const json parsed = json::parse(message, is_shallow, false);
    if (!parsed.is_object()) {
        send_({{"jsonrpc", "2.0"},
               {"id", nullptr},
               {"error", {{"code", -32700}, {"message", "not a JSON object"}}}});
        return;
    }
    const json id = parsed.value("id", json());
    try {
        dispatch(parsed);
    } catch (const json::exception& fault) {
        if (!id.is_null())
            send_({{"jsonrpc", "2.0"},
                   {"id", id},
                   {"error", {{"code", -32602}, {"message", fault.what()}}}});
    } catch (const Refusal& refusal) {
        if (!id.is_null())
            send_({{"jsonrpc", "2.0"},
                   {"id", id},
                   {"error", {{"code", refusal.code}, {"message", refusal.message}}}});
    } catch (const std::exception& fault) {
        if (!id.is_null())
            send_({{"jsonrpc", "2.0"},
                   {"id", id},
                   {"error", {{"code", -32603}, {"message", fault.what()}}}});
    }
}

void LanguageServer::dispatch(const json& message)
{
    if (!message.contains("method"))
        return; // an answer to us: we ask nothing
    const std::string method = message.at("method").get<std::string>();
    const json params = message.value("params", json::object());
    if (!message.contains("id"))
        return notice(method, params);
    if (method == "initialize")
        is_initialized_ = true;
    if (!is_initialized_)
        throw Refusal{-32002, "the first request is `initialize`"};
    if (is_shut_down_)
        throw Refusal{-32600, "the server is shut down"};
    const std::optional<json> result = answer(method, params);
    if (!result)
        throw Refusal{-32601, "unknown method " + method};
    send_({{"jsonrpc", "2.0"}, {"id", message.at("id")}, {"result", *result}});
}

std::optional<json> LanguageServer::answer(const std::string& method, const json& params)
{
    if (method == "initialize")
        return json{{"capabilities", capabilities()},
                    {"serverInfo", {{"name", "sinew"}, {"version", version()}}}};
    if (method == "shutdown") {
        is_shut_down_ = true;
        return json();
    }
    if (method == "textDocument/formatting")
        return format(params);
    if (method == "textDocument/completion")
        return complete(find_spot(params));
    if (method == "textDocument/hover")
        return hover(find_spot(params));
    if (method == "textDocument/definition")
        return definition(find_spot(params));
    if (method == "textDocument/references")
        return references(find_spot(params));
    if (method == "textDocument/prepareRename")
        return prepare_rename(find_spot(params));
    if (method == "textDocument/rename")
        return rename(find_spot(params), params);
    if (method == "textDocument/documentSymbol")
        return outline(params);
    if (method == "textDocument/foldingRange")
        return folds(params);
    if (method == "textDocument/semanticTokens/full")
        return meanings(params);
    if (method == "textDocument/signatureHelp")
        return call_help(find_spot(params));
    if (method == "textDocument/codeAction")
        return quick_fixes(params);
    return std::nullopt;
}

void LanguageServer::notice(const std::string& method, const json& params)
{
    if (method == "exit") {
        is_finished_ = true;
    } else if (!is_initialized_) {
        return; // as the protocol has it
    } else if (method == "textDocument/didOpen") {
        const json& document = params.at("textDocument");
        Document& opened = documents_[document.at("uri").get<std::string>()];
        opened = {};
        opened.text = document.at("text").get<std::string>();
        opened.version = document.value("version", json());
    } else if (method == "textDocument/didChange") {
        change(params);
    } else if (method == "textDocument/didClose") {
        documents_.erase(params.at("textDocument").at("uri").get<std::string>());
    }
    // Another document may include the one that changed.
    if (method.starts_with("textDocument/did")) {
        is_changed_ = true;
        for (auto& [uri, document] : documents_)
            document.assistant.reset();
    }
}

void LanguageServer::change(const json& params)
{
    const auto found = documents_.find(params.at("textDocument").at("uri").get<std::string>());
    if (found == documents_.end())
        return;
    Document& document = found->second;
    for (const json& edit : params.at("contentChanges")) {
        const std::string text = edit.at("text").get<std::string>();
        if (!edit.contains("range")) {
            document.text = text;
            continue;
        }
        const std::size_t begin = offset_of(document.text, edit.at("range").at("start"));
        const std::size_t end = offset_of(document.text, edit.at("range").at("end"));
        document.text.replace(begin, end > begin ? end - begin : 0, text);
    }
    document.version = params.at("textDocument").value("version", json());
}

LanguageServer::Spot LanguageServer::find_spot(const json& params)
{
    const std::string uri = params.at("textDocument").at("uri").get<std::string>();
    const auto found = documents_.find(uri);
    if (found == documents_.end())
        throw Refusal{-32602, "the document is not open"};
    return {uri, &found->second, offset_of(found->second.text, params.at("position"))};
}

const ScriptAssistant& LanguageServer::assistant_of(const std::string& uri)
{
    Document& document = documents_.at(uri);
    if (!document.assistant) {
        document.assistant =
            std::make_unique<ScriptAssistant>(name_of(uri), document.text, reader_of(uri));
    }
    return *document.assistant;
}

/// What a script includes: as it is typed where it is open, else from disk.
ReadFile LanguageServer::reader_of(const std::string& uri) const
{
    return [this, uri, on_disk = files_below(folder_of(uri))](const std::string& name) -> FileText {
        const auto open = documents_.find(sibling(uri, name));
        return open != documents_.end() ? FileText{FileText::Status::ok, open->second.text}
                                        : on_disk(name);
    };
}

/// The address of a file that a script names relative to its own folder: the editor's spelling
/// where it is open.
std::string LanguageServer::sibling(const std::string& uri, const std::string& file) const
{
    if (file == name_of(uri))
        return uri;
    const std::string path = (fs::path(folder_of(uri)) / file).lexically_normal().string();
    for (const auto& [open, document] : documents_)
        if (path_of(open) == path)
            return open;
    return uri_of(path);
}

/// Text of an open script or of a file it includes.
std::string LanguageServer::text_of(const std::string& uri, const std::string& file) const
{
    return file == name_of(uri) ? documents_.at(uri).text : reader_of(uri)(file).text;
}

/// Requires spans in the order of their files and offsets.
json LanguageServer::locations(const std::string& uri, const std::vector<TextSpan>& spans) const
{
    json out = json::array();
    std::optional<PlaceFinder> places;
    std::string target;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (i == 0 || spans[i].file != spans[i - 1].file) {
            places.emplace(text_of(uri, spans[i].file));
            target = sibling(uri, spans[i].file);
        }
        const json start = places->find(spans[i].offset);
        const json end = places->find(spans[i].offset + spans[i].length);
        out.push_back({{"uri", target}, {"range", {{"start", start}, {"end", end}}}});
    }
    return out;
}

void LanguageServer::publish()
{
    if (!std::exchange(is_changed_, false))
        return;
    // A file may have problems of its own and as a part of several scripts: each is shown once.
    std::map<std::string, json> by_file;
    for (const std::string& before : published_)
        by_file.emplace(before, json::array());
    for (const auto& [uri, document] : documents_) {
        by_file.emplace(uri, json::array());
        for (const Problem& problem : assistant_of(uri).problems()) {
            const std::string file = problem.place.line == 0 ? name_of(uri) : problem.place.file;
            json& list = by_file.emplace(sibling(uri, file), json::array()).first->second;
            const json shown = diagnostic(uri, problem, file);
            if (std::find(list.begin(), list.end(), shown) == list.end())
                list.push_back(shown);
        }
    }
    published_.clear();
    for (const auto& [target, list] : by_file) {
        json params{{"uri", target}, {"diagnostics", list}};
        const auto open = documents_.find(target);
        if (open != documents_.end() && open->second.version.is_number())
            params["version"] = open->second.version;
        send_({{"jsonrpc", "2.0"},
               {"method", "textDocument/publishDiagnostics"},
               {"params", params}});
        if (!list.empty())
            published_.push_back(target);
    }
}

/// A problem of a file that a script consists of, with the other places it names.
json LanguageServer::diagnostic(const std::string& uri, const Problem& problem,
                                const std::string& file) const
{
    json shown = diagnostic_of(problem, text_of(uri, file));
    for (const Remark& remark : problem.remarks)
        if (remark.place.line > 0)
            shown["relatedInformation"].push_back(
                {{"location",
                  {{"uri", sibling(uri, remark.place.file)},
                   {"range", range_of(text_of(uri, remark.place.file), remark.place)}}},
                 {"message", remark.what}});
    return shown;
}

// --- requests
// -------------------------------------------------------------------------------------

const std::string& LanguageServer::text_of_document(const json& params) const
{
    const auto found = documents_.find(params.at("textDocument").at("uri").get<std::string>());
    if (found == documents_.end())
        throw Refusal{-32602, "the document is not open"};
    return found->second.text;
}

json LanguageServer::outline(const json& params)
{
    const std::string& text = text_of_document(params);
    return symbols_of(text, script_outline(text));
}

json LanguageServer::folds(const json& params)
{
    const std::string& text = text_of_document(params);
    json out = json::array();
    for (const ScriptFold& fold : script_folds(text)) {
        const json range = range_of(text, fold.offset, fold.length);
        out.push_back(
            {{"startLine", range.at("start").at("line")}, {"endLine", range.at("end").at("line")}});
        if (fold.is_comment)
            out.back()["kind"] = "comment";
    }
    return out;
}

/// Five numbers a word: lines and characters from the one before, length, kind, none.
json LanguageServer::meanings(const json& params)
{
    const std::string& text = text_of_document(params);
    PlaceFinder places(text);
    json data = json::array();
    std::size_t last_line = 0, last_character = 0;
    for (const ScriptMeaning& meaning : script_meanings(text)) {
        const json begin = places.find(meaning.offset);
        const json end = places.find(meaning.offset + meaning.length);
        const auto line = begin.at("line").get<std::size_t>();
        const auto character = begin.at("character").get<std::size_t>();
        data.push_back(line - last_line);
        data.push_back(line == last_line ? character - last_character : character);
        data.push_back(end.at("character").get<std::size_t>() - character);
        data.push_back(static_cast<int>(meaning.kind));
        data.push_back(0);
        last_line = line;
        last_character = character;
    }
    return {{"data", data}};
}

json LanguageServer::call_help(const Spot& spot)
{
    const std::optional<CallHelp> help = sinew::call_help(spot.document->text, spot.offset);
    if (!help)
        return {};
    json signatures = json::array();
    std::size_t active = 0;
    for (std::size_t k = 0; k < help->forms.size(); ++k) {
        const CallHelp::Form& form = help->forms[k];
        json parameters = json::array();
        for (std::size_t i = 0; i < form.arguments.size(); ++i)
            parameters.push_back(
                {{"label", form.arguments[i]}, {"documentation", form.meanings[i]}});
        signatures.push_back(
            {{"label", form.text}, {"documentation", help->meaning}, {"parameters", parameters}});
        if (help->forms[active].arguments.size() <= help->argument)
            active = k;
    }
    const std::size_t count = help->forms[active].arguments.size();
    return {{"signatures", signatures},
            {"activeSignature", active},
            {"activeParameter", std::min(help->argument, count > 0 ? count - 1 : 0)}};
}

/// Puts in what a hint proposes, for the problems of a range.
json LanguageServer::quick_fixes(const json& params)
{
    const std::string uri = params.at("textDocument").at("uri").get<std::string>();
    const std::string& text = text_of_document(params);
    const std::size_t from = offset_of(text, params.at("range").at("start"));
    const std::size_t to = offset_of(text, params.at("range").at("end"));
    json actions = json::array();
    for (const Problem& problem : assistant_of(uri).problems()) {
        const std::string word = proposed_word(problem.hint);
        const Place& place = problem.place;
        if (word.empty() || place.line == 0 || place.file != name_of(uri))
            continue;
        const std::size_t begin = offset_of(text, place.line, place.column);
        const std::size_t end = offset_of(text, place.line, place.column + place.length);
        if (begin > to || end < from)
            continue;
        const json edit = {{"range", range_of(text, place)}, {"newText", word}};
        actions.push_back({{"title", "write '" + word + "'"},
                           {"kind", "quickfix"},
                           {"isPreferred", true},
                           {"diagnostics", json::array({diagnostic(uri, problem, place.file)})},
                           {"edit", {{"changes", {{uri, json::array({edit})}}}}}});
    }
    return actions;
}

json LanguageServer::complete(const Spot& spot)
{
    json items = json::array();
    for (const Completion& completion : assistant_of(spot.uri).complete(spot.offset))
        items.push_back(
            {{"label", completion.label},
             {"kind", completion_kind(completion.kind)},
             {"detail", completion.detail},
             {"documentation", {{"kind", "markdown"}, {"value", completion.documentation}}}});
    return items;
}

json LanguageServer::hover(const Spot& spot)
{
    const std::optional<Hover> hover = assistant_of(spot.uri).hover(spot.offset);
    if (!hover)
        return {};
    return {{"contents", {{"kind", "markdown"}, {"value", hover->markdown}}},
            {"range", range_of(spot.document->text, hover->span.offset, hover->span.length)}};
}

json LanguageServer::definition(const Spot& spot)
{
    const std::optional<TextSpan> span = assistant_of(spot.uri).definition(spot.offset);
    return span ? locations(spot.uri, {*span}).at(0) : json();
}

json LanguageServer::references(const Spot& spot)
{
    return locations(spot.uri, assistant_of(spot.uri).references(spot.offset));
}

/// The span at an offset of a file; the _x of tip_x belongs to tip.
static const TextSpan* find_span(const std::vector<TextSpan>& spans, const std::string& file,
                                 std::size_t offset)
{
    const TextSpan* found = nullptr;
    for (const TextSpan& span : spans)
        if (span.file == file && span.offset <= offset && offset <= span.offset + span.length + 2)
            found = &span;
    return found;
}

json LanguageServer::prepare_rename(const Spot& spot)
{
    const std::vector<TextSpan> spans = assistant_of(spot.uri).references(spot.offset);
    const TextSpan* here = find_span(spans, name_of(spot.uri), spot.offset);
    return here ? range_of(spot.document->text, here->offset, here->length) : json();
}

json LanguageServer::rename(const Spot& spot, const json& params)
{
    const std::string name = params.at("newName").get<std::string>();
    if (!ScriptAssistant::is_name(name))
        throw Refusal{-32602,
                      "'" + name +
                          "' cannot be a name: use letters, digits and _, and no reserved word"};
    const std::vector<TextSpan> spans = assistant_of(spot.uri).references(spot.offset);
    check_rename(spot, spans, name);
    json changes = json::object();
    for (const json& place : locations(spot.uri, spans))
        changes[place.at("uri").get<std::string>()].push_back(
            {{"range", place.at("range")}, {"newText", name}});
    return {{"changes", changes}};
}

/// Refuses a new name that would meet another one: the changed script must have every place of the
/// name, no more, and no error that it did not have.
void LanguageServer::check_rename(const Spot& spot, const std::vector<TextSpan>& spans,
                                  const std::string& name)
{
    const std::string own = name_of(spot.uri);
    const TextSpan* here = find_span(spans, own, spot.offset);
    if (!here)
        throw Refusal{-32602, "there is no name here that could be changed"};
    std::map<std::string, std::string> texts; // with the new name
    std::size_t place = 0;
    for (std::size_t i = 0; i < spans.size();) {
        const std::string before = text_of(spot.uri, spans[i].file);
        if (!format_script(spans[i].file, before)) // it does not parse
            throw Refusal{-32803, "mend the grammar of " + spans[i].file +
                                      " first: a place of the name might be missed"};
        std::string& after = texts[spans[i].file];
        std::size_t copied = 0;
        for (const std::string file = spans[i].file; i < spans.size() && spans[i].file == file;
             ++i) {
            after += before.substr(copied, spans[i].offset - copied);
            copied = spans[i].offset + spans[i].length;
            if (&spans[i] == here)
                place = after.size();
            after += name;
        }
        after += before.substr(copied);
    }
    const ReadFile unchanged = reader_of(spot.uri);
    const ScriptAssistant after(own, texts[own], [&](const std::string& file) {
        const auto found = texts.find(file);
        return found != texts.end() ? FileText{FileText::Status::ok, found->second}
                                    : unchanged(file);
    });
    const auto error_count = [](const Problems& problems) {
        return std::count_if(problems.begin(), problems.end(),
                             [](const Problem& p) { return p.severity == Severity::error; });
    };
    if (after.references(place).size() != spans.size() ||
        error_count(after.problems()) > error_count(assistant_of(spot.uri).problems()))
        throw Refusal{-32803, "'" + name + "' already means something else here"};
}

json LanguageServer::format(const json& params)
{
    const std::string uri = params.at("textDocument").at("uri").get<std::string>();
    const auto found = documents_.find(uri);
    if (found == documents_.end())
        throw Refusal{-32602, "the document is not open"};
    const std::string& text = found->second.text;
    const Result<std::string> formatted = format_script(name_of(uri), text);
    if (!formatted || *formatted == text)
        return json::array();
    return json::array({{{"range", range_of(text, 0, text.size())}, {"newText", *formatted}}});
}

// --- standard input and output
// --------------------------------------------------------------------

namespace {

/// Reads messages with their headers; false at the end of the input or when it is no such protocol.
bool read_message(std::string& message)
{
    std::size_t length = 0;
    bool has_length = false;
    for (std::string line;;) {
        line.clear();
        int c;
        while ((c = std::getchar()) != EOF && c != '\n' && line.size() < 1000)
            line += static_cast<char>(c);
        if (c == EOF)
            return false;
        if (line.ends_with('\r'))
            line.pop_back();
        if (line.empty())
            break;
        if (strncasecmp(line.c_str(), "Content-Length:", 15) == 0) {
            length = std::strtoull(line.c_str() + 15, nullptr, 10);
            has_length = true;
        }
    }
    if (!has_length || length > kLongestMessage)
        return false;
    message.resize(length);
    return std::fread(message.data(), 1, length, stdin) == length;
}

bool is_input_waiting()
{
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return poll(&input, 1, 0) > 0;
}

} // namespace

int language_server()
{
    std::setvbuf(stdin, nullptr, _IONBF, 0); // so that poll sees what is waiting
    LanguageServer server([](const json& message) {
        const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace);
        std::printf("Content-Length: %zu\r\n\r\n", text.size());
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    });
    std::string message;
    while (!server.is_finished() && read_message(message)) {
        server.receive(message);
        if (!is_input_waiting())
            server.publish();
    }
    return server.exit_status();
}

} // namespace sinew::app

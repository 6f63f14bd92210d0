#pragma once

// The language server: the editor protocol (LSP 3.17, JSON-RPC) over what ScriptAssistant knows.

#include "sinew/language.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew::app {

class LanguageServer {
public:
    using Send = std::function<void(const nlohmann::json&)>;

    /// `send` gets every message for the editor.
    explicit LanguageServer(Send send) : send_(std::move(send)) {}

    /// One message from the editor, as text. Never throws; what it does not understand gets an
    /// error.
    void receive(const std::string& message);

    /// Sends the problems of documents changed since the last call. Called when no message waits.
    void publish();

    bool is_finished() const { return is_finished_; }
    int exit_status() const { return is_shut_down_ ? 0 : 1; }

private:
    using json = nlohmann::json;

    struct Document {
        std::string text;
        json version;
        std::unique_ptr<ScriptAssistant> assistant; ///< of the text as it is; made when needed
    };
    /// A document and a place in it, from a request's parameters.
    struct Spot {
        std::string uri;
        Document* document;
        std::size_t offset;
    };

    void dispatch(const json& message);
    std::optional<json> answer(const std::string& method, const json& params);
    void notice(const std::string& method, const json& params);
    void change(const json& params);
    Spot find_spot(const json& params);
    const ScriptAssistant& assistant_of(const std::string& uri);
    ReadFile reader_of(const std::string& uri) const;
    json complete(const Spot& spot);
    json hover(const Spot& spot);
    json definition(const Spot& spot);
    json references(const Spot& spot);
    json rename(const Spot& spot, const json& params);
    json prepare_rename(const Spot& spot);
    json format(const json& params);
    json outline(const json& params);
    json folds(const json& params);
    json meanings(const json& params);
    json call_help(const Spot& spot);
    json quick_fixes(const json& params);
    json diagnostic(const std::string& uri, const Problem& problem, const std::string& file) const;
    const std::string& text_of_document(const json& params) const;
    void check_rename(const Spot& spot, const std::vector<TextSpan>& spans,
                      const std::string& name);
    std::string text_of(const std::string& uri, const std::string& file) const;
    std::string sibling(const std::string& uri, const std::string& file) const;
    json locations(const std::string& uri, const std::vector<TextSpan>& spans) const;

    Send send_;
    std::map<std::string, Document> documents_;
    std::vector<std::string> published_; ///< the files whose problems the editor shows
    bool is_changed_ = false;            ///< since the problems were sent
    bool is_initialized_ = false, is_shut_down_ = false;
    bool is_finished_ = false;
};

} // namespace sinew::app

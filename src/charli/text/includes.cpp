// Other files of the script: found below the main script's folder, parsed once, declared where they
// are included.

#include "charli/evaluate/evaluator.h"
#include "charli/text/library.h"
#include "charli/text/parser.h"

#include "base/text.h"

#include <algorithm>
#include <filesystem>

namespace sinew::charli {

namespace {

/// The names of what comes with the program.
std::string library_hint()
{
    std::string hint = "what comes with the program is";
    for (const LibraryFile& file : library_files())
        hint += " " + std::string(file.name);
    return hint;
}

} // namespace

void Evaluator::declare_include(Site site, Block& out)
{
    const Tree& tree = *site.tree;
    const NodeId text_node = tree.nodes[site.node].first_child;
    const Tree* file = load_file(site, std::string(tree.text(text_node)));
    if (!file)
        return;
    include_stack_.push_back(name_below_folder(*file));
    const Node& node = tree.nodes[site.node];
    if (!(node.flags & Node::kHasNamespace)) {
        if (included_in_.emplace(site.scope, file).second) // a second time is no news
            declare_block({file, file->root, site.scope}, out);
    } else {
        std::uint32_t at = node.last_token; // the last identifier before `;`
        while (tree.tokens[at].kind != TokenKind::identifier)
            --at;
        const BindingId id = add_binding(site, tree.tokens[at], BindingKind::name_space);
        if (id != kNoBinding) {
            const ScopeId scope = scopes_.add(kNoScope, {});
            scopes_.binding(id).number = scope;
            scopes_.binding(id).is_used = true;
            const int block = static_cast<int>(blocks_.size());
            blocks_.emplace_back();
            Block inner{.actions = {},
                        .name = tree.tokens[at].symbol,
                        .scope = scope,
                        .origin = tree.origin(tree.tokens[at])};
            out.actions.push_back({site, block});
            const std::size_t first_binding = scopes_.bindings().size();
            namespaces_.push_back(tree.tokens[at].symbol);
            declare_block({file, file->root, scope}, inner);
            namespaces_.pop_back();
            force_values(first_binding);
            blocks_[block] = std::move(inner);
        }
    }
    include_stack_.pop_back();
}

/// The name of a script's file as its main script would write it.
std::string Evaluator::name_below_folder(const Tree& tree) const
{
    return std::filesystem::path(tree.source.name)
        .lexically_relative(folder_.empty() ? "." : folder_)
        .generic_string();
}

/// The name of a file below the main script's folder, as named in the script `from`.
std::optional<std::string> Evaluator::resolve_file(Origin origin, const std::string& wanted,
                                                   const std::string& from)
{
    namespace fs = std::filesystem;
    const fs::path here = fs::path(from).parent_path();
    const fs::path path = (here / fs::path(wanted)).lexically_normal();
    const std::string file_name = path.generic_string();
    const bool leads_out = fs::path(wanted).is_absolute() || file_name == ".." ||
                           file_name.starts_with("../") || wanted.find('\\') != std::string::npos ||
                           wanted.find('\0') != std::string::npos;
    if (wanted.empty() || file_name == ".") {
        error(origin, "no-file-name", "the name of the file is empty",
              "name a file in this folder");
        return std::nullopt;
    }
    if (leads_out) {
        error(origin, "file-outside",
              "'" + excerpt(wanted, 100) + "' lies outside the script's folder",
              "a script reads only its own folder and what is below: copy the file there");
        return std::nullopt;
    }
    return file_name;
}

/// The bytes of a file; nothing, with an error, when they cannot be had.
std::optional<std::string> Evaluator::read_text(Origin origin, const std::string& wanted,
                                                const std::string& file_name)
{
    const std::string shown = "'" + excerpt(wanted, 100) + "'";
    FileText file = read_file_(file_name);
    if (file.status == FileText::Status::ok && file.text.size() > limits_.file_bytes)
        file.status = FileText::Status::too_large;
    switch (file.status) {
    case FileText::Status::ok: return std::move(file.text);
    case FileText::Status::missing:
        error(origin, "file-missing", "there is no file " + shown,
              wanted.starts_with("sinew/") ? library_hint()
                                           : "names are relative to the file that contains them");
        break;
    case FileText::Status::outside:
        error(origin, "file-outside", shown + " lies outside the script's folder",
              "a script reads only its own folder and what is below: copy the file there");
        break;
    case FileText::Status::unreadable:
        error(origin, "file-unreadable", shown + " cannot be read",
              "is it a file, and may you read it?");
        break;
    case FileText::Status::too_large:
        error(origin, "file-too-large",
              shown + " is larger than " + std::to_string(limits_.file_bytes >> 20) + " MiB",
              "split it into several files");
        break;
    }
    return std::nullopt;
}

/// The text of `sinew/...`, which comes with the program; a script's own file of that name wins.
std::optional<std::string> Evaluator::read_library(const std::string& wanted,
                                                   const std::string& file_name)
{
    for (const LibraryFile& file : library_files())
        if ((file.name == wanted || file.name == file_name) &&
            read_file_(file_name).status == FileText::Status::missing)
            return std::string(file.text);
    return std::nullopt;
}

/// Finds a file relative to the one that includes it, below the main script's folder.
const Tree* Evaluator::load_file(Site site, const std::string& quoted)
{
    const Tree& tree = *site.tree;
    const Origin origin = tree.origin(tree.nodes[site.node].first_child);
    if (quoted.size() < 2 || quoted.back() != '"')
        return nullptr; // an open string, reported by the lexer
    const std::string wanted = quoted.substr(1, quoted.size() - 2);
    const auto resolved = resolve_file(origin, wanted, include_stack_.back());
    if (!resolved)
        return nullptr;
    const std::string& file_name = *resolved;
    if (std::find(include_stack_.begin(), include_stack_.end(), file_name) !=
        include_stack_.end()) {
        std::string chain;
        for (const std::string& link_name : include_stack_)
            chain += link_name + " → ";
        error(origin, "include-cycle",
              "'" + excerpt(wanted, 100) + "' includes itself: " + chain + file_name,
              "put what both need into a third file");
        return nullptr;
    }
    if (static_cast<int>(include_stack_.size()) > limits_.include_depth) {
        error(origin, "includes-too-deep",
              "files include one another more than " + std::to_string(limits_.include_depth) +
                  " deep",
              "include from the main script");
        return nullptr;
    }
    if (const auto found = files_by_name_.find(file_name); found != files_by_name_.end())
        return found->second;

    std::optional<std::string> text = read_library(wanted, file_name);
    if (!text)
        text = read_text(origin, wanted, file_name);
    if (!text) {
        files_by_name_.emplace(file_name, nullptr);
        return nullptr;
    }
    SourceFile source{folder_.empty() ? file_name : folder_ + "/" + file_name,
                      std::make_shared<const std::string>(std::move(*text))};
    const std::size_t errors_before = report_.error_count();
    included_.push_back(parse(std::move(source), limits_, symbols_, report_));
    spoiling_errors_ += report_.error_count() - errors_before;
    files_by_name_.emplace(file_name, &included_.back());
    return &included_.back();
}

} // namespace sinew::charli

// The door of the room: reading scripts from memory and from disk.

#include "sinew/language.h"

#include "charli/evaluate/evaluator.h"
#include "charli/grooms/groom_source.h"
#include "charli/text/lexer.h"
#include "charli/text/parser.h"
#include "charli/text/read.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <tuple>

namespace sinew {

namespace {

namespace fs = std::filesystem;

FileText read_whole_file(const fs::path& path)
{
    std::error_code fault;
    if (!fs::exists(path, fault))
        return {FileText::Status::missing};
    if (!fs::is_regular_file(path, fault))
        return {FileText::Status::unreadable};
    if (fs::file_size(path, fault) > charli::Limits{}.file_bytes)
        return {FileText::Status::too_large};
    std::ifstream stream(path, std::ios::binary);
    FileText file{FileText::Status::ok};
    file.text.assign(std::istreambuf_iterator<char>(stream), {});
    if (!stream)
        return {FileText::Status::unreadable};
    return file;
}

/// A picture, a program, a recording: what no editor writes.
Problem no_text_problem(const std::string& name)
{
    return {.severity = Severity::error,
            .code = "file-no-text",
            .place = {name},
            .what = "is not a text: there are bytes of zero in it",
            .hint = "give a script; a recording is run as FILE.sinew"};
}

Problem file_problem(const std::string& name, FileText::Status status)
{
    const bool is_missing = status == FileText::Status::missing;
    const bool is_large = status == FileText::Status::too_large;
    return {.severity = Severity::error,
            .code = is_missing ? "file-missing"
                    : is_large ? "file-too-large"
                               : "file-unreadable",
            .place = {name},
            .what = is_missing ? "there is no such file"
                    : is_large ? "the file is larger than 64 MiB"
                               : "the file cannot be read",
            .hint = is_missing ? "check the spelling of its name"
                    : is_large ? "split it, and `include` the parts"
                               : "is it a file, and may you read it?"};
}

/// In the order of the files and their lines; what has no place comes first.
void sort_by_place(const Scene& scene, Problems& problems)
{
    const auto key = [&](const Problem& problem) {
        std::size_t file = 0;
        while (file < scene.files.size() && scene.files[file].name != problem.place.file)
            ++file;
        return std::make_tuple(problem.place.line > 0, file, problem.place.line,
                               problem.place.column);
    };
    std::stable_sort(problems.begin(), problems.end(),
                     [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
}

/// All faults of a scene, among those of its script.
void check(ScriptReading& result, const ReadOptions& options)
{
    Problems faults = validate(result.scene);
    if (!has_errors(faults) && options.check_start) {
        result.reading = read_scene(result.scene);
        faults.insert(faults.end(), result.reading.problems.begin(), result.reading.problems.end());
    }
    for (Problem& fault : faults)
        result.problems.push_back(std::move(fault));
    sort_by_place(result.scene, result.problems);
}

} // namespace

ReadFile no_files()
{
    return [](const std::string&) { return FileText{FileText::Status::missing}; };
}

ReadFile files_below(const std::string& folder)
{
    return [folder](const std::string& name) -> FileText {
        std::error_code fault;
        const fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, fault);
        const fs::path path = fs::weakly_canonical(root / name, fault);
        if (fault)
            return {FileText::Status::missing};
        const fs::path way = path.lexically_relative(root);
        if (way.empty() || *way.begin() == "..")
            return {FileText::Status::outside};
        return read_whole_file(path);
    };
}

namespace charli {

ScriptReading read(const std::string& name, std::string text, const ReadFile& read_file,
                   const ReadOptions& options, const Limits& limits,
                   std::vector<Evaluator::Link>* links)
{
    ScriptReading result;
    Report report(limits.problem_count);
    if (text.size() > limits.file_bytes) {
        result.problems = {file_problem(name, FileText::Status::too_large)};
        return result;
    }
    Symbols symbols;
    add_reserved_words(symbols);
    const Tree tree = parse({name, std::make_shared<const std::string>(std::move(text))}, limits,
                            symbols, report);
    Evaluator evaluator(limits, symbols, report, read_file, options);
    evaluator.keep_links = links != nullptr;
    evaluator.run(tree, fs::path(name).parent_path().generic_string());
    if (links)
        *links = std::move(evaluator.links);
    result.scene = std::move(evaluator.scene);
    const bool is_whole = evaluator.is_scene_whole() && !tree.has_faults;
    result.problems = report.take();
    if (!options.makes_curves && !evaluator.unmade.is_empty())
        result.unmade = std::make_shared<UnmadeCurves>(std::move(evaluator.unmade));
    if (is_whole && options.makes_curves)
        check(result, options);
    return result;
}

} // namespace charli

ScriptReading read_part(ScriptReading whole, const PartPlan& plan, int part,
                        const ReadOptions& options)
{
    if (whole.unmade)
        whole.unmade->make(plan, part, whole.scene);
    ScriptReading result{.scene = cut_scene(std::move(whole.scene), plan, part),
                         .reading = {},
                         .problems = std::move(whole.problems)};
    check(result, options);
    return result;
}

ScriptReading read_script(const std::string& name, std::string text, const ReadFile& read_file,
                          const ReadOptions& options)
{
    return charli::read(name, std::move(text), read_file, options, {}, nullptr);
}

ScriptReading read_script_file(const std::string& path, const ReadOptions& options)
{
    FileText file = read_whole_file(path);
    if (file.status != FileText::Status::ok) {
        ScriptReading result;
        result.problems = {file_problem(path, file.status)};
        return result;
    }
    if (file.text.find('\0') != std::string::npos) {
        ScriptReading result;
        result.problems = {no_text_problem(path)};
        return result;
    }
    return read_script(path, std::move(file.text),
                       files_below(fs::path(path).parent_path().string()), options);
}

std::string version() { return SINEW_VERSION; }

} // namespace sinew

// The script and its recording on disk: opened, watched, saved.

#include "simulator.h"

#include "sinew/record.h"
#include "sinew/stop.h"

#include <algorithm>
#include <fstream>

namespace sinew::viewer {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

constexpr auto kWatchTime = milliseconds(150);

} // namespace

/// What the editor has: the sliders' values are in it; a text with errors as it is.
std::string Simulator::current_text() const
{
    return draft_ ? *draft_ : session_ ? session_->script_to_save() : file_text_;
}

// --- opening -------------------------------------------------------------------------------------

void Simulator::open()
{
    is_recording_ = is_recording(options_.file);
    if (is_recording_)
        return open_recording();
    stamps_[options_.file] = stamp_of(options_.file);
    open_script(read_text(options_.file).value_or(""));
}

void Simulator::open_script(std::string text)
{
    file_text_ = std::move(text);
    are_texts_due_ = true;
    show(); // the script, before it is read
    set_text(file_text_);
}

/// Forgets everything about the script that was open.
void Simulator::begin_other(const std::string& name, bool is_on_disk)
{
    release();
    revision_base_ = revision() + 1;
    session_.reset();
    draft_.reset();
    problems_.clear();
    stamps_.clear();
    record_wish_.reset();
    picture_.reset();
    scene_text_.reset();
    rows_.clear();
    board_.set_rows(0, {});
    board_.forget_details();
    is_script_due_ = is_part_due_ = is_recording_ = is_changed_ = is_overtaken_ = false;
    is_on_disk_ = is_on_disk;
    ++opening_;
    options_.file = workplace_.folder() / name;
    options_.parameters.clear(); // they were meant for the first script
    options_.session.frame_rate = options_.session.seconds = options_.session.step = std::nullopt;
    options_.session.read_file =
        is_on_disk ? files_below(workplace_.folder().string()) : example_files();
    workplace_ = Workplace(options_.file);
}

void Simulator::open_other(ClientId client, const message::Open& wish)
{
    if (wish.is_example) {
        const std::optional<std::string> text = find_example(wish.name);
        if (!text)
            return tell(client,
                        encode(Notice{Severity::error, "there is no example '" + wish.name + "'"}));
        begin_other(wish.name + ".charli", false);
        return open_script(*text);
    }
    const std::vector<std::string> names = list_files(workplace_.folder());
    if (std::ranges::find(names, wish.name) == names.end())
        return tell(client,
                    encode(Notice{Severity::error, "the folder has no script or recording '" +
                                                       wish.name + "'; open another"}));
    begin_other(wish.name, true);
    open();
}

void Simulator::open_new()
{
    begin_other(workplace_.find_free_name("untitled", FileKind::script), false);
    open_script(std::string(kNewScript));
}

void Simulator::open_recording()
{
    Result<Recording> recording = Recording::open(options_.file.string());
    if (!recording) {
        problems_ = recording.problems();
        return;
    }
    Result<Session> session =
        Session::open(std::make_shared<const Recording>(std::move(*recording)), options_.session);
    problems_ = session ? session->problems() : session.problems();
    if (!session)
        return;
    session_.emplace(std::move(*session));
    file_text_ = session_->take().script;
}

/// Another script. With errors the last good scene stays, and the text waits as a draft; so it does
/// where a command breaks off a start that takes long.
void Simulator::set_text(const std::string& text)
{
    release();
    stamp_known_parts();
    board_.set_activity({Activity::Kind::opening, 0, Clock::now()});
    std::optional<StopScope> breaking_off(&is_broken_off_);
    if (session_) {
        const Problems problems = session_->set_script(text);
        problems_ = has_errors(problems) ? problems : session_->problems();
    } else {
        Result<Session> session = Session::open(
            {.name = workplace_.own_name(), .script = text, .parameters = options_.parameters},
            options_.session);
        problems_ = session ? session->problems() : session.problems();
        if (session)
            session_.emplace(std::move(*session));
    }
    breaking_off.reset();
    board_.set_activity({});
    if (std::ranges::any_of(problems_, [](const Problem& each) { return is_stopped(each); })) {
        problems_.clear();
        draft_ = text;
        is_draft_due_ = true;
    } else if (has_errors(problems_))
        draft_ = text;
    else
        draft_.reset();
    is_changed_ = current_text() != file_text_;
    are_texts_due_ = true;
    board_.forget_details();
    stamp_new_parts();
}

// --- watching ------------------------------------------------------------------------------------

/// Before reading: what changes from here on is seen as a change.
void Simulator::stamp_known_parts()
{
    for (auto& [path, stamp] : stamps_)
        if (path != options_.file)
            stamp = stamp_of(path);
}

/// After reading: the parts that it found, and whether one was overwritten meanwhile.
void Simulator::stamp_new_parts()
{
    if (!session_ || draft_ || !is_on_disk_)
        return;
    for (const auto& [path, text] : parts())
        stamps_.try_emplace(path, stamp_of(path));
    is_part_due_ = is_part_due_ || have_parts_changed();
}

/// What the session was made from beside its script: included files, meshes, heights.
std::vector<Simulator::Part> Simulator::parts() const
{
    std::vector<Part> out;
    const Scene& scene = session_->scene();
    for (std::size_t i = 1; i < scene.files.size(); ++i)
        out.push_back({workplace_.folder() / scene.files[i].name, scene.files[i].text});
    for (const SourceFile& asset : scene.assets)
        out.push_back({workplace_.folder() / asset.name, asset.text});
    return out;
}

bool Simulator::have_parts_changed() const
{
    return std::ranges::any_of(parts(), [](const Part& part) {
        const std::optional<std::string> text = read_text(part.path);
        return text && *text != *part.text;
    });
}

void Simulator::watch(Clock::time_point now)
{
    if (is_recording_ || !is_on_disk_ || now - watch_time_ < kWatchTime)
        return;
    watch_time_ = now;
    bool is_settled = true;
    for (auto& [path, stamp] : stamps_)
        if (const std::optional<FileStamp> current = stamp_of(path); current && current != stamp) {
            stamp = current;
            (path == options_.file ? is_script_due_ : is_part_due_) = true;
            is_settled = false;
        }
    if (!is_settled) // perhaps only half of it is written
        return;
    if (std::exchange(is_script_due_, false) || (is_overtaken_ && !is_changed_))
        reload();
    if (std::exchange(is_part_due_, false) && (!session_ || draft_ || have_parts_changed()))
        reopen();
}

void Simulator::reload()
{
    const std::optional<std::string> text = read_text(options_.file);
    if (!text) // being written; it comes again
        return;
    is_overtaken_ = is_changed_ && *text != file_text_ && *text != current_text();
    if (*text == file_text_)
        return;
    if (is_overtaken_)
        return say(encode(Notice{Severity::warning,
                                 workplace_.own_name() +
                                     " has changed on disk. Your unsaved changes stay; saving "
                                     "overwrites what is there, undoing them brings it here"}));
    file_text_ = *text;
    if (*text != current_text())
        set_text(*text);
    is_changed_ = current_text() != file_text_;
}

/// What the script includes is read again; what was done stays, only undoing it does not.
void Simulator::reopen()
{
    if (!session_ || draft_)
        return set_text(current_text());
    release();
    stamp_known_parts();
    Result<Session> session = Session::open(session_->take(), options_.session);
    problems_ = session ? session->problems() : session.problems();
    if (!session)
        return;
    revision_base_ = revision();
    session_.emplace(std::move(*session));
    are_texts_due_ = true;
    stamp_new_parts();
}

// --- saving --------------------------------------------------------------------------------------

void Simulator::save(ClientId client, const std::optional<std::string>& wanted)
{
    if (is_recording_ && !wanted)
        return tell(client, encode(Notice{Severity::warning,
                                          "a recording has no file for its script; save it under a "
                                          "name of its own"}));
    const Result<std::string> name =
        workplace_.check_name(wanted.value_or(workplace_.own_name()), FileKind::script);
    if (!name)
        return tell(client, name.problems());
    std::error_code fault;
    if (!is_on_disk_ && !wanted && fs::exists(workplace_.folder() / *name, fault))
        return tell(client, encode(Notice{Severity::warning,
                                          "the folder has another " + *name +
                                              "; save this one under a name of its own"}));
    const std::string text = current_text();
    if (const Problems problems = workplace_.write_script(*name, text); !problems.empty())
        return tell(client, problems);
    if (!is_on_disk_)
        tell(client, write_parts());
    if (*name == workplace_.own_name()) {
        file_text_ = text;
        is_on_disk_ = true;
        stamps_[options_.file] = stamp_of(options_.file);
        is_changed_ = false;
    }
    tell(client, encode(Saved{*name, false}));
    if (draft_)
        tell(client, encode(Notice{Severity::warning, *name + " is saved with errors in it"}));
}

/// What an example includes goes beside it; what is there already stays.
Problems Simulator::write_parts() const
{
    Problems problems;
    if (!session_)
        return problems;
    std::error_code fault;
    for (const Part& part : parts()) {
        fs::create_directories(part.path.parent_path(), fault);
        if (fs::exists(part.path, fault))
            continue;
        std::ofstream file(part.path, std::ios::binary);
        file << *part.text;
        if (!file.flush())
            problems.push_back({.code = "cannot-save",
                                .place = {.file = part.path.filename().string()},
                                .what = "cannot be written",
                                .hint = "make room, or change who may write in the folder"});
    }
    return problems;
}

void Simulator::plan_recording(ClientId client, const std::optional<std::string>& wanted)
{
    const std::string stem = fs::path(workplace_.own_name()).stem().string();
    const Result<std::string> name = workplace_.check_name(
        wanted.value_or(workplace_.find_free_name(stem, FileKind::recording)), FileKind::recording);
    if (!name)
        return tell(client, name.problems());
    std::error_code fault;
    if (!recorded_.contains(*name) && fs::exists(workplace_.folder() / *name, fault))
        return tell(client,
                    encode(Notice{Severity::warning, "the folder has another " + *name +
                                                         "; record under a name of its own"}));
    record_wish_ = {.client = client, .name = *name};
}

/// When every frame is there.
void Simulator::write_recording()
{
    const RecordWish wish = *std::exchange(record_wish_, std::nullopt);
    board_.set_activity({Activity::Kind::writing, 0, Clock::now()});
    const StopScope breaking_off(&is_broken_off_);
    const Problems problems = workplace_.write_recording(
        wish.name, [&](const std::string& path) { return session_->write_recording(path); });
    board_.set_activity({});
    if (!problems.empty() && is_stopped(problems.front())) {
        record_wish_ = wish; // what is to be recorded may be another thing by then
        return;
    }
    tell(wish.client, problems);
    if (has_errors(problems))
        return;
    recorded_.insert(wish.name);
    tell(wish.client, encode(Saved{wish.name, true}));
}

} // namespace sinew::viewer

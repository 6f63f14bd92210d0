// The script and its recording on disk: opened, watched, saved.

#include "player.h"

#include "sinew/record.h"

#include <algorithm>

namespace sinew::viewer {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

constexpr auto kWatchTime = milliseconds(150);

} // namespace

const std::string& Player::current_text() const
{
    return draft_ ? *draft_ : session_ ? session_->take().script : file_text_;
}

/// What the editor has, with the sliders written into it; a text with errors as it is.
std::string Player::text_to_save() const
{
    return draft_ || !session_ ? current_text() : session_->script_to_save();
}

// --- opening -------------------------------------------------------------------------------------

void Player::open()
{
    is_recording_ = is_recording(options_.file);
    if (is_recording_)
        return open_recording();
    stamps_[options_.file] = stamp_of(options_.file);
    file_text_ = read_text(options_.file).value_or("");
    set_text(file_text_);
}

void Player::open_recording()
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

/// Another script. With errors the last good scene stays, and the text waits as a draft.
void Player::set_text(const std::string& text)
{
    release();
    stamp_known_parts();
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
    if (has_errors(problems_))
        draft_ = text;
    else
        draft_.reset();
    is_changed_ = text_to_save() != file_text_;
    stamp_new_parts();
    update_rows();
}

// --- watching ------------------------------------------------------------------------------------

/// Before reading: what changes from here on is seen as a change.
void Player::stamp_known_parts()
{
    for (auto& [path, stamp] : stamps_)
        if (path != options_.file)
            stamp = stamp_of(path);
}

/// After reading: the parts that it found, and whether one was overwritten meanwhile.
void Player::stamp_new_parts()
{
    if (!session_ || draft_)
        return;
    for (const auto& [path, text] : parts())
        stamps_.try_emplace(path, stamp_of(path));
    is_part_due_ = is_part_due_ || have_parts_changed();
}

/// What the session was made from beside its script: included files, meshes, heights.
std::vector<Player::Part> Player::parts() const
{
    std::vector<Part> out;
    const Scene& scene = session_->scene();
    for (std::size_t i = 1; i < scene.files.size(); ++i)
        out.push_back({workplace_.folder() / scene.files[i].name, scene.files[i].text});
    for (const SourceFile& asset : scene.assets)
        out.push_back({workplace_.folder() / asset.name, asset.text});
    return out;
}

bool Player::have_parts_changed() const
{
    return std::ranges::any_of(parts(), [](const Part& part) {
        const std::optional<std::string> text = read_text(part.path);
        return text && *text != *part.text;
    });
}

void Player::watch(Clock::time_point now)
{
    if (is_recording_ || now - watch_time_ < kWatchTime)
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

void Player::reload()
{
    const std::optional<std::string> text = read_text(options_.file);
    if (!text) // being written; it comes again
        return;
    is_status_wanted_ = true;
    is_overtaken_ = is_changed_ && *text != file_text_ && *text != text_to_save();
    if (*text == file_text_)
        return;
    if (is_overtaken_)
        return say(encode(Notice{Severity::warning,
                                 workplace_.own_name() +
                                     " has changed on disk. Your unsaved changes stay; saving "
                                     "overwrites what is there, undoing them brings it here"}),
                   TextKind::all_count);
    file_text_ = *text;
    if (*text != text_to_save())
        set_text(*text);
    is_changed_ = text_to_save() != file_text_;
}

/// What the script includes is read again; what was done stays, only undoing it does not.
void Player::reopen()
{
    if (!session_ || draft_)
        return set_text(std::string(current_text()));
    release();
    stamp_known_parts();
    Result<Session> session = Session::open(session_->take(), options_.session);
    problems_ = session ? session->problems() : session.problems();
    if (!session)
        return;
    revision_base_ = revision();
    session_.emplace(std::move(*session));
    display_revision_ = 0;
    stamp_new_parts();
    rows_.clear();
    update_rows();
}

// --- saving --------------------------------------------------------------------------------------

void Player::save(ClientId client, const std::optional<std::string>& wanted)
{
    if (is_recording_ && !wanted)
        return tell(client, encode(Notice{Severity::warning,
                                          "a recording has no file for its script; save it under a "
                                          "name of its own"}));
    const Result<std::string> name =
        workplace_.check_name(wanted.value_or(workplace_.own_name()), FileKind::script);
    if (!name)
        return tell(client, name.problems());
    const std::string text = text_to_save();
    if (const Problems problems = workplace_.write_script(*name, text); !problems.empty())
        return tell(client, problems);
    if (*name == workplace_.own_name()) {
        file_text_ = text;
        stamps_[options_.file] = stamp_of(options_.file);
        is_changed_ = false;
    }
    tell(client, encode(Saved{*name, false}));
    if (draft_)
        tell(client, encode(Notice{Severity::warning, *name + " is saved with errors in it"}));
}

void Player::plan_recording(ClientId client, const std::optional<std::string>& wanted)
{
    const std::string stem = fs::path(workplace_.own_name()).stem().string();
    const Result<std::string> name = workplace_.check_name(
        wanted.value_or(workplace_.find_free_name(stem, FileKind::recording)), FileKind::recording);
    if (!name)
        return tell(client, name.problems());
    record_wish_ = {.client = client, .name = *name};
}

/// When every frame is there.
void Player::write_recording()
{
    const RecordWish wish = *std::exchange(record_wish_, std::nullopt);
    const Problems problems = workplace_.write_recording(
        wish.name, [&](const std::string& path) { return session_->write_recording(path); });
    tell(wish.client, problems);
    if (!has_errors(problems))
        tell(wish.client, encode(Saved{wish.name, true}));
}

} // namespace sinew::viewer

// What the board says about the session: scene, script, problems, numbers.

#include "simulator.h"

#include <algorithm>
#include <limits>

namespace sinew::viewer {

namespace {

constexpr std::size_t kRowsAtOnce = 500; // read from a recording before looking up

Bytes bytes_of(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

} // namespace

void Simulator::say(const std::string& text)
{
    const Bytes bytes = bytes_of(text);
    for (const ClientId client : clients_)
        server_->send_text(client, bytes);
}

void Simulator::tell(ClientId client, std::string text, TextKind kind)
{
    server_->send_text(client, bytes_of(std::move(text)), kind);
}

void Simulator::tell(ClientId client, const Problems& problems)
{
    for (const Problem& problem : problems)
        tell(client, encode(notice_of(problem)));
}

void Simulator::show()
{
    update_picture();
    update_rows();
    Sight sight{.opening = opening_,
                .name = workplace_.own_name(),
                .folder = workplace_.folder(),
                .is_recording = is_recording_,
                .can_simulate = !session_ || session_->can_simulate(),
                .picture = picture_,
                .scene_text = scene_text_,
                .revision = revision(),
                .read_file = options_.session.read_file,
                .is_changed = is_changed_,
                .is_broken = !session_ && has_errors(problems_),
                .details_ms = details_ms_,
                .hold = hold_ ? hold_->number : 0,
                .ended_hold = ended_hold_,
                .obeyed = obeyed_};
    if (std::exchange(are_texts_due_, false))
        update_script();
    update_problems();
    sight.script = shown_script_;
    sight.script_by = script_by_;
    sight.problems_text = shown_problems_;
    sight.problems_told = problems_told_;
    if (session_) {
        const std::int64_t valid = session_->valid_count();
        sight.reel = {.frame_rate = session_->scene().settings.frame_rate,
                      .ready = valid,
                      .count = session_->fault() ? valid : session_->frame_count()};
        sight.start = session_->time_of(0);
        sight.stale = session_->stale_count();
        sight.frame_count = session_->frame_count();
        sight.can_undo = session_->can_undo();
        sight.can_redo = session_->can_redo();
        sight.fault = session_->fault() ? session_->fault()->what : "";
        sight.steps_ms = rows_.empty() ? 0 : rows_.back().back();
    }
    board_.set_sight(std::move(sight));
}

/// The page that typed a text has it already.
void Simulator::update_script()
{
    std::string text = current_text();
    const ClientId typist = std::exchange(typist_, 0);
    if (text == *shown_script_)
        return;
    shown_script_ = bytes_of(std::move(text));
    script_by_ = typist;
}

void Simulator::update_problems()
{
    std::string text = encode(all_problems());
    if (shown_problems_ && text == *shown_problems_)
        return;
    shown_problems_ = bytes_of(std::move(text));
    problems_told_ = 0;
}

/// Those of the script, and why a run stopped.
Problems Simulator::all_problems() const
{
    Problems problems = problems_;
    if (session_ && session_->fault())
        problems.push_back(*session_->fault());
    return problems;
}

/// The elements follow from the first frame, so it must be there.
void Simulator::update_picture()
{
    if (!session_)
        return;
    const bool is_other = !picture_ || revision() != picture_->revision;
    if (is_other) {
        update_layout();
        if (session_->valid_count() < 1 && !advance())
            return;
        const std::shared_ptr<const Shot> first = session_->shot(0);
        if (!first)
            return;
        put_shot(0, first);
        auto made = std::make_shared<Picture>();
        made->revision = revision();
        made->layout = layout_;
        made->scene = session_->scene();
        made->names = object_names(made->scene);
        made->handles = session_->handles();
        made->display = make_display(made->scene, first->frame);
        DisplayFrame placed;
        place_display(made->scene, made->display, first->frame, placed);
        made->bounds = bounds_of(made->display, placed);
        made->camera = world_camera(made->scene, first->frame);
        picture_ = std::move(made);
        board_.forget_details();
    }
    if (!is_other && !is_scene_wanted_)
        return;
    is_scene_wanted_ = false;
    scene_text_ = bytes_of(encode(
        SceneText{.session = &*session_,
                  .revision = picture_->revision,
                  .display = &picture_->display,
                  .bounds = picture_->bounds,
                  .camera = picture_->camera,
                  .values = session_->parameters(std::numeric_limits<std::int64_t>::max())}));
}

/// One row for each frame that is right.
void Simulator::update_rows()
{
    if (!session_)
        return;
    const auto valid = static_cast<std::size_t>(session_->valid_count());
    const std::size_t known = rows_revision_ == revision() ? std::min(rows_.size(), valid) : 0;
    const bool is_shorter = known < rows_.size();
    rows_revision_ = revision();
    rows_.resize(known);
    for (std::size_t i = 0; rows_.size() < valid && i < kRowsAtOnce; ++i) {
        const auto frame = static_cast<std::int64_t>(rows_.size());
        const std::shared_ptr<const Shot> shot = session_->shot(frame);
        rows_.push_back(
            series_row(session_->time_of(frame), shot ? shot->statistics : FrameStatistics{}));
    }
    if (is_shorter || rows_.size() > known)
        board_.set_rows(known, std::span(rows_).subspan(known));
}

} // namespace sinew::viewer

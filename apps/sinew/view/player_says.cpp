// What pages are told: everything when they come, changes afterwards.

#include "player.h"

#include <algorithm>
#include <limits>

namespace sinew::viewer {

using std::chrono::milliseconds;

namespace {

constexpr auto kStatusTime = milliseconds(50);
constexpr auto kSeriesTime = milliseconds(100);
constexpr std::size_t kMostRows = 4000;  // in one message
constexpr double kDearDetails = 0.5;     // of the time of a frame: then only while it stands
constexpr std::size_t kRowsAtOnce = 500; // read from a recording before looking up

Bytes bytes_of(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

} // namespace

void Player::say(std::string text, TextKind kind, ClientId except)
{
    const Bytes bytes = bytes_of(std::move(text));
    for (const auto& [client, viewer] : viewers_)
        if (client != except && !viewer.is_new)
            server_->send_text(client, bytes, kind);
}

void Player::tell(ClientId client, std::string text, TextKind kind)
{
    server_->send_text(client, bytes_of(std::move(text)), kind);
}

void Player::tell(ClientId client, const Problems& problems)
{
    for (const Problem& problem : problems)
        tell(client, encode(notice_of(problem)));
}

void Player::publish(Clock::time_point now)
{
    update_scene();
    update_rows();
    for (auto& [client, viewer] : viewers_)
        if (viewer.is_new)
            greet(client, viewer);
    publish_frame();
    publish_status(now);
    publish_series(now);
    publish_texts();
}

void Player::greet(ClientId client, Viewer& viewer)
{
    viewer.is_new = false;
    tell(client, encode(WelcomeText{.name = workplace_.own_name(),
                                    .is_recording = is_recording_,
                                    .can_simulate = !session_ || session_->can_simulate()}));
    if (session_ && display_revision_ != 0)
        server_->send_text(client, scene_text(), TextKind::scene);
    tell(client, encode(ScriptText{current_text(), revision()}), TextKind::script);
    tell(client, encode(all_problems()), TextKind::problems);
    tell(client, encode(status()), TextKind::status);
    if (frame_)
        server_->send_frame(client, frame_);
}

// --- scenes --------------------------------------------------------------------------------------

Bytes Player::scene_text() const
{
    return bytes_of(encode(
        SceneText{.session = &*session_,
                  .revision = display_revision_,
                  .display = &display_,
                  .bounds = bounds_,
                  .values = session_->parameters(std::numeric_limits<std::int64_t>::max())}));
}

/// The elements follow from the first frame, so it must be there.
void Player::update_scene()
{
    if (!session_)
        return;
    const bool is_other = revision() != display_revision_;
    if (is_other) {
        if (session_->valid_count() < 1 && !session_->advance())
            return;
        const std::shared_ptr<const Shot> first = session_->shot(0);
        if (!first)
            return;
        display_ = make_display(session_->scene(), first->frame);
        DisplayFrame placed;
        place_display(session_->scene(), display_, first->frame, placed);
        bounds_ = bounds_of(display_, placed);
        display_revision_ = revision();
        sent_shot_.reset();
        frame_.reset();
    }
    if (!is_other && !is_scene_wanted_)
        return;
    is_scene_wanted_ = false;
    const Bytes text = scene_text();
    for (const auto& [client, viewer] : viewers_)
        if (!viewer.is_new)
            server_->send_text(client, text, TextKind::scene);
}

// --- frames --------------------------------------------------------------------------------------

void Player::publish_frame()
{
    const std::int64_t frame = shown_frame();
    if (!session_ || display_revision_ != revision() || frame < 0)
        return;
    const std::shared_ptr<const Shot> shot = session_->shot(frame);
    if (!shot)
        return;
    const bool is_stale = frame >= session_->valid_count();
    message::Show show;
    for (const auto& [client, viewer] : viewers_) {
        show.forces |= viewer.show.forces;
        show.residuals |= viewer.show.residuals;
        show.contacts |= viewer.show.contacts;
        show.layers |= viewer.show.layers;
    }
    const double frame_ms = 1000 / session_->scene().settings.frame_rate;
    const bool is_dear = details_ms_ > kDearDetails * frame_ms;
    const bool is_moving = transport_.is_playing() || hold_;
    const bool has_details = show != message::Show{} && !is_stale && !(is_dear && is_moving);
    const bool same_show = show == sent_show_ && has_details == sent_details_;
    if (shot == sent_shot_ && frame == sent_frame_ && is_stale == sent_stale_ && same_show)
        return;
    send_frame(frame, *shot, is_stale, has_details ? show : message::Show{});
    sent_shot_ = shot;
    sent_frame_ = frame;
    sent_stale_ = is_stale;
    sent_details_ = has_details;
    sent_show_ = show;
}

void Player::send_frame(std::int64_t frame, const Shot& shot, bool is_stale,
                        const message::Show& show)
{
    Session::Details details;
    if (show != message::Show{}) {
        const Clock::time_point begin = Clock::now();
        details = session_->details(frame).value_or(Session::Details{});
        const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
        details_ms_ = 0.9 * details_ms_ + 0.1 * elapsed.count();
    }
    if (!show.forces)
        details.forces.clear();
    if (!show.residuals)
        details.residuals.clear();
    if (!show.contacts)
        details.contacts.clear();
    if (!show.layers)
        details.layers.clear();
    place_display(session_->scene(), display_, shot.frame, placed_);
    frame_ = bytes_of(encode(FrameBytes{.revision = display_revision_,
                                        .frame = static_cast<std::uint32_t>(frame),
                                        .is_stale = is_stale,
                                        .display = &placed_,
                                        .places = &shot.frame,
                                        .forces = details.forces,
                                        .residuals = details.residuals,
                                        .hands = shot.grabs,
                                        .contacts = details.contacts,
                                        .layers = details.layers}));
    for (const auto& [client, viewer] : viewers_)
        server_->send_frame(client, frame_);
}

// --- numbers -------------------------------------------------------------------------------------

StatusText Player::status() const
{
    StatusText status{.is_playing = transport_.is_playing() || hold_.has_value(),
                      .loop = transport_.is_looping(),
                      .speed = transport_.speed(),
                      .is_changed = is_changed_};
    if (!session_)
        return status;
    status.frame = std::max<std::int64_t>(0, shown_frame());
    status.time = session_->time_of(status.frame);
    status.valid = session_->valid_count();
    status.stale = session_->stale_count();
    status.frame_count = session_->frame_count();
    status.is_computing = hold_ || has_work();
    status.can_undo = session_->can_undo();
    status.can_redo = session_->can_redo();
    if (session_->fault())
        status.fault = session_->fault()->what;
    if (!rows_.empty())
        status.steps_ms = rows_.back().back();
    return status;
}

void Player::publish_status(Clock::time_point now)
{
    const StatusText current = status();
    if (current == said_status_ && !is_status_wanted_)
        return;
    if (now - status_time_ < kStatusTime && !is_status_wanted_)
        return;
    is_status_wanted_ = false;
    status_time_ = now;
    said_status_ = current;
    say(encode(current), TextKind::status);
    for (const auto& [client, viewer] : viewers_)
        if (session_ && viewer.selected.is_valid() &&
            viewer.selected.index < session_->scene().objects.size())
            tell(client, encode(inspect(*session_, viewer.selected, current.frame)),
                 TextKind::inspect);
}

/// One row for each frame that is right.
void Player::update_rows()
{
    if (!session_)
        return;
    const auto valid = static_cast<std::size_t>(session_->valid_count());
    if (rows_revision_ != revision())
        rows_.clear();
    rows_revision_ = revision();
    rows_.resize(std::min(rows_.size(), valid));
    for (auto& [client, viewer] : viewers_)
        viewer.rows_sent = std::min(viewer.rows_sent, rows_.size());
    for (std::size_t i = 0; rows_.size() < valid && i < kRowsAtOnce; ++i) {
        const auto frame = static_cast<std::int64_t>(rows_.size());
        const std::shared_ptr<const Shot> shot = session_->shot(frame);
        rows_.push_back(
            series_row(session_->time_of(frame), shot ? shot->statistics : FrameStatistics{}));
    }
}

void Player::publish_series(Clock::time_point now)
{
    if (now - series_time_ < kSeriesTime)
        return;
    series_time_ = now;
    for (auto& [client, viewer] : viewers_) {
        const std::size_t count = std::min(rows_.size() - viewer.rows_sent, kMostRows);
        if (count == 0)
            continue;
        tell(client, encode_series(static_cast<std::int64_t>(viewer.rows_sent),
                                   std::span(rows_).subspan(viewer.rows_sent, count)));
        viewer.rows_sent += count;
    }
}

// --- texts ---------------------------------------------------------------------------------------

/// Those of the script, and why a run stopped.
Problems Player::all_problems() const
{
    Problems problems = problems_;
    if (session_ && session_->fault())
        problems.push_back(*session_->fault());
    return problems;
}

/// The one who types has the text already.
void Player::publish_texts(ClientId typist)
{
    if (const std::string& text = current_text(); text != said_text_) {
        said_text_ = text;
        say(encode(ScriptText{text, revision()}), TextKind::script, typist);
    }
    if (std::string problems = encode(all_problems()); problems != said_problems_) {
        said_problems_ = problems;
        say(std::move(problems), TextKind::problems, typist);
    }
}

} // namespace sinew::viewer

// What pages are told: everything when they come, changes afterwards.

#include "player.h"

#include <algorithm>

namespace sinew::viewer {

using std::chrono::milliseconds;

namespace {

constexpr auto kStatusTime = milliseconds(50);
constexpr auto kSeriesTime = milliseconds(100);
constexpr auto kDetailsTime = milliseconds(150); // then a frame is shown without forces
constexpr auto kSceneTime = milliseconds(500);   // then a page is greeted without a scene
constexpr std::size_t kMostRows = 4000;          // in one message
constexpr double kDearDetails = 0.5; // of the time of a frame: then only while it stands

Bytes bytes_of(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

} // namespace

void Player::say(const Bytes& text, TextKind kind, ClientId except)
{
    for (const auto& [client, viewer] : viewers_)
        if (client != except && !viewer.is_new)
            server_->send_text(client, text, kind);
}

void Player::tell(ClientId client, std::string text, TextKind kind)
{
    server_->send_text(client, bytes_of(std::move(text)), kind);
}

void Player::publish(Clock::time_point now)
{
    publish_texts();
    publish_scene();
    const std::size_t changed = board_.take_first_changed_row();
    for (auto& [client, viewer] : viewers_) {
        viewer.rows_sent = std::min(viewer.rows_sent, changed);
        for (Watched& watched : viewer.watched)
            watched.sent = std::min(watched.sent, changed);
        if (viewer.is_new && (sight_->scene_text || now - viewer.came > kSceneTime))
            greet(client, viewer);
    }
    publish_frame(now);
    publish_status(now);
    publish_series(now);
}

void Player::greet(ClientId client, Viewer& viewer)
{
    viewer.is_new = false;
    viewer.rows_sent = 0;
    viewer.watched.clear(); // the page says anew what it plots
    tell(client, encode(WelcomeText{.name = sight_->name,
                                    .is_recording = sight_->is_recording,
                                    .can_simulate = sight_->can_simulate,
                                    .visit = visits_++}));
    if (sight_->scene_text)
        server_->send_text(client, sight_->scene_text, TextKind::scene);
    tell(client, encode(ScriptText{*sight_->script, sight_->revision}), TextKind::script);
    if (sight_->problems_text)
        server_->send_text(client, sight_->problems_text, TextKind::problems);
    tell(client, encode(status()), TextKind::status);
    if (frame_)
        server_->send_frame(client, frame_);
}

void Player::publish_scene()
{
    if (sight_->scene_text == said_scene_)
        return;
    said_scene_ = sight_->scene_text;
    sent_shot_.reset();
    frame_.reset();
    if (said_scene_)
        say(said_scene_, TextKind::scene);
}

// --- frames --------------------------------------------------------------------------------------

/// What any page wants.
message::Show Player::wanted_details() const
{
    message::Show show;
    for (const auto& [client, viewer] : viewers_) {
        show.forces |= viewer.show.forces;
        show.residuals |= viewer.show.residuals;
        show.contacts |= viewer.show.contacts;
        show.layers |= viewer.show.layers;
    }
    return show;
}

void Player::publish_frame(Clock::time_point now)
{
    const std::int64_t frame = shown_frame();
    if (!has_picture() || frame < 0)
        return;
    const std::shared_ptr<const Shot> shot = board_.shot(frame, sight_->picture->layout);
    if (!shot) {
        board_.ask_for_shot(frame);
        return simulator_.wake();
    }
    const bool is_stale = frame >= sight_->reel.ready;
    const message::Show show = wanted_details();
    const bool is_dear = sight_->details_ms > kDearDetails * 1000 / sight_->reel.frame_rate;
    const bool is_moving = transport_.is_playing() || holder_;
    const bool is_wanted = show != message::Show{} && !is_stale && !(is_dear && is_moving);
    const DetailsWish wish{frame, sight_->picture->revision};
    const auto details = is_wanted ? board_.details(wish) : nullptr;
    const bool is_known = shot == sent_shot_ && frame == sent_frame_ && is_stale == sent_stale_ &&
                          show == sent_show_ && (details != nullptr) == sent_details_;
    if (is_wanted && !details) {
        if (!details_since_)
            details_since_ = now;
        board_.ask_for_details(wish);
        simulator_.wake();
        if (now - *details_since_ < kDetailsTime)
            return;
    } else {
        details_since_.reset();
    }
    if (is_known)
        return;
    send_frame(frame, *shot, is_stale, show, details.get());
    sent_shot_ = shot;
    sent_frame_ = frame;
    sent_stale_ = is_stale;
    sent_details_ = details != nullptr;
    sent_show_ = show;
}

void Player::send_frame(std::int64_t frame, const Shot& shot, bool is_stale,
                        const message::Show& show, const Session::Details* details)
{
    const Picture& picture = *sight_->picture;
    place_display(picture.scene, picture.display, shot.frame, placed_);
    FrameBytes bytes{.revision = picture.revision,
                     .frame = static_cast<std::uint32_t>(frame),
                     .is_stale = is_stale,
                     .display = &placed_,
                     .places = &shot.frame,
                     .hands = shot.grabs};
    if (details && show.forces)
        bytes.forces = details->forces;
    if (details && show.residuals)
        bytes.residuals = details->residuals;
    if (details && show.contacts)
        bytes.contacts = details->contacts;
    if (details && show.layers)
        bytes.layers = details->layers;
    if (picture.camera && is_moving(*picture.camera))
        bytes.camera = world_camera(picture.scene, shot.frame);
    frame_ = bytes_of(encode(bytes));
    for (const auto& [client, viewer] : viewers_)
        if (!viewer.is_new)
            server_->send_frame(client, frame_);
}

// --- numbers -------------------------------------------------------------------------------------

StatusText Player::status() const
{
    StatusText status{.is_playing = transport_.is_playing() || holder_ != 0,
                      .loop = transport_.is_looping(),
                      .speed = transport_.speed(),
                      .is_changed = sight_->is_changed,
                      .is_waiting = sight_->obeyed != passed_on_};
    const Activity activity = board_.activity();
    if (activity.kind != Activity::Kind::none) {
        const std::chrono::duration<double> elapsed = Clock::now() - activity.since;
        status.busy_seconds = static_cast<int>(elapsed.count());
        status.busy_frame = activity.frame;
        status.is_opening = activity.kind == Activity::Kind::opening;
        status.is_writing = activity.kind == Activity::Kind::writing;
    }
    if (!sight_->picture)
        return status;
    status.frame = std::max<std::int64_t>(0, shown_frame());
    status.time = sight_->start + double(status.frame) / sight_->reel.frame_rate;
    status.valid = sight_->reel.ready;
    status.stale = sight_->stale;
    status.frame_count = sight_->frame_count;
    status.is_computing = holder_ || (sight_->fault.empty() && status.valid < status.frame_count);
    status.can_undo = sight_->can_undo;
    status.can_redo = sight_->can_redo;
    status.fault = sight_->fault;
    status.steps_ms = sight_->steps_ms;
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
    say(bytes_of(encode(current)), TextKind::status);
    if (!has_picture())
        return;
    const std::uint32_t layout = sight_->picture->layout;
    const std::shared_ptr<const Shot> shot = board_.shot(current.frame, layout);
    const std::shared_ptr<const Shot> before = board_.shot(current.frame - 1, layout);
    for (const auto& [client, viewer] : viewers_)
        if (shot && viewer.selected.is_valid() &&
            viewer.selected.index < sight_->picture->scene.objects.size())
            tell(client, encode(inspect(*sight_->picture, viewer.selected, *shot, before.get())),
                 TextKind::inspect);
}

void Player::publish_series(Clock::time_point now)
{
    if (now - series_time_ < kSeriesTime)
        return;
    series_time_ = now;
    for (auto& [client, viewer] : viewers_) {
        if (!viewer.is_new && has_picture())
            for (Watched& watched : viewer.watched)
                send_watched(client, watched);
        const std::vector<SeriesRow> rows = board_.rows(viewer.rows_sent, kMostRows);
        if (rows.empty() || viewer.is_new)
            continue;
        tell(client, encode_series(static_cast<std::int64_t>(viewer.rows_sent), rows));
        viewer.rows_sent += rows.size();
    }
}

/// Plots that a page had before continue where they were.
void Player::watch(Viewer& viewer, const message::Watch& wish)
{
    std::vector<Watched> list;
    for (const message::Watch::Quantity& what : wish.list) {
        const auto known = std::ranges::find(viewer.watched, what, &Watched::what);
        list.push_back({what, known == viewer.watched.end() ? 0 : known->sent});
    }
    viewer.watched = std::move(list);
}

void Player::send_watched(ClientId client, Watched& watched)
{
    const auto ready = static_cast<std::size_t>(sight_->reel.ready);
    if (watched.sent >= ready)
        return;
    const Picture& picture = *sight_->picture;
    const auto shot_at = [&](std::int64_t i) { return board_.shot(i, picture.layout); };
    const std::size_t end = std::min(ready, watched.sent + kMostRows / 4);
    WatchText text{.what = watched.what, .first = static_cast<std::int64_t>(watched.sent)};
    std::shared_ptr<const Shot> before = shot_at(text.first - 1);
    for (std::int64_t i = text.first; i < std::int64_t(end); ++i) {
        const std::shared_ptr<const Shot> now = shot_at(i);
        text.rows.push_back(now ? watched_numbers(picture, watched.what, now->frame,
                                                  before ? &before->frame : nullptr)
                                : std::vector<double>{});
        before = now;
    }
    watched.sent = end;
    tell(client, encode(text));
}

// --- texts ---------------------------------------------------------------------------------------

/// The one who typed a text has it already, and the answer to it.
void Player::publish_texts()
{
    if (sight_->script != said_script_) {
        said_script_ = sight_->script;
        say(bytes_of(encode(ScriptText{*said_script_, sight_->revision})), TextKind::script,
            sight_->script_by);
    }
    if (sight_->problems_text != said_problems_) {
        said_problems_ = sight_->problems_text;
        say(said_problems_, TextKind::problems, sight_->problems_told);
    }
}

} // namespace sinew::viewer

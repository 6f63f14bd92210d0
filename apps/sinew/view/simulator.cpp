#include "simulator.h"

#include "sinew/stop.h"

#include <algorithm>

namespace sinew::viewer {

using std::chrono::milliseconds;

namespace {

constexpr auto kComputeTime = milliseconds(8); // then look who wants something
constexpr auto kLongestSleep = milliseconds(100);
constexpr auto kPatience = milliseconds(250); // of a person whose wish waits for a frame

} // namespace

const Notice kNoScene{Severity::warning, "the script has errors; mend them in the editor first"};

Simulator::Simulator(PlayerOptions options, Board& board)
    : options_(std::move(options)), board_(board), workplace_(options_.file)
{
    options_.session.read_file = files_below(workplace_.folder().string());
}

void Simulator::start(Server& server)
{
    server_ = &server;
    thread_ = std::thread([this] {
        run();
        has_ended_ = true;
    });
}

void Simulator::request_stop()
{
    queue_.stop();
    is_ending_ = true;
    is_broken_off_ = true;
}

void Simulator::hurry()
{
    const Activity activity = board_.activity();
    if (activity.kind != Activity::Kind::none && Clock::now() - activity.since > kPatience &&
        queue_.has_urgent())
        is_broken_off_ = true;
}

void Simulator::stop()
{
    request_stop();
    if (thread_.joinable())
        thread_.join();
}

/// A flag that was set between two commands breaks off the next frame for nothing, which is begun
/// again; it is taken back before the commands are taken, so that none waits unheard.
void Simulator::run()
{
    const StopScope ending(&is_ending_);
    open();
    show();
    while (!queue_.is_stopped()) {
        is_broken_off_ = false;
        if (is_ending_)
            break;
        const std::deque<Command> commands = queue_.take(next_deadline());
        for (const Command& command : commands) {
            obey(command);
            obeyed_ = command.number;
        }
        set_draft_again();
        if (!commands.empty())
            show(); // before the next frame, which may take long
        const Clock::time_point now = Clock::now();
        watch(now);
        if (hold_)
            advance_held(now);
        else
            compute(now);
        serve_wishes();
        if (record_wish_ && !hold_ && !has_work())
            write_recording();
        show();
    }
}

/// Never the same number for two scenes, even of two sessions.
std::uint32_t Simulator::revision() const
{
    return session_ ? revision_base_ + session_->revision() : 0;
}

bool Simulator::has_work() const
{
    return session_ && !session_->fault() && session_->valid_count() < session_->frame_count();
}

Simulator::Clock::time_point Simulator::next_deadline() const
{
    const Clock::time_point now = Clock::now();
    if (is_draft_due_ || (!hold_ && (has_work() || (record_wish_ && session_))))
        return now;
    return hold_ ? std::min(now + kLongestSleep, hold_->due) : now + kLongestSleep;
}

/// Where no frame of before fits the scene, the board forgets them all.
void Simulator::update_layout()
{
    if (std::exchange(layout_revision_, revision()) == revision() || session_->stale_count() > 0)
        return;
    board_.forget_shots(++layout_);
}

/// A frame whose sizes differ fits none of those before, whatever was broken off between them.
void Simulator::put_shot(std::int64_t number, const std::shared_ptr<const Shot>& shot)
{
    const Frame& frame = shot->frame;
    const std::array<std::size_t, 4> sizes = {frame.objects.size(), frame.points.size(),
                                              frame.nodes.size(), frame.segments.size()};
    if (std::exchange(frame_sizes_, sizes) != sizes)
        board_.forget_shots(++layout_);
    board_.set_shot(number, shot);
}

/// Computes the next frame, and says so while it does.
bool Simulator::advance()
{
    update_layout();
    board_.set_activity({Activity::Kind::computing, session_->valid_count(), Clock::now()});
    const StopScope breaking_off(&is_broken_off_);
    const bool is_done = session_->advance();
    board_.set_activity({});
    if (is_done) {
        const std::int64_t frame = session_->valid_count() - 1;
        if (const std::shared_ptr<const Shot> shot = session_->shot(frame))
            put_shot(frame, shot);
    }
    return is_done;
}

void Simulator::compute(Clock::time_point now)
{
    while (has_work() && advance())
        if (Clock::now() - now > kComputeTime || queue_.is_stopped())
            break;
}

/// A text whose reading was broken off for something else, which is done by now.
void Simulator::set_draft_again()
{
    if (std::exchange(is_draft_due_, false) && draft_)
        set_text(std::string(*draft_));
}

/// While a hand holds something, time runs as on the wall; where computing is slower, it runs
/// slower.
void Simulator::advance_held(Clock::time_point now)
{
    if (now < hold_->due)
        return;
    const Problems problems =
        session_->grab(session_->valid_count(), hold_->object, hold_->target, hold_->point);
    if (has_errors(problems) || !advance()) {
        tell(hold_->client, problems);
        return release();
    }
    const std::chrono::duration<double> length(1 /
                                               (session_->scene().settings.frame_rate * speed_));
    hold_->due = std::max(hold_->due + std::chrono::duration_cast<Clock::duration>(length), now);
}

/// What the player wants to show: a frame that was forgotten or lies in a recording, and forces.
void Simulator::serve_wishes()
{
    constexpr std::int64_t kAhead = 3; // those that follow it will be wanted soon
    const StopScope breaking_off(&is_broken_off_);
    const std::int64_t wish = board_.take_shot_wish();
    for (std::int64_t i = wish; session_ && wish >= 0 && i < wish + kAhead; ++i)
        if (const auto shot = i < session_->stale_count() ? session_->shot(i) : nullptr)
            put_shot(i, shot);
    const std::optional<DetailsWish> details = board_.take_details_wish();
    if (!details || !session_ || details->revision != revision() ||
        details->frame >= session_->valid_count())
        return;
    const Clock::time_point begin = Clock::now();
    board_.set_activity({Activity::Kind::computing, details->frame, begin});
    std::optional<Session::Details> made = session_->details(details->frame);
    board_.set_activity({});
    if (is_stopping()) // the player asks again
        return;
    board_.set_details(*details, std::move(made).value_or(Session::Details{}));
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
    details_ms_ = 0.9 * details_ms_ + 0.1 * elapsed.count();
}

} // namespace sinew::viewer

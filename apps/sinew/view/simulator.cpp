#include "simulator.h"

#include <algorithm>

namespace sinew::viewer {

using std::chrono::milliseconds;

namespace {

constexpr auto kComputeTime = milliseconds(8); // then look who wants something
constexpr auto kLongestSleep = milliseconds(100);

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

void Simulator::request_stop() { queue_.stop(); }

void Simulator::stop()
{
    request_stop();
    if (thread_.joinable())
        thread_.join();
}

void Simulator::run()
{
    open();
    show();
    while (!queue_.is_stopped()) {
        for (const Command& command : queue_.take(next_deadline())) {
            obey(command);
            obeyed_ = command.number;
        }
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
    if (!hold_ && (has_work() || (record_wish_ && session_)))
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

/// Computes the next frame, and says so while it does.
bool Simulator::advance()
{
    update_layout();
    board_.set_activity({Activity::Kind::computing, session_->valid_count(), Clock::now()});
    const bool is_done = session_->advance();
    board_.set_activity({});
    if (is_done) {
        const std::int64_t frame = session_->valid_count() - 1;
        board_.set_shot(frame, session_->shot(frame));
    }
    return is_done;
}

void Simulator::compute(Clock::time_point now)
{
    while (has_work() && advance())
        if (Clock::now() - now > kComputeTime || queue_.is_stopped())
            break;
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
    const std::int64_t wish = board_.take_shot_wish();
    for (std::int64_t i = wish; session_ && wish >= 0 && i < wish + kAhead; ++i)
        if (const auto shot = i < session_->stale_count() ? session_->shot(i) : nullptr)
            board_.set_shot(i, shot);
    const std::optional<DetailsWish> details = board_.take_details_wish();
    if (!details || !session_ || details->revision != revision() ||
        details->frame >= session_->valid_count())
        return;
    const Clock::time_point begin = Clock::now();
    board_.set_details(*details, session_->details(details->frame).value_or(Session::Details{}));
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
    details_ms_ = 0.9 * details_ms_ + 0.1 * elapsed.count();
}

} // namespace sinew::viewer

#include "player.h"

#include <algorithm>

namespace sinew::viewer {

using std::chrono::milliseconds;

namespace {

constexpr auto kComputeTime = milliseconds(8); // then look who wants something
constexpr auto kLongestSleep = milliseconds(100);

} // namespace

Player::Player(PlayerOptions options) : options_(std::move(options)), workplace_(options_.file)
{
    options_.session.read_file = files_below(workplace_.folder().string());
}

ServerEvents Player::events()
{
    return {.connected =
                [this](ClientId client) {
                    queue_.push({client, Connected{}});
                },
            .received =
                [this](ClientId client, const std::string& text) {
                    Result<Message> message = parse_message(text);
                    if (message)
                        return queue_.push({client, std::move(*message)});
                    return queue_.push({client, Nonsense{message.problems()[0].what}});
                },
            .disconnected =
                [this](ClientId client) {
                    queue_.push({client, Disconnected{}});
                }};
}

void Player::start(Server& server)
{
    server_ = &server;
    thread_ = std::thread([this] { run(); });
}

void Player::stop()
{
    queue_.stop();
    if (thread_.joinable())
        thread_.join();
}

void Player::run()
{
    open();
    while (!queue_.is_stopped()) {
        for (const Command& command : queue_.take(next_deadline()))
            obey(command);
        const Clock::time_point now = Clock::now();
        watch(now);
        if (hold_)
            advance_held(now);
        else
            compute(now);
        if (session_ && !hold_)
            transport_.update(Clock::now(), reel());
        if (record_wish_ && !hold_ && !has_work())
            write_recording();
        publish(Clock::now());
    }
}

Reel Player::reel() const
{
    if (!session_)
        return {};
    const std::int64_t valid = session_->valid_count();
    return {.frame_rate = session_->scene().settings.frame_rate,
            .ready = valid,
            .count = session_->fault() ? valid : session_->frame_count()};
}

/// Never the same number for two scenes, even of two sessions.
std::uint32_t Player::revision() const
{
    return session_ ? revision_base_ + session_->revision() : 0;
}

/// What was asked for, or the last that there is on the way to it.
std::int64_t Player::shown_frame() const
{
    const std::int64_t last = session_ ? session_->stale_count() - 1 : -1;
    return std::min(transport_.frame(), last);
}

bool Player::has_work() const
{
    return session_ && !session_->fault() && session_->valid_count() < session_->frame_count();
}

Player::Clock::time_point Player::next_deadline() const
{
    const Clock::time_point now = Clock::now();
    if (!hold_ && (has_work() || (record_wish_ && session_)))
        return now;
    Clock::time_point next = std::min(now + kLongestSleep, transport_.next_due(reel()));
    if (hold_)
        next = std::min(next, hold_->due);
    return is_status_wanted_ ? std::min(next, now + milliseconds(20)) : next;
}

void Player::compute(Clock::time_point now)
{
    while (has_work() && session_->advance())
        if (Clock::now() - now > kComputeTime)
            break;
}

/// While a hand holds something, time runs as on the wall; where computing is slower, it runs
/// slower.
void Player::advance_held(Clock::time_point now)
{
    if (now < hold_->due)
        return;
    const Problems problems =
        session_->grab(session_->valid_count(), hold_->object, hold_->target, hold_->point);
    if (has_errors(problems) || !session_->advance()) {
        tell(hold_->client, problems);
        return release();
    }
    transport_.seek(session_->valid_count() - 1);
    const std::chrono::duration<double> length(
        1 / (session_->scene().settings.frame_rate * transport_.speed()));
    hold_->due = std::max(hold_->due + std::chrono::duration_cast<Clock::duration>(length), now);
}

} // namespace sinew::viewer

#include "player.h"

#include <algorithm>

namespace sinew::viewer {

using std::chrono::milliseconds;

namespace {

constexpr auto kLongestSleep = milliseconds(100);

} // namespace

Player::Player(PlayerOptions options) : simulator_(std::move(options), board_)
{
    board_.on_change([this] { queue_.wake(); });
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
    simulator_.start(server);
    assistant_.start(server);
    thread_ = std::thread([this] { run(); });
}

void Player::stop()
{
    simulator_.request_stop();
    queue_.stop();
    if (thread_.joinable())
        thread_.join();
    simulator_.stop();
    assistant_.stop();
}

bool Player::stop_within(milliseconds patience)
{
    simulator_.request_stop();
    const Clock::time_point end = Clock::now() + patience;
    while (!simulator_.has_ended() && Clock::now() < end)
        std::this_thread::sleep_for(milliseconds(5));
    if (simulator_.has_ended())
        stop();
    return simulator_.has_ended();
}

void Player::run()
{
    while (!queue_.is_stopped()) {
        const std::deque<Command> commands = queue_.take(next_deadline());
        look();
        for (const Command& command : commands)
            obey(command);
        simulator_.hurry();
        const Clock::time_point now = Clock::now();
        follow_hold();
        if (!holder_)
            transport_.update(now, sight_->reel);
        publish(now);
    }
}

Player::Clock::time_point Player::next_deadline() const
{
    const Clock::time_point now = Clock::now();
    const Clock::time_point next = std::min(now + kLongestSleep, transport_.next_due(sight_->reel));
    return is_status_wanted_ ? std::min(next, now + milliseconds(20)) : next;
}

/// What the simulator has made meanwhile. Another script begins at its start.
void Player::look()
{
    sight_ = board_.sight();
    if (sight_->opening == said_opening_)
        return;
    said_opening_ = sight_->opening;
    visits_ = 0;
    transport_.pause();
    transport_.seek(0);
    for (auto& [client, viewer] : viewers_)
        viewer.is_new = true;
}

/// While something is held, the newest frame is shown.
void Player::follow_hold()
{
    if (!holder_)
        return;
    if (sight_->hold == hold_ && sight_->reel.ready > 0)
        transport_.seek(sight_->reel.ready - 1);
    if (sight_->ended_hold == hold_)
        end_hold();
}

void Player::end_hold()
{
    holder_ = 0;
    transport_.go_on(Clock::now());
    is_status_wanted_ = true;
}

/// What was asked for, or the last that there is on the way to it.
std::int64_t Player::shown_frame() const { return std::min(transport_.frame(), sight_->stale - 1); }

bool Player::has_picture() const
{
    return sight_->picture && sight_->picture->revision == sight_->revision;
}

void Player::obey(const Command& command)
{
    const ClientId client = command.client;
    if (std::holds_alternative<Connected>(command.what)) {
        viewers_[client] = {.came = Clock::now()};
        pass_on(command);
    } else if (std::holds_alternative<Disconnected>(command.what)) {
        viewers_.erase(client);
        pass_on(command);
        if (holder_ == client)
            end_hold();
    } else if (const auto* nonsense = std::get_if<Nonsense>(&command.what))
        tell(client, encode(Notice{Severity::error, "a message of the page " + nonsense->what}));
    else
        obey(client, std::get<Message>(command.what));
}

void Player::obey(ClientId client, const Message& wish)
{
    is_status_wanted_ = true;
    if (!obey_here(client, wish))
        forward(client, wish);
}

/// What needs no simulation; false: the rest does.
bool Player::obey_here(ClientId client, const Message& wish)
{
    using namespace message;
    const std::int64_t last = std::max<std::int64_t>(0, sight_->frame_count - 1);
    if (const auto* select = std::get_if<Select>(&wish))
        viewers_[client].selected = select->object;
    else if (const auto* wish_to_watch = std::get_if<Watch>(&wish))
        watch(viewers_[client], *wish_to_watch);
    else if (const auto* show = std::get_if<Show>(&wish))
        viewers_[client].show = *show;
    else if (const auto* loop = std::get_if<Loop>(&wish))
        transport_.set_looping(loop->on);
    else if (std::holds_alternative<Play>(wish) && sight_->is_broken)
        tell(client, encode(kNoScene));
    else if (std::holds_alternative<Play>(wish))
        transport_.play(Clock::now(), sight_->reel);
    else if (std::holds_alternative<Pause>(wish))
        transport_.pause();
    else if (const auto* question = std::get_if<Assist>(&wish))
        assistant_.ask(client, *question, sight_->name, sight_->read_file);
    else if (std::holds_alternative<List>(wish))
        list(client);
    else if (const auto* step = std::get_if<Step>(&wish)) {
        transport_.pause();
        transport_.seek(std::clamp<std::int64_t>(shown_frame() + step->by, 0, last));
    } else if (const auto* seek = std::get_if<Seek>(&wish))
        transport_.seek(std::clamp<std::int64_t>(seek->frame, 0, last));
    else
        return false;
    return true;
}

void Player::list(ClientId client)
{
    tell(client,
         encode(FilesText{.files = list_files(sight_->folder), .examples = list_examples()}));
}

bool Player::pass_on(Command command)
{
    command.number = passed_on_ + 1;
    const bool is_taken = simulator_.push(std::move(command));
    passed_on_ += is_taken ? 1 : 0;
    return is_taken;
}

/// To the simulator, which does it when the frame it is in has ended or was broken off for it.
void Player::forward(ClientId client, const Message& wish)
{
    using namespace message;
    Command command{.client = client, .what = wish, .shown = shown_frame()};
    if (const auto* speed = std::get_if<Speed>(&wish))
        transport_.set_speed(speed->value);
    else if (std::holds_alternative<Restart>(wish))
        transport_.seek(0);
    const bool is_drag = std::holds_alternative<Drag>(wish);
    const bool is_quiet = is_drag || std::holds_alternative<Save>(wish) ||
                          std::holds_alternative<Record>(wish) ||
                          std::holds_alternative<Speed>(wish);
    if (holder_ && !is_quiet) // a release, or a change that ends a hold
        end_hold();
    if (std::holds_alternative<message::Grab>(wish) && sight_->picture) {
        holder_ = client;
        command.hold = ++hold_;
    }
    if (!pass_on(std::move(command)))
        tell(client, encode(Notice{Severity::warning, "too much waits for the simulation; this "
                                                      "was not done: try again in a moment"}));
}

} // namespace sinew::viewer

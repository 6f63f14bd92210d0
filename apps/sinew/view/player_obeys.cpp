// What pages want, done.

#include "player.h"

#include <algorithm>
#include <type_traits>

namespace sinew::viewer {

namespace {

constexpr std::chrono::seconds kPatience{3};

} // namespace

void Player::obey(const Command& command)
{
    if (std::holds_alternative<Connected>(command.what))
        viewers_[command.client] = {};
    else if (std::holds_alternative<Disconnected>(command.what))
        drop_client(command.client);
    else if (const auto* nonsense = std::get_if<Nonsense>(&command.what))
        tell(command.client,
             encode(Notice{Severity::error, "a message of the page " + nonsense->what}));
    else
        obey(command.client, std::get<Message>(command.what));
}

void Player::drop_client(ClientId client)
{
    viewers_.erase(client);
    if (hold_ && hold_->client == client)
        release();
    if (record_wish_ && record_wish_->client == client)
        record_wish_.reset();
}

void Player::obey(ClientId client, const Message& wish)
{
    using namespace message;
    is_status_wanted_ = true;
    // First what needs no simulation.
    if (const auto* select = std::get_if<Select>(&wish))
        viewers_[client].selected = select->object;
    else if (const auto* show = std::get_if<Show>(&wish))
        viewers_[client].show = *show;
    else if (const auto* speed = std::get_if<Speed>(&wish))
        transport_.set_speed(speed->value);
    else if (const auto* loop = std::get_if<Loop>(&wish))
        transport_.set_looping(loop->on);
    else if (const auto* script = std::get_if<Script>(&wish)) {
        set_text(script->text);
        tell(client, encode(all_problems()), TextKind::problems);
        publish_texts(client);
    } else if (const auto* save_wish = std::get_if<Save>(&wish))
        save(client, save_wish->name);
    else if (!session_)
        tell(client, encode(Notice{Severity::warning,
                                   "the script has errors; mend them in the editor first"}));
    else if (std::holds_alternative<Play>(wish))
        transport_.play(Clock::now(), reel());
    else if (std::holds_alternative<Pause>(wish))
        transport_.pause();
    else if (const auto* step = std::get_if<Step>(&wish)) {
        transport_.pause();
        transport_.seek(
            std::clamp<std::int64_t>(shown_frame() + step->by, 0, session_->frame_count() - 1));
    } else if (const auto* seek = std::get_if<Seek>(&wish))
        transport_.seek(std::clamp<std::int64_t>(seek->frame, 0, session_->frame_count() - 1));
    else if (const auto* taken = std::get_if<message::Grab>(&wish))
        grab(client, *taken);
    else if (const auto* drag = std::get_if<Drag>(&wish)) {
        if (hold_ && hold_->client == client)
            hold_->target = drag->target;
    } else if (std::holds_alternative<Release>(wish)) {
        if (hold_ && hold_->client == client)
            release();
    } else if (const auto* record = std::get_if<Record>(&wish))
        plan_recording(client, record->name);
    else
        edit(client, wish);
}

namespace {

/// What is done to a thing in the frame that is shown.
bool is_handiwork(const Message& wish)
{
    using namespace message;
    return std::holds_alternative<Pin>(wish) || std::holds_alternative<Unpin>(wish) ||
           std::holds_alternative<Tie>(wish) || std::holds_alternative<message::Thread>(wish) ||
           std::holds_alternative<Cut>(wish) || std::holds_alternative<Loosen>(wish);
}

} // namespace

Problems Player::do_by_hand(const Message& wish)
{
    using namespace message;
    const std::int64_t frame = std::max<std::int64_t>(0, shown_frame());
    if (const auto* pin = std::get_if<Pin>(&wish))
        return session_->pin(frame, pin->object, pin->place);
    if (const auto* tie = std::get_if<Tie>(&wish))
        return session_->tie(frame, {tie->object, tie->place}, {tie->other, tie->other_place});
    if (const auto* thread = std::get_if<message::Thread>(&wish))
        return session_->thread(frame, thread->bead, {thread->object, thread->place});
    if (const auto* cut = std::get_if<Cut>(&wish))
        return session_->cut(frame, {cut->object, cut->place});
    if (const auto* loosen = std::get_if<Loosen>(&wish))
        return session_->loosen(frame, {loosen->object, loosen->place});
    return session_->unpin(frame, std::get<Unpin>(wish).object);
}

/// After handiwork the picture stays at its frame: what leads there is computed before it is shown,
/// if that does not take too long.
void Player::catch_up(std::int64_t frame)
{
    const Clock::time_point begin = Clock::now();
    while (session_->valid_count() <= frame && Clock::now() - begin < kPatience &&
           session_->advance()) {
    }
    update_rows();
}

/// Changes of the take. They end a hold, whose frames they replace.
void Player::edit(ClientId client, const Message& wish)
{
    using namespace message;
    release();
    if (const auto* move = std::get_if<Move>(&wish))
        change(client, session_->move(move->object, move->by));
    else if (is_handiwork(wish)) {
        const std::int64_t shown = shown_frame();
        change(client, do_by_hand(wish));
        catch_up(shown);
    } else if (const auto* parameter = std::get_if<message::Parameter>(&wish))
        return set_parameter(client, *parameter);
    else if (std::holds_alternative<Restart>(wish)) {
        session_->restart();
        transport_.seek(0);
        change(client, {});
    } else {
        if (std::holds_alternative<Undo>(wish))
            session_->undo();
        else
            session_->redo();
        change(client, {});
    }
}

/// After an edit that is not the editor's: its text is the session's again.
void Player::change(ClientId client, const Problems& problems)
{
    if (has_errors(problems))
        return tell(client, problems);
    draft_.reset();
    problems_ = session_->problems();
    is_changed_ = text_to_save() != file_text_;
    is_scene_wanted_ = true;
    update_rows();
    publish_texts();
}

void Player::set_parameter(ClientId client, const message::Parameter& parameter)
{
    // From the frame that is shown on; at the start it is the start that changes.
    const std::int64_t shown = std::min(shown_frame(), session_->valid_count() - 1);
    const Problems problems =
        session_->set_parameter(shown < 1 ? 0 : shown + 1, parameter.name, parameter.value);
    if (has_errors(problems))
        return tell(client, problems);
    is_changed_ = text_to_save() != file_text_;
    update_rows();
}

void Player::grab(ClientId client, const message::Grab& wish)
{
    release();
    while (session_->valid_count() < 1 && session_->advance()) {
    }
    const std::int64_t shown = std::min(shown_frame(), session_->valid_count() - 1);
    const Vec3 point = session_->point_at(shown, wish.object, wish.target);
    const Problems problems = session_->grab(shown + 1, wish.object, wish.target, point);
    if (has_errors(problems))
        return tell(client, problems);
    update_rows();
    transport_.seek(shown);
    hold_ = {.client = client,
             .object = wish.object,
             .target = wish.target,
             .point = point,
             .due = Clock::now()};
}

/// Time goes on where it was held: what was let go swings back.
void Player::release()
{
    if (!hold_)
        return;
    hold_.reset();
    session_->release(session_->valid_count());
    transport_.go_on(Clock::now());
    is_status_wanted_ = true;
}

} // namespace sinew::viewer

// What pages want of the session, done.

#include "simulator.h"

#include <algorithm>
#include <type_traits>

namespace sinew::viewer {

namespace {

constexpr std::chrono::seconds kPatience{3};

} // namespace

void Simulator::obey(const Command& command)
{
    if (std::holds_alternative<Connected>(command.what))
        clients_.insert(command.client);
    else if (std::holds_alternative<Disconnected>(command.what))
        drop_client(command.client);
    else if (const auto* message = std::get_if<Message>(&command.what))
        obey(command, *message);
}

void Simulator::drop_client(ClientId client)
{
    clients_.erase(client);
    if (hold_ && hold_->client == client)
        release();
    if (record_wish_ && record_wish_->client == client)
        record_wish_.reset();
}

void Simulator::obey(const Command& command, const Message& wish)
{
    using namespace message;
    const ClientId client = command.client;
    if (const auto* speed = std::get_if<Speed>(&wish))
        speed_ = speed->value;
    else if (const auto* script = std::get_if<Script>(&wish)) {
        set_text(script->text);
        typist_ = client;
        update_problems();
        problems_told_ = client;
        tell(client, *shown_problems_, TextKind::problems);
    } else if (const auto* save_wish = std::get_if<Save>(&wish))
        save(client, save_wish->name);
    else if (const auto* other = std::get_if<Open>(&wish))
        open_other(client, *other);
    else if (std::holds_alternative<New>(wish))
        open_new();
    else if (!session_)
        tell(client, encode(kNoScene));
    else if (const auto* taken = std::get_if<message::Grab>(&wish))
        grab(command, *taken);
    else if (const auto* drag = std::get_if<Drag>(&wish)) {
        if (hold_ && hold_->client == client)
            hold_->target = drag->target;
    } else if (std::holds_alternative<Release>(wish)) {
        if (hold_ && hold_->client == client)
            release();
    } else if (const auto* record = std::get_if<Record>(&wish))
        plan_recording(client, record->name);
    else
        edit(command, wish);
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

Problems Simulator::do_by_hand(std::int64_t frame, const Message& wish)
{
    using namespace message;
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
void Simulator::catch_up(std::int64_t frame)
{
    const Clock::time_point begin = Clock::now();
    while (session_->valid_count() <= frame && Clock::now() - begin < kPatience && advance()) {
    }
}

/// Changes of the take. They end a hold, whose frames they replace.
void Simulator::edit(const Command& command, const Message& wish)
{
    using namespace message;
    const ClientId client = command.client;
    const std::int64_t shown = std::max<std::int64_t>(0, command.shown);
    release();
    board_.forget_details();
    if (const auto* move = std::get_if<Move>(&wish))
        change(client, session_->move(move->object, move->by));
    else if (is_handiwork(wish)) {
        change(client, do_by_hand(shown, wish));
        catch_up(shown);
    } else if (const auto* parameter = std::get_if<message::Parameter>(&wish))
        return set_parameter(command, *parameter);
    else if (std::holds_alternative<Restart>(wish)) {
        session_->restart();
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
void Simulator::change(ClientId client, const Problems& problems)
{
    if (has_errors(problems))
        return tell(client, problems);
    draft_.reset();
    problems_ = session_->problems();
    is_changed_ = current_text() != file_text_;
    is_scene_wanted_ = are_texts_due_ = true;
}

void Simulator::set_parameter(const Command& command, const message::Parameter& parameter)
{
    // From the frame that is shown on; at the start it is the start that changes.
    const std::int64_t shown = std::min(command.shown, session_->valid_count() - 1);
    const Problems problems =
        session_->set_parameter(shown < 1 ? 0 : shown + 1, parameter.name, parameter.value);
    if (has_errors(problems))
        return tell(command.client, problems);
    is_changed_ = current_text() != file_text_;
    are_texts_due_ = is_scene_wanted_ = true;
}

void Simulator::grab(const Command& command, const message::Grab& wish)
{
    release();
    board_.forget_details();
    while (session_->valid_count() < 1 && advance()) {
    }
    const std::int64_t shown = std::min(command.shown, session_->valid_count() - 1);
    const Vec3 point = session_->point_at(shown, wish.object, wish.target);
    const Problems problems = session_->grab(shown + 1, wish.object, wish.target, point);
    if (has_errors(problems)) {
        ended_hold_ = command.hold;
        return tell(command.client, problems);
    }
    hold_ = {.client = command.client,
             .number = command.hold,
             .object = wish.object,
             .target = wish.target,
             .point = point,
             .due = Clock::now()};
}

/// Time goes on where it was held: what was let go swings back.
void Simulator::release()
{
    if (!hold_)
        return;
    ended_hold_ = hold_->number;
    hold_.reset();
    session_->release(session_->valid_count());
}

} // namespace sinew::viewer

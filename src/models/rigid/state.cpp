// Each kind of thing lists its fields once; writing and reading visit the same list.

#include "models/rigid/state.h"

#include "base/parallel.h"
#include "math/functions.h"

#include <algorithm>
#include <type_traits>

namespace sinew {

namespace {

template <class Visit>
void visit_fields(Vec3& v, Visit&& visit)
{
    visit(v.x), visit(v.y), visit(v.z);
}

template <class Visit>
void visit_fields(Quat& q, Visit&& visit)
{
    visit(q.x), visit(q.y), visit(q.z), visit(q.w);
}

template <class Visit>
void visit_fields(Pose& X, Visit&& visit)
{
    visit(X.rotation), visit(X.translation);
}

template <class Visit>
void visit_fields(BodyState& body, Visit&& visit)
{
    visit(body.x), visit(body.q), visit(body.v), visit(body.w);
}

template <class Visit>
void visit_fields(Box& box, Visit&& visit)
{
    visit(box.low), visit(box.high);
}

template <class Visit>
void visit_fields(ContactPoint& point, Visit&& visit)
{
    visit(point.on_a), visit(point.on_b), visit(point.gap), visit(point.feature);
}

template <class Visit>
void visit_fields(Manifold& m, Visit&& visit)
{
    visit(m.count), visit(m.normal), visit(m.local_normal), visit(m.is_of_a);
    for (ContactPoint& point : m.point)
        visit(point);
}

template <class Visit>
void visit_fields(ContactState& contact, Visit&& visit)
{
    visit(contact.shapes.a), visit(contact.shapes.b), visit(contact.manifold);
    for (double& impulse : contact.impulse)
        visit(impulse);
    visit(contact.friction), visit(contact.twist), visit(contact.roll), visit(contact.age),
        visit(contact.stiffness);
    visit(contact.key), visit(contact.is_found), visit(contact.found_a), visit(contact.found_b);
}

template <class Visit>
void visit_fields(JointState& joint, Visit&& visit)
{
    visit(joint.is_broken), visit(joint.stiffness), visit(joint.coordinate);
    for (double& impulse : joint.impulse)
        visit(impulse);
    visit(joint.force), visit(joint.torque), visit(joint.drive);
}

template <class Visit>
void visit_fields(JointSwitch& each, Visit&& visit)
{
    visit(each.joint), visit(each.is_off), visit(each.shift);
}

template <class Visit>
void visit_fields(Pair& pair, Visit&& visit)
{
    visit(pair.a), visit(pair.b);
}

template <class Visit>
void visit_fields(RestState& rest, Visit&& visit)
{
    visit(rest.x), visit(rest.q), visit(rest.time), visit(rest.is_asleep);
}

template <class Visit>
void visit_fields(SolverMood& mood, Visit&& visit)
{
    visit(mood.penalty), visit(mood.wait), visit(mood.backoff), visit(mood.good);
    visit(mood.steps);
}

/// How many numbers the writer will write.
struct Counter {
    std::size_t& count;

    static bool has_more(bool is_any) { return is_any; }

    template <class Field>
    void operator()(Field& field) const
    {
        if constexpr (std::is_arithmetic_v<Field>)
            ++count;
        else
            visit_fields(field, *this);
    }
    template <class Thing>
    void list(std::vector<Thing>& things) const;
};

/// Of one thing: each of a kind has as many.
template <class Thing>
std::size_t numbers_of()
{
    std::size_t count = 0;
    Thing any{};
    Counter{count}(any);
    return count;
}

template <class Thing>
void Counter::list(std::vector<Thing>& things) const
{
    count += 1 + things.size() * numbers_of<Thing>();
}

/// Writes to where there is room; lists by portions, each to its own place.
struct Writer {
    double*& at;
    int threads = 1;

    static bool has_more(bool is_any) { return is_any; }

    template <class Field>
    void operator()(Field& field) const
    {
        if constexpr (std::is_arithmetic_v<Field>)
            *at++ = static_cast<double>(field);
        else
            visit_fields(field, *this);
    }
    template <class Thing>
    void list(std::vector<Thing>& things) const
    {
        constexpr std::size_t kPortion = 128;
        *at++ = static_cast<double>(things.size());
        const std::size_t each = numbers_of<Thing>();
        for_each_portion(things.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
            double* own = at + begin * each;
            for (std::size_t i = begin; i < end; ++i)
                Writer{own}(things[i]);
        });
        at += things.size() * each;
    }
};

/// Reads what the writer wrote; `is_good` says whether all of it was there and whole.
struct Reader {
    std::span<const double>& left;
    bool& is_good;

    bool has_more(bool) const { return !left.empty(); }

    double next() const
    {
        if (left.empty()) {
            is_good = false;
            return 0;
        }
        const double number = left.front();
        left = left.subspan(1);
        return number;
    }
    template <class Field>
    void operator()(Field& field) const
    {
        if constexpr (std::is_floating_point_v<Field>) {
            field = next();
        } else if constexpr (std::is_arithmetic_v<Field>) {
            const double number = next();
            field = number >= -1e9 && number <= 4294967295.0 ? static_cast<Field>(number) : Field{};
            is_good = is_good && static_cast<double>(field) == number;
        } else {
            visit_fields(field, *this);
        }
    }
    template <class Thing>
    void list(std::vector<Thing>& things) const
    {
        const double count = next();
        is_good = is_good && count >= 0 && count <= double(left.size()) && count == floor(count);
        things.resize(is_good ? static_cast<std::size_t>(count) : 0);
        for (Thing& thing : things)
            if (is_good)
                (*this)(thing);
    }
};

template <class Each>
void visit_state(PileState& state, Each&& each)
{
    each.list(state.bodies);
    each.list(state.boxes);
    each.list(state.contacts);
    each.list(state.moods);
    each.list(state.joints);
    each.list(state.rest);
    each(state.rest_gravity);
    each(state.steps);
    each(state.step);
    if (!each.has_more(!state.switches.empty() || !state.sensed.empty()))
        return; // as in recordings that know neither
    each.list(state.switches);
    each.list(state.sensed);
}

bool is_sound(const Pile& pile, const PileState& state)
{
    const auto is_whole = [&](const ContactState& contact) {
        return contact.shapes.a < contact.shapes.b && contact.shapes.b < pile.shapes.size() &&
               contact.manifold.count >= 0 && contact.manifold.count <= 4;
    };
    const auto is_finite_body = [](const BodyState& body) {
        return is_finite(body.x) && is_finite(body.q) && is_finite(body.v) && is_finite(body.w);
    };
    return state.bodies.size() == pile.bodies.size() && state.boxes.size() == pile.shapes.size() &&
           state.moods.size() == pile.bodies.size() && state.rest.size() == pile.bodies.size() &&
           state.joints.size() == pile.joints.size() &&
           std::ranges::all_of(state.switches,
                               [&](const JointSwitch& each) {
                                   return each.joint < pile.joints.size() &&
                                          is_finite(each.shift.translation) &&
                                          is_finite(each.shift.rotation);
                               }) &&
           std::ranges::all_of(state.bodies, is_finite_body) &&
           std::ranges::all_of(state.contacts, is_whole);
}

} // namespace

std::vector<double> pack(const PileState& state, int threads)
{
    // The visitor serves both directions; counter and writer change nothing.
    PileState& visited = const_cast<PileState&>(state);
    std::size_t count = 0;
    visit_state(visited, Counter{count});
    std::vector<double> numbers(count);
    double* at = numbers.data();
    visit_state(visited, Writer{at, threads});
    return numbers;
}

std::optional<PileState> unpack(const Pile& pile, std::span<const double> numbers)
{
    PileState state;
    bool is_good = true;
    visit_state(state, Reader{numbers, is_good});
    if (!is_good || !numbers.empty() || !is_sound(pile, state))
        return std::nullopt;
    return state;
}

} // namespace sinew

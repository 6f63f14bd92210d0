// The way of a point through its transformations, as coordinates and equations.
//
//   in:  a point in the frame of an object; the transformations on its way to the world
//   out: three numbers, known or coordinates; the equations that tie them to those before
//
// [HerrWyvill90, generating the differential equations]: [α₁ β₁ 1] = [r 0 1] R(ξ, η) gives
// α₁ − r ξ = 0 and β₁ − r η = 0, here in three dimensions. As in the paper's example a translation
// of a constant point is written into it ([r 0 1]); what no coordinate moves stays a known point.

#include "models/linkage/paper/builder.h"

#include "scene/kinematics.h"

#include <algorithm>

namespace sinew::charli_method {

namespace {

constexpr const char* kGreek[] = {".alpha", ".beta", ".gamma"};
constexpr const char* kAxisNames[] = {"_x", "_y", "_z"};

bool is_translation(TransformationKind kind) { return kind <= TransformationKind::translate_z; }

bool is_rotation(TransformationKind kind)
{
    return kind >= TransformationKind::rotate_x && kind <= TransformationKind::rotate_z;
}

std::size_t axis_of(TransformationKind kind)
{
    const auto number = static_cast<std::size_t>(kind);
    return kind < TransformationKind::scale ? number % 3
                                            : number - std::size_t(TransformationKind::scale_x);
}

/// T(in) as sums of terms.
std::array<std::vector<Term>, 3> image(const Triple& in, const Move& move)
{
    std::array<std::vector<Term>, 3> out;
    for (std::size_t k = 0; k < 3; ++k)
        out[k] = {{1, in[k], kOne}};
    if (move.kind == TransformationKind::scale) {
        for (std::size_t k = 0; k < 3; ++k)
            out[k] = {{1, in[k], move.amount}};
        return out;
    }
    const std::size_t axis = axis_of(move.kind);
    if (is_translation(move.kind)) {
        out[axis].push_back({1, move.amount, kOne});
    } else if (is_rotation(move.kind)) {
        const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
        const Factor xi = move.amount, eta = move.sine;
        out[i] = {{1, in[i], xi}, {-1, in[j], eta}};
        out[j] = {{1, in[i], eta}, {1, in[j], xi}};
    } else {
        out[axis] = {{1, in[axis], move.amount}};
    }
    return out;
}

bool is_all_known(const Triple& point)
{
    return std::all_of(point.begin(), point.end(), [](Factor f) { return f.is_known; });
}

} // namespace

Move Builder::move(std::uint32_t transformation)
{
    const Transformation& t = scene_.transformations[transformation];
    if (!is_rotation(t.kind))
        return {t.kind, amount(t.amount, t.origin, is_translation(t.kind)), kZero};
    const auto [xi, eta] = turn(t.amount, t.origin);
    return {t.kind, xi, eta};
}

Triple Builder::push(const Triple& in, std::uint32_t transformation, const std::string& name,
                     int order)
{
    const std::pair key{transformation, in};
    if (const auto found = pushed_.find(key); found != pushed_.end())
        return found->second;
    const Move m = move(transformation);
    const bool is_fixed = is_all_known(in);
    Triple out = in;
    if (is_fixed && m.amount.is_known && m.sine.is_known)
        out = drive(in, m);
    else if (is_fixed && is_translation(m.kind) && number_of(in[axis_of(m.kind)]) == 0.0)
        out[axis_of(m.kind)] = m.amount;
    else
        out = introduce(in, m, name, order);
    return pushed_[key] = out;
}

/// A known point stays known.
Triple Builder::drive(const Triple& in, const Move& move)
{
    Triple out;
    const auto terms = image(in, move);
    for (std::size_t k = 0; k < 3; ++k)
        for (const Term& term : terms[k]) {
            const Factor product = combine(KnownKind::multiply, term.a, term.b);
            out[k] = combine(term.coefficient < 0 ? KnownKind::subtract : KnownKind::add, out[k],
                             product);
        }
    return out;
}

/// Three coordinates more, and three equations: out − T(in) = 0.
Triple Builder::introduce(const Triple& in, const Move& move, const std::string& name, int order)
{
    constexpr std::size_t kMost = 100'000;
    if (system_.unknowns.size() > kMost) {
        if (problems_.empty())
            refuse("too-large", {}, "objects",
                   "`method = charli` needs more than " + std::to_string(kMost) +
                       " coordinates: three for every transformation on the way of every point",
                   "leave `method = charli` away, or nest defs less deeply");
        return in;
    }
    Triple out;
    const auto terms = image(in, move);
    for (std::size_t k = 0; k < 3; ++k) {
        const auto row = static_cast<std::uint32_t>(system_.rows.size());
        out[k] = {false, add_unknown(name + kGreek[k] + std::to_string(order), true,
                                     {DefinitionKind::row, row})};
        std::vector<Term> sum = {{1, out[k], kOne}};
        for (const Term& term : terms[k])
            sum.push_back({-term.coefficient, term.a, term.b});
        add_sum(std::move(sum), true);
    }
    return out;
}

/// The point seen from the frame `to`, or from the world. The last three coordinates are called
/// "bob_x", those on the way "bob.alpha1".
Triple Builder::carry(Triple point, ObjectId from, ObjectId to, const std::string& name)
{
    const std::size_t first_new = system_.unknowns.size();
    int order = 1;
    for (ObjectId id = from; id.is_valid() && id != to;
         id = frame_parent(scene_.objects[id.index])) {
        const Object& object = scene_.objects[id.index];
        for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
            point = push(point, object.first_transformation + k, name, order);
            order += !point[0].is_known && !point[1].is_known && !point[2].is_known;
        }
    }
    for (std::size_t k = 0; k < 3; ++k)
        if (!point[k].is_known && point[k].index >= first_new &&
            system_.unknowns[point[k].index].definition.kind == DefinitionKind::row)
            system_.unknowns[point[k].index].name = name + kAxisNames[k];
    return point;
}

Chain Builder::chain(ObjectId from, ObjectId to)
{
    Chain moves;
    for (ObjectId id = from; id.is_valid() && id != to;
         id = frame_parent(scene_.objects[id.index])) {
        const Object& object = scene_.objects[id.index];
        for (std::uint32_t k = 0; k < object.transformation_count; ++k)
            moves.push_back(move(object.first_transformation + k));
    }
    return moves;
}

Triple Builder::place(ObjectId object)
{
    return carry({kZero, kZero, kZero}, object, {}, names_[object.index]);
}

/// The origin of an object in the frame of another. Where that frame is on its way, these are
/// numbers on the way; else three coordinates p more, with T_n ⋯ T_1 p equal to the point.
Triple Builder::seen(ObjectId object, ObjectId frame)
{
    if (const auto found = seen_.find({object, frame}); found != seen_.end())
        return found->second;
    constexpr int kDeepest = 500;
    if (++depth_ > kDeepest) {
        if (depth_ == kDeepest + 1)
            refuse("positions-too-deep", scene_.objects[object.index].origin,
                   "objects[" + std::to_string(object.index) + "]",
                   "places depend on one another through `name_x` more than " +
                       std::to_string(kDeepest) + " deep, which `method = charli` does not follow",
                   "put objects into one another's defs instead");
        return {kZero, kZero, kZero};
    }
    std::vector<ObjectId> above;
    for (ObjectId id = frame; id.is_valid(); id = frame_parent(scene_.objects[id.index]))
        above.push_back(id);
    ObjectId meeting = object;
    while (meeting.is_valid() && std::find(above.begin(), above.end(), meeting) == above.end())
        meeting = frame_parent(scene_.objects[meeting.index]);

    const std::string name = names_[object.index] + "|" + names_[frame.index];
    Triple point = carry({kZero, kZero, kZero}, object, meeting, name);
    if (meeting != frame) {
        Chain moves = chain(frame, meeting); // may add views of its own
        const auto view = static_cast<std::uint32_t>(system_.views.size());
        system_.views.push_back({point, std::move(moves)});
        Triple p;
        for (std::uint32_t k = 0; k < 3; ++k)
            p[k] = {false,
                    add_unknown(name + kAxisNames[k], true, {DefinitionKind::seen, view, k})};
        add_coincidence(carry(p, frame, meeting, name + "|back"), point, kNone);
        point = p;
    }
    --depth_;
    return seen_[{object, frame}] = point;
}

} // namespace sinew::charli_method

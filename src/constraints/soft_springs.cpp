// Springs that are soft beside a step. Rows would take a body out of the pile, and all that touches
// it: hundreds of bricks for a thread of rubber. A force of a spring with (k h + c) h of at most a
// thousandth of the mass changes no velocity by more than that share in a step, and the pile takes
// it as it takes weight.

#include "constraints/coupling.h"
#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kSoft = 1e-3; // share of the mass that k h² + c h may be

/// How a point of a body answers to an impulse, at most [1/kg].
double mobility_of(const Body& body, const Vec3& point)
{
    const double least = std::min({body.inertia.x, body.inertia.y, body.inertia.z});
    return 1 / body.mass + dot(point, point) / least;
}

bool touches_any(const Pile& pile, const PileState& state, std::uint32_t body)
{
    return std::ranges::any_of(state.contacts, [&](const ContactState& contact) {
        return contact.manifold.count > 0 && (pile.shapes[contact.shapes.a].body == body ||
                                              pile.shapes[contact.shapes.b].body == body);
    });
}

} // namespace

void find_soft(const Coupling& coupling, const Pile& pile, const PileState& state,
               std::span<const Attachment> springs, double h, std::vector<char>& soft)
{
    soft.assign(springs.size(), 0);
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const BodySpring& spring = coupling.springs[i];
        const double give = (springs[i].stiffness * h + springs[i].damping) * h;
        double mobility = 0;
        bool is_plain = true, is_touching = false;
        for (const SpringEnd* end : {&spring.a, &spring.b}) {
            if (!end->body) {
                is_plain = is_plain && end->site.block == kGround;
                continue;
            }
            mobility += mobility_of(pile.bodies[*end->body], end->point);
            is_touching = is_touching || touches_any(pile, state, *end->body);
        }
        soft[i] = is_plain && is_touching && give * mobility <= kSoft;
    }
}

bool harden_springs(const Coupling& coupling, std::span<const char> taken, std::vector<char>& soft,
                    std::vector<std::uint32_t>& tied)
{
    bool has_any = false;
    for (std::size_t i = 0; i < soft.size(); ++i) {
        const auto is_taken = [&](const SpringEnd& end) { return end.body && taken[*end.body]; };
        const BodySpring& spring = coupling.springs[i];
        if (!soft[i] || !(is_taken(spring.a) || is_taken(spring.b)))
            continue;
        soft[i] = 0;
        has_any = true;
        for (const SpringEnd* end : {&spring.a, &spring.b})
            if (end->body)
                tied.push_back(*end->body);
    }
    return has_any;
}

void add_pulls(std::span<const Attachment> springs, const PileState& state,
               std::vector<BodyForce>& forces)
{
    struct End {
        const BodyState* body;
        Vec3 arm, place, velocity;
    };
    const auto find_end = [&](const Site& site, const Vec3& point) -> End {
        if (site.block == kGround)
            return {nullptr, {0, 0, 0}, point, {0, 0, 0}};
        const BodyState& body = state.bodies[site.block.index];
        const Vec3 arm = rotate(body.q, point);
        return {&body, arm, body.x + arm, body.v + cross(body.w, arm)};
    };
    for (const Attachment& spring : springs) {
        const End a = find_end(spring.a, spring.point_a), b = find_end(spring.b, spring.point_b);
        const Vec3 apart = b.place - a.place;
        const double d = length(apart);
        if (d == 0)
            continue;
        const Vec3 n = apart / d;
        const Vec3 pull = n * (spring.stiffness * (d - spring.length) +
                               spring.damping * dot(n, b.velocity - a.velocity));
        if (a.body)
            forces.push_back({spring.a.block.index, pull, cross(a.arm, pull)});
        if (b.body)
            forces.push_back({spring.b.block.index, -pull, -cross(b.arm, pull)});
    }
}

} // namespace sinew

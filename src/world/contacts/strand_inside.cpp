// Strands that begin inside of things: which, how deep, and the warning about them.

#include "contacts/strand_inside.h"

#include "base/text.h"
#include "math/functions.h"
#include "scene/validate/problems.h"
#include "world/parts.h"

#include <map>

namespace sinew {

namespace {

/// What begins inside one body.
struct Insiders {
    std::vector<std::uint32_t> trees = {}; ///< ascending
    double depth = 0;                      ///< of the deepest [m]
};

/// By body; what only its root holds there is left out.
std::map<std::uint32_t, Insiders> find_insiders(std::span<const StrandOverlap> overlaps,
                                                std::span<const InsidePair> inside)
{
    std::map<std::uint32_t, Insiders> found;
    for (const StrandOverlap& overlap : overlaps) {
        if (find_inside(inside, overlap.pair)->is_rooted())
            continue;
        Insiders& of = found[overlap.body];
        if (of.trees.empty() || of.trees.back() != overlap.tree)
            of.trees.push_back(overlap.tree);
        of.depth = max(of.depth, overlap.depth);
    }
    return found;
}

/// What a constraint ties a strand to it may stay in, as it does in what it grows from.
void exempt_tied(std::span<const HeldStrand> held, std::span<const StrandOverlap> overlaps,
                 std::span<InsidePair> inside)
{
    const auto ties = [](const StrandEnd& strand, const StrandEnd& other, const StrandOverlap& o) {
        return strand.site.block == BlockId{kStrands, o.tree} && other.body == o.body;
    };
    for (const StrandOverlap& overlap : overlaps)
        if (std::ranges::any_of(held, [&](const HeldStrand& h) {
                return ties(h.a, h.b, overlap) || ties(h.b, h.a, overlap);
            })) {
            const auto pair = std::ranges::lower_bound(inside, overlap.pair, {}, &InsidePair::pair);
            pair->allowed = InsidePair::kRooted;
            pair->speed = -1; // exempt for ever: the constraint brings it back
        }
}

/// "strand 'a.b' starts", "7 strands ('a', 'b' and 5 more) start".
std::string subject_of(const std::vector<std::string>& names)
{
    constexpr std::size_t kNamed = 3;
    std::vector<std::string> different;
    for (const std::string& name : names)
        if (different.empty() || different.back() != name)
            different.push_back(name);
    if (names.size() == 1)
        return "a strand of '" + names.front() + "' starts";
    std::string list;
    for (std::size_t i = 0; i < std::min(kNamed, different.size()); ++i)
        list += (i > 0 ? ", '" : "'") + different[i] + "'";
    if (different.size() > kNamed)
        list += " and " + std::to_string(different.size() - kNamed) + " more";
    return std::to_string(names.size()) + " strands (" + list + ") start";
}

} // namespace

StrandContactInput World::Parts::contacts_at_start(const std::vector<Affine>& objects,
                                                   const ModelState& at, double h) const
{
    const Posture now{state.time, coordinates, {}};
    return {strands,
            pile(),
            state.pile,
            at,
            {scene, objects, objects, now, state.time, state.time + h},
            state.inside};
}

/// What is inside something now, with a warning for each thing.
void World::Parts::find_strands_inside(const std::vector<Affine>& objects)
{
    const std::vector<StrandOverlap> overlaps = strand_contacts.find_overlaps(
        contacts_at_start(objects, state.strands, scene.settings.step));
    state.inside = strand_contacts.make_inside(overlaps);
    exempt_tied(strand_coupling.held, overlaps, state.inside);
    const std::vector<std::string> names = object_names(scene);
    for (const auto& [body, of] : find_insiders(overlaps, state.inside)) {
        std::vector<std::string> strand_names;
        for (const std::uint32_t tree : of.trees)
            strand_names.push_back(names[strands.object_of(tree).index]);
        notes.push_back(make_problem(
            scene, Severity::warning, "strands-inside",
            scene.objects[strands.object_of(of.trees.front()).index].origin, "objects",
            subject_of(strand_names) + " inside '" + names[rigid.object_of(body).index] +
                "', up to " + number_text(of.depth * 1e3) +
                " mm deep; contact eases them out within " + number_text(InsidePair::kEaseOut) +
                " s",
            "draw them outside of it, or write contact(0) where they are to pass through it"));
    }
}

} // namespace sinew

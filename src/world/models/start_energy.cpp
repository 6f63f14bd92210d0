// The energy that a rod starts with, in stretch and in its bend.
//
//   in:  tension of spans and bending moments of nodes as the world begins
//   out: a note, where stretch that differs along the rod, or pressure, would throw it about

#include "world/models/start_energy.h"

#include "base/text.h"
#include "math/functions.h"
#include "scene/validate/problems.h"

#include <numeric>
#include <string>

namespace sinew {

namespace {

constexpr double kSeen = 1; // lengths of the rod a second, if all of it became motion

/// Of a span that pulls with a force [J].
double stretch_energy(const rod::Plan& plan, double tension)
{
    return 0.5 * tension * tension / plan.stiffness[0] * plan.length / plan.spans;
}

} // namespace

std::optional<Problem> find_start_energy(const Scene& scene, const Rod& rod, const rod::Plan& plan,
                                         const rod::SectionForces& forces)
{
    if (plan.damping[0] > 0) // which takes it away
        return std::nullopt;
    const double mean = std::accumulate(forces.tension.begin(), forces.tension.end(), 0.0) /
                        double(forces.tension.size());
    double stretched = mean < 0 ? plan.spans * stretch_energy(plan, mean) : 0, bent = 0;
    for (const double tension : forces.tension) // a chain has the corners that it is drawn with
        stretched += plan.is_chain ? 0 : stretch_energy(plan, tension - mean);
    for (const Vec3& moment : forces.bending)
        bent += 0.5 * dot(moment, moment) / plan.stiffness[1] * plan.length / plan.spans;
    const double seen = kSeen * plan.length;
    if (!(stretched > bent && stretched > 0.5 * plan.total_mass() * seen * seen))
        return std::nullopt;
    return make_problem(scene, Severity::note, "rod-start-energy", rod.origin, "rods",
                        std::string(mean < 0 ? "this rod is drawn shorter than it is"
                                             : "this rod is drawn with stretch that differs "
                                               "along it") +
                            ": it starts with " + number_text(stretched) + " J, " +
                            number_text(bent) + " J in its bend, and springs apart",
                        "draw it as long as it is and without sharp corners, give it `damping`, "
                        "or write `settle();`");
}

} // namespace sinew

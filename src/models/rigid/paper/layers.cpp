#include "models/rigid/paper/layers.h"

#include <algorithm>

namespace sinew {

std::vector<int> compute_layers(const Pile& pile, const PileState& state, double near)
{
    std::vector<std::vector<std::uint32_t>> beside(pile.bodies.size());
    for (const ContactState& contact : state.contacts) {
        const std::uint32_t a = pile.shapes[contact.shapes.a].body;
        const std::uint32_t b = pile.shapes[contact.shapes.b].body;
        const auto& points = contact.manifold.point;
        if (std::any_of(points.begin(), points.begin() + contact.manifold.count,
                        [&](const ContactPoint& point) { return point.gap < near; })) {
            beside[a].push_back(b);
            beside[b].push_back(a);
        }
    }
    for (std::size_t j = 0; j < pile.joints.size(); ++j)
        if (const JointModel& joint = pile.joints[j]; !state.joints[j].is_broken && !joint.is_off) {
            beside[joint.a].push_back(joint.b);
            beside[joint.b].push_back(joint.a);
        }
    std::vector<int> layers(pile.bodies.size(), -1);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t i = 0; i < layers.size(); ++i)
        if (!pile.bodies[i].is_free()) {
            layers[i] = 0;
            queue.push_back(i);
        }
    for (std::size_t k = 0; k < queue.size(); ++k)
        for (const std::uint32_t next : beside[queue[k]])
            if (layers[next] < 0) {
                layers[next] = layers[queue[k]] + 1;
                queue.push_back(next);
            }
    return layers;
}

} // namespace sinew

// How one node of a file moves: its poses in the world, at times from which a curve of degree five
// follows it. [notes: pose_curve, eq. 6]

#include "geometry/node_motion.h"

#include "geometry/mesh_motion.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = MeshMotion::kNone;
constexpr double kRate = 120; // [1/s] where keys are no samples

/// A node and those it stands in, alone: other channels have other keys.
MeshMotion chain_of(const MeshMotion& motion, std::uint32_t node)
{
    std::vector<std::uint32_t> chain;
    for (std::uint32_t n = node; n != kNone; n = motion.nodes[n].parent)
        chain.push_back(n);
    std::ranges::reverse(chain);
    MeshMotion made;
    for (const std::uint32_t n : chain) {
        MeshMotion::Node link = motion.nodes[n];
        link.parent = made.nodes.empty() ? kNone : std::uint32_t(made.nodes.size()) - 1;
        for (std::uint32_t* channel : {&link.translated, &link.turned, &link.scaled}) {
            if (*channel == kNone)
                continue;
            made.channels.push_back(motion.channels[*channel]);
            *channel = std::uint32_t(made.channels.size()) - 1;
        }
        made.nodes.push_back(link);
    }
    return made;
}

/// Times from one kink to the next, both with it.
std::vector<double> times_between(double begin, double end, const std::vector<double>& smooth)
{
    constexpr double kClosest = 1.0 / 500; // keys of two channels that nearly fall together
    std::vector<double> times = {begin};
    for (auto key = std::ranges::upper_bound(smooth, begin); key != smooth.end() && *key < end;
         ++key)
        if (*key - times.back() > kClosest && end - *key > kClosest)
            times.push_back(*key);
    if (times.size() == 1) {
        constexpr double kMostPieces = 1e6;
        const auto pieces = std::size_t(std::min((end - begin) * kRate, kMostPieces)) + 1;
        for (std::size_t i = 1; i < pieces; ++i)
            times.push_back(begin + (end - begin) * double(i) / double(pieces));
    }
    times.push_back(end);
    return times;
}

class Sampler {
public:
    explicit Sampler(const MeshMotion& chain) : poser_(chain), last_(chain.nodes.size() - 1) {}

    /// The pose of time `at`, for the sample at `time`.
    void add(double time, double at)
    {
        poser_.set_time(at);
        const Affine& X = poser_.node(std::uint32_t(last_));
        const double x = length(X.linear.x), y = length(X.linear.y);
        const Vec3 z = cross(X.linear.x, X.linear.y);
        samples_.are_sound =
            samples_.are_sound && is_finite(X.origin) && x > 0 && y > 0 && length(z) > 0;
        if (!samples_.are_sound)
            return;
        const Vec3 ex = X.linear.x / x, ez = normalised(z);
        Quat q = rotation_quat(Mat3{ex, cross(ez, ex), ez});
        if (!samples_.rotations.empty() && dot(q, samples_.rotations.back()) < 0)
            q = q * -1.0;
        samples_.times.push_back(time);
        samples_.positions.push_back(X.origin);
        samples_.rotations.push_back(q);
    }

    NodeSamples take() { return std::move(samples_); }

private:
    MeshPoser poser_;
    std::size_t last_;
    NodeSamples samples_;
};

} // namespace

std::string path_of(const NodeTree& tree, std::uint32_t node)
{
    const std::uint32_t parent = tree.motion.nodes[node].parent;
    return (parent == kNone ? "" : path_of(tree, parent) + "/") + tree.names[node];
}

std::vector<std::uint32_t> find_nodes(const NodeTree& tree, std::string_view path)
{
    std::vector<std::uint32_t> found;
    const std::string end = "/" + std::string(path);
    for (std::uint32_t n = 0; n < tree.names.size(); ++n)
        if (end.ends_with("/" + tree.names[n]) && ("/" + path_of(tree, n)).ends_with(end))
            found.push_back(n);
    return found;
}

NodeSamples sample_node(const NodeTree& tree, std::uint32_t node)
{
    const MeshMotion chain = chain_of(tree.motion, node);
    KeyTimes keys = key_times(chain);
    keys.kinks.erase(std::ranges::unique(keys.kinks).begin(), keys.kinks.end());
    Sampler sampler(chain);
    if (keys.kinks.size() < 2)
        sampler.add(0, 0);
    // Where a channel jumps, a piece ends on what was before.
    const bool can_jump = std::ranges::any_of(chain.channels, [](const MotionChannel& channel) {
        return channel.way == MotionChannel::Way::hold;
    });
    for (std::size_t k = 0; k + 1 < keys.kinks.size(); ++k) {
        const double begin = keys.kinks[k], end = keys.kinks[k + 1];
        for (const double time : times_between(begin, end, keys.smooth))
            sampler.add(time, can_jump && time == end ? end - 1e-9 * (end - begin) : time);
    }
    return sampler.take();
}

} // namespace sinew

// BVH: a hierarchy of joints, each with its offset and the channels that move it, and a row of
// numbers for every frame. The joints become nodes whose channels have a key for each frame.

#include "formats/read_mesh.h"
#include "geometry/node_motion.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = MeshMotion::kNone;
constexpr int kDeepest = 64; // joints in joints
constexpr std::size_t kMostNumbers = 50'000'000;
constexpr std::string_view kChannels[] = {"Xposition", "Yposition", "Zposition",
                                          "Xrotation", "Yrotation", "Zrotation"};

class BvhReader {
public:
    BvhReader(const std::string& name, std::string_view text) : lines_(name, text) {}

    Result<NodeTree> read()
    {
        if (!expect("HIERARCHY") || !read_roots() || !read_frames())
            return *problem_;
        return std::move(tree_);
    }

private:
    /// A joint's channels, in the order of the file.
    struct Joint {
        Vec3 offset = {0, 0, 0};
        std::vector<std::size_t> channels = {}; ///< numbers in kChannels
    };

    bool stop(std::string what, std::string hint)
    {
        problem_ = lines_.problem("bvh-faulty", std::move(what), std::move(hint));
        return false;
    }

    bool stop_at_end() { return stop("the file ends early", "export it again"); }

    /// Goes to the next line with a word on it, where this one has no more.
    std::string_view word()
    {
        std::string_view next = lines_.word();
        while (next.empty() && lines_.next_line())
            next = lines_.word();
        return next;
    }

    bool number(double& value)
    {
        const std::string_view found = word();
        const std::string_view digits = found.substr(found.starts_with('+'));
        const auto [end, fault] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (fault == std::errc() && end == digits.data() + digits.size() && is_finite(value))
            return true;
        return found.empty()
                   ? stop_at_end()
                   : stop("'" + excerpt(found) + "' is no finite number", "export the file again");
    }

    bool expect(std::string_view wanted)
    {
        const std::string_view found = word();
        if (found.empty())
            return stop_at_end();
        return found == wanted ||
               stop("'" + excerpt(found) + "' stands where '" + std::string(wanted) + "' belongs",
                    "export the file again");
    }

    bool read_roots()
    {
        for (std::string_view next = word(); next != "MOTION"; next = word()) {
            if (next != "ROOT")
                return stop(next.empty() ? "there is no motion in it"
                                         : "'" + excerpt(next) + "' is no joint",
                            "export the animation too");
            if (!read_joint(kNone, 0))
                return false;
        }
        return !joints_.empty() || stop("there are no joints in it", "export the skeleton");
    }

    bool read_joint(std::uint32_t parent, int depth)
    {
        if (depth > kDeepest)
            return stop("its joints are nested too deeply", "export a smaller skeleton");
        const auto here = std::uint32_t(joints_.size());
        tree_.names.emplace_back(word());
        tree_.motion.nodes.push_back({.parent = parent});
        joints_.emplace_back();
        if (!expect("{"))
            return false;
        for (std::string_view next = word(); next != "}"; next = word())
            if (!(next == "OFFSET"     ? read_offset(joints_[here].offset)
                  : next == "CHANNELS" ? read_channels(joints_[here])
                  : next == "JOINT"    ? read_joint(here, depth + 1)
                  : next == "End"      ? skip_end()
                  : next.empty()       ? stop_at_end()
                                       : stop("'" + excerpt(next) + "' belongs to no joint",
                                              "export the file again")))
                return false;
        return true;
    }

    bool read_offset(Vec3& offset)
    {
        return number(offset.x) && number(offset.y) && number(offset.z);
    }

    bool read_channels(Joint& joint)
    {
        double count = 0;
        if (!number(count))
            return false;
        if (!(count >= 0 && count <= 6))
            return stop("a joint has up to six channels", "export the file again");
        for (int i = 0; i < int(count); ++i) {
            const std::string_view name = word();
            const auto* known = std::ranges::find(kChannels, name);
            if (known == std::end(kChannels))
                return stop("there is no channel '" + excerpt(name) + "'", "export the file again");
            joint.channels.push_back(std::size_t(known - kChannels));
        }
        width_ += joint.channels.size();
        return true;
    }

    bool skip_end()
    {
        Vec3 offset;
        return expect("Site") && expect("{") && expect("OFFSET") && read_offset(offset) &&
               expect("}");
    }

    bool read_frames()
    {
        double count = 0, span = 0;
        if (!expect("Frames:") || !number(count) || !expect("Frame") || !expect("Time:") ||
            !number(span))
            return false;
        if (!(count >= 1) || count != double(std::size_t(count)) || !(span > 0))
            return stop("it has no frames", "export the animation too");
        if (count * double(width_ + 1) > double(kMostNumbers))
            return stop("its animation is too long", "export a shorter one");
        frame_count_ = std::size_t(count);
        add_channels(span);
        for (std::size_t frame = 0; frame < frame_count_; ++frame)
            for (std::uint32_t joint = 0; joint < joints_.size(); ++joint)
                if (!read_pose(joint))
                    return false;
        return true;
    }

    void add_channels(double span)
    {
        std::vector<double> times;
        for (std::size_t k = 0; k < frame_count_; ++k)
            times.push_back(double(k) * span);
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            MeshMotion::Node& node = tree_.motion.nodes[j];
            node.translation = joints_[j].offset;
            node.matrix.origin = joints_[j].offset;
            for (const bool is_turn : {false, true}) {
                const auto moves = [&](std::size_t channel) { return (channel > 2) == is_turn; };
                if (std::ranges::none_of(joints_[j].channels, moves))
                    continue;
                (is_turn ? node.turned : node.translated) =
                    std::uint32_t(tree_.motion.channels.size());
                tree_.motion.channels.push_back({.width = is_turn ? 4u : 3u, .times = times});
            }
        }
    }

    /// Rotations follow each other in the order of the channels, each about the turned axes; a
    /// place stands for the offset.
    bool read_pose(std::uint32_t number_of_joint)
    {
        constexpr std::array<Vec3, 3> axes = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
        const Joint& joint = joints_[number_of_joint];
        Vec3 place = joint.offset;
        Quat turn{};
        for (const std::size_t channel : joint.channels) {
            double value = 0;
            if (!number(value))
                return false;
            if (channel < 3)
                place[int(channel)] = value;
            else
                turn = turn * rotation_about(axes[channel - 3], value * std::numbers::pi / 180);
        }
        const MeshMotion::Node& node = tree_.motion.nodes[number_of_joint];
        const auto add = [&](std::uint32_t channel, std::initializer_list<double> numbers) {
            if (channel != kNone)
                tree_.motion.channels[channel].values.insert(
                    tree_.motion.channels[channel].values.end(), numbers);
        };
        add(node.translated, {place.x, place.y, place.z});
        add(node.turned, {turn.x, turn.y, turn.z, turn.w});
        return true;
    }

    LineReader lines_;
    NodeTree tree_;
    std::vector<Joint> joints_;
    std::size_t width_ = 0, frame_count_ = 0;
    std::optional<Problem> problem_;
};

} // namespace

Result<NodeTree> read_bvh_nodes(const std::string& name, std::string_view text)
{
    return BvhReader(name, text).read();
}

} // namespace sinew

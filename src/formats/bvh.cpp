// BVH: named objects as joints in their hierarchy below the world, positions and Euler angles.
//
// A joint that keeps its place in its parent has rotations alone, which programs expect of bones;
// which ones do is known at the end, so the numbers wait in a file beside.

#include "formats/out_file.h"
#include "formats/writer.h"
#include "math/functions.h"
#include "sinew/names.h"

#include <algorithm>
#include <array>

namespace sinew::formats {

namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;
constexpr double kTipInUnits = 4; // how long the bones at the ends are
constexpr double kStill = 1e-9;   // of a joint's place, relative to its size

using Row = std::array<double, 6>; ///< x, y, z, then angles about z, x, y [deg]

/// R = Rz Rx Ry.
std::array<double, 3> angles_of(const Mat3& R)
{
    const double s = std::clamp(R(2, 1), -1.0, 1.0);
    return {atan2(-R(0, 1), R(1, 1)) * kDegrees, asin(s) * kDegrees,
            atan2(-R(2, 0), R(2, 2)) * kDegrees};
}

class BvhWriter final : public Writer {
public:
    explicit BvhWriter(const Job& job) : job_(job), file_(job.path), spool_(job.path + ".angles")
    {
        const std::vector<std::string> names = object_paths(job.scene);
        std::vector<std::uint32_t> joint_of(names.size(), 0);
        joints_.push_back({.name = "world"});
        for (std::uint32_t i = 1; i < names.size(); ++i) {
            const Object& object = job.scene.objects[i];
            const ObjectId around = object.on.is_valid() ? object.on : object.parent;
            joint_of[i] = joint_of[around.index];
            if (object.is_anonymous)
                continue;
            const auto number = std::uint32_t(joints_.size());
            joints_[joint_of[around.index]].children.push_back(number);
            joints_.push_back({.object = i, .parent = joint_of[around.index], .name = names[i]});
            joint_of[i] = number;
        }
    }

    Problems check() const override
    {
        if (joints_.size() > 1)
            return {};
        return {{.code = "export-no-joints",
                 .place = {.file = job_.path},
                 .what = "there is no named object in it, and BVH holds nothing else",
                 .hint = "export .glb or .usdc"}};
    }

    Problems add(const Window& window) override;
    Problems finish(ExportReport& report) override;

private:
    struct Joint {
        std::uint32_t object = 0, parent = 0;
        std::string name;
        std::vector<std::uint32_t> children = {};
        Row first = {}, last = {};
        bool moves = false; ///< in its parent
    };

    void write_joint(const Joint& joint, const std::string& indent);
    void write_offset(const std::string& indent, const Row& at);
    void list_in_order(std::uint32_t joint, std::vector<std::uint32_t>& order) const;
    void write_motion();

    const Job& job_;
    OutFile file_, spool_;
    std::vector<Joint> joints_;
    std::size_t frame_count_ = 0;
};

Problems BvhWriter::add(const Window& window)
{
    std::vector<Mat3> turns{Mat3::identity()};
    std::vector<Vec3> places{Vec3{0, 0, 0}};
    for (std::size_t i = 1; i < joints_.size(); ++i) {
        Joint& joint = joints_[i];
        const Affine& pose = window.frame->objects[joint.object];
        const UpAxis up = job_.options.up;
        const Vec3 x = turn_up(pose.linear.x, up), y = turn_up(pose.linear.y, up);
        const Vec3 u = length(x) > 0 ? normalised(x) : Vec3{1, 0, 0};
        const Vec3 across = y - u * dot(u, y);
        const Vec3 v = length(across) > 0 ? normalised(across) : any_across(u);
        turns.push_back(Mat3{u, v, cross(u, v)});
        places.push_back(turn_up(pose.origin, up) * job_.options.scale);
        const Mat3 back = transpose(turns[joint.parent]);
        const Vec3 place = back * (places[i] - places[joint.parent]);
        const std::array angles = angles_of(back * turns[i]);
        Row row{place.x, place.y, place.z, angles[0], angles[1], angles[2]};
        for (std::size_t k = 3; k < 6 && frame_count_ > 0; ++k) // no jumps from 180° to −180°
            row[k] -= 360 * round((row[k] - joint.last[k]) / 360);
        if (frame_count_ == 0)
            joint.first = row;
        for (std::size_t k = 0; k < 3; ++k)
            joint.moves =
                joint.moves || abs(row[k] - joint.first[k]) > kStill * (1 + abs(joint.first[k]));
        joint.last = row;
        spool_.put(row);
    }
    ++frame_count_;
    return spool_.problems();
}

void BvhWriter::write_offset(const std::string& indent, const Row& at)
{
    std::string text = indent + "OFFSET";
    for (std::size_t k = 0; k < 3; ++k) {
        text += ' ';
        append_number(text, at[k]);
    }
    file_.write(text + "\n");
}

void BvhWriter::write_joint(const Joint& joint, const std::string& indent)
{
    const std::string inner = indent + "  ";
    file_.write(indent + (joint.object == 0 ? "ROOT " : "JOINT ") + joint.name + "\n" + indent +
                "{\n");
    write_offset(inner, joint.first);
    const bool has_place = joint.object == 0 || joint.moves;
    file_.write(inner + (has_place ? "CHANNELS 6 Xposition Yposition Zposition " : "CHANNELS 3 ") +
                "Zrotation Xrotation Yrotation\n");
    for (const std::uint32_t child : joint.children)
        write_joint(joints_[child], inner);
    if (joint.children.empty()) {
        file_.write(inner + "End Site\n" + inner + "{\n");
        write_offset(inner + "  ",
                     {0, kTipInUnits * job_.exported.display.unit * job_.options.scale, 0});
        file_.write(inner + "}\n");
    }
    file_.write(indent + "}\n");
}

void BvhWriter::list_in_order(std::uint32_t joint, std::vector<std::uint32_t>& order) const
{
    order.push_back(joint);
    for (const std::uint32_t child : joints_[joint].children)
        list_in_order(child, order);
}

void BvhWriter::write_motion()
{
    std::vector<std::uint32_t> order;
    list_in_order(0, order);
    std::string head = "MOTION\nFrames: " + std::to_string(frame_count_) + "\nFrame Time: ";
    append_number(head, 1 / job_.scene.settings.frame_rate);
    file_.write(head + "\n");
    std::vector<Row> rows(joints_.size());
    const std::size_t size = (joints_.size() - 1) * sizeof(Row);
    for (std::size_t frame = 0; frame < frame_count_; ++frame) {
        spool_.read(frame * size, rows.data() + 1, size);
        std::string line;
        for (const std::uint32_t joint : order)
            for (std::size_t k = joint == 0 || joints_[joint].moves ? 0 : 3; k < 6; ++k) {
                append_number(line, rows[joint][k]);
                line += ' ';
            }
        line.back() = '\n';
        file_.write(line);
    }
}

Problems BvhWriter::finish(ExportReport& report)
{
    file_.write("HIERARCHY\n");
    write_joint(joints_[0], "");
    write_motion();
    if (Problems problems = spool_.problems(); !problems.empty())
        return problems;
    return finish_file(file_, report);
}

} // namespace

std::unique_ptr<Writer> make_bvh_writer(const Job& job) { return std::make_unique<BvhWriter>(job); }

} // namespace sinew::formats

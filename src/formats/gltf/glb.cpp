// glTF 2.0, in one binary file: a node for every body, a skinned tube for every curve.
//
// Tracks of glTF are contiguous, one for each node, and frames come one for all nodes: they are
// written to a file beside, frame by frame, and read back node by node in blocks, so that memory
// does not grow with the length of the shot.

#include "formats/gltf/glb_document.h"
#include "formats/out_file.h"
#include "formats/writer.h"
#include "math/functions.h"
#include "sinew/language.h"

#include <algorithm>

namespace sinew::formats {

namespace {

constexpr std::uint32_t kTubeSides = 8;
constexpr std::size_t kMostJoints = 100'000;
constexpr std::size_t kMostOfOne = 65'535; // joints of one skin: their numbers have 16 bits
constexpr std::size_t kBlock = 32 << 20;   // bytes of tracks in memory at a time
constexpr std::uint64_t kLargest = 0xffffffff;
constexpr double kTurn = 2 * 3.14159265358979323846;

/// Shear is lost: glTF's tracks have none. `is_exact` becomes false then.
GlbTrack track_of(const Affine& pose, bool& is_exact)
{
    const Mat3& A = pose.linear;
    Vec3 size{length(A.x), length(A.y), length(A.z)};
    const Vec3 x = size.x > 0 ? A.x / size.x : Vec3{1, 0, 0};
    const Vec3 across = A.y - x * dot(x, A.y);
    const Vec3 y = length(across) > 0 ? normalised(across) : any_across(x);
    const Vec3 z = cross(x, y);
    if (dot(z, A.z) < 0) // mirrored
        size.z = -size.z;
    const Quat q = rotation_quat(Mat3{x, y, z});
    is_exact = is_exact && length(A.y - y * size.y) <= 1e-6 * size.y &&
               length(A.z - z * size.z) <= 1e-6 * abs(size.z);
    return {to_float(pose.origin.x), to_float(pose.origin.y), to_float(pose.origin.z),
            to_float(q.x),           to_float(q.y),           to_float(q.z),
            to_float(q.w),           to_float(size.x),        to_float(size.y),
            to_float(size.z)};
}

/// x across, y along.
Affine joint_pose(const Vec3& place, const Vec3& along, const Vec3& normal)
{
    const Vec3 across = normal - along * dot(normal, along);
    const Vec3 x = length(across) > 1e-9 ? normalised(across) : any_across(along);
    return {Mat3{x, along, cross(x, along)}, place};
}

Affine pose_of_track(const GlbTrack& track)
{
    const Quat q = normalised(Quat{track[3], track[4], track[5], track[6]});
    return {rotation_matrix(q), {track[0], track[1], track[2]}};
}

/// Node numbers are track numbers: bodies, then points of curves, then corners of plates.
class GlbWriter final : public Writer {
public:
    explicit GlbWriter(const Job& job)
        : job_(job), exported_(job.exported), file_(job.path), spool_(job.path + ".tracks"),
          track_count_(exported_.bodies.size() + exported_.point_count), first_(track_count_),
          last_(track_count_), now_(track_count_), moves_(track_count_)
    {
    }

    Problems check() const override;
    Problems add(const Window& window) override;
    Problems finish(ExportReport& report) override;

private:
    struct Moves {
        bool translation = false, rotation = false, scale = false;
    };

    void find_tracks(const ExportFrame& frame);
    void note_moves(std::size_t i);
    void add_bodies();
    void add_joints(const ExportCurve& curve);
    void add_tube(const ExportCurve& curve);
    void add_plate(const ExportPlate& plate);
    void add_skinned(const ExportCurve& curve, const Triangles& triangles,
                     const std::vector<std::uint16_t>& owners);
    std::vector<Affine> bind_poses(const ExportCurve& curve) const;
    void plan_channels();
    void write_tracks();

    const Job& job_;
    const ExportScene& exported_;
    OutFile file_, spool_;
    std::size_t track_count_;
    std::vector<GlbTrack> first_, last_, now_;
    std::vector<Moves> moves_;
    std::size_t frame_count_ = 0;
    bool is_exact_ = true;
    GlbDocument document_;
};

Problems GlbWriter::check() const
{
    std::size_t longest = 0;
    for (const ExportCurve& curve : exported_.curves)
        longest = std::max<std::size_t>(longest, curve.count);
    if (exported_.point_count <= kMostJoints && longest <= kMostOfOne)
        return {};
    return {
        {.code = "export-too-many-joints",
         .place = {.file = job_.path},
         .what = "the curves have " + std::to_string(exported_.point_count) +
                 " points, the longest " + std::to_string(longest) +
                 "; glTF needs a joint for each, and programs bear at most " +
                 std::to_string(kMostJoints) + ", in one curve " + std::to_string(kMostOfOne),
         .hint = "export .usdc, or fewer strands: --every " +
                 std::to_string((exported_.point_count / kMostJoints + 1) * job_.options.every)}};
}

void GlbWriter::find_tracks(const ExportFrame& frame)
{
    std::size_t i = 0;
    bool is_exact = true;
    for (const Affine& pose : frame.poses)
        now_[i++] = track_of(pose, is_exact);
    is_exact_ = is_exact_ && is_exact;
    for (const ExportCurve& curve : exported_.curves)
        for (std::uint32_t k = 0; k < curve.count; ++k)
            now_[i++] = track_of(
                joint_pose(frame.points[curve.first + k],
                           tangent_at(&frame.points[curve.first], curve.count, k, curve.is_closed),
                           frame.normals[curve.first + k]),
                is_exact);
    for (const ExportPlate& plate : exported_.plates)
        for (std::uint32_t k = 0; k < plate.outline.count; ++k) {
            const Vec3 normal = frame.normals[plate.outline.first + k];
            now_[i++] = track_of(
                joint_pose(frame.points[plate.outline.first + k], normal, any_across(normal)),
                is_exact);
        }
}

void GlbWriter::note_moves(std::size_t i)
{
    const auto differs = [&](std::size_t from, std::size_t to) {
        return !std::equal(now_[i].data() + from, now_[i].data() + to, first_[i].data() + from);
    };
    moves_[i].translation = moves_[i].translation || differs(0, 3);
    moves_[i].rotation = moves_[i].rotation || differs(3, 7);
    moves_[i].scale = moves_[i].scale || differs(7, 10);
}

Problems GlbWriter::add(const Window& window)
{
    find_tracks(window.now);
    if (frame_count_ == 0)
        first_ = now_;
    for (std::size_t i = 0; i < track_count_ && frame_count_ > 0; ++i) {
        float nearness = 0;
        for (std::size_t k = 3; k < 7; ++k)
            nearness += now_[i][k] * last_[i][k];
        for (std::size_t k = 3; k < 7 && nearness < 0; ++k) // of two quaternions the nearer one
            now_[i][k] = -now_[i][k];
        note_moves(i);
    }
    std::swap(last_, now_);
    ++frame_count_;
    spool_.write(last_.data(), last_.size() * sizeof(GlbTrack));
    return spool_.problems();
}

/// One mesh for each shape in each colour; the numbers of a shape are there once.
void GlbWriter::add_bodies()
{
    std::vector<std::string> primitives(exported_.shapes.size());
    std::map<std::array<std::uint32_t, 2>, std::size_t> meshes;
    for (std::size_t i = 0; i < exported_.bodies.size(); ++i) {
        const ExportBody& body = exported_.bodies[i];
        std::string more;
        if (body.pose == ExportBody::Pose::camera)
            more = ",\"camera\":" +
                   std::to_string(document_.add_camera(job_.scene.settings.camera->field_of_view));
        if (body.shape != kNone) {
            const ExportShape& shape = exported_.shapes[body.shape];
            const auto [mesh, is_new] = meshes.emplace(std::array{body.shape, body.colour}, 0);
            if (primitives[body.shape].empty())
                primitives[body.shape] = document_.add_primitive(shape.triangles);
            if (is_new)
                mesh->second = document_.add_mesh(shape.name, body.colour, primitives[body.shape]);
            more = ",\"mesh\":" + std::to_string(mesh->second);
        }
        document_.add_node(body.name, first_[i], more, true);
    }
}

void GlbWriter::add_joints(const ExportCurve& curve)
{
    for (std::uint32_t k = 0; k < curve.count; ++k)
        document_.add_node(curve.name + "[" + std::to_string(k) + "]",
                           first_[exported_.bodies.size() + curve.first + k], "", false);
}

std::vector<Affine> GlbWriter::bind_poses(const ExportCurve& curve) const
{
    std::vector<Affine> poses;
    for (std::uint32_t k = 0; k < curve.count; ++k)
        poses.push_back(pose_of_track(first_[exported_.bodies.size() + curve.first + k]));
    return poses;
}

/// The tube as it is in the first frame; every ring moves with the joint of its point.
void GlbWriter::add_tube(const ExportCurve& curve)
{
    Triangles tube;
    std::vector<std::uint16_t> owners;
    for (const Affine& pose : bind_poses(curve)) {
        const double radius = exported_.radii[curve.first + owners.size() / kTubeSides];
        const auto owner = std::uint16_t(owners.size() / kTubeSides);
        for (std::uint32_t side = 0; side < kTubeSides; ++side) {
            const double angle = kTurn * side / kTubeSides;
            const Vec3 n = pose.linear.x * cos(angle) - pose.linear.z * sin(angle);
            tube.vertices.push_back(pose.origin + n * radius);
            tube.normals.push_back(normalised(n));
            owners.push_back(owner);
        }
    }
    for (std::uint32_t k = 0; k < (curve.is_closed ? curve.count : curve.count - 1); ++k)
        for (std::uint32_t i = 0; i < kTubeSides; ++i) {
            const std::uint32_t j = (i + 1) % kTubeSides;
            const std::uint32_t here = k * kTubeSides, next = (k + 1) % curve.count * kTubeSides;
            tube.corners.push_back({here + i, here + j, next + i});
            tube.corners.push_back({here + j, next + j, next + i});
        }
    const std::uint32_t end = (curve.count - 1) * kTubeSides;
    for (std::uint32_t i = 1; i + 1 < kTubeSides && !curve.is_closed; ++i) {
        tube.corners.push_back({0, i + 1, i});
        tube.corners.push_back({end, end + i, end + i + 1});
    }
    add_skinned(curve, tube, owners);
}

void GlbWriter::add_plate(const ExportPlate& plate)
{
    Triangles triangles{.vertices = {}, .normals = {}, .corners = plate.triangles};
    std::vector<std::uint16_t> owners;
    const std::vector<Affine> poses = bind_poses(plate.outline);
    for (const double side : {1.0, -1.0})
        for (std::size_t k = 0; k < poses.size(); ++k) {
            const Vec3 normal = poses[k].linear.y * side;
            triangles.vertices.push_back(poses[k].origin + normal * plate.half_thickness);
            triangles.normals.push_back(normalised(normal));
            owners.push_back(std::uint16_t(k));
        }
    add_skinned(plate.outline, triangles, owners);
}

void GlbWriter::add_skinned(const ExportCurve& curve, const Triangles& triangles,
                            const std::vector<std::uint16_t>& owners)
{
    const std::size_t first = exported_.bodies.size() + curve.first;
    std::string children;
    for (std::uint32_t k = 0; k < curve.count; ++k)
        children += (k > 0 ? "," : "") + std::to_string(first + k);
    const std::size_t skeleton =
        document_.add_node(curve.name + "_joints", ",\"children\":[" + children + "]");
    const std::string weights = document_.add_weights(owners);
    const std::size_t mesh =
        document_.add_mesh(curve.name, curve.colour, document_.add_primitive(triangles, weights));
    const std::size_t skin = document_.add_skin(first, bind_poses(curve), skeleton);
    document_.add_node(curve.name,
                       ",\"mesh\":" + std::to_string(mesh) + ",\"skin\":" + std::to_string(skin));
}

void GlbWriter::plan_channels()
{
    for (std::size_t i = 0; i < track_count_; ++i) {
        if (moves_[i].translation)
            document_.add_channel(i, "translation", frame_count_, 3);
        if (moves_[i].rotation)
            document_.add_channel(i, "rotation", frame_count_, 4);
        if (moves_[i].scale)
            document_.add_channel(i, "scale", frame_count_, 3);
    }
}

void GlbWriter::write_tracks()
{
    const std::size_t room = std::max<std::size_t>(1, kBlock / (sizeof(GlbTrack) * frame_count_));
    std::vector<GlbTrack> block;
    std::vector<float> channel;
    for (std::size_t first = 0; first < track_count_; first += room) {
        const std::size_t count = std::min(room, track_count_ - first);
        block.resize(count * frame_count_);
        for (std::size_t frame = 0; frame < frame_count_; ++frame)
            spool_.read((frame * track_count_ + first) * sizeof(GlbTrack), &block[frame * count],
                        count * sizeof(GlbTrack));
        for (std::size_t i = 0; i < count; ++i) {
            const auto write = [&](bool moves, std::size_t from, std::size_t to) {
                channel.clear();
                for (std::size_t frame = 0; frame < frame_count_ && moves; ++frame)
                    channel.insert(channel.end(), block[frame * count + i].data() + from,
                                   block[frame * count + i].data() + to);
                file_.write(channel.data(), channel.size() * sizeof(float));
            };
            write(moves_[first + i].translation, 0, 3);
            write(moves_[first + i].rotation, 3, 7);
            write(moves_[first + i].scale, 7, 10);
        }
    }
}

Problems GlbWriter::finish(ExportReport& report)
{
    for (std::size_t i = 0; i < exported_.colours.size(); ++i)
        document_.add_material(exported_.colours[i], exported_.looks[i]);
    add_bodies();
    for (const ExportCurve& curve : exported_.curves)
        add_joints(curve);
    for (const ExportPlate& plate : exported_.plates)
        add_joints(plate.outline);
    for (const ExportCurve& curve : exported_.curves)
        add_tube(curve);
    for (const ExportPlate& plate : exported_.plates)
        add_plate(plate);
    const bool has_motion = std::any_of(moves_.begin(), moves_.end(), [](const Moves& moves) {
        return moves.translation || moves.rotation || moves.scale;
    });
    if (has_motion) {
        std::vector<float> times;
        for (std::size_t i = 0; i < frame_count_; ++i)
            times.push_back(to_float(double(i) / job_.scene.settings.frame_rate));
        document_.add_times(times);
        plan_channels();
    }
    std::string text = document_.text(version());
    text.append((4 - text.size() % 4) % 4, ' ');
    const std::uint64_t size = 28 + text.size() + document_.buffer_size();
    if (size > kLargest)
        return {
            {.code = "export-too-large",
             .place = {.file = job_.path},
             .what = "there would be " + std::to_string(size) + " bytes, and glTF ends at 4 GiB",
             .hint = "export fewer frames or strands (--frames, --every), or .usdc"}};
    const auto put = [&](std::uint64_t word) { file_.put(std::uint32_t(word)); };
    for (const std::uint64_t word : {std::uint64_t{0x46546c67}, std::uint64_t{2}, size,
                                     std::uint64_t{text.size()}, std::uint64_t{0x4e4f534a}})
        put(word);
    file_.write(text);
    put(document_.buffer_size());
    put(0x004e4942);
    file_.write(document_.fixed_bytes());
    if (has_motion)
        write_tracks();
    if (!is_exact_)
        report.notes.push_back({.severity = Severity::warning,
                                .code = "export-shear",
                                .place = {.file = job_.path},
                                .what = "glTF has no shear: sheared things are not exact in it",
                                .hint = "export .usdc, which has"});
    if (Problems problems = spool_.problems(); !problems.empty())
        return problems;
    return finish_file(file_, report);
}

} // namespace

std::unique_ptr<Writer> make_glb_writer(const Job& job) { return std::make_unique<GlbWriter>(job); }

} // namespace sinew::formats

// A frame as rows: what `--table` writes, and what people compare.

#include "scene/objects/strands.h"
#include "sinew/frame.h"
#include "sinew/names.h"

#include <charconv>
#include <initializer_list>
#include <utility>

namespace sinew {

namespace {

/// The rotation of a frame that may be scaled: x kept, y made perpendicular.
Quat rotation_of(const Mat3& A)
{
    if (!(length(A.x) > 0 && length(A.y) > 0 && length(cross(A.x, A.y)) > 0))
        return {};
    const Vec3 x = normalised(A.x), z = normalised(cross(A.x, A.y));
    return rotation_quat(Mat3{x, cross(z, x), z});
}

/// From root to tip; a node has the frame of the segment that begins there, the last of the one
/// that ends. The section of a rod is known with the frame, if at all.
void add_nodes(const StrandLayout& layout, std::uint32_t curve, const std::string& name,
               const Frame& frame, std::optional<std::size_t> first_section,
               std::vector<TableRow>& rows)
{
    const std::size_t first = layout.first_node[curve];
    const std::size_t count = layout.first_node[curve + 1] - first;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t segment = layout.first_segment[curve] + (k + 1 < count ? k : k - 1);
        rows.push_back({name + "[" + std::to_string(k) + "]", frame.nodes[first + k],
                        frame.segments[segment]});
        if (first_section && *first_section + k < frame.sections.size())
            rows.back().section = frame.sections[*first_section + k];
    }
}

/// The numbers of probes stand where places do.
void add_probes(const Scene& scene, const Frame& frame, std::vector<TableRow>& rows)
{
    const std::vector<std::string> names = probe_names(scene);
    std::size_t first = 0, probe = 0;
    for (const Drawing& drawing : scene.drawings) {
        const std::size_t count = drawing_point_count(scene, drawing);
        if (drawing.kind == DrawingKind::probe && first < frame.points.size())
            rows.push_back({names[probe++], frame.points[first], Quat{}});
        first += count;
    }
}

/// Old recordings know nothing of loads: no rows then.
void add_loads(const Scene& scene, const Frame& frame, std::vector<TableRow>& rows)
{
    if (frame.loads.empty())
        return;
    const std::vector<std::string> names = constraint_names(scene);
    for (std::size_t i = 0; i < names.size(); ++i)
        rows.push_back({names[i], frame.loads[i].place, Quat{}, frame.loads[i]});
}

bool has_loads(const Scene& scene)
{
    return !scene.strand_constraints.empty() || !scene.rod_constraints.empty();
}

void append(std::string& text, std::initializer_list<double> values)
{
    for (const double value : values) {
        char digits[64];
        const auto end =
            std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 17);
        (text += ',').append(digits, end.ptr);
    }
}

void append(std::string& text, const Vec3& v) { append(text, {v.x, v.y, v.z}); }

} // namespace

std::string table_head(const Scene& scene)
{
    return std::string("time,name,x,y,z,qx,qy,qz,qw") +
           (has_loads(scene) ? ",fx [N],fy [N],fz [N],tx [N m],ty [N m],tz [N m]" : "") +
           (scene.rods.empty() ? "" : ",tension [N],bending [N m],twist [N m]") + "\n";
}

std::string table_lines(const Scene& scene, const Frame& frame)
{
    std::string time, lines;
    append(time, {frame.time});
    time.erase(0, 1);
    for (const TableRow& row : table_rows(scene, frame)) {
        lines += time + "," + row.name;
        append(lines, row.position);
        append(lines, {row.rotation.x, row.rotation.y, row.rotation.z, row.rotation.w});
        if (row.load) {
            append(lines, row.load->force);
            append(lines, row.load->torque);
        } else if (has_loads(scene)) {
            lines += ",,,,,,";
        }
        if (row.section)
            append(lines, {row.section->tension, row.section->bending, row.section->twist});
        else if (!scene.rods.empty())
            lines += ",,,";
        lines += '\n';
    }
    return lines;
}

std::vector<TableRow> table_rows(const Scene& scene, const Frame& frame)
{
    const std::vector<std::string> names = object_paths(scene);
    std::vector<std::string> strands = strand_names(scene);
    const StrandLayout layout = layout_of_strands(scene);
    const bool has_curves = !scene.strands.empty() || !scene.rods.empty();
    std::vector<std::vector<std::uint32_t>> curves(has_curves ? names.size() : 0);
    std::vector<bool> only_names(names.size()); // of a strand: it has no place of its own
    for (std::uint32_t i = 0; i < scene.strands.size(); ++i) {
        const StrandCurve& curve = scene.strands[i];
        curves[curve.object.index].push_back(i);
        only_names[curve.object.index] = curve.object != curve.tree;
    }
    for (std::uint32_t i = 0; i < scene.rods.size(); ++i) { // a rod is its nodes
        const std::uint32_t object = scene.rods[i].object.index;
        curves[object].push_back(static_cast<std::uint32_t>(scene.strands.size()) + i);
        only_names[object] = true;
        strands.push_back(names[object]);
    }
    const auto section_of = [&](std::uint32_t curve) -> std::optional<std::size_t> {
        if (curve < scene.strands.size())
            return std::nullopt;
        return layout.first_node[curve] - layout.first_node[scene.strands.size()];
    };
    std::vector<TableRow> rows;
    for (std::uint32_t i = 1; i < scene.objects.size(); ++i) {
        if (!scene.objects[i].is_anonymous && !only_names[i]) {
            const Affine& place = frame.objects[i];
            rows.push_back({names[i], place.origin, rotation_of(place.linear)});
        }
        if (!curves.empty())
            for (const std::uint32_t curve : curves[i])
                add_nodes(layout, curve, strands[curve], frame, section_of(curve), rows);
    }
    add_probes(scene, frame, rows);
    add_loads(scene, frame, rows);
    return rows;
}

} // namespace sinew

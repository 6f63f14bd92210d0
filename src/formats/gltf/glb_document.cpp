#include "formats/gltf/glb_document.h"

#include "formats/json.h"
#include "math/functions.h"

#include <algorithm>
#include <limits>
#include <span>

namespace sinew::formats {

namespace {

constexpr int kByte = 5121, kShort = 5123, kWhole = 5125, kFloat = 5126;

double to_linear(double c) { return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4); }

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string decimal(double value)
{
    std::string text;
    append_number(text, to_float(value));
    return text;
}

void add_list(std::string& text, const char* name, const std::vector<std::string>& list)
{
    if (list.empty()) // an empty list is no glTF
        return;
    text += ",\"" + std::string(name) + "\":[";
    for (std::size_t i = 0; i < list.size(); ++i)
        text += (i > 0 ? "," : "") + list[i];
    text += "]";
}

} // namespace

std::size_t GlbDocument::add_accessor(std::size_t count, const char* type, int component,
                                      Target target, std::size_t byte_size, const std::string& more)
{
    views_.push_back("{\"buffer\":0,\"byteOffset\":" + number(buffer_) +
                     ",\"byteLength\":" + number(byte_size) +
                     (target == Target::none ? "}" : ",\"target\":" + number(int(target)) + "}"));
    accessors_.push_back("{\"bufferView\":" + number(views_.size() - 1) +
                         ",\"componentType\":" + number(component) + ",\"count\":" + number(count) +
                         ",\"type\":\"" + type + "\"" + more + "}");
    buffer_ += (byte_size + 3) / 4 * 4;
    return accessors_.size() - 1;
}

std::size_t GlbDocument::add_vectors(const std::vector<Vec3>& list, bool has_range)
{
    std::array<float, 3> low, high;
    low.fill(std::numeric_limits<float>::max());
    high.fill(std::numeric_limits<float>::lowest());
    for (const Vec3& x : list) {
        const std::array values{to_float(x.x), to_float(x.y), to_float(x.z)};
        append(values.data(), sizeof values);
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], values[k]);
            high[k] = std::max(high[k], values[k]);
        }
    }
    return add_accessor(list.size(), "VEC3", kFloat, Target::vertices, 12 * list.size(),
                        has_range ? ",\"min\":" + json_list(low) + ",\"max\":" + json_list(high)
                                  : "");
}

std::string GlbDocument::add_primitive(const Triangles& triangles,
                                       const std::string& more_attributes)
{
    const std::size_t places = add_vectors(triangles.vertices, true);
    const std::size_t normals = add_vectors(triangles.normals, false);
    append(triangles.corners.data(), 12 * triangles.corners.size());
    const std::size_t corners = add_accessor(3 * triangles.corners.size(), "SCALAR", kWhole,
                                             Target::corners, 12 * triangles.corners.size());
    return "\"attributes\":{\"POSITION\":" + number(places) + ",\"NORMAL\":" + number(normals) +
           more_attributes + "},\"indices\":" + number(corners);
}

std::string GlbDocument::add_weights(const std::vector<std::uint16_t>& joints)
{
    for (const std::uint16_t joint : joints) {
        const std::array<std::uint16_t, 4> four{joint, 0, 0, 0};
        append(four.data(), sizeof four);
    }
    const std::size_t owners =
        add_accessor(joints.size(), "VEC4", kShort, Target::vertices, 8 * joints.size());
    constexpr std::array<std::uint8_t, 4> kAll{255, 0, 0, 0};
    for (std::size_t i = 0; i < joints.size(); ++i)
        append(kAll.data(), sizeof kAll);
    const std::size_t weights = add_accessor(joints.size(), "VEC4", kByte, Target::vertices,
                                             4 * joints.size(), ",\"normalized\":true");
    return ",\"JOINTS_0\":" + number(owners) + ",\"WEIGHTS_0\":" + number(weights);
}

void GlbDocument::add_material(const Vec3& colour, const Look& look)
{
    const std::array linear{to_linear(colour.x), to_linear(colour.y), to_linear(colour.z)};
    const std::array factor{to_float(linear[0]), to_float(linear[1]), to_float(linear[2]),
                            to_float(1 - 0.85 * look.transparency)};
    std::string more;
    if (look.transparency > 0)
        more += ",\"alphaMode\":\"BLEND\"";
    if (look.glow > 0) { // brighter than white would be another extension
        const double glow = std::min(look.glow, 1.0);
        more += ",\"emissiveFactor\":" +
                json_list(std::array{to_float(glow * linear[0]), to_float(glow * linear[1]),
                                     to_float(glow * linear[2])});
    }
    materials_.push_back("{\"name\":\"colour_" + number(materials_.size()) +
                         "\",\"doubleSided\":true,\"pbrMetallicRoughness\":{\"baseColorFactor\":" +
                         json_list(factor) + ",\"metallicFactor\":" + decimal(look.metal) +
                         ",\"roughnessFactor\":" + decimal(look.roughness) + "}" + more + "}");
}

std::size_t GlbDocument::add_mesh(const std::string& name, std::uint32_t material,
                                  const std::string& primitive)
{
    meshes_.push_back("{\"name\":" + json_text(name) + ",\"primitives\":[{" + primitive +
                      ",\"material\":" + number(material) + "}]}");
    return meshes_.size() - 1;
}

std::size_t GlbDocument::add_node(const std::string& name, const GlbTrack& track,
                                  const std::string& more, bool is_root)
{
    const std::span whole(track);
    const std::size_t node =
        add_node(name, ",\"translation\":" + json_list(whole.subspan(0, 3)) +
                           ",\"rotation\":" + json_list(whole.subspan(3, 4)) +
                           ",\"scale\":" + json_list(whole.subspan(7, 3)) + more);
    if (!is_root)
        roots_.pop_back();
    return node;
}

std::size_t GlbDocument::add_node(const std::string& name, const std::string& more)
{
    roots_.push_back(nodes_.size());
    nodes_.push_back("{\"name\":" + json_text(name) + more + "}");
    return nodes_.size() - 1;
}

std::size_t GlbDocument::add_skin(std::size_t first_joint, const std::vector<Affine>& poses,
                                  std::size_t skeleton)
{
    std::vector<std::size_t> joints;
    for (const Affine& pose : poses) {
        const Mat3 R = transpose(pose.linear);
        const Vec3 t = -(R * pose.origin);
        std::array<float, 16> matrix{};
        for (int column = 0; column < 3; ++column)
            for (int row = 0; row < 3; ++row)
                matrix[std::size_t(4 * column + row)] = to_float(R[column][row]);
        for (int row = 0; row < 3; ++row)
            matrix[std::size_t(12 + row)] = to_float(t[row]);
        matrix[15] = 1;
        append(matrix.data(), sizeof matrix);
        joints.push_back(first_joint + joints.size());
    }
    const std::size_t matrices =
        add_accessor(poses.size(), "MAT4", kFloat, Target::none, 64 * poses.size());
    skins_.push_back("{\"joints\":" + json_list(joints) + ",\"skeleton\":" + number(skeleton) +
                     ",\"inverseBindMatrices\":" + number(matrices) + "}");
    return skins_.size() - 1;
}

std::size_t GlbDocument::add_camera(double field_of_view)
{
    std::string text = "{\"type\":\"perspective\",\"perspective\":{\"znear\":0.01,\"yfov\":";
    append_number(text, field_of_view);
    cameras_.push_back(text + "}}");
    return cameras_.size() - 1;
}

void GlbDocument::add_times(const std::vector<float>& times)
{
    append(times.data(), 4 * times.size());
    times_ = add_accessor(times.size(), "SCALAR", kFloat, Target::none, 4 * times.size(),
                          ",\"min\":" + json_list(std::span(&times.front(), 1)) +
                              ",\"max\":" + json_list(std::span(&times.back(), 1)));
}

void GlbDocument::add_channel(std::size_t node, const char* path, std::size_t count,
                              std::size_t width)
{
    const std::size_t values =
        add_accessor(count, width == 4 ? "VEC4" : "VEC3", kFloat, Target::none, 4 * width * count);
    samplers_.push_back("{\"input\":" + number(times_) + ",\"output\":" + number(values) + "}");
    channels_.push_back("{\"sampler\":" + number(samplers_.size() - 1) +
                        ",\"target\":{\"node\":" + number(node) + ",\"path\":\"" + path + "\"}}");
}

std::string GlbDocument::text(const std::string& version) const
{
    std::string text = "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew " + version + "\"}";
    if (!roots_.empty())
        text += ",\"scene\":0,\"scenes\":[{\"nodes\":" + json_list(roots_) + "}]";
    add_list(text, "nodes", nodes_);
    add_list(text, "meshes", meshes_);
    add_list(text, "skins", skins_);
    add_list(text, "cameras", cameras_);
    add_list(text, "materials", materials_);
    add_list(text, "accessors", accessors_);
    add_list(text, "bufferViews", views_);
    if (buffer_ > 0)
        text += ",\"buffers\":[{\"byteLength\":" + number(buffer_) + "}]";
    if (!channels_.empty()) {
        text += ",\"animations\":[{\"name\":\"sinew\"";
        add_list(text, "samplers", samplers_);
        add_list(text, "channels", channels_);
        text += "}]";
    }
    return text + "}";
}

} // namespace sinew::formats

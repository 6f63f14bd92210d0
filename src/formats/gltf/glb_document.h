#pragma once

#include "formats/export_scene.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew::formats {

/// Translation, rotation and scale of a node.
using GlbTrack = std::array<float, 10>;

/// The text of a glTF file and the part of its buffer that does not move.
class GlbDocument {
public:
    /// Attributes and corners of a primitive, without its material.
    std::string add_primitive(const Triangles& triangles, const std::string& more_attributes = "");
    /// Attributes that tie every vertex to one joint.
    std::string add_weights(const std::vector<std::uint16_t>& joints);
    void add_material(const Vec3& colour, const Look& look);
    std::size_t add_mesh(const std::string& name, std::uint32_t material,
                         const std::string& primitive);
    /// `more`: ",\"mesh\":3".
    std::size_t add_node(const std::string& name, const GlbTrack& track, const std::string& more,
                         bool is_root);
    std::size_t add_node(const std::string& name, const std::string& more);
    /// Joints and where they are when the mesh is as it is written.
    std::size_t add_skin(std::size_t first_joint, const std::vector<Affine>& poses,
                         std::size_t skeleton);
    std::size_t add_camera(double field_of_view);
    void add_times(const std::vector<float>& times);

    /// From here on the buffer holds tracks, in the order of the calls.
    void add_channel(std::size_t node, const char* path, std::size_t count, std::size_t width);

    const std::string& fixed_bytes() const { return fixed_; }
    std::uint64_t buffer_size() const { return buffer_; }
    std::string text(const std::string& version) const;

private:
    enum class Target { none = 0, vertices = 34962, corners = 34963 };

    std::size_t add_accessor(std::size_t count, const char* type, int component, Target target,
                             std::size_t byte_size, const std::string& more = "");
    std::size_t add_vectors(const std::vector<Vec3>& list, bool has_range);
    void append(const void* bytes, std::size_t size)
    {
        fixed_.append(static_cast<const char*>(bytes), size);
    }

    std::string fixed_;
    std::uint64_t buffer_ = 0; ///< bytes planned, those of the tracks too
    std::size_t times_ = 0;    ///< accessor
    std::vector<std::string> nodes_, meshes_, skins_, accessors_, views_, materials_, channels_,
        samplers_, cameras_;
    std::vector<std::size_t> roots_;
};

} // namespace sinew::formats

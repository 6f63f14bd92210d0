#include "formats/read_mesh.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::string ending_of(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    std::string ending = dot == std::string::npos ? "" : name.substr(dot + 1);
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return ending;
}

} // namespace

bool LineReader::next_line()
{
    if (next_ >= text_.size())
        return false;
    ++line_;
    begin_ = at_ = word_ = next_;
    end_ = std::min(text_.find('\n', begin_), text_.size());
    next_ = std::min(end_ + 1, text_.size());
    return true;
}

std::string_view LineReader::word()
{
    while (at_ < end_ && is_blank(text_[at_]))
        ++at_;
    word_ = at_;
    while (at_ < end_ && !is_blank(text_[at_]))
        ++at_;
    return text_.substr(word_, at_ - word_);
}

bool LineReader::number(double& value)
{
    std::string_view text = word();
    if (!text.empty() && text[0] == '+')
        text.remove_prefix(1);
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

bool LineReader::whole(std::int64_t& value)
{
    const std::string_view text = word();
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end == text.data() + text.size();
}

Problem LineReader::problem(std::string code, std::string what, std::string hint) const
{
    const std::string_view line = text_.substr(begin_, end_ - begin_);
    return {.code = std::move(code),
            .place = {.file = name_,
                      .line = line_,
                      .column = count_characters(line.substr(0, word_ - begin_)) + 1,
                      .length = std::max(1, count_characters(text_.substr(word_, at_ - word_)))},
            .what = std::move(what),
            .hint = std::move(hint),
            .source_line = shown_line(text_, begin_)};
}

namespace {

Problem no_faces(const std::string& name)
{
    return {.code = "mesh-no-faces",
            .place = {.file = name},
            .what = "there are no faces in it",
            .hint = "export the surface, not its points or edges alone"};
}

} // namespace

Result<MovingMesh> read_moving_mesh(const std::string& name, std::string_view bytes)
{
    if (ending_of(name) == "glb") {
        Result<MovingMesh> moving = read_moving_glb(name, bytes);
        if (moving && moving->mesh.triangles.empty())
            return no_faces(name);
        return moving;
    }
    Result<TriangleMesh> mesh = read_mesh(name, bytes);
    if (!mesh)
        return mesh.problems();
    return MovingMesh{std::move(*mesh), {}};
}

Result<TriangleMesh> read_mesh(const std::string& name, std::string_view bytes)
{
    const std::string ending = ending_of(name);
    if (ending != "obj" && ending != "ply" && ending != "stl" && ending != "glb")
        return Problem{.code = "mesh-unknown-format",
                       .place = {.file = name},
                       .what = "'" + excerpt(name) + "' is not a readable mesh",
                       .hint = "give a file that ends in .obj, .ply, .stl or .glb"};
    Result<TriangleMesh> mesh = ending == "obj"   ? read_obj(name, bytes)
                                : ending == "ply" ? read_ply(name, bytes)
                                : ending == "glb" ? read_glb(name, bytes)
                                                  : read_stl(name, bytes);
    if (mesh && mesh->triangles.empty())
        return no_faces(name);
    return mesh;
}

Problem no_vertex_numbers(const std::string& name, const std::string& which,
                          const std::string& hint)
{
    return {.code = "mesh-no-vertex-numbers",
            .place = {.file = name},
            .what = "its vertices have no '" + excerpt(which) + "'",
            .hint = hint};
}

Result<std::vector<double>> read_vertex_numbers(const std::string& name, std::string_view bytes,
                                                const std::string& which)
{
    const std::string ending = ending_of(name);
    return ending == "obj"   ? read_obj_numbers(name, bytes, which)
           : ending == "ply" ? read_ply_numbers(name, bytes, which)
           : ending == "glb" ? read_glb_numbers(name, bytes, which)
                             : no_vertex_numbers(name, which, "paint a .ply, .glb or .obj");
}

Result<NodeTree> read_nodes(const std::string& name, std::string_view bytes)
{
    const std::string ending = ending_of(name);
    if (ending == "glb")
        return read_glb_nodes(name, bytes);
    if (ending == "bvh")
        return read_bvh_nodes(name, bytes);
    return Problem{.code = "nodes-unknown-format",
                   .place = {.file = name},
                   .what = "'" + excerpt(name) + "' has no readable nodes",
                   .hint = "give a file that ends in .glb or .bvh"};
}

} // namespace sinew

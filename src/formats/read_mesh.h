#pragma once

#include "geometry/node_motion.h"
#include "geometry/vertex_numbers.h"
#include "sinew/shapes.h"

#include <charconv>
#include <string>
#include <string_view>

namespace sinew {

/// No mesh of people is larger, and no file makes us ask for more memory.
constexpr std::size_t kMostCorners = 20'000'000;

/// A text of lines, read word by word.
class LineReader {
public:
    LineReader(const std::string& name, std::string_view text) : name_(name), text_(text) {}

    /// Goes to the next line. False at the end.
    bool next_line();

    /// The next word of the line; empty at its end.
    std::string_view word();

    /// The next word as a number. False: it is none, or not finite.
    bool number(double& value);
    bool whole(std::int64_t& value);

    /// What follows the line.
    std::string_view rest_of_file() const { return text_.substr(next_); }
    int line_number() const { return line_; }

    /// A fault at the word last read.
    Problem problem(std::string code, std::string what, std::string hint) const;

private:
    const std::string& name_;
    std::string_view text_;
    std::size_t begin_ = 0, end_ = 0, next_ = 0; ///< of the line, and of the one behind it
    std::size_t at_ = 0, word_ = 0;              ///< behind, and at the word last read
    int line_ = 0;
};

Result<TriangleMesh> read_obj(const std::string& name, std::string_view text);
Result<TriangleMesh> read_ply(const std::string& name, std::string_view bytes);
Result<TriangleMesh> read_stl(const std::string& name, std::string_view bytes);
Result<TriangleMesh> read_glb(const std::string& name, std::string_view bytes);
Result<MovingMesh> read_moving_glb(const std::string& name, std::string_view bytes);
/// Numbers of the vertices: see read_vertex_numbers.
Result<std::vector<double>> read_obj_numbers(const std::string& name, std::string_view text,
                                             const std::string& which);
Result<std::vector<double>> read_ply_numbers(const std::string& name, std::string_view bytes,
                                             const std::string& which);
Result<std::vector<double>> read_glb_numbers(const std::string& name, std::string_view bytes,
                                             const std::string& which);
Problem no_vertex_numbers(const std::string& name, const std::string& which,
                          const std::string& hint);
Result<NodeTree> read_glb_nodes(const std::string& name, std::string_view bytes);
Result<NodeTree> read_bvh_nodes(const std::string& name, std::string_view text);

} // namespace sinew

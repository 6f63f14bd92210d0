// Wavefront OBJ: `v x y z` and `f a b c ...`; the rest is passed over.

#include "base/text.h"
#include "formats/read_mesh.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr std::size_t kMostProblems = 20;

class ObjReader {
public:
    ObjReader(const std::string& name, std::string_view text) : lines_(name, text) {}

    Result<TriangleMesh> read()
    {
        while (lines_.next_line() && problems_.size() < kMostProblems) {
            const std::string_view word = lines_.word();
            if (word == "v")
                read_vertex();
            else if (word == "f")
                read_face();
        }
        if (!problems_.empty())
            return problems_;
        return std::move(mesh_);
    }

    /// Of the colours behind the places: `v x y z red green blue`.
    Result<std::vector<double>> read_numbers(const std::string& name, const std::string& which)
    {
        constexpr std::string_view names[] = {"red", "green", "blue"};
        wanted_ = std::size_t(std::ranges::find(names, which) - std::begin(names));
        const Result<TriangleMesh> mesh = read();
        if (!mesh)
            return mesh.problems();
        if (numbers_.empty() || numbers_.size() != mesh->vertices.size())
            return no_vertex_numbers(name, which,
                                     "an OBJ may have red, green and blue: `v x y z r g b`");
        return std::move(numbers_);
    }

private:
    void read_vertex()
    {
        Vec3 x;
        for (int i = 0; i < 3; ++i)
            if (!lines_.number(x[i])) {
                problems_.push_back(lines_.problem(
                    "mesh-number", "a vertex needs three finite numbers", "write: v 1.0 2.0 3.0"));
                break;
            }
        double value = 0;
        for (std::size_t i = 0; wanted_ < 3 && i < 3 && lines_.number(value); ++i)
            if (i == wanted_)
                numbers_.push_back(value);
        mesh_.vertices.push_back(x); // also a bad one: the numbers of those behind it stay right
        if (mesh_.vertices.size() > kMostCorners)
            problems_.assign(
                kMostProblems,
                lines_.problem("mesh-too-large", "the mesh has too many vertices", "reduce it"));
    }

    /// "7", "7/2", "7//3", "7/2/3"; counted from 1, or back from the end where negative.
    bool read_corner(std::string_view word, std::uint32_t& corner)
    {
        const std::string_view first = word.substr(0, word.find('/'));
        std::int64_t number = 0;
        const auto [end, fault] =
            std::from_chars(first.data(), first.data() + first.size(), number);
        const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
        const std::int64_t index = number < 0 ? count + number : number - 1;
        const bool is_good = fault == std::errc() && end == first.data() + first.size() &&
                             index >= 0 && index < count;
        if (is_good)
            corner = static_cast<std::uint32_t>(index);
        else
            problems_.push_back(lines_.problem(
                "mesh-corner",
                "'" + excerpt(word) + "' is none of the " + std::to_string(count) +
                    " vertices before it",
                "number vertices from 1 in the order of the file, or back from the end: -1"));
        return is_good;
    }

    void read_face()
    {
        std::uint32_t first = 0, last = 0, corner = 0;
        int count = 0;
        for (std::string_view word = lines_.word(); !word.empty() && word[0] != '#';
             word = lines_.word()) {
            if (!read_corner(word, corner))
                return;
            if (count == 0)
                first = corner;
            if (count >= 2)
                mesh_.triangles.push_back({first, last, corner});
            last = corner;
            ++count;
        }
        if (count < 3)
            problems_.push_back(lines_.problem("mesh-face", "a face needs three corners or more",
                                               "write: f 1 2 3"));
    }

    LineReader lines_;
    TriangleMesh mesh_;
    Problems problems_;
    std::size_t wanted_ = 3; ///< of a vertex's colours; 3: none
    std::vector<double> numbers_;
};

} // namespace

Result<TriangleMesh> read_obj(const std::string& name, std::string_view text)
{
    return ObjReader(name, text).read();
}

Result<std::vector<double>> read_obj_numbers(const std::string& name, std::string_view text,
                                             const std::string& which)
{
    return ObjReader(name, text).read_numbers(name, which);
}

} // namespace sinew

// PLY: a header that says what follows, then elements in text or binary.

#include "base/text.h"
#include "formats/read_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace sinew {

namespace {

enum class Format { text, little, big };

struct NumberType {
    const char *name, *other_name;
    std::size_t size;
    bool is_float, is_signed;
};

constexpr NumberType kTypes[] = {
    {"char", "int8", 1, false, true},    {"uchar", "uint8", 1, false, false},
    {"short", "int16", 2, false, true},  {"ushort", "uint16", 2, false, false},
    {"int", "int32", 4, false, true},    {"uint", "uint32", 4, false, false},
    {"float", "float32", 4, true, true}, {"double", "float64", 8, true, true},
};

const NumberType* find_type(std::string_view name)
{
    const auto found = std::ranges::find_if(
        kTypes, [&](const NumberType& t) { return name == t.name || name == t.other_name; });
    return found == std::end(kTypes) ? nullptr : found;
}

struct Property {
    std::string name;
    const NumberType* type = nullptr;
    const NumberType* count = nullptr; ///< of a list
};

struct Section {
    std::string name;
    std::size_t count = 0;
    std::vector<Property> properties = {};
};

struct Header {
    Format format = Format::text;
    std::vector<Section> elements;
};

/// Numbers of the body, in any of the three formats.
class Body {
public:
    Body(Format format, LineReader& lines, std::string_view bytes)
        : format_(format), lines_(lines), bytes_(bytes)
    {
    }

    /// Before each element. False: there is none.
    bool next_element() { return format_ != Format::text || lines_.next_line(); }

    std::optional<double> number(const NumberType& type)
    {
        if (format_ == Format::text) {
            double value = 0;
            return lines_.number(value) ? std::optional(value) : std::nullopt;
        }
        if (bytes_.size() < type.size)
            return std::nullopt;
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < type.size; ++i) {
            const std::size_t shift = format_ == Format::little ? i : type.size - 1 - i;
            bits |= std::uint64_t(static_cast<unsigned char>(bytes_[i])) << (8 * shift);
        }
        bytes_.remove_prefix(type.size);
        return value_of(type, bits);
    }

private:
    static double value_of(const NumberType& type, std::uint64_t bits)
    {
        if (type.is_float)
            return type.size == 8 ? std::bit_cast<double>(bits)
                                  : double(std::bit_cast<float>(std::uint32_t(bits)));
        if (!type.is_signed)
            return double(bits);
        const int unused = 64 - 8 * static_cast<int>(type.size);
        return double(static_cast<std::int64_t>(bits << unused) >> unused);
    }

    Format format_;
    LineReader& lines_;
    std::string_view bytes_;
};

class PlyReader {
public:
    PlyReader(const std::string& name, std::string_view bytes) : name_(name), lines_(name, bytes) {}

    Result<TriangleMesh> read()
    {
        if (!lines_.next_line() || lines_.word() != "ply")
            return fault("mesh-unknown-format", "it does not begin with `ply`",
                         "give a PLY file, or the right ending");
        if (auto problem = read_header())
            return *problem;
        Body body(header_.format, lines_, lines_.rest_of_file());
        for (const Section& element : header_.elements)
            for (std::size_t i = 0; i < element.count && !element.properties.empty(); ++i)
                if (!read_element(element, body))
                    return fault("mesh-element",
                                 element.name + " " + std::to_string(i + 1) + " of " +
                                     std::to_string(element.count) +
                                     " is missing, or no number, or none of the vertices",
                                 "the file is cut off or damaged: export it again");
        return std::move(mesh_);
    }

    Result<std::vector<double>> read_numbers(const std::string& which)
    {
        wanted_ = which;
        const Result<TriangleMesh> mesh = read();
        if (!mesh)
            return mesh.problems();
        if (numbers_.size() == mesh->vertices.size())
            return std::move(numbers_);
        std::string names;
        for (const Section& element : header_.elements)
            for (const Property& property : element.properties)
                if (element.name == "vertex" && !property.count)
                    names += (names.empty() ? "" : ", ") + excerpt(property.name);
        return no_vertex_numbers(name_, which, "they have " + names);
    }

private:
    Problem fault(std::string code, std::string what, std::string hint) const
    {
        return lines_.problem(std::move(code), std::move(what), std::move(hint));
    }

    std::optional<Problem> read_header()
    {
        while (lines_.next_line()) {
            const std::string_view word = lines_.word();
            if (word == "end_header")
                return std::nullopt;
            if (word == "format"     ? !read_format()
                : word == "element"  ? !read_element_kind()
                : word == "property" ? !read_property()
                                     : word != "comment" && word != "obj_info" && !word.empty())
                return fault("mesh-header", "this line of the header is not understood",
                             "write format, element, property or comment; see the PLY format");
        }
        return fault("mesh-header", "the header has no end", "write: end_header");
    }

    bool read_format()
    {
        const std::string_view name = lines_.word();
        header_.format = name == "binary_little_endian" ? Format::little
                         : name == "binary_big_endian"  ? Format::big
                                                        : Format::text;
        return header_.format != Format::text || name == "ascii";
    }

    bool read_element_kind()
    {
        Section element{.name = excerpt(lines_.word())};
        std::int64_t count = 0;
        if (!lines_.whole(count) || count < 0 || count > std::int64_t(kMostCorners))
            return false;
        element.count = static_cast<std::size_t>(count);
        header_.elements.push_back(std::move(element));
        return header_.elements.size() <= 100;
    }

    bool read_property()
    {
        constexpr std::size_t kMostProperties = 1000;
        if (header_.elements.empty() ||
            header_.elements.back().properties.size() >= kMostProperties)
            return false;
        Property property;
        std::string_view word = lines_.word();
        if (word == "list") {
            property.count = find_type(lines_.word());
            if (!property.count || property.count->is_float)
                return false;
            word = lines_.word();
        }
        property.type = find_type(word);
        property.name = std::string(lines_.word());
        header_.elements.back().properties.push_back(property);
        return property.type && !property.name.empty();
    }

    bool read_element(const Section& element, Body& body)
    {
        if (!body.next_element())
            return false;
        Vec3 place{0, 0, 0};
        for (const Property& property : element.properties) {
            if (property.count ? !read_list(element, property, body)
                               : !read_number(element, property, body, place))
                return false;
        }
        if (element.name == "vertex")
            mesh_.vertices.push_back(place);
        return is_finite(place);
    }

    bool read_number(const Section& element, const Property& property, Body& body, Vec3& place)
    {
        const NumberType& type = *property.type;
        const std::optional<double> value = body.number(type);
        if (value && element.name == "vertex" && property.name == wanted_ && is_finite(*value)) {
            const bool is_fraction = !type.is_float && !type.is_signed; // of the largest there is
            numbers_.push_back(
                is_fraction ? *value / double((std::uint64_t(1) << (8 * type.size)) - 1) : *value);
        }
        if (value && property.name.size() == 1 && property.name[0] >= 'x' &&
            property.name[0] <= 'z')
            place[property.name[0] - 'x'] = *value;
        return value.has_value();
    }

    bool read_list(const Section& element, const Property& property, Body& body)
    {
        const bool is_face = element.name == "face" &&
                             (property.name == "vertex_indices" || property.name == "vertex_index");
        const std::optional<double> count = body.number(*property.count);
        if (!count || *count < 0 || *count > double(kMostCorners) || (is_face && *count < 3))
            return false;
        std::uint32_t first = 0, last = 0;
        for (double i = 0; i < *count; ++i) {
            const std::optional<double> value = body.number(*property.type);
            if (!value)
                return false;
            if (!is_face)
                continue;
            if (!(*value >= 0 && *value < double(mesh_.vertices.size())) ||
                *value != std::floor(*value))
                return false;
            const auto corner = static_cast<std::uint32_t>(*value);
            if (i == 0)
                first = corner;
            if (i >= 2)
                mesh_.triangles.push_back({first, last, corner});
            last = corner;
        }
        return true;
    }

    const std::string& name_;
    LineReader lines_;
    Header header_;
    TriangleMesh mesh_;
    std::string wanted_ = {}; ///< property of the vertices
    std::vector<double> numbers_;
};

} // namespace

Result<TriangleMesh> read_ply(const std::string& name, std::string_view bytes)
{
    return PlyReader(name, bytes).read();
}

Result<std::vector<double>> read_ply_numbers(const std::string& name, std::string_view bytes,
                                             const std::string& which)
{
    return PlyReader(name, bytes).read_numbers(which);
}

} // namespace sinew

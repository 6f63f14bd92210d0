#include "formats/gltf/glb_file.h"

#include "formats/read_mesh.h"

#include <cmath>
#include <cstring>

namespace sinew {

namespace {

constexpr int kByte = 5121, kShort = 5123, kWord = 5125, kFloat = 5126, kSignedByte = 5120,
              kSignedShort = 5122;

std::size_t size_of(int component)
{
    switch (component) {
    case kByte:
    case kSignedByte: return 1;
    case kShort:
    case kSignedShort: return 2;
    case kWord:
    case kFloat: return 4;
    }
    return 0;
}

std::size_t width_of(std::string_view type)
{
    return type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : type == "MAT4" ? 16 : 0;
}

} // namespace

bool GlbFile::stop(std::string what, std::string hint)
{
    if (!problem_)
        problem_ = Problem{.code = "mesh-glb",
                           .place = {.file = name_},
                           .what = std::move(what),
                           .hint = std::move(hint)};
    return false;
}

std::uint32_t GlbFile::word_at(std::size_t place) const
{
    std::uint32_t word = 0;
    std::memcpy(&word, bytes_.data() + place, 4);
    return word;
}

bool GlbFile::open()
{
    constexpr std::uint32_t kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942;
    if (bytes_.size() < 20 || word_at(0) != kMagic || word_at(4) != 2)
        return stop("it does not begin as glTF 2.0 files do", "export it as .glb, version 2");
    const std::size_t size = word_at(12);
    if (word_at(16) != kJson || size > bytes_.size() - 20)
        return stop_damaged("it ends before its description does");
    std::optional<Json> document = Json::read(bytes_.substr(20, size));
    if (!document)
        return stop_damaged("its description is not JSON");
    document_ = std::move(*document);
    const std::size_t next = 20 + size;
    if (bytes_.size() < next + 8 || word_at(next + 4) != kBinary)
        return stop("its numbers are not in the file", "export it as one .glb file");
    buffer_ = bytes_.substr(next + 8, word_at(next));
    return !is_packed();
}

bool GlbFile::is_packed()
{
    for (const char* packed : {"KHR_draco_mesh_compression", "EXT_meshopt_compression"})
        if (const Json* needs = document_.find("extensionsRequired"))
            for (const Json& extension : needs->items)
                if (extension.text == packed)
                    return !stop("it is packed by " + extension.text,
                                 "export it without compression");
    return false;
}

std::optional<GlbFile::Kind> GlbFile::kind_of(const Json& accessor, std::string_view type) const
{
    const Json* said = accessor.find("type");
    const Json* normalised = accessor.find("normalized");
    const double component = accessor.number_of("componentType").value_or(0);
    Kind kind{.component = component >= kSignedByte && component <= kFloat ? int(component) : 0,
              .width = width_of(type),
              .is_normalised = normalised && normalised->number != 0};
    kind.size = size_of(kind.component);
    if (!said || said->text != type || kind.size == 0)
        return std::nullopt;
    return kind;
}

std::optional<GlbFile::List> GlbFile::find_list(const Json& from, std::size_t count,
                                                std::size_t size, bool is_sparse) const
{
    const auto number = from.number_of("bufferView");
    const Json* view = number ? document_.item("bufferViews", *number) : nullptr;
    if (!view || view->number_of("buffer").value_or(0) != 0)
        return std::nullopt;
    const double stride =
        is_sparse ? double(size) : view->number_of("byteStride").value_or(double(size));
    const double place =
        view->number_of("byteOffset").value_or(0) + from.number_of("byteOffset").value_or(0);
    const double end = place + double(count - 1) * stride + double(size);
    if (!(stride >= double(size)) || !(place >= 0) || !(end <= double(buffer_.size())))
        return std::nullopt;
    return List{.place = std::size_t(place), .stride = std::size_t(stride), .count = count};
}

std::uint32_t GlbFile::whole_at(int component, std::size_t place) const
{
    std::uint32_t value = 0;
    std::memcpy(&value, buffer_.data() + place, size_of(component));
    return value;
}

double GlbFile::number_at(const Kind& kind, std::size_t place) const
{
    if (kind.component == kFloat) {
        float value = 0;
        std::memcpy(&value, buffer_.data() + place, 4);
        return double(value);
    }
    const std::uint32_t whole = whole_at(kind.component, place);
    double value = double(whole), most = kind.size == 1   ? 255
                                         : kind.size == 2 ? 65535
                                                          : 4294967295.0;
    if (kind.component == kSignedByte)
        value = double(std::int8_t(whole)), most = 127;
    else if (kind.component == kSignedShort)
        value = double(std::int16_t(whole)), most = 32767;
    return kind.is_normalised ? std::max(value / most, -1.0) : value;
}

bool GlbFile::add_sparse(const Json& sparse, const Kind& kind, std::vector<double>& values) const
{
    const Json *indices = sparse.find("indices"), *changes = sparse.find("values");
    const double count = sparse.number_of("count").value_or(0);
    if (!indices || !changes || !(count >= 1) || !(count <= double(values.size() / kind.width)))
        return false;
    const double component = indices->number_of("componentType").value_or(0);
    const int index_kind =
        component == kByte || component == kShort || component == kWord ? int(component) : 0;
    if (index_kind == 0)
        return false;
    const auto numbers = find_list(*indices, std::size_t(count), size_of(index_kind), true);
    const auto list = find_list(*changes, std::size_t(count), kind.size * kind.width, true);
    if (!numbers || !list)
        return false;
    for (std::size_t i = 0; i < numbers->count; ++i) {
        const std::size_t at = whole_at(index_kind, numbers->place + i * numbers->stride);
        if (at >= values.size() / kind.width)
            return false;
        for (std::size_t k = 0; k < kind.width; ++k)
            values[at * kind.width + k] =
                number_at(kind, list->place + i * list->stride + k * kind.size);
    }
    return true;
}

std::optional<std::vector<double>> GlbFile::numbers(double number, std::string_view type) const
{
    const Json* accessor = document_.item("accessors", number);
    const auto kind = accessor ? kind_of(*accessor, type) : std::nullopt;
    const double count = accessor ? accessor->number_of("count").value_or(0) : 0;
    if (!kind || !(count >= 1) || !(count <= double(kMostCorners)))
        return std::nullopt;
    std::vector<double> values;
    if (accessor->find("bufferView")) {
        const auto list = find_list(*accessor, std::size_t(count), kind->size * kind->width, false);
        if (!list)
            return std::nullopt;
        values.reserve(list->count * kind->width);
        for (std::size_t i = 0; i < list->count; ++i)
            for (std::size_t k = 0; k < kind->width; ++k)
                values.push_back(number_at(*kind, list->place + i * list->stride + k * kind->size));
    } else { // zeros, of no more elements than the file has words: none asks for all memory
        if (!(count <= double(buffer_.size() / 4)))
            return std::nullopt;
        values.assign(std::size_t(count) * kind->width, 0);
    }
    if (const Json* sparse = accessor->find("sparse");
        sparse && !add_sparse(*sparse, *kind, values))
        return std::nullopt;
    for (const double value : values)
        if (!std::isfinite(value))
            return std::nullopt;
    return values;
}

std::optional<std::vector<std::uint32_t>> GlbFile::wholes(double number,
                                                          std::string_view type) const
{
    const Json* accessor = document_.item("accessors", number);
    const auto kind = accessor ? kind_of(*accessor, type) : std::nullopt;
    if (!kind || kind->component == kFloat || kind->is_normalised)
        return std::nullopt;
    const auto values = numbers(number, type);
    if (!values)
        return std::nullopt;
    std::vector<std::uint32_t> wholes;
    wholes.reserve(values->size());
    for (const double value : *values) {
        if (value < 0)
            return std::nullopt;
        wholes.push_back(std::uint32_t(value));
    }
    return wholes;
}

} // namespace sinew

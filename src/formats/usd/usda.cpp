// USD as text. Values that change are written to a file beside and copied to their attributes in
// the end.

#include "formats/json.h"
#include "formats/usd/usd_layer.h"
#include "math/half.h"

#include <cstring>

namespace sinew::formats {

namespace {

constexpr std::size_t kCopy = 1 << 20;

template <class T>
T item(const UsdValue& value, std::size_t i)
{
    T out;
    std::memcpy(&out, value.bytes.data() + i * sizeof(T), sizeof(T));
    return out;
}

template <class T>
void append_tuple(std::string& text, const UsdValue& value, std::size_t first, std::size_t count)
{
    text += '(';
    for (std::size_t k = 0; k < count; ++k) {
        text += k > 0 ? ", " : "";
        append_number(text, item<T>(value, first + k));
    }
    text += ')';
}

/// The real part comes first in text.
template <class T, class Read>
void append_quaternion(std::string& text, const UsdValue& value, std::size_t i, Read read)
{
    text += '(';
    for (const std::size_t k : {3, 0, 1, 2}) {
        text += k == 3 ? "" : ", ";
        append_number(text, read(item<T>(value, 4 * i + k)));
    }
    text += ')';
}

void append_matrix(std::string& text, const UsdValue& value, std::size_t i)
{
    text += "( ";
    for (std::size_t row = 0; row < 4; ++row) {
        text += row > 0 ? ", " : "";
        append_tuple<double>(text, value, 16 * i + 4 * row, 4);
    }
    text += " )";
}

void append_item(std::string& text, const UsdValue& value, std::size_t i)
{
    switch (value.type) {
    case UsdType::boolean: text += item<std::uint8_t>(value, i) != 0 ? "true" : "false"; return;
    case UsdType::whole: text += std::to_string(item<std::int32_t>(value, i)); return;
    case UsdType::whole64: text += std::to_string(item<std::int64_t>(value, i)); return;
    case UsdType::single: append_number(text, item<float>(value, i)); return;
    case UsdType::real: append_number(text, item<double>(value, i)); return;
    case UsdType::string:
    case UsdType::token: text += json_text(value.texts[i]); return;
    case UsdType::asset: text += "@" + value.texts[i] + "@"; return;
    case UsdType::half4:
        append_quaternion<std::uint16_t>(text, value, i,
                                         [](std::uint16_t h) { return from_half(h); });
        return;
    case UsdType::single4:
        append_quaternion<float>(text, value, i, [](float x) { return x; });
        return;
    case UsdType::real2: append_tuple<double>(text, value, 2 * i, 2); return;
    case UsdType::single3: append_tuple<float>(text, value, 3 * i, 3); return;
    case UsdType::matrix4: append_matrix(text, value, i); return;
    }
}

std::string text_of(const UsdValue& value)
{
    std::string text;
    if (!value.is_array) {
        append_item(text, value, 0);
        return text;
    }
    text += '[';
    for (std::size_t i = 0; i < value.count; ++i) {
        text += i > 0 ? ", " : "";
        append_item(text, value, i);
    }
    return text + "]";
}

class UsdaFile final : public UsdFile {
public:
    explicit UsdaFile(const std::string& path) : file_(path), spool_(path + ".values") {}

    UsdStored store(const UsdValue& value) override
    {
        const std::string text = text_of(value);
        const UsdStored stored{spool_.size(), text.size()};
        spool_.write(text);
        return stored;
    }

    Problems problems() const override
    {
        return file_.has_failed() ? file_.problems() : spool_.problems();
    }
    OutFile& file() override { return file_; }

    void write(const UsdLayer& layer) override
    {
        std::string text = "#usda 1.0\n(\n    defaultPrim = " + json_text(layer.default_prim) +
                           "\n    documentation = " + json_text(layer.documentation);
        const auto add = [&](const char* name, double value) {
            text += "\n    " + std::string(name) + " = ";
            append_number(text, value);
        };
        add("endTimeCode", layer.end);
        add("framesPerSecond", layer.frame_rate);
        add("metersPerUnit", layer.metres_per_unit);
        add("startTimeCode", layer.start);
        add("timeCodesPerSecond", layer.frame_rate);
        text += "\n    upAxis = " + json_text(layer.up_axis) + "\n)\n";
        file_.write(text);
        for (const UsdPrim& prim : layer.prims)
            write_prim(prim, "");
    }

private:
    void write_prim(const UsdPrim& prim, const std::string& indent);
    void write_attribute(const UsdAttribute& attribute, const std::string& indent);
    void write_samples(const UsdAttribute& attribute, const std::string& indent);

    OutFile file_, spool_;
    std::string copy_;
};

std::string metadata_of(const UsdPrim& prim, const std::string& indent)
{
    std::string text;
    const std::string line = "\n" + indent + "    ";
    if (!prim.api_schemas.empty()) {
        text += line + "prepend apiSchemas = [";
        for (std::size_t i = 0; i < prim.api_schemas.size(); ++i)
            text += (i > 0 ? ", " : "") + json_text(prim.api_schemas[i]);
        text += "]";
    }
    if (!prim.clips.empty()) {
        text += line + "clips = {" + line + "    dictionary default = {";
        for (const auto& [name, value] : prim.clips) {
            const char* type = value.type == UsdType::real2 ? "double2[] "
                               : value.type == UsdType::asset
                                   ? value.is_array ? "asset[] " : "asset "
                                   : "string ";
            text += line + "        " + type + name + " = " + text_of(value);
        }
        text += line + "    }" + line + "}";
    }
    if (!prim.label.empty())
        text += line + "displayName = " + json_text(prim.label);
    if (!prim.kind.empty())
        text += line + "kind = " + json_text(prim.kind);
    return text.empty() ? "" : " (" + text + "\n" + indent + ")";
}

void UsdaFile::write_prim(const UsdPrim& prim, const std::string& indent)
{
    const std::string inner = indent + "    ";
    const char* specifier = prim.specifier == UsdPrim::Specifier::def ? "def " : "over ";
    file_.write("\n" + indent + specifier + (prim.type.empty() ? "" : prim.type + " ") +
                json_text(prim.name) + metadata_of(prim, indent) + "\n" + indent + "{\n");
    for (const UsdAttribute& attribute : prim.attributes)
        write_attribute(attribute, inner);
    for (const UsdRelationship& relationship : prim.relationships) {
        std::string text = inner + "rel " + relationship.name + " = ";
        const bool is_one = relationship.targets.size() == 1;
        text += is_one ? "" : "[";
        for (std::size_t i = 0; i < relationship.targets.size(); ++i)
            text += (i > 0 ? ", <" : "<") + relationship.targets[i] + ">";
        file_.write(text + (is_one ? "\n" : "]\n"));
    }
    for (const UsdPrim& child : prim.children)
        write_prim(child, inner);
    file_.write(indent + "}\n");
}

void UsdaFile::write_attribute(const UsdAttribute& attribute, const std::string& indent)
{
    const std::string head =
        indent + (attribute.is_uniform ? "uniform " : "") + attribute.type + " " + attribute.name;
    const std::string metadata =
        attribute.interpolation.empty()
            ? ""
            : " (\n" + indent + "    interpolation = " + json_text(attribute.interpolation) + "\n" +
                  indent + ")";
    if (!attribute.connection.empty())
        file_.write(head + ".connect = <" + attribute.connection + ">\n");
    else if (attribute.value)
        file_.write(head + " = " + text_of(*attribute.value) + metadata + "\n");
    else
        file_.write(head + metadata + "\n");
    if (!attribute.samples.empty()) {
        file_.write(head + ".timeSamples = {\n");
        write_samples(attribute, indent + "    ");
        file_.write(indent + "}\n");
    }
}

void UsdaFile::write_samples(const UsdAttribute& attribute, const std::string& indent)
{
    for (const auto& [time, stored] : attribute.samples) {
        std::string key = indent;
        append_number(key, time);
        file_.write(key + ": ");
        for (std::uint64_t done = 0; done < stored.size; done += copy_.size()) {
            copy_.resize(std::min<std::uint64_t>(kCopy, stored.size - done));
            spool_.read(stored.place + done, copy_.data(), copy_.size());
            file_.write(copy_);
        }
        file_.write(",\n");
    }
}

} // namespace

std::unique_ptr<UsdFile> make_usda(const std::string& path)
{
    return std::make_unique<UsdaFile>(path);
}

} // namespace sinew::formats

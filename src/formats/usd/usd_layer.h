#pragma once

// A layer of USD in memory: prims, attributes, relationships; and the two forms it is written in.
// Values that change go to the file at once, and the layer keeps where they are.

#include "formats/out_file.h"
#include "sinew/math.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinew::formats {

enum class UsdType : std::uint8_t {
    boolean,
    whole,   ///< int
    whole64, ///< int64
    single,  ///< float
    real,    ///< double
    string,
    token,
    asset,
    half4,   ///< quath: i, j, k, real
    single4, ///< quatf: i, j, k, real
    real2,
    single3,
    matrix4
};

struct UsdValue {
    UsdType type = UsdType::token;
    bool is_array = false;
    std::size_t count = 1;
    std::string bytes = {};              ///< numbers, as they are in memory
    std::vector<std::string> texts = {}; ///< strings, tokens, assets
};

UsdValue usd_number(double value);
UsdValue usd_float(float value);
UsdValue usd_boolean(bool value);
UsdValue usd_text(UsdType type, std::string text);
UsdValue usd_texts(UsdType type, std::vector<std::string> texts);
UsdValue usd_matrix(const Affine& pose);
UsdValue usd_vectors(std::span<const Vec3> list); ///< as floats
/// An array of numbers that lie as the type says.
template <class T>
UsdValue usd_array(UsdType type, std::span<const T> items, std::size_t per_value = 1)
{
    return {.type = type,
            .is_array = true,
            .count = items.size() / per_value,
            .bytes = {reinterpret_cast<const char*>(items.data()), items.size_bytes()}};
}

/// Where a value is in a file.
struct UsdStored {
    std::uint64_t place = 0, size = 0;
};

struct UsdAttribute {
    std::string name, type; ///< "points", "point3f[]"
    std::optional<UsdValue> value = {};
    std::string interpolation = {};
    std::string connection = {}; ///< path of another attribute
    bool is_uniform = false;
    bool is_animated = false;
    std::vector<std::pair<double, UsdStored>> samples = {};
};

struct UsdRelationship {
    std::string name;
    std::vector<std::string> targets; ///< paths
};

using UsdDictionary = std::vector<std::pair<std::string, UsdValue>>;

struct UsdPrim {
    enum class Specifier : std::uint8_t { def, over };

    Specifier specifier = Specifier::def;
    std::string type, name;
    std::string label = {}; ///< displayName: what people called it
    std::string kind = {};
    std::vector<std::string> api_schemas = {};
    UsdDictionary clips = {}; ///< of the set "default"
    std::vector<UsdAttribute> attributes = {};
    std::vector<UsdRelationship> relationships = {};
    std::vector<UsdPrim> children = {};
};

struct UsdLayer {
    std::string default_prim, up_axis, documentation;
    double metres_per_unit = 1, frame_rate = 24, start = 0, end = 0;
    std::vector<UsdPrim> prims;
};

/// A file of either form. What is stored before `finish` belongs to samples of the layer.
class UsdFile {
public:
    virtual ~UsdFile() = default;
    virtual UsdStored store(const UsdValue& value) = 0;
    virtual Problems problems() const = 0;
    virtual void write(const UsdLayer& layer) = 0;
    virtual OutFile& file() = 0;
};
std::unique_ptr<UsdFile> make_usda(const std::string& path);
std::unique_ptr<UsdFile> make_usdc(const std::string& path);

/// A name that USD takes: letters, digits and _, no digit first.
std::string usd_name(const std::string& name);

} // namespace sinew::formats

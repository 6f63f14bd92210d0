// USD as a crate: values first, as they come; specs, fields and paths behind them.

#include "formats/usd/crate.h"
#include "formats/usd/usd_layer.h"

#include <bit>
#include <cstring>

namespace sinew::formats {

namespace {

CrateType crate_type(UsdType type)
{
    switch (type) {
    case UsdType::boolean: return CrateType::boolean;
    case UsdType::whole: return CrateType::whole;
    case UsdType::whole64: return CrateType::whole64;
    case UsdType::single: return CrateType::single;
    case UsdType::real: return CrateType::real;
    case UsdType::string: return CrateType::string;
    case UsdType::token: return CrateType::token;
    case UsdType::asset: return CrateType::asset;
    case UsdType::half4: return CrateType::half4;
    case UsdType::single4: return CrateType::single4;
    case UsdType::real2: return CrateType::real2;
    case UsdType::single3: return CrateType::single3;
    case UsdType::matrix4: return CrateType::matrix4;
    }
    return CrateType::token;
}

class UsdcFile final : public UsdFile {
public:
    explicit UsdcFile(const std::string& path) : file_(path) { CrateTables::write_head(file_, 0); }

    UsdStored store(const UsdValue& value) override { return {rep_of(value), 0}; }
    Problems problems() const override { return file_.problems(); }
    OutFile& file() override { return file_; }
    void write(const UsdLayer& layer) override;

private:
    CrateRep rep_of(const UsdValue& value);
    CrateRep array_rep(const UsdValue& value);
    CrateRep tokens_rep(const std::vector<std::string>& names);
    CrateRep token_rep(const std::string& text)
    {
        return inlined_rep(CrateType::token, tables_.token(text));
    }
    CrateRep string_rep(const std::string& text)
    {
        return inlined_rep(CrateType::string, tables_.string(text));
    }
    CrateRep list_rep(CrateType type, bool is_prepended, const std::vector<std::uint32_t>& items);
    CrateRep paths_rep(const std::vector<std::string>& paths);
    CrateRep dictionary_rep(const UsdDictionary& dictionary);
    CrateRep clips_rep(const UsdDictionary& clips);
    CrateRep samples_rep(const UsdAttribute& attribute);
    void write_prim(const UsdPrim& prim, const std::string& parent);
    void write_attribute(const UsdAttribute& attribute, const std::string& prim);
    void write_relationship(const UsdRelationship& relationship, const std::string& prim);

    OutFile file_;
    CrateTables tables_;
    std::map<std::vector<double>, CrateRep> times_; ///< most attributes have the same
};

CrateRep UsdcFile::array_rep(const UsdValue& value)
{
    const CrateType type = crate_type(value.type);
    if (value.count == 0)
        return placed_rep(type, 0, true);
    std::vector<std::uint32_t> numbers;
    for (const std::string& text : value.texts)
        numbers.push_back(value.type == UsdType::token ? tables_.token(text)
                                                       : tables_.string(text));
    file_.align(8);
    const std::uint64_t place = file_.size();
    file_.put(std::uint64_t(value.count));
    file_.write(value.bytes);
    file_.write(numbers.data(), 4 * numbers.size());
    return placed_rep(type, place, true);
}

CrateRep UsdcFile::rep_of(const UsdValue& value)
{
    if (value.is_array)
        return array_rep(value);
    switch (value.type) {
    case UsdType::token: return token_rep(value.texts[0]);
    case UsdType::string: return string_rep(value.texts[0]);
    case UsdType::asset: return inlined_rep(CrateType::asset, tables_.token(value.texts[0]));
    default: break;
    }
    if (value.bytes.size() <= 4) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, value.bytes.data(), value.bytes.size());
        return inlined_rep(crate_type(value.type), bits);
    }
    file_.align(8);
    const std::uint64_t place = file_.size();
    file_.write(value.bytes);
    return placed_rep(crate_type(value.type), place);
}

CrateRep UsdcFile::tokens_rep(const std::vector<std::string>& names)
{
    std::vector<std::uint32_t> numbers;
    for (const std::string& name : names)
        numbers.push_back(tables_.token(name));
    file_.align(8);
    const std::uint64_t place = file_.size();
    file_.put(std::uint64_t(numbers.size()));
    file_.write(numbers.data(), 4 * numbers.size());
    return placed_rep(CrateType::token_vector, place);
}

CrateRep UsdcFile::list_rep(CrateType type, bool is_prepended,
                            const std::vector<std::uint32_t>& items)
{
    constexpr std::uint8_t kExplicit = 1 | 2, kPrepended = 32;
    const std::uint64_t place = file_.size();
    file_.put(is_prepended ? kPrepended : kExplicit);
    file_.put(std::uint64_t(items.size()));
    file_.write(items.data(), 4 * items.size());
    return placed_rep(type, place);
}

CrateRep UsdcFile::paths_rep(const std::vector<std::string>& paths)
{
    std::vector<std::uint32_t> numbers;
    for (const std::string& path : paths)
        numbers.push_back(tables_.path(path));
    return list_rep(CrateType::path_list, false, numbers);
}

/// Values of a dictionary stand behind the distance to what follows them.
CrateRep UsdcFile::dictionary_rep(const UsdDictionary& dictionary)
{
    std::vector<std::pair<std::uint32_t, CrateRep>> entries;
    for (const auto& [name, value] : dictionary)
        entries.push_back({tables_.string(name), rep_of(value)});
    const std::uint64_t place = file_.size();
    file_.put(std::uint64_t(entries.size()));
    for (const auto& [name, rep] : entries) {
        file_.put(name);
        file_.put(std::int64_t{8});
        file_.put(rep);
    }
    return placed_rep(CrateType::dictionary, place);
}

CrateRep UsdcFile::clips_rep(const UsdDictionary& clips)
{
    const CrateRep inner = dictionary_rep(clips);
    const std::uint64_t place = file_.size();
    file_.put(std::uint64_t{1});
    file_.put(tables_.string("default"));
    file_.put(std::int64_t{8});
    file_.put(inner);
    return placed_rep(CrateType::dictionary, place);
}

CrateRep UsdcFile::samples_rep(const UsdAttribute& attribute)
{
    std::vector<double> times;
    for (const auto& [time, stored] : attribute.samples)
        times.push_back(time);
    const auto [found, is_new] = times_.emplace(times, 0);
    if (is_new) {
        file_.align(8);
        found->second = placed_rep(CrateType::real_vector, file_.size());
        file_.put(std::uint64_t(times.size()));
        file_.write(times.data(), 8 * times.size());
    }
    file_.align(8);
    const std::uint64_t place = file_.size();
    file_.put(std::int64_t{8}); // to what follows: the times are elsewhere
    file_.put(found->second);
    file_.put(std::int64_t{8}); // and so are the values
    file_.put(std::uint64_t(attribute.samples.size()));
    for (const auto& [time, stored] : attribute.samples)
        file_.put(stored.place);
    return placed_rep(CrateType::time_samples, place);
}

void UsdcFile::write_attribute(const UsdAttribute& attribute, const std::string& prim)
{
    CrateTables::Fields fields{{"typeName", token_rep(attribute.type)}};
    if (attribute.is_uniform)
        fields.push_back({"variability", inlined_rep(CrateType::variability, 1)});
    if (!attribute.interpolation.empty())
        fields.push_back({"interpolation", token_rep(attribute.interpolation)});
    if (attribute.value)
        fields.push_back({"default", rep_of(*attribute.value)});
    if (!attribute.connection.empty())
        fields.push_back({"connectionPaths", paths_rep({attribute.connection})});
    if (!attribute.samples.empty())
        fields.push_back({"timeSamples", samples_rep(attribute)});
    tables_.add_spec(prim + "." + attribute.name, CrateSpec::attribute, fields);
}

void UsdcFile::write_relationship(const UsdRelationship& relationship, const std::string& prim)
{
    tables_.add_spec(prim + "." + relationship.name, CrateSpec::relationship,
                     {{"variability", inlined_rep(CrateType::variability, 1)},
                      {"targetPaths", paths_rep(relationship.targets)}});
}

void UsdcFile::write_prim(const UsdPrim& prim, const std::string& parent)
{
    const std::string path = parent + "/" + prim.name;
    CrateTables::Fields fields{
        {"specifier", inlined_rep(CrateType::specifier, std::uint32_t(prim.specifier))}};
    if (!prim.type.empty())
        fields.push_back({"typeName", token_rep(prim.type)});
    if (!prim.label.empty())
        fields.push_back({"displayName", string_rep(prim.label)});
    if (!prim.kind.empty())
        fields.push_back({"kind", token_rep(prim.kind)});
    if (!prim.api_schemas.empty()) {
        std::vector<std::uint32_t> names;
        for (const std::string& name : prim.api_schemas)
            names.push_back(tables_.token(name));
        fields.push_back({"apiSchemas", list_rep(CrateType::token_list, true, names)});
    }
    if (!prim.clips.empty())
        fields.push_back({"clips", clips_rep(prim.clips)});
    std::vector<std::string> properties, children;
    for (const UsdAttribute& attribute : prim.attributes)
        properties.push_back(attribute.name);
    for (const UsdRelationship& relationship : prim.relationships)
        properties.push_back(relationship.name);
    for (const UsdPrim& child : prim.children)
        children.push_back(child.name);
    if (!properties.empty())
        fields.push_back({"properties", tokens_rep(properties)});
    if (!children.empty())
        fields.push_back({"primChildren", tokens_rep(children)});
    tables_.add_spec(path, CrateSpec::prim, fields);
    for (const UsdAttribute& attribute : prim.attributes)
        write_attribute(attribute, path);
    for (const UsdRelationship& relationship : prim.relationships)
        write_relationship(relationship, path);
    for (const UsdPrim& child : prim.children)
        write_prim(child, path);
}

void UsdcFile::write(const UsdLayer& layer)
{
    std::vector<std::string> roots;
    for (const UsdPrim& prim : layer.prims)
        roots.push_back(prim.name);
    tables_.add_spec("/", CrateSpec::root,
                     {{"defaultPrim", token_rep(layer.default_prim)},
                      {"documentation", string_rep(layer.documentation)},
                      {"endTimeCode", rep_of(usd_number(layer.end))},
                      {"framesPerSecond", rep_of(usd_number(layer.frame_rate))},
                      {"metersPerUnit", rep_of(usd_number(layer.metres_per_unit))},
                      {"startTimeCode", rep_of(usd_number(layer.start))},
                      {"timeCodesPerSecond", rep_of(usd_number(layer.frame_rate))},
                      {"upAxis", token_rep(layer.up_axis)},
                      {"primChildren", tokens_rep(roots)}});
    for (const UsdPrim& prim : layer.prims)
        write_prim(prim, "");
    file_.align(8);
    tables_.write(file_);
}

} // namespace

std::unique_ptr<UsdFile> make_usdc(const std::string& path)
{
    return std::make_unique<UsdcFile>(path);
}

} // namespace sinew::formats

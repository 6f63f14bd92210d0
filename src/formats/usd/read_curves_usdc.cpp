// BasisCurves of USD as a crate, where their transformations put them. All else is passed over.

#include "formats/read_curves.h"
#include "formats/usd/crate_file.h"
#include "formats/usd/curve_basis.h"
#include "formats/usd/xform_ops.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

class UsdcReader {
public:
    UsdcReader(const std::string& name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    Result<CurveSet> read()
    {
        if (const std::string wrong = file_.open(bytes_); !wrong.empty())
            return fault(wrong, "export it again, or as text (.usda)");
        if (const Problems problems = read_stage(); !problems.empty())
            return problems;
        properties_.resize(file_.paths().size());
        for (std::uint32_t i = 0; i < file_.paths().size(); ++i)
            if (const CrateFile::Path& path = file_.paths()[i];
                path.parent < properties_.size() && is_wanted(path.name))
                properties_[path.parent].push_back(i);
        for (std::uint32_t i = 0; i < file_.paths().size(); ++i) {
            const auto type = file_.field(i, "typeName");
            if (!type || file_.token(*type) != "BasisCurves")
                continue;
            if (const Problems problems = read_prim(i); !problems.empty())
                return problems;
        }
        for (Vec3& x : out_.points)
            x = (is_z_up_ ? Vec3{x.x, x.z, -x.y} : x) * metres_;
        return std::move(out_);
    }

private:
    static bool is_wanted(std::string_view name)
    {
        return name == "points" || name == "curveVertexCounts" || name == "xformOpOrder" ||
               name == "type" || name == "basis" || name == "wrap" || name.starts_with("xformOp:");
    }

    Problem fault(std::string what, std::string hint) const
    {
        return {.code = "curves-usdc",
                .place = {.file = name_},
                .what = std::move(what),
                .hint = std::move(hint)};
    }

    Problems read_stage()
    {
        for (std::uint32_t i = 0; i < file_.paths().size(); ++i) {
            if (file_.paths()[i].parent != CrateFile::kNone ||
                file_.paths()[i].spec == CrateFile::kNone)
                continue;
            if (const auto rep = file_.field(i, "metersPerUnit"))
                metres_ = file_.number(*rep).value_or(0);
            if (!(metres_ > 0))
                return {fault("metersPerUnit must be positive", "export it again")};
            if (const auto rep = file_.field(i, "startTimeCode"))
                start_ = file_.number(*rep).value_or(start_);
            if (const auto rep = file_.field(i, "upAxis"))
                is_z_up_ = file_.token(*rep) == "Z";
        }
        return {};
    }

    std::uint32_t find(std::uint32_t prim, std::string_view name) const
    {
        for (const std::uint32_t property : properties_[prim])
            if (file_.paths()[property].name == name)
                return property;
        return CrateFile::kNone;
    }

    /// What a prim says of its place in its parent, at the stage's start.
    XformOps operations_of(std::uint32_t prim) const
    {
        XformOps ops;
        const std::uint32_t order = find(prim, "xformOpOrder");
        const auto rep = order == CrateFile::kNone ? std::nullopt : file_.field(order, "default");
        if (rep)
            ops.order = file_.tokens(*rep).value_or(std::vector<std::string>{"xformOpOrder"});
        for (const std::uint32_t property : properties_[prim])
            if (const auto value = value_of(property); value && !ops.order.empty())
                if (auto numbers = file_.numbers(*value))
                    ops.numbers.emplace(file_.paths()[property].name, std::move(*numbers));
        return ops;
    }

    /// From a prim to the stage; nothing where an operation cannot be read.
    std::optional<Affine> place_of(std::uint32_t prim, std::string& fault) const
    {
        constexpr int kDeepest = 1000; // paths may be in themselves
        Affine all;
        for (int depth = 0; prim < properties_.size() && depth < kDeepest; ++depth) {
            const auto own = operations_of(prim).matrix(fault);
            if (!own)
                return std::nullopt;
            all = *own * all;
            prim = file_.paths()[prim].parent;
        }
        return all;
    }

    /// The value at the stage's start: that sample, or the last before it.
    std::optional<CrateFile::Rep> value_of(std::uint32_t property) const
    {
        if (property == CrateFile::kNone)
            return std::nullopt;
        const auto changing = file_.field(property, "timeSamples");
        const auto samples = changing ? file_.samples(*changing) : std::nullopt;
        if (!samples || samples->times.empty())
            return file_.field(property, "default");
        std::size_t i = 0;
        while (i + 1 < samples->times.size() && samples->times[i] < start_)
            ++i;
        return samples->values[i];
    }

    Problems read_prim(std::uint32_t prim)
    {
        std::string operation;
        const auto place = place_of(prim, operation);
        if (!place)
            return {fault("its curves are moved by '" + excerpt(operation) + "', which is not read",
                          "apply it before: freeze or flatten the curves")};
        const auto counted = value_of(find(prim, "curveVertexCounts"));
        const auto placed = value_of(find(prim, "points"));
        const auto counts = counted ? file_.wholes(*counted) : std::nullopt;
        const auto points = placed ? file_.vectors(*placed) : std::nullopt;
        if (!counts || !points)
            return {fault("curves in it have no points or no counts",
                          "export it again, with the curves' points")};
        std::uint64_t all = 0;
        for (const std::int32_t count : *counts) {
            if (count < 0)
                return {
                    fault("a curve has " + std::to_string(count) + " points", "export it again")};
            all += std::uint64_t(count);
        }
        if (all != points->size() / 3)
            return {fault("its curves need " + std::to_string(all) + " points, there are " +
                              std::to_string(points->size() / 3),
                          "export it again")};
        if (out_.points.size() + all > kMostCorners)
            return {fault("there are too many points in it", "export fewer curves")};
        std::vector<Vec3> given;
        for (std::size_t i = 0; i < points->size(); i += 3) {
            const Vec3 x = apply(*place, Vec3{(*points)[i], (*points)[i + 1], (*points)[i + 2]});
            if (!is_finite(x) || !is_finite(x * metres_))
                return {fault("a point of its curves is not at a finite place", "export it again")};
            given.push_back(x);
        }
        add_curves({token_of(prim, "type"), token_of(prim, "basis"), token_of(prim, "wrap")},
                   *counts, given);
        return {};
    }

    std::string_view token_of(std::uint32_t prim, std::string_view name) const
    {
        const std::uint32_t property = find(prim, name);
        const auto rep =
            property == CrateFile::kNone ? std::nullopt : file_.field(property, "default");
        return rep ? file_.token(*rep).value_or("") : std::string_view();
    }

    void add_curves(const CurveForm& form, std::span<const std::int32_t> counts,
                    std::span<const Vec3> given)
    {
        for (const std::int32_t count : counts) {
            const std::vector<Vec3> places = places_on_curve(form, given.first(std::size_t(count)));
            given = given.subspan(std::size_t(count));
            out_.counts.push_back(std::uint32_t(places.size()));
            out_.points.insert(out_.points.end(), places.begin(), places.end());
        }
    }

    const std::string& name_;
    std::string_view bytes_;
    CrateFile file_;
    std::vector<std::vector<std::uint32_t>> properties_; ///< of each path, those that are wanted
    double metres_ = 1;
    double start_ = -HUGE_VAL;
    bool is_z_up_ = false;
    CurveSet out_;
};

} // namespace

Result<CurveSet> read_curves_usdc(const std::string& name, std::string_view bytes)
{
    return UsdcReader(name, bytes).read();
}

} // namespace sinew

// .hair (C. Yuksel's HAIR files): the curves of one frame, their points and thicknesses.

#include "formats/out_file.h"
#include "formats/writer.h"

#include <cstring>

namespace sinew::formats {

namespace {

constexpr std::uint32_t kMostSegments = 65'535; // of one curve: 16 bits

class HairWriter final : public Writer {
public:
    explicit HairWriter(const Job& job) : job_(job) {}

    Problems check() const override
    {
        if (job_.exported.curves.empty())
            return {{.code = "export-no-curves",
                     .place = {.file = job_.path},
                     .what = "there is no strand in it, and .hair holds nothing else",
                     .hint = "export .glb or .usdc"}};
        for (const ExportCurve& curve : job_.exported.curves)
            if (curve.count > kMostSegments)
                return {{.code = "export-long-curve",
                         .place = {.file = job_.path},
                         .what = "'" + curve.name + "' has " + std::to_string(curve.count) +
                                 " points; .hair has room for " + std::to_string(kMostSegments),
                         .hint = "export .usdc"}};
        return {};
    }

    Problems add(const Window& window) override
    {
        OutFile file(job_.options.is_single ? job_.path
                                            : sequence_name(job_.path, window.now.index));
        write(file, window.now);
        return finish_file(file, report_);
    }

    Problems finish(ExportReport& report) override
    {
        report.files = report_.files;
        report.byte_count = report_.byte_count;
        return {};
    }

private:
    void write(OutFile& file, const ExportFrame& frame) const;

    const Job& job_;
    ExportReport report_;
};

void HairWriter::write(OutFile& file, const ExportFrame& frame) const
{
    constexpr std::uint32_t kHasSegments = 1, kHasPoints = 2, kHasThickness = 4;
    const ExportScene& exported = job_.exported;
    const std::size_t points = exported.radii.size(); // those of curves: plates come behind them
    const Vec3 colour = exported.colours[exported.curves[0].colour];
    char words[88] = "made by Sinew";
    file.write("HAIR");
    file.put(std::uint32_t(exported.curves.size()));
    file.put(std::uint32_t(points));
    file.put(kHasSegments | kHasPoints | kHasThickness);
    file.put(std::uint32_t{0});                // segments of all: see the list
    file.put(to_float(2 * exported.radii[0])); // thickness of all: see the list
    file.put(0.0f);                            // transparency
    for (int k = 0; k < 3; ++k)
        file.put(to_float(colour[k]));
    file.write(words, sizeof words);
    for (const ExportCurve& curve : exported.curves)
        file.put(std::uint16_t(curve.count - 1));
    for (std::size_t i = 0; i < points; ++i)
        for (int k = 0; k < 3; ++k)
            file.put(to_float(frame.points[i][k]));
    for (const double radius : exported.radii)
        file.put(to_float(2 * radius));
}

} // namespace

std::unique_ptr<Writer> make_hair_writer(const Job& job)
{
    return std::make_unique<HairWriter>(job);
}

} // namespace sinew::formats

#include "formats/mesh/obj.h"

#include "formats/writer.h"

namespace sinew::formats {

namespace {

class ObjWriter final : public Writer {
public:
    explicit ObjWriter(const Job& job) : job_(job) {}

    Problems add(const Window& window) override
    {
        OutFile file(job_.options.is_single ? job_.path
                                            : sequence_name(job_.path, window.now.index));
        write_obj(file, job_.exported, window.now);
        return finish_file(file, report_);
    }

    Problems finish(ExportReport& report) override
    {
        report.files = report_.files;
        report.byte_count = report_.byte_count;
        return {};
    }

private:
    const Job& job_;
    ExportReport report_;
};

void append_faces(std::string& text, const std::vector<std::array<std::uint32_t, 3>>& triangles,
                  std::size_t first)
{
    for (const auto& triangle : triangles) {
        text += 'f';
        for (const std::uint32_t corner : triangle)
            text += ' ' + std::to_string(first + corner);
        text += '\n';
    }
}

/// Words of OBJ end at white space.
std::string word_of(const std::string& name)
{
    std::string word = name;
    for (char& c : word)
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            c = '_';
    return word;
}

} // namespace

void write_obj(OutFile& file, const ExportScene& exported, const ExportFrame& frame, ObjParts parts)
{
    const std::string begin = parts == ObjParts::groups ? "g " : "o ";
    std::vector<Vec3> corners;
    add_corners(exported, frame, corners);
    std::string text = "# made by Sinew; in the units and axes of the file\n";
    for (const Vec3& x : corners) {
        text += "v";
        for (int k = 0; k < 3; ++k) {
            text += ' ';
            append_number(text, to_float(x[k]));
        }
        text += '\n';
        if (text.size() > 1 << 20) {
            file.write(text);
            text.clear();
        }
    }
    std::size_t first = 1;
    for (const ExportBody& body : exported.bodies) {
        if (body.shape == kNone)
            continue;
        const Triangles& triangles = exported.shapes[body.shape].triangles;
        text += begin + word_of(body.name) + "\n";
        append_faces(text, triangles.corners, first);
        first += triangles.vertices.size();
        file.write(text);
        text.clear();
    }
    for (const ExportCurve& curve : exported.curves) {
        text += begin + word_of(curve.name) + "\nl";
        for (std::uint32_t k = 0; k < curve.count; ++k)
            text += ' ' + std::to_string(first + k);
        text += curve.is_closed ? ' ' + std::to_string(first) + "\n" : "\n";
        first += curve.count;
        file.write(text);
        text.clear();
    }
    for (const ExportPlate& plate : exported.plates) {
        text += begin + word_of(plate.outline.name) + "\n";
        append_faces(text, plate.triangles, first);
        first += 2 * plate.outline.count;
    }
    file.write(text);
}

std::unique_ptr<Writer> make_obj_writer(const Job& job) { return std::make_unique<ObjWriter>(job); }

} // namespace sinew::formats

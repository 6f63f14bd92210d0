// PC2: the corners of every frame in a row, and beside it the OBJ whose corners they are: one mesh,
// which one cache can move.

#include "formats/mesh/obj.h"
#include "formats/writer.h"

#include <filesystem>

namespace sinew::formats {

namespace {

class Pc2Writer final : public Writer {
public:
    explicit Pc2Writer(const Job& job)
        : job_(job), file_(job.path),
          mesh_(std::filesystem::path(job.path).replace_extension(".obj").string())
    {
    }

    Problems add(const Window& window) override
    {
        corners_.clear();
        add_corners(job_.exported, window.now, corners_);
        if (file_.size() == 0) {
            write_obj(mesh_, job_.exported, window.now, ObjParts::groups);
            file_.write("POINTCACHE2", 12);
            file_.put(std::int32_t{1});
            file_.put(std::int32_t(corners_.size()));
            file_.put(float(job_.options.first));
            file_.put(1.0f); // frames from one sample to the next
            file_.put(std::int32_t(job_.options.last - job_.options.first + 1));
        }
        floats_.clear();
        for (const Vec3& x : corners_)
            for (int k = 0; k < 3; ++k)
                floats_.push_back(to_float(x[k]));
        file_.write(floats_.data(), 4 * floats_.size());
        return file_.problems();
    }

    Problems finish(ExportReport& report) override
    {
        if (Problems problems = finish_file(mesh_, report); !problems.empty())
            return problems;
        return finish_file(file_, report);
    }

private:
    const Job& job_;
    OutFile file_, mesh_;
    std::vector<Vec3> corners_;
    std::vector<float> floats_;
};

} // namespace

std::unique_ptr<Writer> make_pc2_writer(const Job& job) { return std::make_unique<Pc2Writer>(job); }

} // namespace sinew::formats

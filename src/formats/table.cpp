// A table of every frame and every named thing, as `sinew run --table`.

#include "formats/out_file.h"
#include "formats/writer.h"

namespace sinew::formats {

namespace {

class TableWriter final : public Writer {
public:
    explicit TableWriter(const Job& job) : job_(job), file_(job.path)
    {
        file_.write(table_head(job.scene));
    }

    Problems add(const Window& window) override
    {
        file_.write(table_lines(job_.scene, *window.frame));
        return file_.problems();
    }

    Problems finish(ExportReport& report) override { return finish_file(file_, report); }

private:
    const Job& job_;
    OutFile file_;
};

} // namespace

std::unique_ptr<Writer> make_table_writer(const Job& job)
{
    return std::make_unique<TableWriter>(job);
}

} // namespace sinew::formats

// A table of every frame and every named thing: time,name,x,y,z,qx,qy,qz,qw, as `sinew run
// --table`.

#include "exchange/out_file.h"
#include "exchange/writer.h"

namespace sinew::exchange {

namespace {

class TableWriter final : public Writer {
public:
    explicit TableWriter(const Job& job) : job_(job), file_(job.path)
    {
        file_.write("time,name,x,y,z,qx,qy,qz,qw\n");
    }

    Problems add(const Window& window) override
    {
        text_.clear();
        for (const TableRow& row : table_rows(job_.scene, *window.frame)) {
            append_long(text_, window.frame->time);
            text_ += "," + row.name;
            for (const double value :
                 {row.position.x, row.position.y, row.position.z, row.rotation.x, row.rotation.y,
                  row.rotation.z, row.rotation.w}) {
                text_ += ',';
                append_long(text_, value);
            }
            text_ += '\n';
        }
        file_.write(text_);
        return file_.problems();
    }

    Problems finish(ExportReport& report) override { return finish_file(file_, report); }

private:
    const Job& job_;
    OutFile file_;
    std::string text_;
};

} // namespace

std::unique_ptr<Writer> make_table_writer(const Job& job)
{
    return std::make_unique<TableWriter>(job);
}

} // namespace sinew::exchange

#include "sinew/language.h"
#include <cstdio>
int main(int argc, char** argv)
{
    (void)argc;
    const auto r = sinew::read_script_file(argv[1]);
    std::fputs(sinew::problems_text(r.problems, false).c_str(), stdout);
    std::printf("objects %d masses %d coords %d constraints %d eq %d ind %d freedom %d\n", r.reading.object_count, r.reading.mass_count, r.reading.coordinate_count, r.reading.constraint_count, r.reading.equation_count, r.reading.independent_count, r.reading.freedom.value_or(-1));
}

#include <sinew/language.h>

#include <cstdio>

int main(int, char** arguments)
{
    const sinew::ScriptReading script = sinew::read_script_file(arguments[1]);
    std::printf("sinew %s: freedom %d\n", sinew::version().c_str(),
                script.reading.freedom.value_or(-1));
    return script.is_sound() ? 0 : 1;
}

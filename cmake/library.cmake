# Writes a C++ file that carries the ready-made defs of library/: cmake -DOUT=... -DFOLDER=... -P library.cmake.
file(GLOB files ${FOLDER}/*.charli)
set(rows "")
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    file(READ ${file} text)
    string(APPEND rows "        {\"sinew/${name}\", R\"charli(${text})charli\"},\n")
endforeach()
file(WRITE ${OUT} "// Made by cmake/library.cmake.
#include \"charli/text/library.h\"

std::span<const sinew::charli::LibraryFile> sinew::charli::library_files()
{
    static constexpr LibraryFile all[] = {
${rows}    };
    return all;
}
")

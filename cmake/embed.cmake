# Writes a C++ file that carries other files in it: cmake -DOUT=... -DFUNCTION=... -DBASE=... -DPREFIX=...
# -DLIST=... -P embed.cmake. LIST is a file with their paths, one a line; their names are PREFIX and the way
# to them from BASE.
file(STRINGS ${LIST} files)
set(blocks "")
set(rows "")
set(count 0)
foreach(file IN LISTS files)
    file(RELATIVE_PATH name ${BASE} ${file})
    set(symbol "sinew_${FUNCTION}_${count}")
    string(APPEND blocks "asm(\".section .rodata\\n.balign 16\\n.hidden ${symbol}\\n.globl ${symbol}\\n${symbol}:\\n\"
    \".incbin \\\"${file}\\\"\\n.hidden ${symbol}_end\\n.globl ${symbol}_end\\n${symbol}_end:\\n.byte 0\\n.previous\\n\");
extern \"C\" const char ${symbol}[], ${symbol}_end[];
")
    string(APPEND rows "        {\"${PREFIX}${name}\", {${symbol}, std::size_t(${symbol}_end - ${symbol})}},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "// Made by cmake/embed.cmake.
#include \"assets.h\"

#include <cstddef>

${blocks}
std::span<const sinew::viewer::Asset> sinew::viewer::${FUNCTION}()
{
    static const Asset all[] = {
${rows}    };
    return all;
}
")

// Bytes: from text to a checked scene.

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    sinew::fuzz::check_reading(sinew::fuzz::read({reinterpret_cast<const char*>(data), size}));
    return 0;
}

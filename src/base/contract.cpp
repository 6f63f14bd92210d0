#include "base/contract.h"

#include <cstdio>
#include <cstdlib>

namespace sinew {

void contract_broken(const char* kind, const char* condition, const char* file, int line) noexcept
{
    std::fprintf(stderr, "sinew: broken contract at %s:%d: %s(%s)\n", file, line, kind, condition);
    std::abort();
}

} // namespace sinew

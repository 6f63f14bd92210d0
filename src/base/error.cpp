#include "sinew/error.h"

#include <algorithm>

namespace sinew {

std::string to_string(const Place& place)
{
    if (place.line == 0)
        return place.file;
    return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

bool has_errors(const Problems& problems)
{
    return std::any_of(problems.begin(), problems.end(),
                       [](const Problem& p) { return p.severity == Severity::error; });
}

} // namespace sinew

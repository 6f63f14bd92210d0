#pragma once

#include <string>
#include <unordered_map>

namespace sinew {

/// Tells apart what has the same name: "hair", "hair#2", "hair#3". The first keeps the plain name,
/// so that no name changes when another is added behind it.
class UniqueNames {
public:
    std::string take(std::string name)
    {
        const int count = ++seen_[name];
        return count == 1 ? std::move(name) : std::move(name) + "#" + std::to_string(count);
    }

private:
    std::unordered_map<std::string, int> seen_;
};

} // namespace sinew

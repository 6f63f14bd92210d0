#pragma once

#include <string>

namespace sinew {

/// The name of a new, empty file beside a place, for what is to be put there when it is whole:
/// PATH.part, or PATH.part2 where a person has that. Nothing that is there is used up, no link is
/// followed. Empty when no file can be made; errno says why.
std::string make_draft(const std::string& path, const std::string& ending = ".part");

} // namespace sinew

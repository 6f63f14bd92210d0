#pragma once

#include "charli/text/parsed_files.h"
#include "sinew/language.h"

#include <string>
#include <vector>

namespace sinew::charli {

/// True inside a comment or a text: nothing is completed or explained there.
bool is_in_comment_or_string(const std::string& text, std::size_t offset);

/// What could stand at a place of a text.
std::vector<Completion> complete_at(const std::string& text, std::size_t offset,
                                    ParsedFiles& files);

} // namespace sinew::charli

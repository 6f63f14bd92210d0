#pragma once

#include "charli/words/words.h"

#include <string_view>

namespace sinew::charli {

/// A whole script of a few lines that shows a word; empty: there is none yet.
std::string_view script_of(const Word& word);

} // namespace sinew::charli

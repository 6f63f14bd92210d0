#pragma once

#include "charli/words/words.h"

#include <string>
#include <string_view>

namespace sinew::charli {

/// A whole script of a few lines that shows a word; empty: there is none yet.
std::string_view script_of(const Word& word);

/// Name of the picture of that script, without folder and ending: the first word that it shows.
std::string picture_of(const Word& word);

} // namespace sinew::charli

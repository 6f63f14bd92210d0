#pragma once

#include "charli/evaluate/evaluator.h"

namespace sinew::charli {

/// Reads a script; keeps where each name comes from when `links` is given.
ScriptReading read(const std::string& name, std::string text, const ReadFile& read_file,
                   const ReadOptions& options, const Limits& limits,
                   std::vector<Evaluator::Link>* links);

} // namespace sinew::charli

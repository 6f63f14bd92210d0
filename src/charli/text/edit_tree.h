#pragma once

// Finding the node of the lossless tree that an edit means.

#include "charli/text/parsed_files.h"
#include "sinew/error.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew::charli {

Parsed parse_text(const std::string& name, const std::string& text);
Problems refuse(const std::string& name, std::string code, std::string what, std::string hint);

/// The shortest text that reads back as the same number.
std::string shortest(double value);

NodeId find_def(const Tree& tree, NodeId block, std::string_view name);

/// Splits "def.name" and finds the block the name is in; kNoNode when a def is missing.
NodeId find_block(const Tree& tree, std::string& name);

/// The item of a statement: `left = crate ...;` and `crate ...;` alike. kNoNode for other
/// statements.
NodeId item_of(const Tree& tree, NodeId statement);

/// What an item begins with: a name or a call.
NodeId head_of(const Tree& tree, NodeId item);
std::string_view callee_text(const Tree& tree, NodeId item);

/// The `number`-th statement with a head `word`, counted from 0 in the order of the text; kNoNode
/// when there are not so many.
NodeId find_statement(const Tree& tree, std::string_view word, int number);
Problems refuse_statement(const std::string& name, const std::string& word, int number);

/// The innermost statement with an item whose text an offset lies in; kNoNode when there is none.
NodeId find_statement_at(const Tree& tree, std::size_t offset);
Problems refuse_offset(const std::string& name, std::size_t offset);

/// The value of an argument that is given by its name; kNoNode when it is not given.
NodeId find_named_value(const Tree& tree, NodeId call, std::string_view name);

/// The number that a node writes without a unit, a sign before it or not.
std::optional<double> plain_number(const Tree& tree, NodeId node);

/// Problems when a text is not exactly one value: nothing else may slip in with it.
Problems check_value_text(const std::string& name, const std::string& value);

} // namespace sinew::charli

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sinew::charli {

/// The number of a name: equal names have equal numbers.
using Symbol = std::uint32_t;

constexpr Symbol kNoSymbol = 0xffffffff;

/// All names met so far. Names are views: their texts must outlive this.
class Symbols {
public:
    Symbols();

    Symbol intern(std::string_view name);

    /// The symbol of a name if it was met before, else kNoSymbol.
    Symbol find(std::string_view name) const;

    std::string_view name(Symbol symbol) const { return names_[symbol]; }
    std::size_t size() const { return names_.size(); }

private:
    std::size_t slot_of(std::string_view name) const;
    void grow();

    std::vector<std::string_view> names_;
    std::vector<Symbol> slots_; ///< open addressing, a power of two
};

} // namespace sinew::charli

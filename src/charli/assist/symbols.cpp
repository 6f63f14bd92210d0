#include "charli/assist/symbols.h"

namespace sinew::charli {

namespace {

/// FNV-1a, 64 bits: names are short.
std::uint64_t hash_of(std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

} // namespace

Symbols::Symbols() : slots_(1024, kNoSymbol) {}

std::size_t Symbols::slot_of(std::string_view name) const
{
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_of(name) & mask;
    while (slots_[slot] != kNoSymbol && names_[slots_[slot]] != name)
        slot = (slot + 1) & mask;
    return slot;
}

Symbol Symbols::find(std::string_view name) const { return slots_[slot_of(name)]; }

Symbol Symbols::intern(std::string_view name)
{
    std::size_t slot = slot_of(name);
    if (slots_[slot] == kNoSymbol) {
        if (2 * names_.size() >= slots_.size()) {
            grow();
            slot = slot_of(name);
        }
        slots_[slot] = static_cast<Symbol>(names_.size());
        names_.push_back(name);
    }
    return slots_[slot];
}

void Symbols::grow()
{
    slots_.assign(2 * slots_.size(), kNoSymbol);
    for (Symbol symbol = 0; symbol < names_.size(); ++symbol)
        slots_[slot_of(names_[symbol])] = symbol;
}

} // namespace sinew::charli

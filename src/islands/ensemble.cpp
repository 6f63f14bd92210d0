#include "islands/ensemble.h"

#include <algorithm>

namespace sinew {

const HeldForce* find_force(std::span<const HeldForce> held, AttachmentKey key)
{
    const auto found = std::ranges::lower_bound(held, key, {}, &HeldForce::key);
    return found != held.end() && found->key == key ? &*found : nullptr;
}

} // namespace sinew

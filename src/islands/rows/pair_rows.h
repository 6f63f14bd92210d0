#pragma once

// A law of two frames as an attachment: the numbers of the law in fields that its kind leaves free.

#include "islands/ensemble.h"
#include "math/pair_law.h"

namespace sinew {

/// `length` is the ratio, `damping` the phase, `normal` the reference, `pass` the kind and, above
/// it, a bit for each locked axis.
inline void set_pair(const PairLaw& law, Attachment& made)
{
    made.kind = Attachment::Kind::pair;
    made.length = law.ratio;
    made.damping = law.phase;
    made.normal = law.reference;
    made.pass = static_cast<std::uint32_t>(law.kind);
    for (std::size_t i = 0; i < law.is_locked.size(); ++i)
        if (law.is_locked[i])
            made.pass |= 0x100u << i;
}

inline PairLaw pair_of(const Attachment& made)
{
    PairLaw law{.kind = static_cast<PairLaw::Kind>(made.pass & 0xff),
                .ratio = made.length,
                .phase = made.damping,
                .reference = made.normal};
    for (std::size_t i = 0; i < law.is_locked.size(); ++i)
        law.is_locked[i] = (made.pass & (0x100u << i)) != 0;
    return law;
}

} // namespace sinew

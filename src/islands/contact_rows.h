#pragma once

/// A point of contact between any two blocks, as rows.

#include "islands/ensemble.h"

namespace sinew {

/// One side of a contact: a site, where it is and how it is turned when the step begins.
struct ContactSide {
    Site site = {};
    Vec3 place = {0, 0, 0};
    Quat rotation = {};
};

/// The rows that keep two surfaces apart. `place` lies between them, `normal` points from b to a,
/// `gap` is negative where they overlap. Friction and restitution are the caller's.
inline Attachment make_contact(AttachmentKey key, const ContactSide& a, const ContactSide& b,
                               const Vec3& place, const Vec3& normal, double gap)
{
    Attachment made;
    made.key = key;
    made.kind = Attachment::Kind::contact;
    made.a = a.site;
    made.b = b.site;
    made.point_a = place - a.place;
    made.point_b = place - b.place;
    made.normal = normal;
    made.axes_a = a.rotation;
    made.axes_b = b.rotation;
    made.length = gap - dot(normal, a.place - b.place);
    return made;
}

} // namespace sinew

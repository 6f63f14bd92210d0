#pragma once

/// Where rods touch bodies, strands, each other and themselves.
///
/// A rod is felt in pieces, one to a span, two where that is much bent: capsules against the shapes
/// of bodies, pairs of pieces against each other and against the segments of strands. Rows act on
/// the curve itself, not on chords.

#include "constraints/rod_links.h"
#include "constraints/strand_rows.h"
#include "contacts/strand_pairs.h"
#include "islands/ensemble.h"
#include "models/rigid/contacts/contacts.h"
#include "models/rod/dynamics.h"

namespace sinew {

struct ShapesInStep;

/// A place where a rod may touch something within a step: `rows.a` is on the rod.
struct RodTouch {
    static constexpr std::uint32_t kNoBody = 0xffffffff;

    Attachment rows = {};
    std::uint32_t body = kNoBody; ///< none: a strand, another rod, or the same
    Vec3 place = {0, 0, 0};       ///< between the two surfaces
    double gap = 0;               ///< [m]; negative: overlap
};

/// What the search needs to know of a step.
struct RodContactInput {
    const Scene& scene;
    const rod::RodDynamics& rods;
    const ModelState& state; ///< of the rods, at the beginning
    const Pile& pile;
    const PileState& bodies;
    std::span<const RodLink> links;
    std::span<const RodLinkState> link_states;
    double time = 0;    ///< at the beginning [s]
    double h = 0;       ///< length of the step [s]
    double gravity = 0; ///< |g| [m/s²]
    int threads = 1;
    std::span<const StrandPiece> strands = {}; ///< at the beginning, where rods touch them
    std::span<const HeldStrand> strand_ties = {};
    std::span<const StrandRider> strand_riders = {};
};

class RodContacts {
public:
    RodContacts() = default;

    /// Pairs that overlap by half a radius at the start never touch: what crosses as drawn.
    /// `number`: of the rods in the ensemble.
    RodContacts(const RodContactInput& start, std::uint32_t number);

    /// True where nothing can touch.
    bool is_empty() const { return rods_.empty(); }

    struct Room; ///< memory kept from step to step, and nothing else
    static std::shared_ptr<Room> make_room();

    /// All that may touch within the step; in the room.
    std::span<const RodTouch> find(const RodContactInput& input, Room& room) const;

private:
    /// How a span feels.
    struct Span {
        double friction = 0, bounce = 0;
        bool touches = true;
    };
    struct Rod {
        std::uint32_t number = 0, first_piece = 0;
        double radius = 0, length = 0;
        std::vector<CurveWeights> nodes = {}; ///< two a span, and one
        std::vector<Span> spans = {};
    };
    struct Piece;
    struct Pieces;
    struct Passage;
    struct Meeting;
    struct Touching;

    void find_pieces(const RodContactInput& input, Pieces& pieces) const;
    static void add_strand_pieces(std::span<const StrandPiece> strands, Pieces& pieces);
    void find_passages(const RodContactInput& input, Room& room) const;
    Passage find_passage(const RodContactInput& input, Room& room, std::uint32_t rod, double u,
                         std::uint32_t body) const;
    bool is_in_body(const RodContactInput& input, const Piece& piece, std::uint32_t body_number,
                    const ShapesInStep& around, Touching& touching) const;
    void find_on_bodies(const RodContactInput& input, const Room& room, std::size_t rod,
                        Touching& touching) const;
    void add_points(const RodContactInput& input, const Piece& piece, std::uint32_t shape,
                    const Placed& placed, std::span<const SubManifold> manifolds, double deepest,
                    std::vector<RodTouch>& found) const;
    void find_on_curves(const RodContactInput& input, Room& room) const;
    void add_curves_inside(const RodContactInput& start, const Room& room);
    bool are_beside(const Piece& a, const Piece& b) const;
    void add_meeting(const RodContactInput& input, const Piece& a, const Piece& b, double deepest,
                     std::vector<RodTouch>& found) const;
    Meeting find_meeting(const RodContactInput& input, const Piece& a, const Piece& b) const;
    static CurvePoint curve_of(const RodContactInput& input, const Piece& piece, double u);
    Site site_on(const Piece& piece, double u) const;
    static Pose pose_on(const RodContactInput& input, const Piece& piece, double u);
    static AttachmentKey curve_pair(const Piece& a, const Piece& b);
    bool are_neighbours(const Piece& a, const Piece& b) const;
    enum class Tie : std::uint8_t { none, left, holds };
    Tie find_tie(const RodContactInput& input, const Piece& a, const Piece& b) const;
    bool is_tied(const RodContactInput& input, const Piece& rod, const Piece& strand) const;
    bool is_inside(AttachmentKey pair) const;

    std::uint32_t number_ = 0; ///< of the rods in the ensemble
    bool meets_curves_ = false;
    std::vector<Rod> rods_;                     ///< all, where one may touch
    std::vector<AttachmentKey> is_inside_ = {}; ///< pairs that never touch, ascending
};

/// The same while rods look for their rest: asked in every step of that.
class RodContactSource : public RowSource {
public:
    RodContactSource(const RodContacts& contacts, RodContactInput input, std::uint32_t number)
        : contacts_(contacts), input_(input), number_(number), room_(RodContacts::make_room())
    {
    }

    void add_attachments(std::span<const Trial> trials, double t0, double t1,
                         std::vector<Attachment>& found) const noexcept override;

private:
    const RodContacts& contacts_;
    RodContactInput input_;
    std::uint32_t number_;
    std::shared_ptr<RodContacts::Room> room_;
};

/// True for the keys of touches.
bool is_rod_contact(AttachmentKey key);

} // namespace sinew

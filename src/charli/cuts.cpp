// Rods that are cut: pieces of one path, held together by a fusion until the time comes.

#include "charli/evaluator.h"

#include "base/text.h"
#include "scene/kinematics.h"
#include "scene/rods.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew::charli {

namespace {

/// Where a place of the whole is on a piece.
double on_piece(const Rod& piece, double along)
{
    return std::clamp((along - piece.begin) / (piece.end - piece.begin), 0.0, 1.0);
}

Rod make_piece(const Rod& whole, std::uint32_t first, std::uint32_t last)
{
    Rod piece = whole;
    piece.spans = last - first;
    piece.begin = double(first) / whole.spans;
    piece.end = double(last) / whole.spans;
    piece.whole = whole.object;
    if (whole.rest_length)
        piece.rest_length = *whole.rest_length * (piece.end - piece.begin);
    return piece;
}

} // namespace

/// What the script says of the whole holds for its pieces.
ObjectId Evaluator::add_piece(const Rod& whole, std::size_t number)
{
    const ObjectId object = add_object(kNoSymbol, path_of(whole.object) + ".piece",
                                       std::int64_t(number), object_scopes_[0], whole.origin, true);
    if (!object.is_valid())
        return {};
    close_object(object);
    close_object(ObjectId{0});
    scene.objects[object.index].is_anonymous = false; // it is seen and picked by this name
    scene.objects[object.index].on = whole.object;
    const auto is_on_whole = [&](ObjectId on) {
        return whole.object.index >= on.index && whole.object.index < scene.objects[on.index].end;
    };
    for (Field& field : scene.fields)
        if (std::ranges::any_of(field.on, is_on_whole))
            field.on.push_back(object);
    for (Air& air : scene.airs)
        if (std::ranges::any_of(air.on, is_on_whole))
            air.on.push_back(object);
    const auto colour = std::ranges::find(scene.colours, whole.object, &Colour::object);
    if (colour != scene.colours.end())
        scene.colours.push_back({object, colour->rgb, colour->origin});
    return object;
}

/// Places and sliders on the whole, on the pieces instead.
void Evaluator::move_to_pieces(std::uint32_t number, ObjectId whole,
                               std::span<const std::uint32_t> pieces)
{
    const auto piece_at = [&](double along) {
        return *std::ranges::find_if(
            pieces, [&](std::uint32_t i) { return along <= scene.rods[i].end + 1e-9; });
    };
    for (RodSite& site : scene.rod_sites)
        if (site.rod == number) {
            site.rod = piece_at(site.along);
            site.along = on_piece(scene.rods[site.rod], site.along);
        }
    for (RodConstraint& c : scene.rod_constraints) {
        if (c.a != whole)
            continue;
        const Rod& piece = scene.rods[piece_at(c.from)];
        c.a = piece.object;
        c.from = on_piece(piece, c.from);
        c.low = on_piece(piece, c.low);
        c.high = on_piece(piece, c.high);
    }
}

/// Cuts by the span at whose end they are.
void Evaluator::cut_rod(std::uint32_t number, const std::map<std::uint32_t, RodCut>& cuts)
{
    const Rod whole = scene.rods[number];
    const RodShape shape = sample_rods(scene)[number];
    std::vector<std::uint32_t> pieces;
    std::uint32_t first = 0;
    const auto add = [&](std::uint32_t last) {
        Rod piece = make_piece(whole, first, last);
        if (pieces.empty()) {
            scene.rods[number] = piece;
            pieces.push_back(number);
        } else {
            piece.object = add_piece(whole, pieces.size() + 1);
            pieces.push_back(static_cast<std::uint32_t>(scene.rods.size()));
            scene.rods.push_back(piece);
        }
        first = last;
    };
    for (const auto& [span, cut] : cuts)
        add(span);
    add(whole.spans);
    move_to_pieces(number, whole.object, pieces);
    std::size_t piece = 0;
    for (const auto& [span, cut] : cuts) {
        RodSite& end = *std::ranges::find(scene.rod_sites, cut.site, &RodSite::object);
        end = {cut.site, pieces[piece++], 1, cut.origin};
        if (!cut.when || *cut.when <= scene.settings.start)
            continue;
        const ObjectId begin =
            add_object(kNoSymbol, "point", Object::kNoIndex, object_scopes_[0], cut.origin, true);
        if (!begin.is_valid())
            return;
        close_object(begin);
        close_object(ObjectId{0});
        ride(begin, whole.object, frame_on_rod(shape, double(span) / whole.spans), cut.origin);
        scene.rod_sites.push_back({begin, pieces[piece], 0, cut.origin});
        scene.rod_constraints.push_back({.kind = RodConstraintKind::fusion,
                                         .a = cut.site,
                                         .b = begin,
                                         .tangent = RodTangent::fixed,
                                         .until = cut.when,
                                         .origin = cut.origin});
    }
}

void Evaluator::cut_rods()
{
    if (scene.rod_cuts.empty() || spoiling_errors_ > 0)
        return;
    std::map<std::uint32_t, std::map<std::uint32_t, RodCut>> cuts; // by rod, by span
    for (const RodCut& cut : scene.rod_cuts) {
        const auto site = std::ranges::find(scene.rod_sites, cut.site, &RodSite::object);
        if (site == scene.rod_sites.end()) {
            error(cut.origin, "cuts-no-rod", "this is no place on a rod: only rods can be cut",
                  "write `cut(cable at 0.4 along);`");
            continue;
        }
        const Rod& rod = scene.rods[site->rod];
        const long span = std::lround(site->along * rod.spans);
        if (span < 1 || span >= long(rod.spans))
            error(cut.origin, "cut-at-end",
                  "this cuts '" + path_of(rod.object) + "' at its end: nothing comes off",
                  rod.spans < 2 ? "a rod is cut between spans: give it more"
                                : "cut it between " + number_text(1.0 / rod.spans) + " and " +
                                      number_text(1 - 1.0 / rod.spans));
        else if (!cuts[site->rod].emplace(std::uint32_t(span), cut).second)
            error(cut.origin, "cut-twice",
                  "'" + path_of(rod.object) + "' is cut twice in the same place",
                  "remove one of them; rods are cut at the ends of spans");
    }
    if (spoiling_errors_ > 0)
        return;
    const auto is_sound = [&](const Rod& rod) {
        return rod.spans > 0 && has_constant_curve(scene, rod.path);
    };
    for (const auto& [rod, of_rod] : cuts)
        if (std::ranges::all_of(scene.rods, is_sound)) // else there is no place to cut
            cut_rod(rod, of_rod);
}

} // namespace sinew::charli

// Rods that are cut: pieces of one path, held together by a fusion until the time comes, or until
// they are pulled too hard.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"
#include "scene/kinematics.h"
#include "scene/objects/rods.h"

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

/// Of its own equal spans, nearly as long as those of the whole: so it ends where the cut is.
Rod make_piece(const Rod& whole, double begin, double end)
{
    Rod piece = whole;
    piece.spans =
        std::max(1u, static_cast<std::uint32_t>(std::lround((end - begin) * whole.spans)));
    piece.begin = begin;
    piece.end = end;
    piece.whole = whole.object;
    if (whole.rest_length)
        piece.rest_length = *whole.rest_length * (piece.end - piece.begin);
    return piece;
}

/// The fusion of a weak point, which lacks its other end as yet: see add_cut().
std::vector<Constraint>::iterator find_weak(std::vector<Constraint>& constraints, ObjectId site)
{
    return std::ranges::find_if(constraints, [&](const Constraint& c) {
        return c.a.object == site && std::holds_alternative<FusionLaw>(c.law) &&
               !c.b.object.is_valid() && !c.b.path.is_valid();
    });
}

bool has_sliders(const std::vector<Constraint>& constraints, ObjectId rod)
{
    return std::ranges::any_of(constraints, [&](const Constraint& c) {
        return c.a.object == rod && std::holds_alternative<SlidingLaw>(c.law);
    });
}

/// Returns the places where a rod with `cut(rod, breaks = F)` may tear: every second span, since a
/// piece of one span cannot both bend and keep its length.
std::vector<double> weak_places(std::uint32_t spans)
{
    constexpr std::uint32_t kSpans = 2;
    std::vector<double> places;
    for (std::uint32_t k = kSpans; k + kSpans <= spans; k += kSpans)
        places.push_back(double(k) / spans);
    return places;
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
    const auto look = std::ranges::find(scene.looks, whole.object, &ObjectLook::object);
    if (look != scene.looks.end())
        scene.looks.push_back({object, look->look, look->colour, look->origin});
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
    for (Constraint& c : constraints_) {
        auto* law = std::get_if<SlidingLaw>(&c.law);
        if (!law || c.a.object != whole)
            continue;
        const Rod& piece = scene.rods[piece_at(c.a.along.value_or(0))];
        c.a.object = piece.object;
        c.a.along = on_piece(piece, c.a.along.value_or(0));
        law->low = on_piece(piece, law->low);
        law->high = on_piece(piece, law->high);
    }
}

/// Cuts by their place along the rod.
void Evaluator::cut_rod(std::uint32_t number, const std::map<double, RodCut>& cuts)
{
    const Rod whole = scene.rods[number];
    const RodShape shape = sample_rods(scene)[number];
    std::vector<std::uint32_t> pieces;
    double begin = 0;
    const auto add = [&](double end) {
        Rod piece = make_piece(whole, begin, end);
        if (pieces.empty()) {
            scene.rods[number] = piece;
            pieces.push_back(number);
        } else {
            piece.object = add_piece(whole, pieces.size() + 1);
            pieces.push_back(static_cast<std::uint32_t>(scene.rods.size()));
            scene.rods.push_back(piece);
        }
        begin = end;
    };
    for (const auto& [along, cut] : cuts)
        add(along);
    add(1);
    move_to_pieces(number, whole.object, pieces);
    std::size_t piece = 0;
    for (const auto& [along, cut] : cuts) {
        RodSite& end = *std::ranges::find(scene.rod_sites, cut.site, &RodSite::object);
        end = {cut.site, pieces[piece++], 1, cut.origin};
        const auto weak = find_weak(constraints_, cut.site);
        const bool is_weak = weak != constraints_.end();
        const bool is_open = cut.when ? *cut.when <= scene.settings.start : !is_weak;
        if (is_open && is_weak)
            constraints_.erase(weak);
        if (is_open)
            continue;
        const ObjectId other =
            add_object(kNoSymbol, "point", Object::kNoIndex, object_scopes_[0], cut.origin, true);
        if (!other.is_valid())
            return;
        close_object(other);
        close_object(ObjectId{0});
        ride(other, whole.object, frame_on_rod(shape, along), cut.origin);
        scene.rod_sites.push_back({other, pieces[piece], 0, cut.origin});
        if (is_weak) {
            weak->b.object = other;
            weak->release.until = cut.when;
            continue;
        }
        constraints_.push_back({.law = FusionLaw{.tangent = RodTangent::fixed},
                                .a = {.object = cut.site},
                                .b = {.object = other},
                                .release = {.until = cut.when},
                                .origin = cut.origin});
    }
}

/// Rods that may tear anywhere have weak points all along, each a cut of its own.
void Evaluator::weaken_rods()
{
    std::vector<RodCut> cuts;
    for (const RodCut& cut : std::exchange(scene.rod_cuts, {})) {
        const auto rod = find_rod(cut.site);
        const auto weak = find_weak(constraints_, cut.site);
        if (!rod || weak == constraints_.end()) {
            cuts.push_back(cut);
            continue;
        }
        const Constraint whole = *weak;
        constraints_.erase(weak);
        const std::string name = "'" + path_of(cut.site) + "'";
        const std::vector<double> places = weak_places(scene.rods[*rod].spans);
        if (places.empty())
            error(cut.origin, "weak-rod-coarse", name + " has too few spans to tear anywhere",
                  "give it at least 4 spans");
        if (has_sliders(constraints_, cut.site))
            error(cut.origin, "weak-rod-slides",
                  name + " slides through something: it cannot tear anywhere",
                  "say where it may tear: cut(" + path_of(cut.site) +
                      " at 0.4 along, breaks = 100)");
        if (spoiling_errors_ > 0)
            continue;
        const RodShape shape = sample_rods(scene)[*rod];
        for (const double along : places) {
            const ObjectId point = add_rod_point(*rod, shape, along, cut.origin);
            if (!point.is_valid())
                return;
            cuts.push_back({point, cut.when, cut.origin});
            constraints_.push_back(whole);
            constraints_.back().a.object = point;
        }
    }
    scene.rod_cuts = std::move(cuts);
}

void Evaluator::cut_rods()
{
    if (scene.rod_cuts.empty() || spoiling_errors_ > 0)
        return;
    weaken_rods();
    constexpr double kLeast = 0.1; // of a span: shorter pieces are all stiffness and no mass
    std::map<std::uint32_t, std::map<double, RodCut>> cuts; // by rod, by place
    for (const RodCut& cut : scene.rod_cuts) {
        const auto site = std::ranges::find(scene.rod_sites, cut.site, &RodSite::object);
        if (site == scene.rod_sites.end()) {
            if (const auto weak = find_weak(constraints_, cut.site); weak != constraints_.end())
                constraints_.erase(weak);
            error(cut.origin, "cuts-no-rod", "this is not a point of a rod: only rods can be cut",
                  "write `cut(cable at 0.4 along);`");
            continue;
        }
        const Rod& rod = scene.rods[site->rod];
        const double least = kLeast / rod.spans;
        const auto is_near = [&](const auto& other) {
            return std::abs(other.first - site->along) < least;
        };
        if (site->along < least || site->along > 1 - least)
            error(cut.origin, "cut-at-end",
                  "this cuts '" + path_of(rod.object) + "' at its end: nothing comes off",
                  "cut it between " + number_text(least) + " and " + number_text(1 - least));
        else if (std::ranges::any_of(cuts[site->rod], is_near))
            error(cut.origin, "cut-twice",
                  "'" + path_of(rod.object) + "' is cut twice in the same place",
                  "remove one of them, or cut them " + number_text(least) + " apart");
        else
            cuts[site->rod].emplace(site->along, cut);
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

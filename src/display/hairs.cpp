// Which hairs are drawn about which strands. Every hair lies between its strand and two of that
// strand's neighbours, nearest to its own: together they fill what the strands stand for.

#include "display/maker.h"
#include "display/scatter.h"
#include "math/functions.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

namespace sinew {

namespace {

constexpr std::size_t kMostNeighbours = 6;
constexpr std::size_t kMostSearched = 5000; // strands of one group; beyond, each is alone
constexpr double kFarthest = 2.6;           // of a neighbour, in spacings
constexpr double kAlike = 0.25;             // cosine between strands that hair may lie between

/// A strand that guides hairs, as it is at the start.
struct Guide {
    std::uint32_t element = 0, count = 0;
    Vec3 root = {0, 0, 0}, direction = {0, 1, 0};
    double radius = 0;
    std::vector<std::uint32_t> neighbours = {};
};

double find_spacing(const std::vector<Guide>& guides)
{
    std::vector<double> nearest;
    const std::size_t step = guides.size() / 400 + 1;
    for (std::size_t i = 0; i < guides.size(); i += step) {
        double least = 1e300;
        for (std::size_t k = 0; k < guides.size(); ++k)
            if (const double d = length(guides[k].root - guides[i].root); k != i && d > 0)
                least = std::min(least, d);
        nearest.push_back(least);
    }
    std::ranges::sort(nearest);
    return nearest[nearest.size() / 2];
}

/// Those whose roots are near, which go the same way, and have as many points.
void find_neighbours(std::vector<Guide>& guides, double spacing)
{
    for (Guide& guide : guides) {
        std::vector<std::pair<double, std::uint32_t>> near;
        for (std::uint32_t k = 0; k < guides.size(); ++k) {
            const Guide& other = guides[k];
            const double away = length(other.root - guide.root);
            if (&other != &guide && other.count == guide.count && away <= kFarthest * spacing &&
                dot(other.direction, guide.direction) > kAlike)
                near.emplace_back(away, k);
        }
        const std::size_t most = std::min(kMostNeighbours, near.size());
        std::partial_sort(near.begin(), near.begin() + std::ptrdiff_t(most), near.end());
        for (std::size_t k = 0; k < most; ++k)
            guide.neighbours.push_back(near[k].second);
    }
}

Hair make_hair(const std::vector<Guide>& guides, const Guide& guide, const Children& how,
               double spread, Scatter& chance)
{
    Hair hair;
    hair.seed = chance.bits();
    hair.length = float(1 - how.ragged * chance());
    hair.guides.fill(guide.element);
    hair.weights = {1, 0, 0};
    const double u = sqrt(chance()), v = chance(), turn = 6.283185307179586 * chance();
    const double first = chance(), second = chance();
    const std::size_t n = guide.neighbours.size();
    if (spread == 0 && n >= 2) {
        const auto i = std::size_t(first * double(n)), k = std::size_t(second * double(n - 1));
        hair.guides[1] = guides[guide.neighbours[i]].element;
        hair.guides[2] = guides[guide.neighbours[k < i ? k : k + 1]].element;
        hair.weights = {float(1 - u), float(u * (1 - v)), float(u * v)};
        // Its own strand has the largest part.
        const auto largest = std::ranges::max_element(hair.weights);
        std::swap(hair.weights[0], *largest);
        return hair;
    }
    const double reach = spread > 0 ? spread : 3 * guide.radius;
    hair.spread_x = float(reach * u * cos(turn));
    hair.spread_z = float(reach * u * sin(turn));
    return hair;
}

/// What hairs the strands of each tree get, by the tree's object.
using Wishes = std::map<ObjectId, Children>;

/// Strands of trees that stand in one object and have hairs of one kind: one head of hair.
struct Head {
    ObjectId parent;
    Children how;
    std::vector<std::uint32_t> elements = {};
};

Head& head_of(std::vector<Head>& heads, ObjectId parent, const Children& how)
{
    const auto found = std::ranges::find_if(
        heads, [&](const Head& head) { return head.parent == parent && head.how == how; });
    return found != heads.end() ? *found : heads.emplace_back(Head{parent, how});
}

std::vector<Head> find_heads(const Scene& scene, const Display& display, const Wishes& wishes)
{
    std::vector<Head> heads;
    std::uint32_t strand = 0;
    for (std::uint32_t i = 0; i < display.elements.size() && strand < scene.strands.size(); ++i) {
        const Element& element = display.elements[i];
        if (element.kind != ElementKind::curve || element.radii == 0xffffffff)
            continue; // those with radii are strands, then rods
        const ObjectId tree = scene.strands[strand++].tree;
        if (const auto wish = wishes.find(tree); wish != wishes.end())
            head_of(heads, scene.objects[tree.index].parent, wish->second).elements.push_back(i);
    }
    return heads;
}

std::vector<Guide> make_guides(const std::vector<std::uint32_t>& elements, const Frame& first,
                               Display& display)
{
    std::vector<Guide> guides;
    for (const std::uint32_t i : elements) {
        Element& element = display.elements[i];
        element.is_guide = true;
        Guide guide{.element = i, .count = element.count, .root = first.nodes[element.radii]};
        const Vec3 along = first.nodes[element.radii + element.count - 1] - guide.root;
        const double size = length(along);
        guide.direction = size > 0 ? along / size : Vec3{0, 1, 0};
        guide.radius = display.radii[element.radii];
        guides.push_back(std::move(guide));
    }
    return guides;
}

HairGroup make_group(const Head& head, const Frame& first, Display& display)
{
    const Children& how = head.how;
    std::vector<Guide> guides = make_guides(head.elements, first, display);
    const bool is_small = guides.size() > 1 && guides.size() <= kMostSearched;
    const double spacing = is_small ? find_spacing(guides) : 6 * guides[0].radius;
    if (is_small && how.spread == 0)
        find_neighbours(guides, spacing);
    const Element& like = display.elements[head.elements[0]];
    HairGroup group{.how = how,
                    .object = like.object,
                    .colour = like.colour,
                    .look = like.look == looks::kStem ? looks::kHair : like.look,
                    .radius = how.radius,
                    .spacing = how.spread > 0 ? how.spread : spacing};
    if (group.radius == 0)
        group.radius = std::min(guides[0].radius, 0.22 * group.spacing / sqrt(double(how.count)));
    Scatter chance(how.seed);
    for (const Guide& guide : guides)
        for (std::uint32_t k = 0; k < how.count; ++k)
            group.hairs.push_back(make_hair(guides, guide, how, how.spread, chance));
    return group;
}

void add_wished(const Scene& scene, const Frame& first, const Wishes& wishes, Display& display)
{
    for (const Head& head : find_heads(scene, display, wishes))
        display.hair_groups.push_back(make_group(head, first, display));
}

} // namespace

void add_hairs(const Scene& scene, const Frame& first, const Children& how, Display& display)
{
    display.hair_groups.clear();
    Wishes wishes;
    for (const StrandCurve& strand : scene.strands)
        wishes.emplace(strand.tree, how);
    add_wished(scene, first, wishes, display);
}

void DisplayMaker::add_children()
{
    Wishes wishes;
    for (const TreeChildren& wish : scene_.children)
        wishes.insert_or_assign(wish.tree, wish.children);
    add_wished(scene_, first_, wishes, display_);
}

} // namespace sinew

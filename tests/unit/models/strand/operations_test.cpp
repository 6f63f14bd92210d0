// What a solve costs, counted.

#include "models/strand/lanes/symmetric.h"
#include "some_trees.h"

#include <doctest/doctest.h>

namespace sinew::strand {

namespace {

/// A number that counts what is done with it.
struct Counted {
    double x = 0;
    static inline long operations = 0;

    Counted() = default;
    Counted(double value) : x(value) {}

    static Counted counted(double value)
    {
        ++operations;
        return {value};
    }
    friend Counted operator+(Counted a, Counted b) { return counted(a.x + b.x); }
    friend Counted operator-(Counted a, Counted b) { return counted(a.x - b.x); }
    friend Counted operator*(Counted a, Counted b) { return counted(a.x * b.x); }
    friend Counted operator/(Counted a, Counted b) { return counted(a.x / b.x); }
    friend Counted operator-(Counted a) { return {-a.x}; }
    Counted& operator+=(Counted b) { return *this = *this + b; }
    Counted& operator-=(Counted b) { return *this = *this - b; }
    friend bool operator<(Counted a, Counted b) { return a.x < b.x; }
    friend Counted sqrt(Counted a) { return counted(sinew::sqrt(a.x)); }
};

struct Costs {
    long place = 0, residual = 0, inward = 0, outward = 0, inward_symmetric = 0,
         outward_symmetric = 0;
};

Rows<Counted> rows(std::vector<Counted>& numbers, int fields) { return {numbers.data(), fields}; }

template <class Work>
long count(Work&& work)
{
    const long before = Counted::operations;
    work();
    return Counted::operations - before;
}

/// Of all sweeps over a tree that stands still and straight.
Costs costs_of(const std::vector<SegmentData>& segments)
{
    const TreeShape shape(segments);
    const Topology tree = shape.view();
    const std::size_t n = segments.size();
    std::vector<Counted> trail(n * Trail::count), param, load(n * Load::count),
        factor(n * Factor::count), residual(n * 3);
    for (const double x : make_params(segments, Units{}))
        param.push_back(x);
    std::vector<Demand<Counted>> slots(shape.slots);
    std::vector<SymmetricDemand<Counted>> symmetric_slots(shape.slots);
    std::vector<Load6<Counted>> sums(shape.slots);
    StageOf<Counted> stage{};
    stage.theta = 0.01, stage.inverse_theta = 100;
    for (int i = 0; i < tree.count; ++i)
        rows(trail, Trail::count)(i, Trail::base_turn + 3) = 1;
    const auto T = rows(trail, Trail::count), P = rows(param, Param::count),
               L = rows(load, Load::count), F = rows(factor, Factor::count), R = rows(residual, 3);
    Costs out;
    out.place = count([&] { place_segments<false>(tree, T, P, stage); });
    out.residual = count([&] { find_residuals<false, Counted>(tree, T, P, L, stage, sums, R); });
    out.inward =
        count([&] { eliminate<false, false, false, Counted>(tree, T, P, L, stage, slots, F, R); });
    const auto outward = [&](auto substitution) {
        return count([&] {
            PointMotion<Counted> tip{};
            for (int i = 0; i < tree.count; ++i) {
                const Vec3T<Counted> rate = T.vector(i, Trail::rate) + substitution(i);
                place_segment<false, true>(i, rate, tree, T, P, stage, tip);
            }
        });
    };
    out.outward = outward([&](int i) { return substitute(i, tree, T, P, stage, F); });
    out.inward_symmetric = count([&] {
        eliminate_symmetric<false, true, false, Counted>(tree, T, P, L, stage, symmetric_slots, F,
                                                         R);
    });
    out.outward_symmetric =
        outward([&](int i) { return substitute_symmetric(i, tree, T, P, stage, F); });
    return out;
}

/// Of one more segment in the middle of a chain.
Costs costs_per_segment()
{
    const Costs a = costs_of(random_tree(10, false, 1, 0, 1)),
                b = costs_of(random_tree(11, false, 1, 0, 1));
    return {b.place - a.place,
            b.residual - a.residual,
            b.inward - a.inward,
            b.outward - a.outward,
            b.inward_symmetric - a.inward_symmetric,
            b.outward_symmetric - a.outward_symmetric};
}

} // namespace

TEST_CASE("strands: operations per segment of every sweep")
{
    const Costs c = costs_per_segment();
    CHECK(c.place == 187);
    CHECK(c.residual == 397);
    CHECK(c.inward == 1630);
    CHECK(c.outward == 415);
    CHECK(c.inward_symmetric == 935);
    CHECK(c.outward_symmetric == 289);
}

TEST_CASE("strands: a sweep costs each segment the same, however many there are")
{
    const Costs a = costs_of(random_tree(10, false, 1, 0, 1)),
                b = costs_of(random_tree(20, false, 1, 0, 1)),
                c = costs_of(random_tree(40, false, 1, 0, 1));
    CHECK(c.inward - b.inward == 2 * (b.inward - a.inward));
    CHECK(c.outward - b.outward == 2 * (b.outward - a.outward));
}

} // namespace sinew::strand

#include "scenes.h"

#include <cmath>
#include <utility>

namespace sinew::bench {

std::size_t add_box(StackScene& scene, const Vec3& half)
{
    const Vec3 s = {half.x * half.x, half.y * half.y, half.z * half.z};
    scene.shapes.push_back({.kind = StackShapeKind::box,
                            .half = half,
                            .volume = 8 * half.x * half.y * half.z,
                            .inertia = Vec3{s.y + s.z, s.x + s.z, s.x + s.y} / 3.0});
    return scene.shapes.size() - 1;
}

std::size_t add_sphere(StackScene& scene, double r)
{
    const double moment = 0.4 * r * r;
    scene.shapes.push_back({.kind = StackShapeKind::sphere,
                            .radius = r,
                            .volume = 4.0 / 3.0 * M_PI * r * r * r,
                            .inertia = {moment, moment, moment}});
    return scene.shapes.size() - 1;
}

StackScene make_scene(std::string name, double reach)
{
    StackScene scene{.name = std::move(name)};
    const std::size_t floor = add_box(scene, {reach, reach, 1});
    scene.bodies.push_back({floor, {0, 0, -1}, {}, 0});
    return scene;
}

void add(StackScene& scene, std::size_t shape, const Vec3& x, const Quat& q, double density)
{
    scene.bodies.push_back({shape, x, q, density * scene.shapes[shape].volume});
}

namespace {

constexpr double kDensity = 1000, kGravity = 9.81, kDegree = M_PI / 180;

/// Moments of a polyhedron by its faces: volume, first and second moments about the origin.
struct Moments {
    double volume = 0;
    Vec3 first = {0, 0, 0}, second = {0, 0, 0};

    void add(const Vec3& p, const Vec3& q, const Vec3& r)
    {
        const double d = dot(p, cross(q, r)); // six times the tetrahedron to the origin
        volume += d / 6;
        first += (p + q + r) * (d / 24);
        for (int i = 0; i < 3; ++i)
            second[i] +=
                d / 60 *
                (p[i] * p[i] + q[i] * q[i] + r[i] * r[i] + p[i] * q[i] + p[i] * r[i] + q[i] * r[i]);
    }
};

/// A convex polyhedron, moved to its centre of mass, which comes back. Its principal axes must be
/// those of its frame.
std::pair<std::size_t, Vec3> add_hull(StackScene& scene, std::vector<Vec3> corners,
                                      std::vector<std::vector<int>> faces)
{
    Moments m;
    const auto at = [&](int i) { return corners[std::size_t(i)]; };
    for (const auto& f : faces)
        for (std::size_t k = 1; k + 1 < f.size(); ++k)
            m.add(at(f[0]), at(f[k]), at(f[k + 1]));
    const Vec3 centre = m.first / m.volume;
    Vec3 s = m.second / m.volume;
    for (int i = 0; i < 3; ++i)
        s[i] -= centre[i] * centre[i];
    for (Vec3& corner : corners)
        corner -= centre;
    scene.shapes.push_back({.kind = StackShapeKind::hull,
                            .corners = std::move(corners),
                            .faces = std::move(faces),
                            .volume = m.volume,
                            .inertia = {s.y + s.z, s.x + s.z, s.x + s.y}});
    return {scene.shapes.size() - 1, centre};
}

StackScene make_tower(int count)
{
    StackScene scene = make_scene("tower");
    const std::size_t box = add_box(scene, {0.5, 0.5, 0.5});
    for (int i = 0; i < count; ++i)
        add(scene, box, {0, 0, 0.5 + i});
    return scene;
}

StackScene make_pyramid(int rows)
{
    constexpr double kPitch = 1.1;
    StackScene scene = make_scene("pyramid");
    const std::size_t box = add_box(scene, {0.5, 0.5, 0.5});
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < rows - r; ++i)
            add(scene, box, {(i - 0.5 * (rows - r - 1)) * kPitch, 0, 0.5 + r});
    return scene;
}

StackScene make_wall(int columns, int rows)
{
    StackScene scene = make_scene("wall");
    scene.most_drift = 0.25;
    constexpr double kLong = 1, kWide = 0.5, kGap = 0.01, kPitch = kLong + kGap;
    const double half_x = (kLong - kGap) / 4, left = -0.5 * (columns * kPitch - kGap);
    const std::size_t full = add_box(scene, {kLong / 2, kWide / 2, kWide / 2});
    const std::size_t half = add_box(scene, {half_x, kWide / 2, kWide / 2});
    for (int r = 0; r < rows; ++r) {
        const double z = kWide * (r + 0.5);
        const bool is_even = r % 2 == 0;
        const double first = left + kLong / 2 + (is_even ? 0 : 0.5 * kPitch);
        if (!is_even)
            add(scene, half, {left + half_x, 0, z});
        for (int i = 0; i < columns - (is_even ? 0 : 1); ++i)
            add(scene, full, {first + i * kPitch, 0, z});
        if (!is_even)
            add(scene, half, {-left - half_x, 0, z});
    }
    return scene;
}

StackScene make_heavy_top(std::string name, double ratio)
{
    constexpr int kCount = 10;
    StackScene scene = make_scene(std::move(name));
    const std::size_t box = add_box(scene, {0.5, 0.5, 0.5});
    for (int i = 0; i < kCount; ++i)
        scene.bodies.push_back({box, {0, 0, 0.5 + i}, {}, i + 1 == kCount ? ratio * 100 : 100});
    return scene;
}

void add_silo_walls(StackScene& scene, double inner)
{
    constexpr double kHeight = 16, kThick = 0.25;
    constexpr int kPanels = 24;
    const double half_width = (inner + 2 * kThick) * std::tan(M_PI / kPanels);
    const std::size_t panel = add_box(scene, {kThick, half_width, kHeight / 2});
    for (int i = 0; i < kPanels; ++i) {
        const double a = 2 * M_PI * i / kPanels, r = inner + kThick;
        scene.bodies.push_back(
            {panel, {r * std::cos(a), r * std::sin(a), kHeight / 2}, exp_quat(Vec3{0, 0, a}), 0});
    }
    scene.wall = inner + kThick;
}

StackScene make_silo(int balls)
{
    constexpr double kInner = 2.5, kRadius = 0.25, kPitch = 0.56;
    StackScene scene = make_scene("silo");
    scene.expected = Outcome::settles;
    scene.friction = 0.4;
    scene.seconds = 8;
    add_silo_walls(scene, kInner);
    const std::size_t ball = add_sphere(scene, kRadius);
    unsigned seed = 12345;
    const auto jitter = [&seed] {
        seed = seed * 1664525u + 1013904223u;
        return (double(seed >> 8) / (1u << 24) - 0.5) * 0.04;
    };
    int made = 0;
    for (int layer = 0; made < balls; ++layer)
        for (int i = -4; i <= 4; ++i)
            for (int j = -4; j <= 4 && made < balls; ++j) {
                const double x = i * kPitch, y = j * kPitch;
                if (std::hypot(x, y) > kInner - kRadius - 0.08)
                    continue;
                const double dx = jitter(), dy = jitter();
                add(scene, ball, {x + dx, y + dy, 0.5 + layer * kPitch});
                ++made;
            }
    return scene;
}

StackScene make_cards(int levels)
{
    constexpr double kThick = 0.02, kWidth = 0.7, kLean = 22 * kDegree, kPaper = 800;
    constexpr double kOverhang = 0.06, kJoint = 0.004;
    StackScene scene = make_scene("cards");
    scene.friction = 0.8;
    scene.most_drift = 0.25;
    const std::size_t leg = add_box(scene, {kThick / 2, kWidth / 2, 0.5});
    const double c = std::cos(kLean), s = std::sin(kLean);
    const double reach_x = 0.5 * (s + kThick * c), reach_z = 0.5 * (c + kThick * s);
    const double pitch = 4 * reach_x + 0.02;
    for (int k = 0; k < levels; ++k) {
        const int pairs = levels - k;
        const double base = k * (2 * reach_z + kThick);
        const auto apex = [&](int i) { return (i - 0.5 * (pairs - 1)) * pitch; };
        for (int i = 0; i < pairs; ++i)
            for (const int side : {-1, 1})
                add(scene, leg, {apex(i) + side * reach_x, 0, base + reach_z},
                    exp_quat(Vec3{0, -side * kLean, 0}), kPaper);
        for (int i = 0; i + 1 < pairs; ++i) {
            const double low = apex(i) + (i == 0 ? -kOverhang : kJoint / 2);
            const double high = apex(i + 1) + (i + 2 == pairs ? kOverhang : -kJoint / 2);
            const std::size_t deck = add_box(scene, {(high - low) / 2, kWidth / 2, kThick / 2});
            add(scene, deck, {(low + high) / 2, 0, base + 2 * reach_z + kThick / 2}, {}, kPaper);
        }
    }
    return scene;
}

/// A half circle of dry stones; it can stand from t/R = 0.107 on.
StackScene make_arch(std::string name, double thick_by_radius, Outcome expected)
{
    constexpr int kStones = 25;
    constexpr double kRadius = 5, kDepth = 1;
    StackScene scene = make_scene(std::move(name));
    scene.expected = expected;
    scene.friction = 0.8;
    scene.most_drift = 0.25;
    const double thick = thick_by_radius * kRadius, h = 0.5 * M_PI / kStones;
    std::vector<Vec3> corners; // of the stone at the crown: z outwards, y along the vault
    for (const double y : {-kDepth / 2, kDepth / 2})
        for (const auto& [r, side] : {std::pair{kRadius - thick / 2, -1},
                                      {kRadius - thick / 2, 1},
                                      {kRadius + thick / 2, 1},
                                      {kRadius + thick / 2, -1}})
            corners.push_back({side * r * std::sin(h), y, r * std::cos(h)});
    const auto [stone, centre] = add_hull(
        scene, corners,
        {{0, 1, 2, 3}, {7, 6, 5, 4}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}});
    for (int i = 0; i < kStones; ++i) {
        const Quat q = exp_quat(Vec3{0, -M_PI / 2 + (2 * i + 1) * h, 0});
        add(scene, stone, rotate(q, centre), q);
    }
    return scene;
}

/// Planks over an edge: the harmonic overhang is the limit.
StackScene make_planks(std::string name, double share, Outcome expected)
{
    constexpr int kCount = 6;
    constexpr double kTable = 5, kThick = 0.1;
    StackScene scene = make_scene(std::move(name));
    scene.expected = expected;
    scene.seconds = 3;
    scene.most_drift = 0.02;
    const std::size_t table = add_box(scene, {5, 5, kTable / 2});
    scene.bodies.push_back({table, {-5, 0, kTable / 2}, {}, 0});
    const std::size_t plank = add_box(scene, {0.5, 0.25, kThick / 2});
    double edge = 0;
    for (int i = 0; i < kCount; ++i) {
        edge += share / (2.0 * (kCount - i));
        add(scene, plank, {edge - 0.5, 0, kTable + kThick * (i + 0.5)});
    }
    return scene;
}

/// A block on a slope `beyond` degrees from the friction angle; `heading` turns the way down away
/// from the block's axes.
StackScene make_incline(std::string name, double beyond, double heading)
{
    StackScene scene = make_scene(std::move(name));
    scene.seconds = 3;
    scene.has_goal = false;
    const double a = std::atan(scene.friction) + beyond * kDegree, d = heading * kDegree;
    scene.gravity =
        Vec3{std::sin(a) * std::cos(d), std::sin(a) * std::sin(d), -std::cos(a)} * kGravity;
    add(scene, add_box(scene, {0.5, 0.5, 0.25}), {0, 0, 0.25});
    const double acceleration = kGravity * (std::sin(a) - scene.friction * std::cos(a));
    scene.expected = acceleration > 0 ? Outcome::slides : Outcome::sticks;
    scene.slide = 0.5 * acceleration * scene.seconds * scene.seconds;
    return scene;
}

} // namespace

std::vector<StackScene> make_stack_scenes()
{
    return {make_tower(20),
            make_pyramid(20),
            make_wall(20, 10),
            make_cards(4),
            make_arch("arch", 0.2, Outcome::stands),
            make_heavy_top("heavy_top_1e3", 1e3),
            make_heavy_top("heavy_top_1e6", 1e6),
            make_arch("arch_0.115", 0.115, Outcome::stands),
            make_arch("arch_0.10", 0.10, Outcome::falls),
            make_planks("planks_0.99", 0.99, Outcome::stands),
            make_planks("planks_1.01", 1.01, Outcome::falls),
            make_incline("incline_-1", -1, 0),
            make_incline("incline_+1", 1, 0),
            make_incline("incline_+1_30", 1, 30),
            make_incline("incline_+1_45", 1, 45),
            make_silo(1000)};
}

} // namespace sinew::bench

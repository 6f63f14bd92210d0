#pragma once

// The paper's system of one scene: coordinates, simple equations between them, masses, forces.
// Made once by charli_builder; the step only fills in numbers.
//
// [HerrWyvill90, generating the differential equations]: for every transformation on the way of a
// point three coordinates more, for every free rotation ξ and η instead of the angle, and for each
// of them an equation with at most two factors a term, such as α₁ − r ξ = 0 and ξ² + η² − 1 = 0.
//
//   symbol  | code                 | unit   | meaning
//   --------|----------------------|--------|---------------------------------------------------
//   q       | Unknown              | m or 1 | a coordinate of the system: m_x, r, ξ, η, α₁, ...
//   f       | Row                  | m or 1 | an equation f(q, t) = 0
//   x(t)    | Known                | m or 1 | constant, or given by a track, `time` or an import
//   ξ, η    | Turn                 | -      | cosine and sine of a free rotation
//   u       | Curve::u             | -      | place on a path

#include "sinew/scene.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew::charli_method {

constexpr std::uint32_t kNone = 0xffffffff;

/// A number that equations are made of: known at every time, or one of the coordinates.
struct Factor {
    bool is_known = true;
    std::uint32_t index = 0; ///< in System::knowns or System::unknowns

    auto operator<=>(const Factor&) const = default;
};

using Triple = std::array<Factor, 3>;

enum class KnownKind : std::uint8_t { number, value, cosine, sine, add, subtract, multiply };

struct Known {
    KnownKind kind = KnownKind::number;
    double number = 0;
    Value value = {};
    Origin origin = {};
    std::uint32_t a = 0, b = 0; ///< knowns before this one
};

constexpr Factor kZero{true, 0}, kOne{true, 1}; ///< the first knowns of every system

enum class DefinitionKind : std::uint8_t {
    script, ///< a coordinate of the script
    cosine, ///< of a turn
    sine,
    row,   ///< the equation that introduced it, solved for it
    place, ///< the place on a curve nearest to its point
    seen   ///< a point seen from another frame
};

/// How a coordinate follows from those before it, at a start.
struct Definition {
    DefinitionKind kind = DefinitionKind::script;
    std::uint32_t index = 0; ///< of the coordinate, turn, row, curve or view
    std::uint32_t axis = 0;
};

struct Unknown {
    std::string name;
    double mass = 0; ///< [kg]
    bool is_length = true;
    Definition definition = {};
};

/// coefficient · a · b
struct Term {
    double coefficient = 1;
    Factor a = kOne, b = kOne;
};

enum class RowKind : std::uint8_t {
    sum,      ///< of terms
    distance, ///< |b − a|² − f²
    curve,    ///< x − P(u) along one axis
    formula,  ///< a − F(q, t)
    angle     ///< θ − the angle of (ξ, η)
};

struct Row {
    RowKind kind = RowKind::sum;
    std::uint32_t first = 0, count = 0; ///< terms of a sum; else `first` is the number of the item
    std::uint32_t axis = 0;
    std::uint32_t first_column = 0, column_count = 0; ///< in System::columns
    std::uint32_t statement = kNone; ///< of the script: distance constraints first, then paths
    bool is_length = true;
    std::uint32_t distance = kNone; ///< holds only while that distance is zero, or is not
    bool is_for_zero = false;
};

struct Distance {
    Triple a = {}, b = {};
    Factor length = {};
};

/// One transformation with its amount; of a rotation the cosine and the sine.
struct Move {
    TransformationKind kind = TransformationKind::translate_x;
    Factor amount = {}, sine = {};
};

/// Transformations of a frame up to another, innermost first.
using Chain = std::vector<Move>;

struct Curve {
    PathKind kind = PathKind::line;
    PathId path = {};
    std::vector<Triple> points = {};
    std::uint32_t u = kNone;
    Triple out = {};   ///< the place on the curve, in its own frame
    Triple on_it = {}; ///< the point that is to be there, in the world
    Chain chain = {};  ///< from its own frame to the world
    std::uint32_t statement = kNone;
};

struct FormulaItem {
    Value value = {};
    std::uint32_t out = kNone;
};

/// ξ and η of a coordinate of the script, or of an angle that is a coordinate of the system.
struct Turn {
    std::uint32_t xi = kNone, eta = kNone;
    std::uint32_t script = kNone;
    std::uint32_t theta = kNone; ///< none: nothing but rotations needs the angle
};

/// A point seen from a frame that is not on its way: chain(seen) = point.
struct View {
    Triple point = {};
    Chain chain = {};
};

struct MassPoint {
    Triple place = {};
    double mass = 0;
    ObjectId object = {};
};

struct System {
    Scene scene;

    std::vector<Known> knowns;
    std::vector<Unknown> unknowns;
    std::vector<Row> rows;
    std::vector<Term> terms;
    std::vector<std::uint32_t> columns; ///< the unknowns in each row
    std::vector<Distance> distances;
    std::vector<Curve> curves;
    std::vector<FormulaItem> formulas;
    std::vector<Turn> turns;
    std::vector<View> views;

    std::vector<std::uint32_t> script_unknowns; ///< of each coordinate of the script, or none
    std::vector<std::uint32_t> script_turns;    ///< the same
    std::vector<std::uint32_t> followers;       ///< coordinates of the script that are no unknowns
    std::vector<Factor> positions;              ///< of each formula that is a position in use
    std::vector<bool> driving_imports;          ///< those that known values depend on

    std::vector<MassPoint> masses;
    std::vector<std::array<Triple, 2>> spring_ends; ///< as Scene::point_springs
    std::vector<Triple> force_points, drag_points;  ///< as Scene::forces, drags
    std::vector<Chain> force_frames, field_frames;  ///< as Scene::forces, fields
    std::vector<std::vector<std::uint32_t>> field_masses;

    /// Unknowns, then followers; the state holds their values, then their rates.
    std::size_t width() const { return unknowns.size() + followers.size(); }
};

} // namespace sinew::charli_method

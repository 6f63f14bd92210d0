#pragma once

#include "models/linkage/paper/equations/system.h"

#include "scene/formula.h"

#include <map>
#include <optional>
#include <utility>

namespace sinew::charli_method {

/// The paper's system of a validated scene, or what of it the scheme cannot do.
Result<System> build_system(const Scene& scene);

/// Makes the coordinates and equations of points and amounts; charli_points.cpp has the points.
class Builder {
public:
    explicit Builder(const Scene& scene);

    Result<System> run();

private:
    // Known numbers.
    Factor add_number(double number);
    Factor add_known(Value value, Origin origin);
    Factor combine(KnownKind kind, Factor a, Factor b = kZero);
    std::optional<double> number_of(Factor factor) const;

    // Coordinates and equations.
    std::uint32_t add_unknown(std::string name, bool is_length, Definition definition);
    void add_row(Row row, std::vector<std::uint32_t> columns);
    void add_sum(std::vector<Term> terms, bool is_length, std::uint32_t statement = kNone,
                 std::uint32_t distance = kNone);
    void add_coincidence(const Triple& a, const Triple& b, std::uint32_t statement,
                         std::uint32_t distance = kNone);

    // Amounts.
    bool is_known(Value value) const;
    Factor amount(Value value, Origin origin, bool is_length);
    std::uint32_t script_unknown(std::uint32_t coordinate, bool is_length);
    std::uint32_t add_formula(Value value, Origin origin, bool is_length);
    std::pair<Factor, Factor> turn(Value value, Origin origin);
    std::uint32_t add_turn(std::string name, std::uint32_t script, std::uint32_t theta);
    void tie_angle(std::uint32_t turn);
    void need_positions(Value value);

    // Points.
    Move move(std::uint32_t transformation);
    Triple push(const Triple& in, std::uint32_t transformation, const std::string& name, int order);
    Triple drive(const Triple& in, const Move& move);
    Triple introduce(const Triple& in, const Move& move, const std::string& name, int order);
    Triple carry(Triple point, ObjectId from, ObjectId to, const std::string& name);
    Chain chain(ObjectId from, ObjectId to);
    Triple place(ObjectId object);
    Triple seen(ObjectId object, ObjectId frame);

    // The scene's things.
    void add_masses();
    void add_distance(std::uint32_t statement);
    void add_path(std::uint32_t number);
    void add_curve(Curve curve, const std::string& name);
    void add_forces();
    void finish();
    void refuse(std::string code, Origin origin, std::string element, std::string what,
                std::string hint);

    System system_;
    const Scene& scene_;
    std::vector<FormulaTraits> traits_;
    std::vector<std::string> names_;
    std::map<std::pair<std::uint32_t, Triple>, Triple> pushed_;
    std::map<std::pair<ObjectId, ObjectId>, Triple> seen_;
    std::map<std::uint32_t, Factor> known_formulas_, formula_unknowns_;
    std::map<std::uint32_t, std::uint32_t> formula_turns_;
    std::map<double, Factor> numbers_;
    Problems problems_;
    int depth_ = 0;
};

} // namespace sinew::charli_method

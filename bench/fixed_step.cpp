#include "fixed_step.h"

#include "base/contract.h"
#include "base/hash.h"

namespace sinew::bench {

FixedStep::FixedStep(const Scene& scene) : scene_(scene)
{
    SINEW_EXPECTS(!has_errors(validate(scene_)));
    const std::vector<LinkageParts> parts = find_linkages(scene_);
    SINEW_EXPECTS(parts.size() == 1);
    plan_ = make_plan(scene_, parts[0]);
    matrix_plan_ = make_matrix_plan(plan_, false, false);
    system_ = std::make_unique<LinkageSystem>(plan_, matrix_plan_, imports_);
    for (const std::uint32_t c : plan_.coordinates) {
        x_.push_back(scene_.coordinates[c].initial);
        v_.push_back(scene_.coordinates[c].initial_rate);
    }
    memory_.resize(plan_.memory_size + plan_.rows.size()); // no row is dropped
    for (std::vector<double>* list : {&a_, &x_stage_, &v_stage_, &x_sum_, &v_sum_})
        list->resize(x_.size());
}

void FixedStep::update() { SINEW_EXPECTS(system_->update({time_, Side::after, x_, v_}, memory_)); }
void FixedStep::factor() { SINEW_EXPECTS(system_->factor()); }
void FixedStep::solve() { system_->solve_accelerations(a_); }

void FixedStep::evaluate() { accelerate(x_, v_); }

void FixedStep::accelerate(const std::vector<double>& x, const std::vector<double>& v)
{
    SINEW_EXPECTS(system_->update({time_, Side::after, x, v}, memory_) && system_->factor());
    system_->solve_accelerations(a_);
}

void FixedStep::step(double h)
{
    constexpr double kNodes[] = {0.5, 0.5, 1, 0}, kWeights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    x_stage_ = x_sum_ = x_;
    v_stage_ = v_sum_ = v_;
    for (int stage = 0; stage < 4; ++stage) {
        accelerate(x_stage_, v_stage_);
        for (std::size_t i = 0; i < x_.size(); ++i) {
            x_sum_[i] += h * kWeights[stage] * v_stage_[i];
            v_sum_[i] += h * kWeights[stage] * a_[i];
            x_stage_[i] = x_[i] + h * kNodes[stage] * v_stage_[i];
            v_stage_[i] = v_[i] + h * kNodes[stage] * a_[i];
        }
    }
    x_.swap(x_sum_);
    v_.swap(v_sum_);
    time_ += h;
    if (plan_.ties.empty())
        return; // the coordinates are free: nothing to project
    const LinkageState state{x_, v_, memory_};
    SINEW_EXPECTS(project_positions(*system_, time_, Side::before, state, 8));
    SINEW_EXPECTS(project_rates(*system_, time_, Side::before, state));
}

std::uint64_t FixedStep::state_hash() const
{
    Hash hash;
    for (const std::vector<double>* list : {&x_, &v_})
        for (const double value : *list)
            hash.add(value);
    return hash.value();
}

} // namespace sinew::bench

#include "dense_rival.h"

#include <Eigen/LU>

#include <cmath>

namespace sinew::bench {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

class Chain final : public DenseChain {
public:
    Chain(int masses, double angle)
        : n_(masses), x_(2 * n_), v_(VectorXd::Zero(2 * n_)), matrix_(3 * n_, 3 * n_),
          right_(3 * n_)
    {
        for (Index i = 0; i < n_; ++i)
            x_.segment<2>(2 * i) << double(i + 1) * std::sin(angle),
                -double(i + 1) * std::cos(angle);
    }

    void evaluate() override { accelerate(x_, v_); }

    void step(double h) override
    {
        constexpr double kNodes[] = {0.5, 0.5, 1, 0},
                         kWeights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        VectorXd x_stage = x_, v_stage = v_, x_sum = x_, v_sum = v_;
        for (int stage = 0; stage < 4; ++stage) {
            const VectorXd a = accelerate(x_stage, v_stage);
            x_sum += h * kWeights[stage] * v_stage;
            v_sum += h * kWeights[stage] * a;
            x_stage = x_ + h * kNodes[stage] * v_stage;
            v_stage = v_ + h * kNodes[stage] * a;
        }
        x_ = x_sum;
        v_ = v_sum;
        project();
    }

    std::span<const double> positions() const override
    {
        return {x_.data(), static_cast<std::size_t>(x_.size())};
    }

private:
    /// From the mass before, or the origin, to mass i.
    static Eigen::Vector2d link(const VectorXd& x, Index i)
    {
        const Eigen::Vector2d end = x.segment<2>(2 * i);
        return i == 0 ? end : Eigen::Vector2d(end - x.segment<2>(2 * i - 2));
    }

    /// [M Jᵀ; J 0] with rows g = (|link|² − 1) / 2.
    void fill_matrix(const VectorXd& x)
    {
        matrix_.setZero();
        matrix_.diagonal().head(2 * n_).setOnes();
        for (Index i = 0; i < n_; ++i) {
            const Eigen::Vector2d d = link(x, i);
            const Index row = 2 * n_ + i;
            matrix_.block<1, 2>(row, 2 * i) = d.transpose();
            matrix_.block<2, 1>(2 * i, row) = d;
            if (i == 0)
                continue;
            matrix_.block<1, 2>(row, 2 * i - 2) = -d.transpose();
            matrix_.block<2, 1>(2 * i - 2, row) = -d;
        }
    }

    /// Of the linear system with this right-hand side, the part without the multipliers.
    VectorXd solve()
    {
        const Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXd>> factors(matrix_);
        return factors.solve(right_).head(2 * n_);
    }

    VectorXd accelerate(const VectorXd& x, const VectorXd& v)
    {
        fill_matrix(x);
        for (Index i = 0; i < n_; ++i) {
            right_.segment<2>(2 * i) << 0, -9.81;
            right_[2 * n_ + i] = -link(v, i).squaredNorm();
        }
        return solve();
    }

    /// Positions, by Newton's method, then rates.
    void project()
    {
        right_.setZero();
        for (int iteration = 0; iteration < 3; ++iteration) {
            for (Index i = 0; i < n_; ++i)
                right_[2 * n_ + i] = (1 - link(x_, i).squaredNorm()) / 2;
            if (right_.lpNorm<Eigen::Infinity>() < 1e-14)
                break;
            fill_matrix(x_);
            x_ += solve();
        }
        for (Index i = 0; i < n_; ++i)
            right_[2 * n_ + i] = -link(x_, i).dot(link(v_, i));
        fill_matrix(x_);
        v_ += solve();
    }

    Index n_;
    VectorXd x_, v_;
    Eigen::MatrixXd matrix_;
    VectorXd right_;
};

} // namespace

std::unique_ptr<DenseChain> DenseChain::make(int masses, double angle)
{
    return std::make_unique<Chain>(masses, angle);
}

} // namespace sinew::bench

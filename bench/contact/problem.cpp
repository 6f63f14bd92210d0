#include "problem.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

namespace sinew::bench {

namespace {

constexpr int kMostRows = 20'000; // what a dense W may have

/// Numbers of a text, one after the other; once one is missing all others are too.
class Numbers {
public:
    explicit Numbers(const std::string& file) : in_(file) {}

    double number()
    {
        double x = 0;
        if (!(in_ >> x))
            is_good_ = false;
        return x;
    }
    int whole() { return int(number()); }
    std::vector<int> wholes(int count)
    {
        std::vector<int> list;
        for (int i = 0; i < count && is_good_; ++i)
            list.push_back(whole());
        return list;
    }
    bool is_good() const { return is_good_; }

private:
    std::ifstream in_;
    bool is_good_ = true;
};

bool read_dense(Numbers& in, Eigen::MatrixXd& W)
{
    if (in.whole() != W.rows() || in.whole() != W.cols())
        return false;
    for (Eigen::Index column = 0; column < W.cols(); ++column)
        for (Eigen::Index row = 0; row < W.rows() && in.is_good(); ++row)
            W(row, column) = in.number();
    return in.is_good();
}

/// Blocks row by row: where each row of blocks begins, the column of each block, their numbers
/// column by column.
bool read_blocks(Numbers& in, Eigen::MatrixXd& W)
{
    const int count = in.whole(), rows = in.whole(), columns = in.whole();
    if (!in.is_good() || rows < 1 || columns < 1 || rows > W.rows() || columns > W.cols())
        return false;
    const std::vector<int> row_end = in.wholes(rows), column_end = in.wholes(columns);
    const int starts = in.whole(), filled = in.whole();
    if (!in.is_good() || starts < rows + 1 || filled < count || filled > rows * columns)
        return false;
    const std::vector<int> first = in.wholes(starts), column = in.wholes(filled);
    if (!in.is_good() || first[std::size_t(rows)] > filled || row_end.back() != W.rows() ||
        column_end.back() != W.cols())
        return false;
    const auto begin = [](const std::vector<int>& end, int i) {
        return i == 0 ? 0 : end[std::size_t(i - 1)];
    };
    for (int row = 0; row < rows; ++row)
        for (int k = first[std::size_t(row)]; k < first[std::size_t(row) + 1]; ++k) {
            const int number = in.whole(), j = column[std::size_t(k)];
            if (number != k || j < 0 || j >= columns)
                return false;
            for (int c = begin(column_end, j); c < column_end[std::size_t(j)]; ++c)
                for (int r = begin(row_end, row); r < row_end[std::size_t(row)]; ++r)
                    W(r, c) = in.number();
            if (!in.is_good())
                return false;
        }
    return true;
}

} // namespace

std::optional<ContactProblem> read_problem(const std::string& file, std::string& why)
{
    Numbers in(file);
    const int dimension = in.whole(), contacts = in.whole(), storage = in.whole();
    const int rows = in.whole(), columns = in.whole();
    if (!in.is_good() || dimension != 3) {
        why = "no problem in three dimensions";
        return std::nullopt;
    }
    if (rows != 3 * contacts || columns != rows || rows < 3 || rows > kMostRows) {
        why = "W has not three rows for each contact";
        return std::nullopt;
    }
    ContactProblem problem{std::filesystem::path(file).filename().string(),
                           Eigen::MatrixXd::Zero(rows, columns), Eigen::VectorXd(rows),
                           Eigen::VectorXd(contacts), 0};
    const bool is_read = storage == 0   ? read_dense(in, problem.W)
                         : storage == 1 ? read_blocks(in, problem.W)
                                        : false;
    for (double& x : problem.q)
        x = in.number();
    for (double& x : problem.mu)
        x = in.number();
    if (is_read && in.is_good()) {
        const Eigen::MatrixXd other = problem.W.transpose();
        problem.skew = (problem.W - other).norm() / std::max(problem.W.norm(), 1e-300);
        problem.W = (problem.W + other) * 0.5;
        return problem;
    }
    why = storage > 1 ? "W is stored neither dense nor in blocks" : "the file ends early";
    return std::nullopt;
}

Eigen::Vector3d project_on_cone(const Eigen::Vector3d& r, double mu)
{
    const double along = r[0], across = std::hypot(r[1], r[2]);
    if (across <= mu * along)
        return r;
    if (mu * across <= -along)
        return Eigen::Vector3d::Zero();
    const double normal = (along + mu * across) / (1 + mu * mu);
    const double share = mu * normal / across;
    return {normal, share * r[1], share * r[2]};
}

double compute_error(const ContactProblem& problem, const Eigen::VectorXd& r)
{
    const Eigen::VectorXd u = problem.W * r + problem.q;
    double square = 0;
    for (Eigen::Index i = 0; i < problem.contacts(); ++i) {
        const Eigen::Vector3d own = r.segment<3>(3 * i);
        Eigen::Vector3d moved = u.segment<3>(3 * i);
        moved[0] += problem.mu[i] * std::hypot(moved[1], moved[2]);
        square += (own - project_on_cone(own - moved, problem.mu[i])).squaredNorm();
    }
    const double size = problem.q.norm();
    return std::sqrt(square) / (size > 0 ? size : 1);
}

} // namespace sinew::bench

#pragma once

#include "math/eigen.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace sinew {

/// About how many operations a factorisation of the symmetric matrix A takes, from its pattern
/// alone.
inline double compute_factor_cost(const Eigen::SparseMatrix<double>& A)
{
    struct Pattern : Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> {
        double cost() const
        {
            double sum = 0;
            for (Eigen::Index i = 0; i < m_nonZerosPerCol.size(); ++i)
                sum += double(m_nonZerosPerCol[i]) * double(m_nonZerosPerCol[i]);
            return sum;
        }
    };
    Pattern pattern;
    pattern.analyzePattern(A);
    return pattern.cost();
}

} // namespace sinew

#pragma once

/// Stops and dry friction of the coordinates of linkages, as rows.

#include "islands/ensemble.h"
#include "models/linkage/model.h"

#include <vector>

namespace sinew {

/// A linkage by itself finds the times of its stops; what others hold or touch moves with them in
/// the steps of the world, and rows keep its coordinates within their bounds.
class CoordinateRows final : public RowSource {
public:
    explicit CoordinateRows(const LinkageModel& linkages);

    bool is_empty() const { return stops_.empty() && grips_.empty(); }

    /// For linkages that one of the rows found so far holds.
    void add_attachments(std::span<const Trial> trials, double t0, double t1,
                         std::vector<Attachment>& found) const noexcept override;

private:
    const LinkageModel* linkages_;
    std::vector<CoordinateStop> stops_;
    std::vector<CoordinateGrip> grips_;
};

} // namespace sinew

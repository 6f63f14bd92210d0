// Linkages in an island: stages with rows from outside.

#include "models/linkage/model.h"

namespace sinew {

void LinkageModel::locate(const Trial&, double, std::span<const Site>,
                          std::span<SiteMotion>) const noexcept
{
}
void LinkageModel::begin_stage(const Cohort&, const Stage&, Trial&) const noexcept {}
void LinkageModel::predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept {}
void LinkageModel::respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept {}
void LinkageModel::correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept
{
}
void LinkageModel::measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                           std::span<BlockReport>) const noexcept
{
}

} // namespace sinew

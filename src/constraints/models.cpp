#include "constraints/models.h"

namespace sinew {

namespace {

class NoModel final : public Dynamics {
public:
    std::span<const BlockShape> blocks() const noexcept override { return {}; }
    std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
    void locate(const Trial&, double, std::span<const Site>,
                std::span<SiteMotion>) const noexcept override
    {
    }
    void begin_stage(const Cohort&, const Stage&, Trial&) const noexcept override {}
    void predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept override {}
    void respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept override {}
    void correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept override
    {
    }
    void measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                 std::span<BlockReport>) const noexcept override
    {
    }
    void advance_alone(const Cohort&, double, double, Trial&,
                       std::span<BlockReport>) const noexcept override
    {
    }
};

} // namespace

const Dynamics& no_model()
{
    static const NoModel model;
    return model;
}

} // namespace sinew

#pragma once

#include "models/linkage/equations/system.h"
#include "solve/ode/gauss.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// Where a step over a singular posture begins and ends, and where the posture is expected [s].
struct PassageInterval {
    double begin = 0, end = 0, change = 0;
};

/// One long step over a posture in which constraints depend on each other for an instant: a flat
/// parallelogram, a dead centre. The motion is smooth there, and so is the space of velocities that
/// the branch allows, but J loses rank and other branches meet. So Gauss' collocation takes the
/// step with nodes on both sides and none near. Each node is put onto the branch from the place
/// where the motion before it leads, and keeps as many rows as there were before, the strongest.
/// [notes: linkages, change points]
class Passage {
public:
    Passage(const LinkagePlan& plan, LinkageSystem& system);

    /// From y, positions and then rates, with what the state remembers. `scale` as in the explicit
    /// method. False where there is no such step; else `y_new` is the state at the end. It need not
    /// be looked at, neither here nor at the begin.
    bool step(const PassageInterval& interval, std::span<const double> y,
              std::span<const double> memory, std::span<const double> scale,
              std::span<double> y_new);

    /// The state at a time within the last step.
    void read(double time, std::span<double> y) const;

    /// When the last step passed a posture in which rows depend on each other; none if it did not.
    std::optional<double> find_change() const;

private:
    bool find(const PassageInterval& interval, std::span<const double> y,
              std::span<const double> memory, std::span<const double> scale);
    struct Node {
        double time = 0;
        std::vector<double> y, slope, memory;
        double strength = 0; ///< of the weakest row
    };

    void make_room(std::size_t memory_size);
    std::span<Node> used(const GaussNodes& gauss)
    {
        return std::span(nodes_).first(static_cast<std::size_t>(gauss.count()));
    }
    void prepare(const GaussNodes& gauss, const PassageInterval& interval,
                 std::span<const double> memory);
    bool march(const GaussNodes& gauss, std::span<const double> y);
    void finish(const GaussNodes& gauss, std::span<const double> y, double end,
                std::vector<double>& out);
    bool refine(const GaussNodes& gauss, std::span<const double> y, std::span<const double> scale,
                std::vector<double>& end);
    void start_from(const GaussNodes& gauss, const GaussNodes& other);
    bool look(Node& node, bool is_first);
    void place(const GaussNodes& gauss, double at, std::span<const double> y,
               std::span<double> out) const;

    const LinkagePlan* plan_;
    LinkageSystem* system_;
    GaussNodes six_, seven_, eight_, nine_;
    std::vector<Node> nodes_, others_; ///< of this step, and of the one that it is compared with
    double length_ = 0;
    std::uint32_t row_count_ = 0; ///< that the branch keeps
    std::vector<double> before_, end_, other_end_, projected_, node_memory_;
    PassageInterval interval_;           ///< of the last step
    std::vector<double> start_, memory_; ///< at its begin
    const GaussNodes* gauss_ = nullptr;  ///< its nodes
    bool is_found_ = false;
};

} // namespace sinew

#pragma once

// Newton's iteration of a stage for a batch, each lane with its own search, tolerance and end.

#include "models/strand/lanes/batch.h"
#include "models/strand/lanes/touch.h"

#include <array>
#include <type_traits>

namespace sinew::strand {

/// The arrays of a batch while it steps. All of the worker's, none of them State.
template <class T>
struct Room {
    Rows<T> trail, factor, param, load;
    Rows<T> change; ///< ω̇ of the first stage
    Rows<T> axial;  ///< where lengths move
    Rows<T> guess;  ///< ω̇ of both stages, the second first, where searches begin
    std::span<Demand<T>> slots;
    std::span<SymmetricDemand<T>> symmetric_slots;
    Touches<T> touches = {}; ///< where strands touch

    /// What the roots demand, where bases are pulled at.
    struct Pull {
        SymmetricDemand<T> now;  ///< as last eliminated
        SymmetricDemand<T> kept; ///< of each lane, as of the last step of its search
        Load6<T> root, after;    ///< after the step that is on, and after each lane's last
    };
    Pull* pull = nullptr;
};

/// What every pass over all segments is compiled as: one function with everything inside.
/// With sanitizers such a function takes minutes to compile, so there it is not.
#ifdef SINEW_SANITIZED
#define SINEW_FLAT __attribute__((noinline))
#else
#define SINEW_FLAT __attribute__((flatten, noinline))
#endif

/// `kStretch`: lengths move; such strands take the symmetric matrix alone.
template <class T, bool kDrag, bool kTouch = false, bool kStretch = false>
class StageSolver {
public:
    static constexpr int kWidth = LaneTraits<T>::kWidth;
    using Scalar = typename LaneTraits<T>::Scalar;
    enum class Status : std::uint8_t { idle, running, done, failed };

    StageSolver(const Topology& tree, const Room<T>& room, const Effort& effort)
        : tree_(tree), room_(room), effort_(effort)
    {
    }

    /// Which matrix leads each lane, and how its search went.
    struct Ask {
        Status status = Status::idle; ///< running: to be solved; then done or failed
        bool is_symmetric = false;
        int solves = 0;
    };

    /// From the guess in Trail::rate to rates that solve the stage; poses may be those of the rates
    /// before. Lanes that are not running are left alone; lanes with different matrices take turns.
    void solve(const StageOf<T>& stage, std::array<Ask, kWidth>& asked) noexcept
    {
        lanes_ = {};
        if constexpr (!kStretch) {
            if (choose_lanes(asked, false))
                iterate<false>(stage);
            keep_status(asked);
        }
        if (choose_lanes(asked, true))
            iterate<true>(stage);
        keep_status(asked);
    }

private:
    enum class Move : std::uint8_t { stay, step, back };

    struct Lane {
        double merit = -1, turn = 0, last_turn = 0, scale = 1;
        double relaxation = 1; ///< of the last step
        int solves = 0, cuts = 0, changes = 0;
        bool is_same = false; ///< who touches how, as an iteration before
        Move move = Move::stay;
    };

    bool choose_lanes(const std::array<Ask, kWidth>& asked, bool is_symmetric)
    {
        for (int k = 0; k < kWidth; ++k)
            status_[k] = asked[k].is_symmetric == is_symmetric ? asked[k].status : Status::idle;
        return is_any_running();
    }

    void keep_status(std::array<Ask, kWidth>& asked) const
    {
        for (int k = 0; k < kWidth; ++k)
            if (status_[k] != Status::idle)
                asked[k].status = status_[k], asked[k].solves = lanes_[k].solves;
    }

    template <bool kSymmetric>
    void iterate(const StageOf<T>& stage) noexcept
    {
        has_limit_ = kSymmetric && !effort_.is_symmetric;
        for (bool is_first = true;; is_first = false) {
            place<!kSymmetric>(stage);
            judge(kSymmetric ? reduce_symmetric(stage, is_first) : reduce(stage, is_first));
            if (room_.pull)
                keep_pull<kSymmetric>();
            if (!is_any_running())
                return;
            note_turns(advance<kSymmetric>(stage));
            if constexpr (!kSymmetric)
                replace_far(stage);
            if constexpr (kTouch && kSymmetric)
                relax();
            if constexpr (kTouch)
                scale_steps();
            finish_lanes();
            if (!is_any_running())
                return;
        }
    }

    /// In the lanes that step: what a lane demands must not depend on how long others search.
    template <bool kSymmetric>
    void keep_pull() noexcept
    {
        typename Room<T>::Pull& pull = *room_.pull;
        const auto steps = mask_of(Move::step);
        const auto keep = [&](Sym3<T>& to, const Sym3<T>& from) {
            to = {select(steps, from.xx, to.xx), select(steps, from.xy, to.xy),
                  select(steps, from.xz, to.xz), select(steps, from.yy, to.yy),
                  select(steps, from.yz, to.yz), select(steps, from.zz, to.zz)};
        };
        pull.after = {choose(steps, pull.root.N, pull.after.N),
                      choose(steps, pull.root.F, pull.after.F)};
        if constexpr (kSymmetric) {
            keep(pull.kept.A, pull.now.A);
            keep(pull.kept.C, pull.now.C);
            pull.kept.B = {choose(steps, pull.now.B.x, pull.kept.B.x),
                           choose(steps, pull.now.B.y, pull.kept.B.y),
                           choose(steps, pull.now.B.z, pull.kept.B.z)};
        }
    }

    bool is_any_running() const
    {
        for (const Status s : status_)
            if (s == Status::running)
                return true;
        return false;
    }

    static T larger(const T& a, const T& b) { return select(a < b, b, a); }

    /// Where the rates lead. Coefficients are for the exact matrix alone.
    template <bool kCoefficients>
    SINEW_FLAT void place(const StageOf<T>& stage) noexcept
    {
        PointMotion<T> tip{};
        for (int i = 0; i < tree_.count; ++i) {
            if constexpr (kStretch)
                place_length(i, room_.trail, room_.param, stage);
            place_segment<kDrag, kCoefficients, kStretch>(
                i, room_.trail.vector(i, Trail::rate), tree_, room_.trail, room_.param, stage, tip);
        }
        if constexpr (kTouch)
            room_.touches.place(tree_, room_.trail, room_.param, stage);
    }

    const auto& touch() const
    {
        if constexpr (kTouch)
            return room_.touches;
        else
            return kUntouched;
    }
    static constexpr Untouched kUntouched = {};

    SINEW_FLAT Watch<T> reduce(const StageOf<T>& stage, bool is_first) noexcept
    {
        return eliminate<kDrag, false>(tree_, room_.trail, room_.param, room_.load, stage,
                                       room_.slots, room_.factor, Rows<T>{}, is_first,
                                       room_.pull ? &room_.pull->root : nullptr);
    }

    SINEW_FLAT Watch<T> reduce_symmetric(const StageOf<T>& stage, bool is_first) noexcept
    {
        using Touch = std::remove_cvref_t<decltype(touch())>;
        SymmetricDemand<T>* const base = room_.pull ? &room_.pull->now : nullptr;
        if (base)
            *base = SymmetricDemand<T>::zero();
        const Watch<T> watch = eliminate_symmetric<kDrag, true, false, T, Touch, kStretch>(
            tree_, room_.trail, room_.param, room_.load, stage, room_.symmetric_slots, room_.factor,
            Rows<T>{}, Rows<T>{}, is_first, touch(), room_.axial, base);
        if (base)
            room_.pull->root = {base->N + base->p, base->F + base->f};
        return watch;
    }

    /// Whether the last step was one forward, lane by lane: a step that did not lower the residual,
    /// or that took a joint through half a turn, is cut in half. Where points began to touch the
    /// residual may well rise: it was another one before.
    void judge(const Watch<T>& watch) noexcept
    {
        for (int k = 0; k < kWidth; ++k) {
            Lane& lane = lanes_[k];
            lane.move = Move::stay;
            if (status_[k] != Status::running)
                continue;
            const double merit = static_cast<double>(get_lane(watch.merit, k));
            const bool is_through = get_lane(watch.least, k) < Scalar(0);
            const bool is_first = lane.merit < 0;
            const double goal = lane.merit * (1 - 1e-4 * lane.scale);
            lane.is_same = !(get_lane(watch.changes, k) > Scalar(0));
            const bool is_changed =
                kTouch && !lane.is_same && lane.changes++ < effort_.most_changes;
            const bool is_lower = is_first || merit <= goal || merit < tiny() || is_changed;
            if (merit >= 0 && merit < 1e300 && is_lower && (is_first || !is_through)) {
                lane.merit = merit;
                lane.scale = 1;
                lane.cuts = 0;
                lane.move = lane.solves < most_solves(k) ? Move::step : Move::stay;
                lane.solves += lane.move == Move::step;
            } else if (!is_first && lane.cuts < effort_.most_cuts) {
                lane.scale *= 0.5;
                ++lane.cuts;
                lane.move = Move::back;
                lane.last_turn = 0;
            }
            if (lane.move == Move::stay)
                status_[k] = Status::failed;
        }
    }

    int most_solves(int k) const
    {
        if (is_touched(k))
            return effort_.most_touching;
        return has_limit_ ? effort_.most_symmetric : effort_.most_solves;
    }

    static constexpr double tiny() { return sizeof(Scalar) == 8 ? 1e-24 : 1e-9; }

    auto mask_of(Move move) const noexcept
    {
        return mask([&](const Lane& lane) { return lane.move == move; });
    }

    template <class Test>
    auto mask(Test&& test) const noexcept
    {
        T m(0);
        for (int k = 0; k < kWidth; ++k)
            set_lane(m, k, test(lanes_[k]) ? 1 : 0);
        return T(0) < m;
    }

    /// Outward: lanes that step take the new step, lanes that go back a shorter one of the last.
    /// Largest θ|δω| of each lane comes back.
    template <bool kSymmetric>
    SINEW_FLAT T advance(const StageOf<T>& stage) noexcept
    {
        const auto is_step = mask_of(Move::step), is_back = mask_of(Move::back);
        T scale(0), largest(0);
        for (int k = 0; k < kWidth; ++k)
            set_lane(scale, k, lanes_[k].scale);
        for (int i = 0; i < tree_.count; ++i) {
            Vec3T<T> step;
            if constexpr (kSymmetric) {
                step = substitute_symmetric<kStretch>(i, tree_, room_.trail, room_.param, stage,
                                                      room_.factor, room_.axial);
                if constexpr (kTouch)
                    step = choose(T(0) < room_.touches.lanes, exact_step(i, stage), step);
            } else
                step = substitute(i, tree_, room_.trail, room_.param, stage, room_.factor);
            largest = larger(largest, dot(step, step));
            if constexpr (kStretch)
                largest = larger(largest, move_length(i, is_step, is_back, scale));
            room_.trail.put(i, Trail::rate, moved(i, step, is_step, is_back, scale));
        }
        return sqrt(largest) * stage.theta;
    }

    /// To where the symmetric matrix turns a segment exactly: the way against what is stiff would
    /// else be off by θ|w|, and stiffness make much of that.
    Vec3T<T> exact_step(int i, const StageOf<T>& stage) const noexcept
    {
        const Vec3T<T> x = room_.factor.vector(i, Factor::v);
        return transposed_times(rotation_matrix(room_.trail.quat(i, Trail::turn)),
                                exact_rate_of(i, x, room_.trail, stage));
    }

    template <class Mask>
    Vec3T<T> moved(int i, const Vec3T<T>& step, const Mask& is_step, const Mask& is_back,
                   const T& scale) noexcept
    {
        const Rows<T>& trail = room_.trail;
        const Vec3T<T> rate = trail.vector(i, Trail::rate);
        const Vec3T<T> from = choose(is_step, rate, trail.vector(i, Trail::from_rate));
        const Vec3T<T> way = choose(is_step, step, trail.vector(i, Trail::step));
        const Vec3T<T> shorter = choose(is_back, from + way * scale, rate);
        trail.put(i, Trail::from_rate, from);
        trail.put(i, Trail::step, way);
        return choose(is_step, from + way, shorter);
    }

    /// The same of a length's speed. How large its step is comes back, squared, by its length.
    template <class Mask>
    T move_length(int i, const Mask& is_step, const Mask& is_back, const T& scale) noexcept
    {
        const Rows<T>& trail = room_.trail;
        const T speed = trail(i, Axial::speed), change = trail(i, Axial::change),
                part = change / room_.param(i, Spring::rest);
        const T from = select(is_step, speed, trail(i, Axial::from_speed));
        const T way = select(is_step, change, trail(i, Axial::step_speed));
        trail(i, Axial::from_speed) = from;
        trail(i, Axial::step_speed) = way;
        trail(i, Axial::speed) =
            select(is_step, from + way, select(is_back, from + way * scale, speed));
        return part * part;
    }

    template <class Mask>
    static Vec3T<T> choose(const Mask& m, const Vec3T<T>& yes, const Vec3T<T>& no)
    {
        return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
    }

    void note_turns(const T& turn) noexcept
    {
        for (int k = 0; k < kWidth; ++k)
            if (lanes_[k].move == Move::step)
                lanes_[k].turn = static_cast<double>(get_lane(turn, k));
    }

    /// Lanes whose exact step went far go where the symmetric matrix leads instead.
    void replace_far(const StageOf<T>& stage) noexcept
    {
        const auto is_far = [&](const Lane& lane) {
            return lane.move == Move::step && !(lane.turn <= effort_.far);
        };
        bool is_any = false;
        for (const Lane& lane : lanes_)
            is_any = is_any || is_far(lane);
        if (!is_any)
            return;
        go_back(mask(is_far));
        place<false>(stage);
        reduce_symmetric(stage, false);
        std::array<Move, kWidth> moves;
        for (int k = 0; k < kWidth; ++k) {
            moves[k] = lanes_[k].move;
            lanes_[k].move = is_far(lanes_[k]) ? Move::step : Move::stay;
        }
        note_turns(advance<true>(stage));
        for (int k = 0; k < kWidth; ++k)
            lanes_[k].move = moves[k];
    }

    static constexpr double kSlow = 0.4;  // ratio of two steps
    static constexpr double kAlong = 0.8; // square of the cosine between them
    static constexpr double kLeast = 0.1; // of a step

    /// The symmetric matrix leaves out what a push along a strand does to it: of one that is
    /// pressed to the ground steps go to and fro, each a ratio ρ of the last. Then 1/(1 − ρ) of a
    /// step leads to where they would end.                                            [eq. 28]
    void relax() noexcept
    {
        const Pairs<T> steps = compare_steps();
        for (int k = 0; k < kWidth; ++k) {
            Lane& lane = lanes_[k];
            if (lane.move != Move::step)
                continue;
            const double last = static_cast<double>(get_lane(steps.last, k)),
                         both = static_cast<double>(get_lane(steps.both, k)),
                         now = static_cast<double>(get_lane(steps.now, k));
            const double ratio = last > 0 ? both / last : 0;
            const bool is_slow = ratio < -kSlow && both * both > kAlong * last * now &&
                                 lane.is_same && lane.last_turn > 0 &&
                                 lane.last_turn < effort_.most_bend;
            const double share = lane.relaxation / (1 - ratio);
            lane.relaxation = !is_slow || !is_touched(k) ? 1 : share > kLeast ? share : kLeast;
        }
    }

    SINEW_FLAT Pairs<T> compare_steps() noexcept
    {
        Pairs<T> sums{T(0), T(0), T(0)};
        for (int i = 0; i < tree_.count; ++i) {
            const Vec3T<T> now = room_.trail.vector(i, Trail::step),
                           last = room_.touches.last.vector(i, 0);
            sums.last += dot(last, last);
            sums.both += dot(last, now);
            sums.now += dot(now, now);
            room_.touches.last.put(i, 0, now);
        }
        return sums;
    }

    /// A strand that is pushed along itself has no way to give but by bending far: so not at once.
    void scale_steps() noexcept
    {
        T scale(1);
        bool is_any = false;
        for (int k = 0; k < kWidth; ++k) {
            Lane& lane = lanes_[k];
            if (status_[k] != Status::running || lane.move != Move::step || !is_touched(k))
                continue;
            const bool is_far = lane.turn > effort_.most_bend;
            const double share = is_far ? effort_.most_bend / lane.turn : lane.relaxation;
            set_lane(scale, k, share);
            lane.turn = is_far ? effort_.most_bend : lane.turn;
            is_any = is_any || share < 1;
        }
        if (is_any)
            scale_steps(scale);
    }

    SINEW_FLAT void scale_steps(const T& scale) noexcept
    {
        const Rows<T>& trail = room_.trail;
        const auto is_shorter = scale < T(1);
        for (int i = 0; i < tree_.count; ++i) {
            const Vec3T<T> step = trail.vector(i, Trail::step) * scale;
            const Vec3T<T> rate = trail.vector(i, Trail::from_rate) + step;
            trail.put(i, Trail::step, choose(is_shorter, step, trail.vector(i, Trail::step)));
            trail.put(i, Trail::rate, choose(is_shorter, rate, trail.vector(i, Trail::rate)));
            if constexpr (kStretch) {
                const T way = trail(i, Axial::step_speed) * scale;
                trail(i, Axial::speed) =
                    select(is_shorter, trail(i, Axial::from_speed) + way, trail(i, Axial::speed));
                trail(i, Axial::step_speed) = way; // 1 where it is not shorter
            }
        }
    }

    bool is_touched(int k) const { return kTouch && get_lane(room_.touches.lanes, k) > Scalar(0); }

    template <class Mask>
    SINEW_FLAT void go_back(const Mask& is_far) noexcept
    {
        for (int i = 0; i < tree_.count; ++i)
            room_.trail.put(i, Trail::rate,
                            choose(is_far, room_.trail.vector(i, Trail::from_rate),
                                   room_.trail.vector(i, Trail::rate)));
    }

    /// Done when what is left, inc · T/(1 − T) with T the ratio of two steps, is below tolerance.
    void finish_lanes() noexcept
    {
        for (int k = 0; k < kWidth; ++k) {
            Lane& lane = lanes_[k];
            if (status_[k] != Status::running || lane.move != Move::step)
                continue;
            if (!(lane.turn < 1e6)) {
                status_[k] = Status::failed;
                continue;
            }
            const double ratio = lane.last_turn > 0 ? lane.turn / lane.last_turn : 1;
            const double tolerance = is_touched(k) ? effort_.touching : effort_.tolerance;
            const bool is_small = lane.turn < tolerance;
            const bool is_near = ratio < 0.9 && lane.turn * ratio < tolerance * (1 - ratio);
            lane.last_turn = lane.turn;
            if ((is_small || is_near) && lane.solves >= effort_.least_solves)
                status_[k] = Status::done;
        }
    }

    const Topology& tree_;
    const Room<T>& room_;
    const Effort& effort_;
    std::array<Status, kWidth> status_ = {};
    std::array<Lane, kWidth> lanes_ = {};
    bool has_limit_ = false;
};

} // namespace sinew::strand

#pragma once

// A batch from one time to another: two implicit stages a step (SDIRK2, γ = 1 − √½), steps halved
// where a strand needs it, lane by lane. A strand that touches takes one stage instead: of first
// order where it meets something with a jolt, which two would extrapolate, else the backward
// difference of second order [eq. 37].

#include "base/contract.h"
#include "models/strand/lanes/lane_energy.h"
#include "models/strand/lanes/stage_solver.h"
#include "models/strand/lanes/transpose.h"

#include <new>

namespace sinew::strand {

/// Of a segment at the start of a step: what survives it.
struct Start {
    enum Field : int { turn, rate = 4, last = 7, before_last = 10, count = 13 };
};

/// And of its length, where that moves: behind these.
struct StartLength {
    enum Field : int { length = Start::count, speed, count };
};

template <class T, bool kDrag, bool kTouch, bool kStretch = false>
class BatchStep {
public:
    static constexpr int kWidth = LaneTraits<T>::kWidth;
    using Solver = StageSolver<T, kDrag, kTouch, kStretch>;
    using Status = typename Solver::Status;

    BatchStep(const Topology& tree, Room<T>& room, const Rows<T>& start,
              std::span<const Rider> riders, const BaseSource& base, const Effort& effort,
              bool has_loads)
        : tree_(tree), room_(room), start_(start), riders_(riders), base_(base), effort_(effort),
          ticks_(1 << effort.most_halvings), has_loads_(has_loads)
    {
    }

    void run(std::span<const Gust> gusts, double t0, double t1) noexcept
    {
        t0_ = t0, span_ = t1 - t0;
        gather();
        begin_pulls();
        if constexpr (kTouch)
            gather_touches();
        if (!gusts.empty())
            blow(gusts);
        for (int k = 0; k < static_cast<int>(riders_.size()); ++k) {
            const double* pause = riders_[k].pause;
            lanes_[k].size = riders_[k].is_idle ? 0 : ticks_;
            const bool touches = kTouch && !riders_[k].touches.empty(); // others do not count
            lanes_[k].is_symmetric =
                touches || kStretch || effort_.is_symmetric || (pause && *pause <= 0);
            lanes_[k].is_jolted = kTouch && riders_[k].is_jolted;
            lanes_[k].goes_on = can_go_on(riders_[k]);
        }
        while (is_any_unfinished())
            try_step();
        end_pulls();
        scatter();
        report();
        if constexpr (kTouch)
            scatter_touches();
    }

private:
    /// θ of the backward difference, in steps.
    static constexpr double kOfDifference = 2.0 / 3;

    /// No step turns a joint further [rad]: the sixth power in turned() is a number up to here.
    static constexpr double kFurthest = sizeof(typename LaneTraits<T>::Scalar) == 4 ? 1e6 : 1e30;

    struct Lane {
        int position = 0, size = 0; ///< in ticks; size 0: finished
        bool is_good = true;        ///< this try
        bool is_symmetric = false;  ///< which matrix
        bool is_jolted = false;
        bool goes_on = false;    ///< in one stage, from the velocities before
        double open = 0;         ///< of its last stage [m]
        double softness = 1;     ///< of touch, where the whole stiffness found no way
        Vec3 origin = {0, 0, 0}; ///< of its places [m]
        StepOutcome outcome = {};

        bool is_single() const { return is_jolted || goes_on; } ///< of one stage
    };

    /// Whether a strand touches, and it is known how fast it was a step before. After a jolt
    /// nothing is, nor at the start.
    bool can_go_on(const Rider& rider) const
    {
        if (!kTouch || !effort_.has_difference || kStretch || rider.is_jolted ||
            rider.touches.empty() || rider.pull)
            return false;
        return rider.memory[0] != 0 || rider.memory[1] != 0 || rider.memory[2] != 0;
    }

    bool is_any_unfinished() const
    {
        for (const Lane& lane : lanes_)
            if (lane.size > 0)
                return true;
        return false;
    }

    /// Lanes without one compute along with the first.
    const Rider& rider_of(int k) const
    {
        return riders_[k < static_cast<int>(riders_.size()) ? k : 0];
    }

    double length_of(const Lane& lane) const
    {
        return span_ * (static_cast<double>(lane.size) / ticks_);
    }
    double time_of(const Lane& lane, double part) const
    {
        return t0_ + span_ * ((lane.position + part * lane.size) / ticks_);
    }

    /// Air at the nodes, as of the middle of the step, where they are then if they go on as they
    /// move.
    void blow(std::span<const Gust> gusts) noexcept
    {
        Vec3T<T> origin;
        T length(1), half(1);
        for (int k = 0; k < kWidth; ++k) {
            const Rider& rider = rider_of(k);
            const Vec3 place = base_.base_at(rider.tree, t0_).pose.translation;
            set_base(k, rider, t0_);
            set_lane(origin.x, k, place.x), set_lane(origin.y, k, place.y);
            set_lane(origin.z, k, place.z);
            set_lane(length, k, rider.units.length);
            set_lane(half, k, 0.5 * span_ / rider.units.time);
        }
        go_ahead(origin, length, half);
        for (const Gust& gust : gusts) {
            T strength(0);
            for (int k = 0; k < static_cast<int>(riders_.size()); ++k) {
                const Units& units = riders_[k].units;
                set_lane(strength, k, gust.strengths[k] * units.time / units.length);
            }
            blow_at_nodes(gust.waves, strength);
        }
        forget_places();
    }

    /// Where the tips will be, in Trail::from_rate [m].
    SINEW_FLAT void go_ahead(const Vec3T<T>& origin, const T& length, const T& half) noexcept
    {
        const Rows<T>& trail = room_.trail;
        for (int i = 0; i < tree_.count; ++i) {
            const Mat3T<T> R = rotation_matrix(start_.quat(i, Start::turn));
            Vec3T<T> r = R.y * room_.param(i, Param::length), growth{T(0), T(0), T(0)};
            if constexpr (kStretch)
                r = R.y * start_(i, StartLength::length),
                growth = R.y * start_(i, StartLength::speed);
            const Vec3T<T> way = r + (cross(R * start_.vector(i, Start::rate), r) + growth) * half;
            Vec3T<T> joint;
            if (const int p = tree_.parent[i]; p >= 0) {
                joint = trail.vector(p, Trail::from_rate);
                if (!tree_.follows[i])
                    joint += trail.vector(p, Trail::step) *
                             ((room_.param(i, Param::attach) - T(1)) * length);
            } else {
                const Vec3T<T> arm =
                    rotation_matrix(stage_.turn) * room_.param.vector(i, Param::offset);
                joint =
                    origin + (arm + (stage_.velocity + cross(stage_.rate, arm)) * half) * length;
            }
            trail.put(i, Trail::step, way);
            trail.put(i, Trail::from_rate, joint + way * length);
        }
    }

    SINEW_FLAT void blow_at_nodes(std::span<const Wave> waves, const T& strength) noexcept
    {
        const double middle = t0_ + 0.5 * span_;
        for (int i = 0; i < tree_.count; ++i) {
            const Vec3T<T> air = sum_of(waves, room_.trail.vector(i, Trail::from_rate), middle);
            room_.load.put(i, Load::air, room_.load.vector(i, Load::air) + air * strength);
        }
    }

    void forget_places() noexcept
    {
        const Vec3T<T> o{T(0), T(0), T(0)};
        for (int i = 0; i < tree_.count; ++i)
            room_.trail.put(i, Trail::from_rate, o), room_.trail.put(i, Trail::step, o);
    }

    void try_step() noexcept
    {
        for (Lane& lane : lanes_)
            lane.is_good = true;
        set_step_lengths();
        set_stage(kGamma);
        begin_first_stage();
        solve_stage(0);
        set_stage(1);
        begin_second_stage();
        solve_stage(1);
        end_step();
    }

    void set_step_lengths() noexcept
    {
        for (int k = 0; k < kWidth; ++k) {
            const Lane& lane = lanes_[k];
            const Rider& rider = rider_of(k);
            const double h = (lane.size > 0 ? length_of(lane) : span_) / rider.units.time;
            set_lane(h_, k, h);
            const double theta = h * (lane.is_jolted ? 1 : lane.goes_on ? kOfDifference : kGamma);
            set_lane(stage_.theta, k, theta);
            set_lane(stage_.inverse_theta, k, 1 / theta);
            set_lane(is_jolted_, k, lane.is_jolted ? 1 : 0);
            set_lane(goes_on_, k, lane.goes_on ? 1 : 0);
            set_lane(is_single_, k, lane.is_single() ? 1 : 0);
            set_lane(room_.touches.kappa, k, effort_.kappa * lane.softness);
        }
    }

    /// The base of every lane at its own time, in its own units. Idle lanes have that of the end.
    void set_stage(double part) noexcept
    {
        for (int k = 0; k < kWidth; ++k) {
            const Lane& lane = lanes_[k];
            const Rider& rider = rider_of(k);
            const double time =
                lane.size > 0 ? time_of(lane, lane.is_single() ? 1 : part) : t0_ + span_;
            set_base(k, rider, time);
        }
    }

    void set_base(int k, const Rider& rider, double time) noexcept
    {
        const PoseMotion base = base_.base_at(rider.tree, time);
        const Vec3 gravity = base_.pull_at(rider.tree, time);
        const double t = rider.units.time, l = rider.units.length;
        const auto put = [&](Vec3T<T>& to, const Vec3& v) {
            set_lane(to.x, k, v.x), set_lane(to.y, k, v.y), set_lane(to.z, k, v.z);
        };
        put(stage_.rate, base.angular_velocity * t);
        put(stage_.spinning, base.angular_acceleration * (t * t));
        put(stage_.velocity, base.velocity * (t / l));
        put(stage_.acceleration, (base.acceleration - gravity) * (t * t / l));
        const Quat& q = base.pose.rotation;
        set_lane(stage_.turn.x, k, q.x), set_lane(stage_.turn.y, k, q.y);
        set_lane(stage_.turn.z, k, q.z), set_lane(stage_.turn.w, k, q.w);
        if constexpr (kTouch) {
            put(stage_.place, (base.pose.translation - lanes_[k].origin) / l);
            set_lane(stage_.part, k, (time - t0_) / span_);
        }
    }

    /// The last two accelerations extrapolated: the best of the guesses that were tried.
    SINEW_FLAT void begin_first_stage() noexcept
    {
        const T c = static_cast<T>(kGamma / (1 - kGamma));
        for (int i = 0; i < tree_.count; ++i) {
            const Vec3T<T> rate = start_.vector(i, Start::rate);
            const Vec3T<T> last = start_.vector(i, Start::last);
            const Vec3T<T> guess =
                guessed(i, 3, last + (last - start_.vector(i, Start::before_last)) * c);
            room_.trail.put(i, Trail::base_turn, start_.quat(i, Start::turn));
            room_.trail.put(i, Trail::base_rate, rate);
            room_.trail.put(i, Trail::rate,
                            kTouch ? unless_jolted(rate + guess * stage_.theta, rate)
                                   : rate + guess * stage_.theta);
            room_.param.fetch(i);
            if constexpr (kTouch && !kStretch)
                begin_difference(i);
            if constexpr (kStretch) {
                const T speed = start_(i, StartLength::speed);
                room_.trail(i, Axial::base_length) = start_(i, StartLength::length);
                room_.trail(i, Axial::base_speed) = room_.trail(i, Axial::speed) = speed;
            }
        }
    }

    /// ω̄ = ωₙ + (ωₙ − ωₙ₋₁)/3, Q̄ = Qₙ ⊗ upd(h m/3) with the mean rate m of the step before, both by
    /// the accelerations of its two stages.                                             [eq. 37]
    void begin_difference(int i) noexcept
    {
        const auto goes_on = T(0) < goes_on_;
        const Rows<T>& trail = room_.trail;
        const Vec3T<T> rate = start_.vector(i, Start::rate), last = start_.vector(i, Start::last),
                       first = start_.vector(i, Start::before_last);
        const T c1 = static_cast<T>(1 - kGamma), c2 = static_cast<T>(kGamma),
                third = static_cast<T>(1.0 / 3);
        const Vec3T<T> change = (first * c1 + last * c2) * h_;
        const Vec3T<T> mean = rate - (change - first * (c2 * h_)) * c1;
        const Vec3T<T> base = rate + change * third;
        const Vec3T<T> guess = last + (last - first) * static_cast<T>(1 / (1 - kGamma));
        const QuatT<T> from = start_.quat(i, Start::turn), next = turned(from, mean * (h_ * third));
        trail.put(i, Trail::base_turn,
                  QuatT<T>{select(goes_on, next.x, from.x), select(goes_on, next.y, from.y),
                           select(goes_on, next.z, from.z), select(goes_on, next.w, from.w)});
        trail.put(i, Trail::base_rate, choose(goes_on, base, rate));
        trail.put(i, Trail::rate,
                  choose(goes_on, base + guess * stage_.theta, trail.vector(i, Trail::rate)));
    }

    /// Q̄ = Qₙ ⊗ upd((1 − γ)h ω₁), ω̄ = ωₙ + (1 − γ)h ω̇₁.
    SINEW_FLAT void begin_second_stage() noexcept
    {
        const T c = static_cast<T>((1 - kGamma) / kGamma);
        const T rest = h_ * static_cast<T>(1 - kGamma);
        for (int i = 0; i < tree_.count; ++i) {
            const Vec3T<T> first = room_.trail.vector(i, Trail::rate);
            const Vec3T<T> from = start_.vector(i, Start::rate);
            const Vec3T<T> change = (first - from) * stage_.inverse_theta;
            const Vec3T<T> base = from + change * rest;
            const Vec3T<T> guess =
                guessed(i, 0, change + (change - start_.vector(i, Start::last)) * c);
            if constexpr (kStretch)
                begin_second_length(i, rest);
            if constexpr (kTouch) {
                begin_second_of_some(i, first, base, guess, change, rest);
                continue;
            }
            room_.trail.put(i, Trail::base_turn, turned(start_.quat(i, Start::turn), first * rest));
            room_.trail.put(i, Trail::base_rate, base);
            room_.trail.put(i, Trail::rate, base + guess * stage_.theta);
            room_.change.put(i, 0, change);
        }
    }

    /// L̄ = L + (1 − γ)h σ₁, σ̄ = σ + (1 − γ)h σ̇₁. What is jolted stays.
    void begin_second_length(int i, const T& rest) noexcept
    {
        const Rows<T>& trail = room_.trail;
        const auto jolted = T(0) < is_jolted_;
        const T first = trail(i, Axial::speed), from = start_(i, StartLength::speed),
                change = (first - from) * stage_.inverse_theta, base = from + change * rest,
                length = start_(i, StartLength::length) + first * rest;
        trail(i, Axial::base_length) = select(jolted, trail(i, Axial::base_length), length);
        trail(i, Axial::base_speed) = select(jolted, trail(i, Axial::base_speed), base);
        trail(i, Axial::speed) = select(jolted, first, base + change * stage_.theta);
    }

    /// Those of one stage have solved theirs when the others take their second.
    void solve_stage(int index) noexcept
    {
        std::array<typename Solver::Ask, kWidth> asked;
        T runs(0);
        for (int k = 0; k < kWidth; ++k)
            if (lanes_[k].size > 0 && lanes_[k].is_good && !(index > 0 && lanes_[k].is_single())) {
                asked[k] = {Status::running, lanes_[k].is_symmetric};
                ++lanes_[k].outcome.stages;
                set_lane(runs, k, 1);
            }
        if constexpr (kTouch)
            hold_touches(index, asked);
        for (int round = 0;; ++round) {
            if constexpr (kTouch)
                forget_ways();
            Solver(tree_, room_, effort_).solve(stage_, asked);
            note_solves(asked);
            if (!kTouch || !hold_harder(round, asked))
                break;
        }
        if (has_pulls_)
            take_pull(index, runs);
    }

    // ---------------------------------------------------------------- what bases are asked for

    /// Where a search begins: where it is known from a step that has been tried, `at` in the row.
    Vec3T<T> guessed(int i, int at, const Vec3T<T>& guess) const
    {
        if (!has_guesses_)
            return guess;
        return choose(T(0) < is_guessed_, room_.guess.vector(i, at), guess);
    }

    void begin_pulls() noexcept
    {
        for (const Rider& rider : riders_)
            has_pulls_ = has_pulls_ || rider.pull;
        if (!has_pulls_)
            return;
        const Vec3T<T> o{T(0), T(0), T(0)};
        pull_ = {SymmetricDemand<T>::zero(), SymmetricDemand<T>::zero(), {o, o}, {o, o}};
        room_.pull = &pull_;
        sum_ = {o, o};
        begin_momentum_ = momentum();
        if (!room_.guess.first)
            return;
        std::array<const double*, kWidth> guesses;
        std::array<double, kWidth> t2;
        for (int k = 0; k < kWidth; ++k) {
            const Rider& rider = rider_of(k);
            guesses[k] = rider.guess ? rider.guess : rider.memory;
            set_lane(is_guessed_, k, rider.guess ? 1 : 0);
            t2[k] = rider.units.time * rider.units.time;
            has_guesses_ = has_guesses_ || rider.guess;
        }
        fill_lanes(6 * tree_.count, guesses, t2,
                   LaneField<T, 6>{room_.guess.first, room_.guess.fields});
    }

    /// Σ m v of all nodes, as seen from the root's joint.
    SINEW_FLAT Vec3T<T> momentum() noexcept
    {
        const Vec3T<T> o{T(0), T(0), T(0)};
        Vec3T<T> sum = o;
        for (int i = 0; i < tree_.count; ++i) {
            const Mat3T<T> R = rotation_matrix(start_.quat(i, Start::turn));
            const Vec3T<T> w = R * start_.vector(i, Start::rate);
            const Vec3T<T> pace = cross(w, R.y * room_.param(i, Param::length));
            Vec3T<T> joint = o;
            if (const int p = tree_.parent[i]; p >= 0) {
                const Vec3T<T> tip = room_.factor.vector(p, 0), back = room_.factor.vector(p, 3);
                joint = tip + back * (room_.param(i, Param::attach) - T(1));
            }
            const Vec3T<T> tip = joint + pace;
            room_.factor.put(i, 0, tip);
            room_.factor.put(i, 3, pace);
            sum +=
                joint * room_.param(i, Param::joint_mass) + tip * room_.param(i, Param::tip_mass);
        }
        return sum;
    }

    /// What a stage demands of the base in the lanes that took it.
    void take_pull(int index, const T& runs) noexcept
    {
        const auto mask = T(0) < runs;
        Load6<T>& to = stage_pull_[index];
        to = {choose(mask, pull_.after.N, to.N), choose(mask, pull_.after.F, to.F)};
    }

    /// Of a step that is accepted: shares of the whole one's mean.
    void add_pulls(const T& first, const T& second) noexcept
    {
        const auto is_kept = T(0) < first;
        const Vec3T<T> o{T(0), T(0), T(0)};
        sum_.N += choose(is_kept, stage_pull_[0].N * first + stage_pull_[1].N * second, o);
        sum_.F += choose(is_kept, stage_pull_[0].F * first + stage_pull_[1].F * second, o);
    }

    void end_pulls() noexcept
    {
        if (!has_pulls_)
            return;
        const Vec3T<T> end = momentum();
        for (int k = 0; k < static_cast<int>(riders_.size()); ++k) {
            const Rider& rider = riders_[k];
            if (!rider.pull || rider.is_idle)
                continue;
            const Units& u = rider.units;
            const auto at = [&](const Vec3T<T>& v, double unit) {
                return Vec3{get_lane(v.x, k), get_lane(v.y, k), get_lane(v.z, k)} * unit;
            };
            const auto matrix = [&](const Mat3T<T>& m, double unit) {
                return Mat3{at(m.x, unit), at(m.y, unit), at(m.z, unit)};
            };
            const double l = u.length, force = unit_of_force(k), speed = u.mass * l / u.time;
            *rider.pull = {at(sum_.F, force),
                           at(sum_.N, force * l),
                           matrix(full(pull_.kept.A), u.mass * l * l),
                           matrix(pull_.kept.B, u.mass * l),
                           matrix(full(pull_.kept.C), u.mass),
                           at(begin_momentum_, speed),
                           at(end, speed)};
        }
    }

    void note_solves(const std::array<typename Solver::Ask, kWidth>& asked) noexcept
    {
        for (int k = 0; k < kWidth; ++k) {
            if (asked[k].status == Status::idle)
                continue;
            StepOutcome& outcome = lanes_[k].outcome;
            outcome.solves += asked[k].solves;
            outcome.worst = asked[k].solves > outcome.worst ? asked[k].solves : outcome.worst;
            lanes_[k].is_good = asked[k].status == Status::done;
        }
    }

    // ---------------------------------------------------------------- where strands touch

    Vec3T<T> unless_jolted(const Vec3T<T>& yes, const Vec3T<T>& no) const
    {
        return choose(T(0) < is_jolted_, no, yes);
    }

    Vec3T<T> unless_single(const Vec3T<T>& yes, const Vec3T<T>& no) const
    {
        return choose(T(0) < is_single_, no, yes);
    }

    /// A strand of one stage stays where that left it. The change of a jolted one is no guide.
    void begin_second_of_some(int i, const Vec3T<T>& first, const Vec3T<T>& base,
                              const Vec3T<T>& guess, const Vec3T<T>& change, const T& rest) noexcept
    {
        const auto single = T(0) < is_single_;
        const Vec3T<T> o{T(0), T(0), T(0)};
        const QuatT<T> next = turned(start_.quat(i, Start::turn), first * rest),
                       kept = room_.trail.quat(i, Trail::base_turn);
        room_.trail.put(i, Trail::base_turn,
                        QuatT<T>{select(single, kept.x, next.x), select(single, kept.y, next.y),
                                 select(single, kept.z, next.z), select(single, kept.w, next.w)});
        room_.trail.put(i, Trail::base_rate,
                        unless_single(base, room_.trail.vector(i, Trail::base_rate)));
        room_.trail.put(i, Trail::rate, unless_single(base + guess * stage_.theta, first));
        room_.change.put(i, 0, unless_single(change, o));
    }

    /// Rows of points that some lane has; in the others they are far away.
    void gather_touches() noexcept
    {
        const Rows<T>& row = room_.touches.row;
        const int rows = room_.touches.first.back();
        for (int r = 0; r < rows; ++r) {
            for (int f = 0; f < Touching::count; ++f)
                row(r, f) = T(0);
            row(r, Touching::gap) = T(1e6);
            row(r, Touching::normal + 1) = T(1);
        }
        for (int k = 0; k < kWidth; ++k) {
            lanes_[k].origin = base_.base_at(rider_of(k).tree, t0_).pose.translation;
            set_lane(room_.touches.lanes, k, rider_of(k).touches.empty() ? 0 : 1);
        }
        for_each_touch([&](int k, int r, RiderTouch& touch) {
            const double l = riders_[k].units.length;
            const auto put = [&](int field, const Vec3& v) {
                for (int a = 0; a < 3; ++a)
                    set_lane(row(r, field + a), k, v[a]);
            };
            set_lane(row(r, Touching::part), k, touch.part);
            put(Touching::normal, touch.normal);
            put(Touching::place, (touch.place - lanes_[k].origin) / l);
            put(Touching::drift, touch.drift / l);
            set_lane(row(r, Touching::gap), k, touch.gap / l);
            set_lane(row(r, Touching::friction), k, touch.friction);
            put(Touching::first, touch.first_force / unit_of_force(k));
            put(Touching::second, touch.force / unit_of_force(k));
            put(Touching::creep, touch.creep / l);
            set_lane(row(r, Touching::harder), k,
                     touch.share < 1 ? touch.share - 1 : harder_at(riders_[k], touch));
        });
    }

    /// A segment that is pushed along itself gives way by bending alone: against that the stiffness
    /// of what is pushed across would close next to nothing of a gap in a round.
    double harder_at(const Rider& rider, const RiderTouch& touch) const
    {
        const double* q = &rider.turns[4 * touch.segment];
        const Vec3 axis = rotate(Quat{q[0], q[1], q[2], q[3]}, Vec3{0, 1, 0});
        const double along = dot(axis, touch.normal);
        return (effort_.end_on - 1) * along * along;
    }

    void scatter_touches() noexcept
    {
        const Rows<T>& row = room_.touches.row;
        for_each_touch([&](int k, int r, RiderTouch& touch) {
            if (!lanes_[k].outcome.is_finite || riders_[k].is_idle)
                return;
            const auto get = [&](int field, double unit, Vec3& v) {
                for (int a = 0; a < 3; ++a)
                    v[a] = static_cast<double>(get_lane(row(r, field + a), k)) * unit;
            };
            get(Touching::first, unit_of_force(k), touch.first_force);
            get(Touching::second, unit_of_force(k), touch.force);
            get(Touching::left, riders_[k].units.length, touch.crept);
        });
    }

    double unit_of_force(int k) const
    {
        const Units& u = riders_[k].units;
        return u.mass * u.length / (u.time * u.time);
    }

    template <class Use>
    void for_each_touch(Use&& use) noexcept
    {
        for (int k = 0; k < static_cast<int>(riders_.size()); ++k) {
            int segment = -1, r = 0;
            for (RiderTouch& touch : riders_[k].touches) {
                r = touch.segment == segment ? r + 1 : room_.touches.first[touch.segment];
                segment = touch.segment;
                use(k, r, touch);
            }
        }
    }

    /// Stages begin with the forces of the same stage in the step before: what a turning plane does
    /// to a strand comes again from step to step, and mostly in the first. The second of a point
    /// that is new begins with what the first came to; those of a softer law are its own.
    void hold_touches(int index, const std::array<typename Solver::Ask, kWidth>& asked) noexcept
    {
        const Rows<T>& row = room_.touches.row;
        T is_whole(1), runs(0);
        for (int k = 0; k < kWidth; ++k) {
            set_lane(is_whole, k, lanes_[k].softness < 1 ? 0 : 1);
            set_lane(runs, k, asked[k].status == Status::running ? 1 : 0);
        }
        for (int r = 0; r < room_.touches.first.back(); ++r) {
            const Vec3T<T> first = row.vector(r, Touching::first),
                           second = row.vector(r, Touching::second),
                           now = row.vector(r, Touching::force);
            const T known = dot(first, first) + dot(second, second);
            const Vec3T<T> again = choose(T(0) < known, second, now);
            const Vec3T<T> held = (index == 0 ? first : again) * is_whole;
            row.put(r, Touching::held, choose(T(0) < runs, held, row.vector(r, Touching::held)));
            if (index > 0)
                row.put(r, Touching::begun, now);
        }
    }

    template <class Mask>
    static Vec3T<T> choose(const Mask& m, const Vec3T<T>& yes, const Vec3T<T>& no)
    {
        return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
    }

    void forget_ways() noexcept
    {
        const Vec3T<T> o{T(0), T(0), T(0)};
        for (int r = 0; r < room_.touches.first.back(); ++r)
            room_.touches.row.put(r, Touching::way, o);
    }

    SINEW_FLAT typename Touches<T>::Fit find_touches() noexcept
    {
        const Rows<T>& trail = room_.trail;
        for (int i = 0; i < tree_.count; ++i) {
            if constexpr (kStretch)
                place_length(i, trail, room_.param, stage_);
            trail.put(i, Trail::turn,
                      turned(trail.quat(i, Trail::base_turn),
                             trail.vector(i, Trail::rate) * stage_.theta));
        }
        room_.touches.place(tree_, room_.trail, room_.param, stage_);
        return room_.touches.find_forces(tree_, room_.trail, room_.param, stage_);
    }

    /// Where what pushes is not yet at its surface, again from the forces so far.
    bool hold_harder(int round, std::array<typename Solver::Ask, kWidth>& asked) noexcept
    {
        const typename Touches<T>::Fit fit = find_touches();
        T again(0);
        bool is_any = false;
        for (int k = 0; k < kWidth; ++k) {
            if (asked[k].status == Status::idle)
                continue;
            const double depth = static_cast<double>(get_lane(fit.open, k));
            const double slack = static_cast<double>(get_lane(fit.slack, k));
            const bool is_open = asked[k].status == Status::done &&
                                 (depth > effort_.open || slack > effort_.slack) &&
                                 lanes_[k].softness == 1 && round + 1 < effort_.most_rounds;
            lanes_[k].open = depth * rider_of(k).units.length;
            asked[k].status = is_open ? Status::running : Status::idle;
            set_lane(again, k, is_open ? 1 : 0);
            is_any = is_any || is_open;
        }
        if (is_any)
            take_forces(Touching::held, Touching::force, again);
        return is_any;
    }

    /// One of a touch's vectors becomes another, in some lanes.
    void take_forces(int to, int from, const T& lanes) noexcept
    {
        const auto mask = T(0) < lanes;
        const Rows<T>& row = room_.touches.row;
        for (int r = 0; r < room_.touches.first.back(); ++r)
            for (int a = 0; a < 3; ++a)
                row(r, to + a) = select(mask, row(r, from + a), row(r, to + a));
    }

    // ---------------------------------------------------------------- the end of a step

    /// Poses of the last rates. Largest turn of a joint in the step comes back; not a number where
    /// any pose of a lane is none.
    SINEW_FLAT T find_poses() noexcept
    {
        const Rows<T>& trail = room_.trail;
        T largest(0), lost(0);
        const auto note = [&](const T& square) {
            largest = select(square < largest, largest, square);
            lost += square * T(0); // a comparison forgets what is not a number, a sum does not
        };
        for (int i = 0; i < tree_.count; ++i) {
            const int p = tree_.parent[i];
            const Vec3T<T> rate = trail.vector(i, Trail::rate);
            const QuatT<T> q = turned(trail.quat(i, Trail::base_turn), rate * stage_.theta);
            const Vec3T<T> world_rate = rotation_matrix(q) * rate;
            trail.put(i, Trail::turn, q);
            trail.put(i, Trail::world_rate, world_rate);
            const Vec3T<T> w =
                world_rate - (p >= 0 ? trail.vector(p, Trail::world_rate) : stage_.rate);
            note(dot(w, w));
            if constexpr (kStretch) {
                place_length(i, trail, room_.param, stage_);
                const T growth = trail(i, Axial::speed) / room_.param(i, Spring::rest);
                note(growth * growth);
            }
        }
        return sqrt(largest) * h_ + lost;
    }

    void end_step() noexcept
    {
        const T turns = find_poses();
        T keeps(0), first(0), second(0);
        for (int k = 0; k < kWidth; ++k) {
            Lane& lane = lanes_[k];
            if (lane.size == 0)
                continue;
            const double turn = static_cast<double>(get_lane(turns, k));
            if (is_accepted(k, turn)) {
                set_lane(keeps, k, 1);
                lane.outcome.is_converged = lane.outcome.is_converged && lane.is_good;
                lane.outcome.open = lane.outcome.open < lane.open ? lane.open : lane.outcome.open;
                const double part = static_cast<double>(lane.size) / ticks_;
                set_lane(first, k, lane.is_single() ? part : part * (1 - kGamma));
                set_lane(second, k, lane.is_single() ? 0 : part * kGamma);
                advance_lane(lane);
            } else
                try_again(k);
        }
        keep(keeps);
        if (has_pulls_)
            add_pulls(first, second);
        if constexpr (kTouch) {
            take_forces(Touching::first, Touching::begun, keeps);
            take_forces(Touching::second, Touching::force, keeps);
            take_forces(Touching::left, Touching::crept, keeps); // lanes go on to be looked at
        }
    }

    bool is_accepted(int k, double turn) noexcept
    {
        const Lane& lane = lanes_[k];
        const bool is_finite = turn < kFurthest, can_exact = can_take_exact(k);
        if (lane.size == 1 && is_finite && !can_exact)
            return true;
        return lane.is_good && turn < effort_.most_turn &&
               (turn < effort_.calm || !gains_energy(k));
    }

    /// Whether there is another matrix to try. Of one that touches only the symmetric one knows
    /// exactly where its points go.
    bool can_take_exact(int k) const
    {
        return !kStretch && lanes_[k].is_symmetric && !effort_.is_symmetric &&
               rider_of(k).touches.empty();
    }

    /// The lane tries two stages where it took one, the exact matrix where it took the other, then
    /// half the step. A strand that is pushed where it cannot give way touches more softly first:
    /// depth is better than no end of halves.
    void try_again(int k)
    {
        Lane& lane = lanes_[k];
        if (lane.goes_on) {
            ++lane.outcome.halvings;
            lane.goes_on = false;
        } else if (can_take_exact(k))
            lane.is_symmetric = false;
        else if (kTouch && !rider_of(k).touches.empty() && 32 * lane.size <= ticks_ &&
                 lane.softness > effort_.softest)
            lane.softness *= 0.1;
        else if (lane.size == 1) {
            lane.outcome.is_finite = false;
            lane.size = 0;
        } else {
            ++lane.outcome.halvings;
            lane.size /= 2;
        }
    }

    /// Whether a strand that nothing drives has more energy than before, beyond the method's error:
    /// its stages are L-stable, but fast turns may still gain.
    bool gains_energy(int k) noexcept
    {
        if (kStretch || has_loads_ || effort_.gain <= 0 || !rider_of(k).touches.empty())
            return false;
        const Lane& lane = lanes_[k];
        const Rider& rider = rider_of(k);
        const double begin = time_of(lane, 0), end = time_of(lane, 1);
        const PoseMotion base = base_.base_at(rider.tree, end);
        const bool is_still = base.velocity == Vec3{} && base.angular_velocity == Vec3{} &&
                              base.pose == base_.base_at(rider.tree, begin).pose;
        if (!is_still)
            return false;
        const Units& u = rider.units;
        const Vec3 gravity = base_.pull_at(rider.tree, end) * (u.time * u.time / u.length);
        PoseMotion still;
        still.pose.rotation = base.pose.rotation;
        const LaneEnergy<T> energy{tree_, room_.param, room_.factor, k, still, gravity};
        const Energies before = energy.of(start_, Start::turn, Start::rate);
        const Energies after = energy.of(room_.trail, Trail::turn, Trail::rate);
        const double gain = after.kinetic + after.potential - before.kinetic - before.potential;
        return gain > effort_.gain * (before.kinetic + after.kinetic);
    }

    /// After two halves a whole one is tried again.
    void advance_lane(Lane& lane) const
    {
        lane.position += lane.size;
        lane.size = lane.position < ticks_ ? lane.position & -lane.position : 0;
    }

    SINEW_FLAT void keep(const T& keeps) noexcept
    {
        const auto mask = T(0) < keeps;
        const auto put = [&](int i, int field, const T& value) {
            start_(i, field) = select(mask, value, start_(i, field));
        };
        const auto put3 = [&](int i, int field, const Vec3T<T>& v) {
            put(i, field, v.x), put(i, field + 1, v.y), put(i, field + 2, v.z);
        };
        for (int i = 0; i < tree_.count; ++i) {
            const Vec3T<T> rate = room_.trail.vector(i, Trail::rate);
            const Vec3T<T> change =
                (rate - room_.trail.vector(i, Trail::base_rate)) * stage_.inverse_theta;
            for (int c = 0; c < 4; ++c)
                put(i, Start::turn + c, room_.trail(i, Trail::turn + c));
            put3(i, Start::before_last, first_change(i, rate, change));
            put3(i, Start::rate, rate);
            put3(i, Start::last, kTouch ? unless_jolted(change, change * T(0)) : change);
            if constexpr (kStretch) {
                put(i, StartLength::length, room_.param(i, Param::length));
                put(i, StartLength::speed, room_.trail(i, Axial::speed));
            }
        }
    }

    /// The acceleration of the first stage; of a step of one stage what it would have been with the
    /// same change and end.
    Vec3T<T> first_change(int i, const Vec3T<T>& rate, const Vec3T<T>& last) const
    {
        const Vec3T<T> first = room_.change.vector(i, 0);
        if constexpr (!kTouch || kStretch)
            return first;
        const Vec3T<T> mean = (rate - start_.vector(i, Start::rate)) * (T(1) / h_);
        return choose(T(0) < goes_on_,
                      (mean - last * static_cast<T>(kGamma)) * static_cast<T>(1 / (1 - kGamma)),
                      first);
    }

    template <int kEach>
    LaneField<T, kEach> field(int of) const
    {
        return {start_.first + of, start_.fields};
    }

    SINEW_FLAT void gather() noexcept
    {
        std::array<const double*, kWidth> turns, rates, memory;
        std::array<double, kWidth> one, t, t2;
        for (int k = 0; k < kWidth; ++k) {
            const Rider& rider = rider_of(k);
            turns[k] = rider.turns, rates[k] = rider.rates, memory[k] = rider.memory;
            one[k] = 1, t[k] = rider.units.time, t2[k] = t[k] * t[k];
        }
        fill_lanes(4 * tree_.count, turns, one, field<4>(Start::turn));
        fill_lanes(3 * tree_.count, rates, t, field<3>(Start::rate));
        fill_lanes(6 * tree_.count, memory, t2, field<6>(Start::last));
        if constexpr (kStretch)
            gather_lengths();
    }

    void gather_lengths() noexcept
    {
        std::array<const double*, kWidth> lengths, speeds;
        std::array<double, kWidth> l, v;
        for (int k = 0; k < kWidth; ++k) {
            const Rider& rider = rider_of(k);
            lengths[k] = rider.lengths, speeds[k] = rider.speeds;
            l[k] = 1 / rider.units.length, v[k] = rider.units.time / rider.units.length;
        }
        fill_lanes(tree_.count, lengths, l, field<1>(StartLength::length));
        fill_lanes(tree_.count, speeds, v, field<1>(StartLength::speed));
    }

    void scatter_lengths() noexcept
    {
        std::array<double*, kWidth> lengths = {}, speeds = {};
        std::array<double, kWidth> l, v;
        for (int k = 0; k < kWidth; ++k) {
            const Units& units = rider_of(k).units;
            l[k] = units.length, v[k] = units.length / units.time;
            if (k >= static_cast<int>(riders_.size()) || !lanes_[k].outcome.is_finite ||
                riders_[k].is_idle)
                continue;
            lengths[k] = riders_[k].target().lengths, speeds[k] = riders_[k].target().speeds;
        }
        empty_lanes(tree_.count, field<1>(StartLength::length), l, lengths);
        empty_lanes(tree_.count, field<1>(StartLength::speed), v, speeds);
    }

    /// What is not finite stays as it was.
    SINEW_FLAT void scatter() noexcept
    {
        std::array<double*, kWidth> turns = {}, rates = {}, memory = {};
        std::array<double, kWidth> one, f, f2;
        for (int k = 0; k < kWidth; ++k) {
            one[k] = 1, f[k] = 1 / rider_of(k).units.time, f2[k] = f[k] * f[k];
            if (k >= static_cast<int>(riders_.size()) || !lanes_[k].outcome.is_finite ||
                riders_[k].is_idle)
                continue;
            const Rider::Target to = riders_[k].target();
            turns[k] = to.turns, rates[k] = to.rates, memory[k] = to.memory;
        }
        empty_lanes(4 * tree_.count, field<4>(Start::turn), one, turns);
        empty_lanes(3 * tree_.count, field<3>(Start::rate), f, rates);
        empty_lanes(6 * tree_.count, field<6>(Start::last), f2, memory);
        if constexpr (kStretch)
            scatter_lengths();
    }

    void report() noexcept
    {
        for (int k = 0; k < static_cast<int>(riders_.size()); ++k) {
            *riders_[k].outcome = lanes_[k].outcome;
            if (riders_[k].pause && !riders_[k].is_idle)
                *riders_[k].target().pause = next_pause(lanes_[k], *riders_[k].pause);
        }
    }

    /// The cheaper matrix of the two: the symmetric one while few solves do, else the exact one
    /// for some steps.
    double next_pause(const Lane& lane, double pause) const
    {
        if (pause > 0)
            return pause - 1;
        const bool is_cheap = lane.is_symmetric && lane.outcome.worst <= effort_.few_symmetric;
        return is_cheap ? 0 : effort_.pause;
    }

    const Topology& tree_;
    Room<T>& room_;
    const Rows<T>& start_;
    std::span<const Rider> riders_;
    const BaseSource& base_;
    const Effort& effort_;
    int ticks_;
    bool has_loads_;
    double t0_ = 0, span_ = 0;
    T h_ = T(1), is_jolted_ = T(0), goes_on_ = T(0), is_single_ = T(0);
    StageOf<T> stage_ = {};
    std::array<Lane, kWidth> lanes_ = {};
    bool has_pulls_ = false, has_guesses_ = false;
    T is_guessed_ = T(0);
    typename Room<T>::Pull pull_ = {};
    Load6<T> sum_ = {};
    std::array<Load6<T>, 2> stage_pull_ = {};
    Vec3T<T> begin_momentum_ = {};
};

// ---------------------------------------------------------------- a kernel

template <class T>
class KernelOf final : public Kernel {
public:
    explicit KernelOf(const char* name) : name_(name) {}

    static constexpr int kWidth = LaneTraits<T>::kWidth;

    int width() const noexcept override { return kWidth; }
    const char* name() const noexcept override { return name_; }

    void set_params(Storage& params, int lane, int segments,
                    std::span<const double> numbers) const override
    {
        set_numbers(params, lane, segments, numbers);
    }

    void set_loads(Storage& loads, int lane, int segments,
                   std::span<const double> numbers) const noexcept override
    {
        set_numbers(loads, lane, segments, numbers);
    }

    void step(const Topology& tree, Storage& params, Storage* loads, std::span<const Gust> gusts,
              bool has_drag, std::span<const Rider> riders, const BaseSource& base, double t0,
              double t1, const Effort& effort, Storage& storage) const noexcept override
    {
        SINEW_EXPECTS(!riders.empty() && riders.size() <= static_cast<std::size_t>(kWidth));
        const std::size_t n = static_cast<std::size_t>(tree.count),
                          slots = static_cast<std::size_t>(tree.slots);
        const bool is_elastic = riders.front().lengths != nullptr;
        constexpr std::size_t kNumbers = int{Axial::count} + int{Factor::count} +
                                         int{StartLength::count} + int{Spring::count} +
                                         int{AxialFactor::count} + 3 + 6;
        TouchPlan& touches = storage.touches;
        const std::size_t points = touches.set(tree, riders);
        const std::size_t size = n * (kNumbers + Load::count + 6) * sizeof(T) +
                                 points * Touching::count * sizeof(T) +
                                 slots * (sizeof(Demand<T>) + sizeof(SymmetricDemand<T>));
        std::byte* next = storage.aligned(size);
        const auto rows = [&](int fields) {
            T* first = reinterpret_cast<T*>(next);
            next += n * static_cast<std::size_t>(fields) * sizeof(T);
            return Rows<T>{first, fields};
        };
        Room<T> room;
        room.trail = rows(is_elastic ? int{Axial::count} : int{Trail::count});
        room.factor = rows(Factor::count);
        room.change = rows(3);
        const Rows<T> start = rows(is_elastic ? int{StartLength::count} : int{Start::count});
        room.load = rows(Load::count);
        for (const Rider& rider : riders)
            if (rider.guess && !room.guess.first)
                room.guess = rows(6);
        room.param = {reinterpret_cast<T*>(params.aligned(0)), Param::count};
        if (is_elastic) { // its lengths are written into its own
            const T* shared = room.param.first;
            room.axial = rows(AxialFactor::count);
            room.param = rows(Spring::count);
            for (std::size_t i = 0; i < n * Spring::count; ++i)
                room.param.first[i] = shared[i];
        }
        const T* given = loads ? reinterpret_cast<const T*>(loads->aligned(0)) : nullptr;
        for (std::size_t i = 0; i < n * Load::count; ++i)
            room.load.first[i] = given ? given[i] : T(0);
        room.slots = {reinterpret_cast<Demand<T>*>(next), slots};
        next += slots * sizeof(Demand<T>);
        room.symmetric_slots = {reinterpret_cast<SymmetricDemand<T>*>(next), slots};
        for (std::size_t i = 0; i < n; ++i) // the search reads them before it writes
            for (int f = Trail::from_rate; f < room.trail.fields; ++f)
                room.trail(static_cast<int>(i), f) = T(0);
        const bool has_loads = loads || !gusts.empty();
        if (points > 0 || is_elastic) {
            next = reinterpret_cast<std::byte*>(room.symmetric_slots.data() + slots);
            room.touches.joint = rows(3);
            room.touches.last = rows(3);
            room.touches.row = {reinterpret_cast<T*>(next), Touching::count};
            room.touches.first = touches.first;
        }
        if (is_elastic)
            BatchStep<T, true, true, true>(tree, room, start, riders, base, effort, has_loads)
                .run(gusts, t0, t1);
        else if (points > 0)
            BatchStep<T, true, true>(tree, room, start, riders, base, effort, has_loads)
                .run(gusts, t0, t1);
        else if (has_drag)
            BatchStep<T, true, false>(tree, room, start, riders, base, effort, has_loads)
                .run(gusts, t0, t1);
        else
            BatchStep<T, false, false>(tree, room, start, riders, base, effort, has_loads)
                .run(gusts, t0, t1);
    }

private:
    /// The first lane fills all: what no strand rides in computes along.
    static void set_numbers(Storage& storage, int lane, int segments,
                            std::span<const double> numbers)
    {
        const std::size_t count = numbers.size();
        SINEW_EXPECTS(count % static_cast<std::size_t>(segments) == 0);
        T* to = reinterpret_cast<T*>(storage.aligned(count * sizeof(T)));
        for (std::size_t i = 0; i < count; ++i)
            if (lane == 0)
                to[i] = static_cast<T>(numbers[i]);
            else
                set_lane(to[i], lane, numbers[i]);
    }

    const char* name_;
};

} // namespace sinew::strand

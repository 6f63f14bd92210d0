// Builds the rows and cohorts of a batch of islands, and gathers what models answer.

#include "islands/batch.h"

#include "islands/rows/exposed.h"
#include "islands/rows/row_geometry.h"
#include "islands/rows/sparse_rows.h"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = BlockId::kNone;

/// As new, its memory kept.
void clear(BatchIsland& island)
{
    BatchIsland old = std::move(island);
    island = {};
    for (auto list : {&BatchIsland::velocities, &BatchIsland::start, &BatchIsland::start_impulse,
                      &BatchIsland::given, &BatchIsland::start_given}) {
        (old.*list).clear();
        island.*list = std::move(old.*list);
    }
    old.members.clear();
    old.problem.law.clear();
    island.members = std::move(old.members);
    island.problem = std::move(old.problem);
    island.placing = std::move(old.placing);
    island.equal = std::move(old.equal);
    island.rows = std::move(old.rows);
    island.impulse = std::move(old.impulse);
}

void clear(ModelBatch& part)
{
    part.members.clear();
    part.island.clear();
    part.touches.clear();
    part.sides.clear();
    part.sites.clear();
    part.motions.clear();
    part.active.clear();
    part.active_members.clear();
    part.reports.clear();
}

void clear(RowSet& rows)
{
    rows.group.clear();
    rows.site.clear();
    rows.direction.clear();
    for (auto list : {&RowSet::velocity, &RowSet::gap, &RowSet::bias, &RowSet::compliance,
                      &RowSet::friction, &RowSet::lo, &RowSet::hi, &RowSet::impulse, &RowSet::held})
        (rows.*list).clear();
}

void add_rows(const Island& island, std::span<const Attachment> attachments, Batch& batch,
              BatchIsland& added)
{
    added.island = &island;
    added.first_group = std::uint32_t(batch.rows.group.size());
    added.first_row = std::uint32_t(batch.rows.gap.size());
    for (const std::uint32_t index : island.attachments) {
        add_group(attachments[index], batch.rows);
        batch.origin.push_back({.attachment = index});
    }
    added.group_count = std::uint32_t(batch.rows.group.size()) - added.first_group;
    added.row_count = std::uint32_t(batch.rows.gap.size()) - added.first_row;
    added.given.assign(added.row_count, 0);
}

/// The part of an island's problem that stays: laws and numbers that geometry does not change.
void set_laws(const RowSet& rows, BatchIsland& island)
{
    RowProblem& problem = island.problem;
    const auto part = [&](const std::vector<double>& numbers) {
        return Eigen::VectorXd::Map(numbers.data() + island.first_row, island.row_count);
    };
    problem.compliance = part(rows.compliance);
    problem.friction = part(rows.friction);
    problem.lo = part(rows.lo);
    problem.hi = part(rows.hi);
    for (std::uint32_t g = 0; g < island.group_count; ++g) {
        const RowGroup& group = rows.group[island.first_group + g];
        problem.law.insert(problem.law.end(), group.law.begin(),
                           group.law.begin() + group.row_count);
    }
}

/// Room for a number of every block; none yet.
std::vector<std::vector<std::uint32_t>>& number_blocks(const Ensemble& ensemble, Batch& batch)
{
    batch.room.of_block.resize(ensemble.models.size());
    for (std::size_t m = 0; m < ensemble.models.size(); ++m)
        batch.room.of_block[m].assign(ensemble.models[m]->blocks().size(), kNone);
    return batch.room.of_block;
}

void add_members(const Ensemble& ensemble, Batch& batch)
{
    batch.models.resize(ensemble.models.size());
    for (ModelBatch& part : batch.models)
        clear(part);
    std::vector<std::vector<std::uint32_t>>& island_of = number_blocks(ensemble, batch);
    for (std::uint32_t i = 0; i < batch.islands.size(); ++i)
        for (const BlockId id : batch.islands[i].island->blocks)
            island_of[id.model][id.index] = i;
    for (std::uint32_t m = 0; m < batch.models.size(); ++m)
        for (std::uint32_t b = 0; b < island_of[m].size(); ++b)
            if (const std::uint32_t i = island_of[m][b]; i != kNone) {
                ModelBatch& part = batch.models[m];
                batch.islands[i].members.push_back({m, std::uint32_t(part.members.size())});
                part.members.push_back({.block = b});
                part.reports.emplace_back();
                part.island.push_back(i);
            }
}

/// Calls call(part, member, touch) for every row at every side that is on a member, groups in
/// order.
template <class Call>
void for_each_touch(Batch& batch, const std::vector<std::vector<std::uint32_t>>& member_of,
                    Call&& call)
{
    for (const RowGroup& group : batch.rows.group)
        for (std::uint32_t s = 0; s < group.side_count; ++s) {
            const std::uint32_t side = group.first_side + s;
            const BlockId id = batch.rows.site[side].block;
            if (id == kGround || member_of[id.model][id.index] == kNone)
                continue;
            ModelBatch& part = batch.models[id.model];
            for (std::uint32_t r = 0; r < group.row_count; ++r)
                call(part, part.members[member_of[id.model][id.index]],
                     Touch{group.first_row + r, side,
                           group.first_direction + s * group.row_count + r});
        }
}

void add_touches(const Ensemble& ensemble, Batch& batch)
{
    std::vector<std::vector<std::uint32_t>>& member_of = number_blocks(ensemble, batch);
    for (std::size_t m = 0; m < batch.models.size(); ++m)
        for (std::uint32_t i = 0; i < batch.models[m].members.size(); ++i)
            member_of[m][batch.models[m].members[i].block] = i;
    for_each_touch(batch, member_of,
                   [](ModelBatch&, Member& member, const Touch&) { ++member.touch_count; });
    for (ModelBatch& part : batch.models) {
        std::uint32_t touches = 0, ports = 0;
        for (Member& member : part.members) {
            member.first_touch = touches;
            member.first_port = ports;
            touches += member.touch_count;
            ports += member.is_exposed ? 0 : member.touch_count * member.touch_count;
            member.touch_count = 0; // counts again below
        }
        part.touches.resize(touches);
        part.responses.body.resize(touches);
        part.responses.port.resize(ports);
    }
    for_each_touch(batch, member_of, [](ModelBatch& part, Member& member, const Touch& touch) {
        part.touches[member.first_touch + member.touch_count++] = touch;
    });
}

void add_sites(Batch& batch)
{
    batch.motion.resize(batch.rows.site.size());
    for (std::uint32_t side = 0; side < batch.rows.site.size(); ++side) {
        const Site& site = batch.rows.site[side];
        if (site.block == kGround)
            continue;
        ModelBatch& part = batch.models[site.block.model];
        part.sides.push_back(side);
        part.sites.push_back(site);
        part.motions.emplace_back();
    }
}

/// How touch j answers at touch i, both on one rigid block.
double body_response(const Batch& batch, const ModelBatch& part, const Member& member,
                     std::uint32_t i, std::uint32_t j)
{
    const Touch& at = part.touches[member.first_touch + i];
    const Touch& of = part.touches[member.first_touch + j];
    const Twist& twist = part.responses.body[member.first_touch + j];
    const Vec3 arm =
        batch.motion[at.side].pose.translation - batch.motion[of.side].pose.translation;
    return dot(Twist{twist.angular, velocity_at(twist, arm)}, batch.rows.direction[at.direction]);
}

void add_response(const Batch& batch, std::uint32_t model, const Member& member,
                  BatchIsland& island)
{
    const ModelBatch& part = batch.models[model];
    const std::uint32_t p = member.touch_count;
    const Touch* touches = part.touches.data() + member.first_touch;
    const bool is_body =
        batch.ensemble->models[model]->blocks()[member.block].response == ResponseKind::body;
    const double* port = is_body ? nullptr : part.responses.port.data() + member.first_port;
    for (std::uint32_t j = 0; j < p; ++j) {
        double* column = island.problem.C.data() +
                         std::size_t(touches[j].row - island.first_row) * island.row_count;
        for (std::uint32_t i = 0; i < p; ++i)
            column[touches[i].row - island.first_row] +=
                is_body ? body_response(batch, part, member, i, j) : port[i * p + j];
    }
}

} // namespace

double response_of(const Batch& batch, std::uint32_t model, const Member& member, std::uint32_t i,
                   std::uint32_t j)
{
    const ModelBatch& part = batch.models[model];
    const bool is_body =
        batch.ensemble->models[model]->blocks()[member.block].response == ResponseKind::body;
    return is_body ? body_response(batch, part, member, i, j)
                   : part.responses.port[member.first_port + i * member.touch_count + j];
}

void fill_batch(const Ensemble& ensemble, const IslandSettings& settings,
                const EnsembleState& state, std::span<const Attachment> attachments,
                std::span<const Island* const> islands, Workspace& work, Batch& batch)
{
    batch.ensemble = &ensemble;
    batch.settings = &settings;
    batch.attachments = attachments;
    batch.frozen = state.frozen;
    batch.work = &work;
    clear(batch.rows);
    batch.origin.clear();
    batch.active.clear();
    batch.islands.resize(islands.size());
    for (std::size_t i = 0; i < islands.size(); ++i) {
        clear(batch.islands[i]);
        add_rows(*islands[i], attachments, batch, batch.islands[i]);
    }
    for (BatchIsland& island : batch.islands)
        set_laws(batch.rows, island);
    add_members(ensemble, batch);
    choose_exposed(ensemble, attachments, batch);
    choose_sparse(ensemble, batch);
    add_touches(ensemble, batch);
    add_sites(batch);
}

void set_active(Batch& batch, std::span<const std::uint32_t> islands)
{
    batch.active.assign(islands.begin(), islands.end());
    std::vector<char>& is_active = batch.room.is_active;
    is_active.assign(batch.islands.size(), 0);
    for (const std::uint32_t i : batch.active)
        is_active[i] = 1;
    for (ModelBatch& part : batch.models) {
        part.active.clear();
        part.active_members.clear();
        for (std::uint32_t i = 0; i < part.members.size(); ++i)
            if (is_active[part.island[i]]) {
                part.active.push_back(part.members[i]);
                part.active_members.push_back(i);
            }
    }
}

void set_all_active(Batch& batch)
{
    batch.room.islands.resize(batch.islands.size());
    std::iota(batch.room.islands.begin(), batch.room.islands.end(), std::uint32_t(0));
    set_active(batch, batch.room.islands);
}

void locate(Batch& batch, double time)
{
    constexpr std::size_t kPortion = 64; // sites
    for (std::size_t m = 0; m < batch.models.size(); ++m) {
        ModelBatch& part = batch.models[m];
        const std::size_t count = part.sites.size();
        for_each_index((count + kPortion - 1) / kPortion, batch.work->threads, [&](std::size_t i) {
            const std::size_t first = i * kPortion, size = std::min(kPortion, count - first);
            batch.ensemble->models[m]->locate(batch.work->trials[m], time,
                                              std::span(part.sites).subspan(first, size),
                                              std::span(part.motions).subspan(first, size));
        });
        for (std::size_t i = 0; i < count; ++i) {
            SiteMotion& motion = batch.motion[part.sides[i]];
            motion = part.motions[i];
            if (std::ranges::binary_search(batch.frozen, part.sites[i].block))
                motion.twist = {};
        }
    }
    for (std::size_t g = 0; g < batch.rows.group.size(); ++g) {
        const Attachment& made = batch.attachments[batch.origin[g].attachment];
        const std::uint32_t b = batch.rows.group[g].first_side + 1;
        if (batch.rows.site[b].block == kGround)
            batch.motion[b] = made.ground.motion_at(time);
        for (std::uint32_t i = 0; is_eye(made) && i < made.path->passes.size(); ++i)
            if (batch.rows.site[b + 1 + i].block == kGround)
                batch.motion[b + 1 + i] = made.path->passes[i].ground.motion_at(time);
    }
}

namespace {

/// The place on a's rod nearest to b's point, from where it was: Newton, which crosses knots.
void slide(const Attachment& attachment, const RowGroup& group, double time, Batch& batch)
{
    constexpr int kMost = 12;
    constexpr double kStill = 1e-14; // of the rod's length
    Site& site = batch.rows.site[group.first_side];
    SiteMotion& motion = batch.motion[group.first_side];
    const SiteMotion& other = batch.motion[group.first_side + 1];
    const Vec3 target = apply_to_point(other.pose, attachment.point_b);
    const Dynamics& model = *batch.ensemble->models[site.block.model];
    for (int i = 0; i < kMost; ++i) {
        const double square = dot(motion.tangent, motion.tangent);
        const double step =
            square > 0 ? dot(target - motion.pose.translation, motion.tangent) / square : 0;
        const double u = std::clamp(site.u + std::clamp(step, -0.1, 0.1), 0.0, 1.0);
        const bool is_there = std::abs(u - site.u) <= kStill;
        site.u = u;
        model.locate(batch.work->trials[site.block.model], time, {&site, 1}, {&motion, 1});
        if (is_there)
            break;
    }
    if (std::ranges::binary_search(batch.frozen, site.block))
        motion.twist = {};
}

} // namespace

void slide(Batch& batch, double time)
{
    for_each_active(batch, [&](BatchIsland& island) {
        for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
            const Attachment& attachment = batch.attachments[origin.attachment];
            if (is_sliding(attachment))
                slide(attachment, group, time, batch);
        });
    });
    for (ModelBatch& part : batch.models)
        for (std::size_t i = 0; i < part.sides.size(); ++i)
            part.sites[i] = batch.rows.site[part.sides[i]];
}

namespace {

/// Takes off what rounding left of a matrix's symmetry, tile by tile.
void make_symmetric(Eigen::MatrixXd& C)
{
    constexpr Eigen::Index kTile = 16;
    const Eigen::Index n = C.cols();
    for (Eigen::Index first = 0; first < n; first += kTile)
        for (Eigen::Index start = 0; start <= first; start += kTile)
            for (Eigen::Index j = first; j < std::min(n, first + kTile); ++j)
                for (Eigen::Index i = start; i < std::min(j, start + kTile); ++i)
                    C(i, j) = C(j, i) = 0.5 * (C(i, j) + C(j, i));
}

} // namespace

void set_kept(Batch& batch)
{
    for (ModelBatch& part : batch.models)
        for (std::size_t i = 0; i < part.active.size(); ++i)
            part.active[i].keeps_matrix =
                batch.islands[part.island[part.active_members[i]]].keeps_matrix;
}

void respond(Batch& batch)
{
    for_each_cohort(batch, [&](std::size_t m, const Trial& trial, const Cohort& cohort) {
        batch.ensemble->models[m]->respond(cohort, batch.rows, trial, batch.models[m].responses);
    });
    for_each_active(batch, [&](BatchIsland& island) {
        if (island.keeps_matrix)
            return;
        if (is_exposed(island))
            return update_exposed(batch, island);
        if (is_sparse(island))
            return update_sparse(batch, island);
        Eigen::MatrixXd& C = island.problem.C;
        C.setZero(island.row_count, island.row_count);
        for (const auto& [model, member] : island.members)
            add_response(batch, model, batch.models[model].members[member], island);
        make_symmetric(C);
    });
}

void soften_rigid_rows(const Batch& batch, const BatchIsland& island, RowProblem& problem)
{
    constexpr double kShare = 1e-6;
    const double give = kShare * problem.C.diagonal().maxCoeff();
    for (std::uint32_t g = island.first_group; g < island.first_group + island.group_count; ++g) {
        const RowGroup& group = batch.rows.group[g];
        if (!batch.attachments[batch.origin[g].attachment].holds_strand)
            continue;
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (group.law[r] == Law::equal)
                problem.compliance[group.first_row + r - island.first_row] += give;
    }
}

RowSolveReport solve_dense_rows(BatchIsland& island, const RowProblem& problem,
                                const RowOptions& options, Eigen::VectorXd& impulse)
{
    if (const auto report =
            island.equal.solve(problem, options.tolerance, island.keeps_matrix, impulse))
        return *report;
    return solve_rows(problem, options, impulse, island.rows);
}

void measure(Batch& batch, const Stage& stage)
{
    for (ModelBatch& part : batch.models)
        part.measured.assign(part.active.size(), {});
    for_each_cohort(batch, [&](std::size_t m, const Trial& trial, const Cohort& cohort) {
        ModelBatch& part = batch.models[m];
        const std::size_t first = std::size_t(cohort.members.data() - part.active.data());
        const std::span reports = std::span(part.measured).subspan(first, cohort.members.size());
        batch.ensemble->models[m]->measure(cohort, batch.rows, stage, trial, reports);
        for (std::size_t i = 0; i < reports.size(); ++i)
            part.reports[part.active_members[first + i]] = std::move(reports[i]);
    });
}

Balance balance_of(const Batch& batch, const BatchIsland& island)
{
    Balance sum;
    for (const auto& [model, member] : island.members) {
        const BlockReport& report = batch.models[model].reports[member];
        sum.kinetic += report.kinetic;
        sum.potential += report.potential;
        sum.work += report.work;
    }
    return sum;
}

} // namespace sinew

#include "islands/rows/exposed.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr std::uint32_t kCondensed = 96; // rows of an island: up to so many, C is dense

/// How W of a block looks in a matrix of rods; bodies answer to their rows.
Exposure exposure_of(const Ensemble& ensemble, BlockId id)
{
    const Dynamics& model = *ensemble.models[id.model];
    return model.blocks()[id.index].response == ResponseKind::port ? model.exposure(id.index)
                                                                   : Exposure{};
}

/// True where a span of a rod is held to the ground by more rows than it has numbers.
bool has_crowded_span(const Ensemble& ensemble, const Batch& batch, const BatchIsland& island)
{
    const std::span groups =
        std::span(batch.rows.group).subspan(island.first_group, island.group_count);
    const auto span_of = [&](const RowGroup& group) { // of a group that ties a rod to the ground
        const Site& site = batch.rows.site[group.first_side];
        if (site.block == kGround || batch.rows.site[group.first_side + 1].block != kGround)
            return -1.0;
        const Exposure shape = exposure_of(ensemble, site.block);
        return shape.vertices > shape.reach
                   ? double(std::uint32_t(site.u * (shape.vertices - shape.reach)))
                   : -1.0;
    };
    for (const RowGroup& group : groups) {
        const double span = span_of(group);
        const BlockId block = batch.rows.site[group.first_side].block;
        if (span < 0)
            continue;
        const Exposure shape = exposure_of(ensemble, block);
        std::uint32_t rows = 0;
        for (const RowGroup& other : groups)
            if (batch.rows.site[other.first_side].block == block && span_of(other) == span)
                rows += other.row_count;
        if (rows > shape.size * (shape.reach + 1))
            return true;
    }
    return false;
}

bool may_expose(const Ensemble& ensemble, std::span<const Attachment> attachments,
                const Batch& batch, const BatchIsland& island)
{
    const bool is_of_rods = std::ranges::all_of(island.members, [&](const auto& member) {
        const auto& [model, number] = member;
        return exposure_of(ensemble, {model, batch.models[model].members[number].block}).vertices >
               0;
    });
    if ((island.row_count <= kCondensed || !is_of_rods) && !batch.settings->is_banded &&
        !has_crowded_span(ensemble, batch, island))
        return false;
    for (std::uint32_t g = island.first_group; g < island.first_group + island.group_count; ++g) {
        const RowGroup& group = batch.rows.group[g];
        const Attachment& attachment = attachments[batch.origin[g].attachment];
        if (attachment.restitution > 0 || attachment.holds_strand ||
            attachment.kind == Attachment::Kind::eye_rub)
            return false;
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (follows_push(group.law[r]) || group.law[r] == Law::slide)
                return false;
    }
    return true;
}

class Stamper {
public:
    Stamper(Batch& batch, const BatchIsland& island)
        : batch_(batch), island_(island), room_(*batch.work->exposed[island.exposed]),
          matrix_(room_.matrix)
    {
        room_.firsts.clear();
        room_.stamps.clear();
        room_.ports.clear();
    }

    void run()
    {
        BlockPattern& pattern = matrix_.pattern;
        pattern.clear();
        for (const auto& [model, member] : island_.members)
            if (batch_.models[model].members[member].is_exposed)
                add_member(model, batch_.models[model].members[member].block);
        matrix_.first_row = std::uint32_t(pattern.size());
        first_group_ = std::uint32_t(pattern.vertices.size());
        for_each_group(batch_, island_, [&](const RowGroup& group, const GroupOrigin&) {
            const std::uint32_t row = pattern.add_vertex(group.row_count, kRowsOwner, true);
            pattern.add_block(row, row);
            pattern.vertices[row].may_merge = may_merge(group);
        });
        add_touches();
        add_ports();
        matrix_.begin(batch_.settings->is_banded);
        fill();
    }

private:
    static constexpr std::uint32_t kRowsOwner = 0xffffffff;

    void add_member(std::uint32_t model, std::uint32_t block)
    {
        BlockPattern& pattern = matrix_.pattern;
        const Exposure shape = batch_.ensemble->models[model]->exposure(block);
        room_.firsts.push_back(
            {{model, block}, std::uint32_t(pattern.vertices.size()), pattern.value_count});
        const std::uint32_t first = room_.firsts.back().vertex,
                            owner = std::uint32_t(room_.firsts.size());
        for (std::uint32_t i = 0; i < shape.vertices; ++i)
            pattern.add_vertex(shape.size, owner, false);
        for (std::uint32_t i = 0; i < shape.vertices; ++i)
            for (std::uint32_t k = 0; k <= shape.reach && i + k < shape.vertices; ++k)
                pattern.add_block(first + i + k, first + i);
    }

    bool may_merge(const RowGroup& group) const
    {
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (group.law[r] != Law::equal)
                return false;
        for (std::uint32_t s = 0; s < group.side_count; ++s)
            if (const BlockId block = batch_.rows.site[group.first_side + s].block;
                block != kGround && !find(block))
                return false;
        return true;
    }

    const ExposedIsland::First* find(BlockId block) const
    {
        const auto found =
            std::ranges::lower_bound(room_.firsts, block, {}, &ExposedIsland::First::block);
        return found != room_.firsts.end() && found->block == block ? &*found : nullptr;
    }

    void add_touches()
    {
        std::uint32_t vertex = first_group_;
        for (std::uint32_t g = island_.first_group; g < island_.first_group + island_.group_count;
             ++g, ++vertex) {
            const RowGroup& group = batch_.rows.group[g];
            for (std::uint32_t s = 0; s < group.side_count; ++s) {
                const Site& site = batch_.rows.site[group.first_side + s];
                const ExposedIsland::First* at = find(site.block);
                if (!at)
                    continue;
                const TouchWeights reach = weigh(site, group, s, 0);
                room_.stamps.push_back({g, s, matrix_.pattern.value_count});
                for (std::uint32_t k = 0; k < reach.count; ++k)
                    matrix_.pattern.add_block(vertex, at->vertex + reach.first + k);
            }
        }
    }

    TouchWeights weigh(const Site& site, const RowGroup& group, std::uint32_t side,
                       std::uint32_t row) const
    {
        return batch_.ensemble->models[site.block.model]->weigh(
            batch_.work->trials[site.block.model], site,
            batch_.rows.direction[group.first_direction + side * group.row_count + row]);
    }

    /// Row groups that meet at a block with a response have its C between them.
    void add_ports()
    {
        for (const auto& [model, number] : island_.members) {
            const Member& member = batch_.models[model].members[number];
            if (member.is_exposed)
                continue;
            std::vector<std::uint32_t>& groups = room_.groups;
            groups.clear();
            for (std::uint32_t t = 0; t < member.touch_count; ++t)
                groups.push_back(vertex_of_row(touch(model, member, t).row));
            std::ranges::sort(groups);
            groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
            for (std::size_t i = 0; i < groups.size(); ++i)
                for (std::size_t j = 0; j <= i; ++j)
                    room_.ports.push_back({model, number,
                                           matrix_.pattern.add_block(groups[i], groups[j]),
                                           groups[i], groups[j]});
        }
    }

    const Touch& touch(std::uint32_t model, const Member& member, std::uint32_t t) const
    {
        return batch_.models[model].touches[member.first_touch + t];
    }

    std::uint32_t vertex_of_row(std::uint32_t row) const
    {
        const auto first = batch_.rows.group.begin() + island_.first_group;
        const auto found = std::ranges::upper_bound(first, first + island_.group_count, row, {},
                                                    &RowGroup::first_row);
        return first_group_ + std::uint32_t(found - first) - 1;
    }

    void fill()
    {
        std::vector<double>& values = matrix_.values;
        for (const ExposedIsland::First& first : room_.firsts) {
            const Exposure shape =
                batch_.ensemble->models[first.block.model]->exposure(first.block.index);
            Member member{.block = first.block.index};
            batch_.ensemble->models[first.block.model]->expose(
                member, batch_.work->trials[first.block.model],
                std::span(values).subspan(first.value, value_count(shape)));
        }
        for (const ExposedIsland::Stamp& stamp : room_.stamps) {
            const RowGroup& group = batch_.rows.group[stamp.group];
            const Site& site = batch_.rows.site[group.first_side + stamp.side];
            const std::uint32_t size =
                batch_.ensemble->models[site.block.model]->exposure(site.block.index).size;
            for (std::uint32_t r = 0; r < group.row_count; ++r) {
                const TouchWeights touched = weigh(site, group, stamp.side, r);
                for (std::uint32_t k = 0; k < touched.count; ++k)
                    for (std::uint32_t c = 0; c < size; ++c)
                        values[stamp.value + (k * group.row_count + r) * size + c] =
                            touched.weight[k * size + c];
            }
        }
        for (const ExposedIsland::Port& port : room_.ports)
            fill_port(port);
    }

    static std::size_t value_count(const Exposure& shape)
    {
        std::size_t blocks = 0;
        for (std::uint32_t i = 0; i < shape.vertices; ++i)
            blocks += std::min(shape.reach, shape.vertices - 1 - i) + 1;
        return blocks * shape.size * shape.size;
    }

    void fill_port(const ExposedIsland::Port& port)
    {
        const Member& member = batch_.models[port.model].members[port.member];
        const RowGroup& row = batch_.rows.group[island_.first_group + port.row - first_group_];
        const RowGroup& column =
            batch_.rows.group[island_.first_group + port.column - first_group_];
        for (std::uint32_t i = 0; i < member.touch_count; ++i) {
            const std::uint32_t r = touch(port.model, member, i).row - row.first_row;
            if (r >= row.row_count)
                continue;
            for (std::uint32_t j = 0; j < member.touch_count; ++j)
                if (const std::uint32_t c = touch(port.model, member, j).row - column.first_row;
                    c < column.row_count)
                    matrix_.values[port.value + r * column.row_count + c] -=
                        response_of(batch_, port.model, member, i, j);
        }
    }

    Batch& batch_;
    const BatchIsland& island_;
    ExposedIsland& room_;
    MergedMatrix& matrix_;
    std::uint32_t first_group_ = 0;
};

} // namespace

void choose_exposed(const Ensemble& ensemble, std::span<const Attachment> attachments, Batch& batch)
{
    std::uint32_t count = 0;
    for (BatchIsland& island : batch.islands) {
        if (!may_expose(ensemble, attachments, batch, island))
            continue;
        bool has_any = false;
        for (const auto& [model, number] : island.members) {
            Member& member = batch.models[model].members[number];
            member.is_exposed = exposure_of(ensemble, {model, member.block}).vertices > 0;
            has_any |= member.is_exposed;
        }
        if (has_any)
            island.exposed = count++;
    }
    std::vector<std::unique_ptr<ExposedIsland>>& kept = batch.work->exposed;
    while (kept.size() < count)
        kept.push_back(std::make_unique<ExposedIsland>());
}

void update_exposed(Batch& batch, const BatchIsland& island) { Stamper(batch, island).run(); }

RowSolveReport solve_exposed(Batch& batch, const BatchIsland& island, std::span<const double> off,
                             std::span<const double> held, double tolerance,
                             Eigen::VectorXd& impulse)
{
    MergedMatrix& matrix = batch.work->exposed[island.exposed]->matrix;
    const RowProblem& problem = island.problem;
    const auto span = [](const Eigen::VectorXd& v) {
        return std::span(v.data(), std::size_t(v.size()));
    };
    std::size_t row = island.keeps_matrix ? island.row_count : 0;    // Σ is in it then
    for (const BlockPattern::Block& block : matrix.pattern.blocks) { // Σ
        if (block.row != block.column || !matrix.pattern.vertices[block.row].is_row ||
            matrix.pattern.start[block.row] != matrix.first_row + row)
            continue;
        const std::uint32_t size = matrix.pattern.vertices[block.row].size;
        for (std::uint32_t r = 0; r < size; ++r)
            matrix.values[block.first + r * size + r] -= problem.compliance[Eigen::Index(row + r)];
        row += size;
    }
    return matrix.solve({problem.law, off, held, span(problem.lo), span(problem.hi),
                         std::span(impulse.data(), std::size_t(impulse.size()))},
                        tolerance, island.keeps_matrix);
}

} // namespace sinew

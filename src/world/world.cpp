// The world as its users see it: builds the models from a scene, advances them, shows frames.

#include "sinew/world.h"

#include "base/contract.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "models/linkage/model.h"
#include "scene/kinematics.h"
#include "scene/placement.h"
#include "scene/problems.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sinew {

struct World::Parts {
    Scene scene;
    std::vector<ImportFunction> imports;
    int threads = 1;
    std::vector<ObjectId> frame_order;
    std::unique_ptr<LinkageModel> linkages;
    double time = 0;
    Trial trial; ///< its state is the world's
    ModelState last_good;
    std::vector<double> coordinates, rates;
    std::vector<BlockReport> reports;
    Problems notes;

    void read_coordinates() { linkages->read_coordinates(trial.state, time, coordinates, rates); }
};

namespace {

/// A function for every import, or what is missing.
Problems bind_imports(const Scene& scene, const WorldOptions& options,
                      std::vector<ImportFunction>& imports)
{
    Problems problems;
    for (const Import& import : scene.imports) {
        const auto found = options.imports.find(import.name);
        if (found == options.imports.end())
            problems.push_back(make_problem(scene, Severity::error, "import-not-bound",
                                            import.origin, "imports",
                                            "import '" + import.name + "' is bound to nothing",
                                            "run with --import " + import.name + "=LIBRARY"));
        else
            imports.push_back(found->second);
    }
    return problems;
}

} // namespace

Result<World> World::create(const Scene& scene, const WorldOptions& options)
{
    Problems problems = validate(scene);
    if (has_errors(problems))
        return problems;
    auto parts = std::make_unique<Parts>();
    parts->scene = scene;
    parts->threads = std::max(options.threads, 1);
    problems = bind_imports(scene, options, parts->imports);
    const Problems start = read_scene(scene).problems;
    std::copy_if(start.begin(), start.end(), std::back_inserter(problems),
                 [](const Problem& p) { return p.severity == Severity::error; });
    if (has_errors(problems))
        return problems;
    ObjectId faulty;
    parts->frame_order = order_of_frames(parts->scene, faulty);
    parts->time = scene.settings.start;
    parts->linkages = std::make_unique<LinkageModel>(parts->scene, parts->imports);
    parts->trial.state = parts->linkages->initial_state();
    parts->trial.scratch = parts->linkages->make_scratch();
    parts->notes = parts->linkages->assemble(parts->trial);
    if (has_errors(parts->notes))
        return parts->notes;
    parts->coordinates.resize(scene.coordinates.size());
    parts->rates.resize(scene.coordinates.size());
    parts->reports.resize(parts->linkages->blocks().size());
    parts->last_good = parts->trial.state;
    parts->read_coordinates();
    return World(std::move(parts));
}

World::World(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

const Scene& World::scene() const noexcept { return parts_->scene; }
double World::time() const noexcept { return parts_->time; }
const Problems& World::start_notes() const noexcept { return parts_->notes; }
std::span<const double> World::coordinates() const noexcept { return parts_->coordinates; }
std::span<const double> World::rates() const noexcept { return parts_->rates; }

StepReport World::advance(double until) noexcept
{
    SINEW_EXPECTS(until >= parts_->time);
    Parts& p = *parts_;
    p.last_good = p.trial.state;
    std::fill(p.reports.begin(), p.reports.end(), BlockReport{});
    for_each_index(p.reports.size(), p.threads, [&](std::size_t i) {
        const Member member{static_cast<std::uint32_t>(i)};
        p.linkages->advance_alone(Cohort{{&member, 1}, {}}, p.time, until, p.trial,
                                  {&p.reports[i], 1});
    });
    StepReport report;
    for (const BlockReport& block : p.reports) {
        report.steps += block.steps;
        report.rejected += block.rejected;
        report.implicit_steps += block.implicit_steps;
        report.warnings.insert(report.warnings.end(), block.warnings.begin(), block.warnings.end());
        if (block.fault && !report.fault)
            report.fault = block.fault;
    }
    if (report.fault) {
        p.trial.state = p.last_good;
        return report;
    }
    p.time = until;
    p.read_coordinates();
    report.residual = p.linkages->residual(p.trial, until);
    return report;
}

Frame World::frame() const
{
    std::vector<double> imports;
    for (const ImportFunction& import : parts_->imports)
        imports.push_back(import({parts_->time, parts_->coordinates, parts_->rates}).value);
    return make_frame(parts_->scene, parts_->frame_order,
                      {parts_->time, parts_->coordinates, imports});
}

Energy World::energy() const { return parts_->linkages->energy(parts_->trial, parts_->time); }

// ---------------------------------------------------------------- snapshots

namespace {

constexpr std::uint64_t kSnapshotMark =
    0x3177656e69730001; // "sinew1" and the version of the layout

void put(std::vector<std::byte>& out, std::uint64_t bits)
{
    for (int i = 0; i < 8; ++i)
        out.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

void put(std::vector<std::byte>& out, std::span<const double> values)
{
    put(out, values.size());
    for (const double value : values)
        put(out, std::bit_cast<std::uint64_t>(value));
}

/// Reads what `put` wrote; afterwards `is_good` says whether all of it was there.
struct SnapshotReader {
    std::span<const std::byte> bytes;
    bool is_good = true;

    std::uint64_t get()
    {
        if (bytes.size() < 8) {
            is_good = false;
            return 0;
        }
        std::uint64_t bits = 0;
        for (int i = 0; i < 8; ++i)
            bits |= std::uint64_t(bytes[static_cast<std::size_t>(i)]) << (8 * i);
        bytes = bytes.subspan(8);
        return bits;
    }
    void get(std::vector<double>& values)
    {
        is_good = is_good && get() == values.size();
        for (std::size_t i = 0; i < values.size() && is_good; ++i)
            values[i] = std::bit_cast<double>(get());
    }
};

} // namespace

std::vector<std::byte> World::snapshot() const
{
    std::vector<std::byte> out;
    put(out, kSnapshotMark);
    put(out, fingerprint(parts_->scene));
    put(out, std::bit_cast<std::uint64_t>(parts_->time));
    put(out, parts_->trial.state.x);
    put(out, parts_->trial.state.v);
    put(out, parts_->trial.state.memory);
    return out;
}

bool World::restore(std::span<const std::byte> snapshot)
{
    SnapshotReader reader{snapshot};
    ModelState state = parts_->trial.state;
    if (reader.get() != kSnapshotMark || reader.get() != fingerprint(parts_->scene))
        return false;
    const double time = std::bit_cast<double>(reader.get());
    reader.get(state.x);
    reader.get(state.v);
    reader.get(state.memory);
    if (!reader.is_good || !reader.bytes.empty())
        return false;
    parts_->time = time;
    parts_->trial.state = std::move(state);
    parts_->read_coordinates();
    return true;
}

std::uint64_t World::state_hash() const
{
    Hash hash;
    hash.add(parts_->time);
    for (const std::vector<double>* list :
         {&parts_->trial.state.x, &parts_->trial.state.v, &parts_->trial.state.memory})
        for (const double value : *list)
            hash.add(value);
    return hash.value();
}

} // namespace sinew

#include "farm/probes.h"

#include "sinew/frame.h"
#include "sinew/names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace sinew::app {

namespace {

using json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> kAxes = {".x", ".y", ".z"};

/// `name`, or `name.x`, `name.y`, `name.z`, each with `:min` or `:max` behind it.
struct Probe {
    enum class Of { last, least, most } of = Of::last;
    std::string name, ending; ///< as it was asked for; ":min", ":max", or nothing
    std::string row = {};     ///< what tables call it; empty: nothing, or several things
    int axis = -1;            ///< −1: all that it has
    int count = 3;            ///< numbers that it has
    std::array<std::optional<double>, 3> found = {};
};

/// The one of these that a text means; empty where none or several are.
std::string meant(const std::vector<std::string>& names, const std::string& text)
{
    const std::vector<std::size_t> found = find_names(names, text);
    return found.size() == 1 ? names[found.front()] : "";
}

/// How many numbers a `probe` of the script has: those that were not given are constants.
int number_count(const Scene& scene, const Drawing& drawing)
{
    int count = 3;
    while (count > 1) {
        const Value& value = scene.values[drawing.points.first + std::uint32_t(count) - 1];
        if (!value.is_constant() || value.number != 0)
            break;
        --count;
    }
    return count;
}

/// Lists the probes that the script itself has.
std::vector<Probe> probes_of(const Scene& scene)
{
    const std::vector<std::string> names = probe_names(scene);
    std::vector<Probe> probes;
    for (const Drawing& drawing : scene.drawings)
        if (drawing.kind == DrawingKind::probe) {
            const std::string& name = names[probes.size()];
            probes.push_back(
                {.name = name, .ending = "", .row = name, .count = number_count(scene, drawing)});
        }
    return probes;
}

/// True when the text means a `probe` of the script.
bool find_probe(const Scene& scene, Probe& probe)
{
    probe.row = meant(probe_names(scene), probe.name);
    for (const Probe& known : probes_of(scene))
        if (!probe.row.empty() && known.row == probe.row) {
            probe.count = known.count;
            return true;
        }
    return false;
}

Probe parse_probe(const std::string& text, const Scene& scene)
{
    Probe probe{.name = text, .ending = ""};
    for (const char* ending : {":min", ":max"})
        if (probe.name.ends_with(ending)) {
            probe.of = *(ending + 2) == 'i' ? Probe::Of::least : Probe::Of::most;
            probe.ending = ending;
            probe.name.resize(probe.name.size() - 4);
            break;
        }
    if (find_probe(scene, probe))
        return probe;
    for (int axis = 0; axis < 3; ++axis)
        if (probe.name.size() > 2 && probe.name.ends_with(kAxes[std::size_t(axis)])) {
            probe.axis = axis;
            probe.name.resize(probe.name.size() - 2);
            break;
        }
    if (find_probe(scene, probe))
        return probe;
    probe.row = meant(object_paths(scene), probe.name);
    probe.count = 3; // a place
    return probe;
}

void note(Probe& probe, const Vec3& numbers)
{
    for (int axis = 0; axis < 3; ++axis) {
        std::optional<double>& best = probe.found[std::size_t(axis)];
        const double value = numbers[axis];
        if (!best || (probe.of == Probe::Of::least && value < *best) ||
            (probe.of == Probe::Of::most && value > *best))
            best = value;
    }
}

/// Reads every frame where a least or largest value is wanted, else the last one.
void fill(std::vector<Probe>& probes, const RecordedScene& recorded)
{
    const std::int64_t count = recorded.recording.info().frame_count;
    const bool wants_all =
        std::ranges::any_of(probes, [](const Probe& p) { return p.of != Probe::Of::last; });
    for (std::int64_t i = wants_all ? 0 : std::max<std::int64_t>(count - 1, 0); i < count; ++i) {
        const Result<Frame> frame = recorded.recording.frame(i);
        if (!frame)
            return;
        for (const TableRow& line : table_rows(recorded.scene, *frame))
            for (Probe& probe : probes)
                if (probe.row == line.name && (probe.of != Probe::Of::last || i == count - 1))
                    note(probe, line.position);
    }
}

/// `taken`: params and the columns that every table has.
void write(const Probe& probe, const std::set<std::string>& taken, json& row)
{
    for (int axis = 0; axis < probe.count; ++axis) {
        if (probe.axis >= 0 && probe.axis != axis)
            continue;
        const bool is_single = probe.count == 1 && probe.axis < 0;
        std::string column =
            probe.name + (is_single ? "" : kAxes[std::size_t(axis)]) + probe.ending;
        if (taken.contains(column))
            column += ":end";
        const std::optional<double>& value = probe.found[std::size_t(axis)];
        row[column] = value ? json(*value) : json();
    }
}

/// Those that are wished for, then the script's own.
std::vector<Probe> list_probes(const std::vector<std::string>& wishes, const Scene& scene)
{
    std::vector<Probe> probes;
    for (const std::string& wish : wishes)
        probes.push_back(parse_probe(wish, scene));
    for (const Probe& own : probes_of(scene))
        if (std::ranges::none_of(probes, [&](const Probe& known) {
                return known.row == own.row && known.ending.empty() && known.axis < 0;
            }))
            probes.push_back(own);
    return probes;
}

} // namespace

void add_probes(const std::vector<std::string>& wishes, const RecordedScene& recorded, json& row)
{
    std::vector<Probe> probes = list_probes(wishes, recorded.scene);
    if (probes.empty())
        return;
    fill(probes, recorded);
    std::set<std::string> taken;
    for (const auto& [name, value] : row.items())
        taken.insert(name);
    for (const Probe& probe : probes)
        write(probe, taken, row);
}

std::vector<std::string> unknown_probes(const std::vector<std::string>& wishes, const Scene& scene)
{
    std::vector<std::string> unknown;
    for (const std::string& wish : wishes) {
        const Probe probe = parse_probe(wish, scene);
        if (probe.row.empty() || probe.axis >= probe.count)
            unknown.push_back(wish);
    }
    return unknown;
}

} // namespace sinew::app

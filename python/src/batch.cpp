// Many worlds at once, on several threads.

#include "world_handle.h"

#include <nanobind/stl/vector.h>

#include <atomic>
#include <thread>

namespace sinew::python {

namespace {

/// Every world to its time, one thread a world. The threads listen to the flag of this one.
void compute_all(const std::vector<WorldHandle*>& worlds, const std::vector<double>& until,
                 int threads, std::vector<StepReport>& reports)
{
    std::atomic<std::size_t> next = 0;
    const std::atomic<bool>* flag = stop_flag();
    const auto work = [&] {
        const StopScope listening(flag);
        for (std::size_t i = next++; i < worlds.size(); i = next++)
            reports[i] = worlds[i]->compute(until[i]);
    };
    std::vector<std::jthread> others;
    for (int i = 1; i < threads && std::size_t(i) < worlds.size(); ++i)
        others.emplace_back(work);
    work();
}

std::vector<StepReport> advance_all(const std::vector<WorldHandle*>& worlds,
                                    const std::vector<double>& until, int threads)
{
    if (worlds.size() != until.size() || threads < 1 || threads > 1024)
        throw nb::value_error("a time for each world, and 1 to 1024 threads");
    std::vector<WorldHandle::Use> uses;
    for (std::size_t i = 0; i < worlds.size(); ++i) {
        uses.emplace_back(*worlds[i]);
        worlds[i]->check_until(until[i]);
    }
    std::vector<StepReport> reports(worlds.size());
    {
        const Listening listening;
        nb::gil_scoped_release free;
        compute_all(worlds, until, threads, reports);
    }
    for (WorldHandle* world : worlds)
        world->note_motion();
    WorldHandle::raise_signal();
    for (const WorldHandle* world : worlds)
        world->raise_errors();
    return reports;
}

} // namespace

void add_batch(nb::module_& module)
{
    module.def("advance_all", &advance_all, nb::arg("worlds"), nb::arg("until"), nb::arg("threads"),
               "Advances each world to its time, on several threads; what each did.");
}

} // namespace sinew::python

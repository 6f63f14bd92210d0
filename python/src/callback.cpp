#include "callback.h"

#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <sys/syscall.h>
#include <unistd.h>

namespace sinew::python {

namespace {

/// A number, or it with one or two derivatives.
ImportValue value_of(nb::object answer)
{
    ImportValue out;
    if (nb::try_cast(answer, out.value))
        return out;
    std::vector<double> list;
    if (!nb::try_cast(answer, list) || list.empty() || list.size() > 3)
        throw std::invalid_argument(
            "an import returns a number, or (value, first derivative, second derivative)");
    out.value = list[0];
    if (list.size() > 1)
        out.first = list[1];
    if (list.size() > 2)
        out.second = list[2];
    return out;
}

// Of the main thread alone.
std::atomic<bool> wish = false;
struct sigaction before = {};
bool is_taken = false;

} // namespace

Callback::Callback(nb::object function)
    : held_(new Held{std::move(function)}, [](Held* held) {
          nb::gil_scoped_acquire hold;
          delete held;
      })
{
}

ImportValue Callback::operator()(const ImportInput& input) const
{
    nb::gil_scoped_acquire hold;
    try {
        const auto list = [](std::span<const double> numbers) {
            return std::vector<double>(numbers.begin(), numbers.end());
        };
        const ImportValue answer =
            value_of(held_->function(input.time, list(input.coordinates), list(input.rates)));
        if (std::isfinite(answer.value) && std::isfinite(answer.first.value_or(0)) &&
            std::isfinite(answer.second.value_or(0)))
            return answer;
        throw std::invalid_argument("an import returned a number that is not finite");
    } catch (nb::python_error& error) {
        if (!held_->error)
            held_->error.emplace(std::move(error));
    } catch (const std::exception& error) {
        held_->complaint = error.what();
    }
    return {.value = std::numeric_limits<double>::quiet_NaN()};
}

void Callback::raise_error() const
{
    if (held_->error) {
        nb::python_error error = std::move(*held_->error);
        held_->error.reset();
        throw error;
    }
    if (!held_->complaint.empty())
        throw nb::value_error(std::exchange(held_->complaint, {}).c_str());
}

Listening::Listening()
{
    if (getpid() != static_cast<pid_t>(syscall(SYS_gettid)) || is_taken)
        return;
    struct sigaction action {};
    sigaction(SIGINT, nullptr, &before);
    if (before.sa_handler == SIG_IGN || before.sa_handler == SIG_DFL)
        return; // not Python's business either
    is_mine_ = is_taken = true;
    wish = false;
    scope_.emplace(&wish);
    action.sa_sigaction = hear;
    action.sa_flags = before.sa_flags | SA_SIGINFO;
    action.sa_mask = before.sa_mask;
    sigaction(SIGINT, &action, nullptr);
}

Listening::~Listening()
{
    if (!is_mine_)
        return;
    sigaction(SIGINT, &before, nullptr);
    is_taken = false;
}

void Listening::hear(int signal, siginfo_t* info, void* context)
{
    wish = true;
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(signal, info, context);
    else
        before.sa_handler(signal);
}

} // namespace sinew::python

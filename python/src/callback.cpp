#include "callback.h"

#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>

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

} // namespace sinew::python

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

/// A value of JSON as it was read. What is asked of the wrong kind is not there.
class Json {
public:
    enum class Kind : std::uint8_t { null, boolean, number, text, list, object };

    /// Nothing when the text is no JSON, or nested deeper than 64.
    static std::optional<Json> read(std::string_view text);

    Kind kind = Kind::null;
    double number = 0; ///< of a boolean 0 or 1
    std::string text = {};
    std::vector<Json> items = {};        ///< of a list; values of an object
    std::vector<std::string> names = {}; ///< of an object

    /// The value of a name; null when there is none.
    const Json* find(std::string_view name) const;
    /// An item of the list behind a name; null when there is none.
    const Json* item(std::string_view name, double index) const;
    std::optional<double> number_of(std::string_view name) const;
    std::size_t count_of(std::string_view name) const;
};

} // namespace sinew

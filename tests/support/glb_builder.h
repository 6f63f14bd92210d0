#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace sinew::test {

/// A glTF file grown piece by piece.
class GlbBuilder {
public:
    /// Numbers as an accessor; its number.
    int add(const std::string& type, const std::vector<float>& numbers, int width)
    {
        return add_bytes(type, 5126, reinterpret_cast<const char*>(numbers.data()),
                         4 * numbers.size(), numbers.size() / std::size_t(width));
    }
    int add_wholes(const std::string& type, const std::vector<std::uint16_t>& numbers, int width)
    {
        return add_bytes(type, 5123, reinterpret_cast<const char*>(numbers.data()),
                         2 * numbers.size(), numbers.size() / std::size_t(width));
    }
    std::string file(const std::string& rest) const
    {
        std::string text = R"({"asset":{"version":"2.0"},)" + rest + R"(,"accessors":[)" +
                           accessors_ + R"(],"bufferViews":[)" + views_ + "]}";
        text.append((4 - text.size() % 4) % 4, ' ');
        std::string out;
        for (const std::size_t word :
             {std::size_t{0x46546c67}, std::size_t{2}, 28 + text.size() + bytes_.size(),
              text.size(), std::size_t{0x4e4f534a}})
            append(out, word);
        out += text;
        append(out, bytes_.size());
        append(out, 0x004e4942);
        return out + bytes_;
    }

private:
    static void append(std::string& out, std::size_t word)
    {
        const auto value = std::uint32_t(word);
        out.append(reinterpret_cast<const char*>(&value), 4);
    }
    int add_bytes(const std::string& type, int component, const char* data, std::size_t size,
                  std::size_t count)
    {
        const std::string comma = count_ == 0 ? "" : ",";
        views_ += comma + R"({"buffer":0,"byteOffset":)" + std::to_string(bytes_.size()) +
                  R"(,"byteLength":)" + std::to_string(size) + "}";
        accessors_ += comma + R"({"bufferView":)" + std::to_string(count_) +
                      R"(,"componentType":)" + std::to_string(component) + R"(,"count":)" +
                      std::to_string(count) + R"(,"type":")" + type + "\"}";
        bytes_.append(data, size);
        bytes_.append((4 - bytes_.size() % 4) % 4, '\0');
        return count_++;
    }

    std::string views_, accessors_, bytes_;
    int count_ = 0;
};

/// A text with names, such as "@p", replaced by numbers.
inline std::string with_numbers(std::string text,
                                std::initializer_list<std::pair<std::string, int>> numbers)
{
    for (const auto& [name, number] : numbers)
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
            text.replace(at, name.size(), std::to_string(number));
    return text;
}

} // namespace sinew::test

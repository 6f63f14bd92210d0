#pragma once

// A glTF 2.0 file in one piece: its description, and lists of numbers from its buffer.

#include "formats/gltf/json_tree.h"
#include "sinew/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

class GlbFile {
public:
    /// Requires that name and bytes outlive it.
    GlbFile(const std::string& name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    /// False: `problem` says why.
    bool open();

    const Json& document() const { return document_; }

    /// All numbers of an accessor, `width` for each of its elements; whole ones that are normalised
    /// as fractions. Nothing when it is missing, of another type, reaches beyond the buffer, or has
    /// a number that is not finite.
    std::optional<std::vector<double>> numbers(double accessor, std::string_view type) const;

    /// Whole numbers, as above.
    std::optional<std::vector<std::uint32_t>> wholes(double accessor, std::string_view type) const;

    bool stop(std::string what, std::string hint);
    bool stop_damaged(const std::string& what)
    {
        return stop(what, "the file is cut off or damaged: export it again");
    }
    const Problem& problem() const { return *problem_; }

private:
    /// A list of numbers in the buffer.
    struct List {
        std::size_t place = 0, stride = 0, count = 0;
    };
    struct Kind {
        int component = 0;
        std::size_t size = 0, width = 0; ///< bytes of a number, numbers of an element
        bool is_normalised = false;
    };

    std::uint32_t word_at(std::size_t place) const;
    bool is_packed();
    std::optional<Kind> kind_of(const Json& accessor, std::string_view type) const;
    std::optional<List> find_list(const Json& from, std::size_t count, std::size_t size,
                                  bool is_sparse) const;
    double number_at(const Kind& kind, std::size_t place) const;
    std::uint32_t whole_at(int component, std::size_t place) const;
    bool add_sparse(const Json& sparse, const Kind& kind, std::vector<double>& values) const;

    const std::string& name_;
    std::string_view bytes_, buffer_;
    Json document_;
    std::optional<Problem> problem_;
};

} // namespace sinew

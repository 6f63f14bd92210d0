#include "solve/dissection.h"

#include "solve/sparse_ldl.h"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

using List = std::vector<std::uint32_t>;

constexpr std::uint32_t kOutside = 0xffffffff;

/// Searches in one part of a graph at a time.
class Search {
public:
    explicit Search(const Graph& graph)
        : graph_(graph), part_(graph.size(), 0), level_(graph.size())
    {
    }

    void set_part(std::uint32_t vertex, std::uint32_t part) { part_[vertex] = part; }
    std::uint32_t level(std::uint32_t vertex) const { return level_[vertex]; }

    /// All of `part` that can be reached from a vertex, nearest first, of equals those with fewer
    /// neighbours.
    List reach(std::uint32_t from, std::uint32_t part)
    {
        List found = {from};
        part_[from] = kOutside;
        level_[from] = 0;
        for (std::size_t next = 0; next < found.size(); ++next) {
            const std::size_t begin = found.size();
            for (const std::uint32_t other : graph_[found[next]])
                if (part_[other] == part) {
                    part_[other] = kOutside;
                    level_[other] = level_[found[next]] + 1;
                    found.push_back(other);
                }
            std::sort(found.begin() + std::ptrdiff_t(begin), found.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                          return std::pair(graph_[a].size(), a) < std::pair(graph_[b].size(), b);
                      });
        }
        for (const std::uint32_t vertex : found)
            part_[vertex] = part;
        return found;
    }

    /// The same from the far end.
    List reach_from_end(std::uint32_t from, std::uint32_t part)
    {
        List found = reach(from, part);
        for (int k = 0; k < 2; ++k)
            found = reach(found.back(), part);
        return found;
    }

private:
    const Graph& graph_;
    List part_, level_;
};

class Dissection {
public:
    Dissection(const Graph& graph, std::size_t leaf) : graph_(graph), search_(graph), leaf_(leaf) {}

    List run()
    {
        List all(graph_.size());
        std::iota(all.begin(), all.end(), 0u);
        order(all);
        return std::move(result_);
    }

private:
    void order(const List& vertices)
    {
        const std::uint32_t own = ++parts_;
        for (const std::uint32_t vertex : vertices)
            search_.set_part(vertex, own);
        List left = vertices;
        while (!left.empty()) {
            const List piece = search_.reach_from_end(left[0], own);
            cut(piece);
            for (const std::uint32_t vertex : piece)
                search_.set_part(vertex, kOutside - 1);
            std::erase_if(left, [&](std::uint32_t vertex) {
                return std::ranges::binary_search(sorted_, vertex);
            });
        }
    }

    /// A connected piece, nearest to its end first.
    void cut(const List& piece)
    {
        const std::uint32_t levels = search_.level(piece.back()) + 1;
        List sorted = piece;
        std::ranges::sort(sorted);
        if (piece.size() <= leaf_ || levels < 3) {
            order_leaf(sorted);
        } else {
            const std::uint32_t middle = find_narrow(piece, levels);
            List before, between, behind;
            for (const std::uint32_t vertex : sorted)
                (search_.level(vertex) < middle   ? before
                 : search_.level(vertex) > middle ? behind
                                                  : between)
                    .push_back(vertex);
            order(before);
            order(behind);
            order_leaf(between);
        }
        sorted_ = std::move(sorted);
    }

    std::uint32_t find_narrow(const List& piece, std::uint32_t levels) const
    {
        std::vector<std::size_t> count(levels, 0);
        for (const std::uint32_t vertex : piece)
            ++count[search_.level(vertex)];
        std::uint32_t best = levels / 2;
        std::size_t before = 0, least = piece.size();
        for (std::uint32_t level = 0; level + 1 < levels; before += count[level++]) {
            const bool is_middle = 5 * before >= 2 * piece.size() && 5 * before <= 3 * piece.size();
            if (level > 0 && is_middle && count[level] < least) {
                least = count[level];
                best = level;
            }
        }
        return best;
    }

    void order_leaf(const List& vertices)
    {
        std::vector<MatrixEntry> entries;
        for (std::uint32_t i = 0; i < vertices.size(); ++i) {
            entries.push_back({i, i});
            for (const std::uint32_t other : graph_[vertices[i]])
                if (const auto found = std::ranges::lower_bound(vertices, other);
                    found != vertices.end() && *found == other && other < vertices[i])
                    entries.push_back({i, std::uint32_t(found - vertices.begin())});
        }
        for (const std::uint32_t k : find_elimination_order(vertices.size(), entries))
            result_.push_back(vertices[k]);
    }

    const Graph& graph_;
    Search search_;
    std::size_t leaf_;
    List result_, sorted_;
    std::uint32_t parts_ = 0;
};

} // namespace

std::vector<std::uint32_t> dissect(const Graph& graph, std::size_t leaf)
{
    return Dissection(graph, leaf).run();
}

std::vector<std::uint32_t> find_band_order(const Graph& graph)
{
    Search search(graph);
    List order;
    std::vector<char> is_done(graph.size(), 0);
    for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex) {
        if (is_done[vertex])
            continue;
        for (const std::uint32_t found : search.reach_from_end(vertex, 0)) {
            is_done[found] = 1;
            order.push_back(found);
        }
    }
    std::ranges::reverse(order);
    return order;
}

} // namespace sinew

#include "solve/linear/sparse/dissection.h"

#include "solve/linear/sparse/separator.h"
#include "solve/linear/sparse/sparse_ldl.h"

#include <algorithm>
#include <numeric>
#include <utility>

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
    std::uint32_t part(std::uint32_t vertex) const { return part_[vertex]; }
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
    Dissection(const Graph& graph, std::size_t leaf)
        : graph_(graph), search_(graph), leaf_(leaf), height_(graph.size()),
          side_(graph.size(), CutSide::outside)
    {
    }

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
        List left = vertices;
        while (!left.empty()) {
            const std::uint32_t own = ++parts_;
            for (const std::uint32_t vertex : left)
                search_.set_part(vertex, own);
            const List piece = search_.reach_from_end(left[0], own);
            for (const std::uint32_t vertex : left)
                search_.set_part(vertex, kOutside - 1);
            for (const std::uint32_t vertex : piece)
                search_.set_part(vertex, own);
            cut(piece);
            std::erase_if(left, [&](std::uint32_t vertex) {
                return std::ranges::binary_search(sorted_, vertex);
            });
        }
    }

    /// A connected piece, nearest to its end first.
    void cut(const List& piece)
    {
        List sorted = piece;
        std::ranges::sort(sorted);
        if (piece.size() <= leaf_) {
            order_leaf(sorted);
        } else {
            find_separator(piece);
            narrow_separator(graph_, piece, side_);
            List before, behind, between;
            for (const std::uint32_t vertex : sorted) {
                const CutSide side = std::exchange(side_[vertex], CutSide::outside);
                (side == CutSide::before   ? before
                 : side == CutSide::behind ? behind
                                           : between)
                    .push_back(vertex);
            }
            if (before.empty() || behind.empty()) {
                order_leaf(sorted);
            } else {
                order(before);
                order(behind);
                order_leaf(between);
            }
        }
        sorted_ = std::move(sorted);
    }

    /// Far ends a and b, and a corner c between them: by the distance from a the piece is cut
    /// across its length, by the difference of those from a and from c between these two. Of a net
    /// of ropes all that is as far from a as from b is a line from corner to corner, and only cuts
    /// between corners run along the ropes: c is the end of that line.
    void find_separator(const List& piece)
    {
        const std::uint32_t part = parts_, a = piece.front(), b = piece.back();
        const auto distances = [&](std::uint32_t from) {
            List distance;
            search_.reach(from, part);
            for (const std::uint32_t vertex : piece)
                distance.push_back(search_.level(vertex));
            return distance;
        };
        const List from_a = distances(a), from_b = distances(b);
        const auto off = [&](std::size_t i) { return std::min(from_a[i], from_b[i]); };
        std::size_t middle = 0;
        for (std::size_t i = 0; i < piece.size(); ++i)
            if (off(i) > off(middle))
                middle = i;
        const List from_middle = distances(piece[middle]);
        std::size_t corner = middle;
        for (std::size_t i = 0; i < piece.size(); ++i)
            if (10 * off(i) >= 9 * off(middle) && from_middle[i] > from_middle[corner])
                corner = i;
        const List from_c = distances(piece[corner]);
        List best;
        for (const List* other : {static_cast<const List*>(nullptr), &from_b, &from_c}) {
            const List& base = other == &from_b ? from_c : from_a;
            for (std::size_t i = 0; i < piece.size(); ++i)
                height_[piece[i]] = std::int64_t(base[i]) - (other ? std::int64_t((*other)[i]) : 0);
            try_cuts(piece, best);
        }
        for (const std::uint32_t vertex : best)
            side_[vertex] = CutSide::between;
    }

    /// Cuts in the middle by `height_`; keeps the narrowest.
    void try_cuts(const List& piece, List& best)
    {
        std::vector<std::int64_t> heights;
        for (const std::uint32_t vertex : piece)
            heights.push_back(height_[vertex]);
        std::ranges::sort(heights);
        std::int64_t last = heights.back();
        for (std::size_t percent = 40; percent <= 60; percent += 2) {
            const std::int64_t limit = heights[piece.size() * percent / 100];
            if (limit == last || limit == heights.back())
                continue;
            last = limit;
            List between;
            for (const std::uint32_t vertex : piece)
                if (height_[vertex] <= limit && touches_above(vertex, limit))
                    between.push_back(vertex);
            if (!best.empty() && between.size() >= best.size())
                continue;
            best = std::move(between);
            for (const std::uint32_t vertex : piece)
                side_[vertex] = height_[vertex] > limit ? CutSide::behind : CutSide::before;
        }
    }

    bool touches_above(std::uint32_t vertex, std::int64_t limit) const
    {
        return std::ranges::any_of(graph_[vertex], [&](std::uint32_t other) {
            return search_.part(other) == parts_ && height_[other] > limit;
        });
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
    std::vector<std::int64_t> height_;
    std::vector<CutSide> side_; ///< in the piece that is being cut
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

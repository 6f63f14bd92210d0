#include "solve/linear/sparse/separator.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sinew {

namespace {

using List = std::vector<std::uint32_t>;

constexpr double kMostOfAll = 0.62;   // of a piece on one side
constexpr int kPasses = 6;            // each moves every vertex once at the most
constexpr std::size_t kPatience = 40; // moves without gain, and half the separator's

std::size_t index_of(CutSide side) { return std::size_t(side); }
CutSide other(CutSide side) { return side == CutSide::before ? CutSide::behind : CutSide::before; }

class Narrowing {
public:
    Narrowing(const Graph& graph, std::span<const std::uint32_t> piece, std::vector<CutSide>& side)
        : graph_(graph), side_(side), most_(std::size_t(kMostOfAll * double(piece.size()))),
          has_moved_(graph.size(), 0)
    {
        for (const std::uint32_t vertex : piece)
            if (side[vertex] == CutSide::between)
                between_.push_back(vertex);
            else
                ++count_[index_of(side[vertex])];
    }

    void run()
    {
        for (int pass = 0; pass < kPasses && narrow(); ++pass)
            continue;
    }

private:
    struct Move {
        std::uint32_t vertex = 0;
        CutSide to = CutSide::before;
        std::int64_t gain = 0;
        List pulled = {}; ///< into the separator
    };

    /// Goes on past losses, and back to where the separator was narrowest. True if it is narrower.
    bool narrow()
    {
        const std::size_t patience = kPatience + between_.size() / 2;
        std::size_t least = between_.size(), best = 0;
        while (moves_.size() < best + patience) {
            std::optional<Move> move = find_move();
            if (!move)
                break;
            make(std::move(*move));
            if (between_.size() < least) {
                least = between_.size();
                best = moves_.size();
            }
        }
        for (const Move& move : moves_)
            has_moved_[move.vertex] = 0;
        while (moves_.size() > best)
            take_back();
        moves_.clear();
        return best > 0;
    }

    /// What narrows most; of equals what fills the smaller side.
    std::optional<Move> find_move() const
    {
        std::optional<Move> best;
        for (const std::uint32_t vertex : between_) {
            if (has_moved_[vertex])
                continue;
            std::array<std::int64_t, 4> touched = {};
            for (const std::uint32_t next : graph_[vertex])
                ++touched[index_of(side_[next])];
            for (const CutSide to : {CutSide::before, CutSide::behind}) {
                const std::int64_t gain = 1 - touched[index_of(other(to))];
                const bool is_better =
                    !best || gain > best->gain ||
                    (gain == best->gain && count_[index_of(to)] < count_[index_of(best->to)]);
                if (is_better && count_[index_of(to)] < most_)
                    best = Move{vertex, to, gain};
            }
        }
        return best;
    }

    void make(Move move)
    {
        std::erase(between_, move.vertex);
        side_[move.vertex] = move.to;
        has_moved_[move.vertex] = 1;
        ++count_[index_of(move.to)];
        for (const std::uint32_t next : graph_[move.vertex])
            if (side_[next] == other(move.to)) {
                side_[next] = CutSide::between;
                --count_[index_of(other(move.to))];
                between_.push_back(next);
                move.pulled.push_back(next);
            }
        moves_.push_back(std::move(move));
    }

    void take_back()
    {
        const Move& move = moves_.back();
        for (const std::uint32_t next : move.pulled) {
            side_[next] = other(move.to);
            ++count_[index_of(other(move.to))];
            std::erase(between_, next);
        }
        side_[move.vertex] = CutSide::between;
        --count_[index_of(move.to)];
        between_.push_back(move.vertex);
        moves_.pop_back();
    }

    const Graph& graph_;
    std::vector<CutSide>& side_;
    std::size_t most_;
    std::vector<char> has_moved_; ///< in this pass
    List between_;
    std::array<std::size_t, 4> count_ = {}; ///< by side
    std::vector<Move> moves_;
};

} // namespace

void narrow_separator(const Graph& graph, std::span<const std::uint32_t> piece,
                      std::vector<CutSide>& side)
{
    Narrowing(graph, piece, side).run();
}

} // namespace sinew

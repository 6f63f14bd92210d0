#include "nets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace sinew::bench {

namespace {

constexpr std::uint32_t kNumbers = 3; // of a control point
constexpr double kGive = 1e-8;        // on the diagonal of rows

class NetMaker {
public:
    NetMaker(int ropes, int points) : ropes_(ropes), points_(points), dice_(5)
    {
        for (int r = 0; r < ropes; ++r)
            for (int c = 0; c < points; ++c)
                net_.pattern.add_vertex(kNumbers, std::uint32_t(r), false);
        for (int r = 0; r < ropes; ++r)
            for (int c = 0; c < points; ++c)
                for (int k = 0; k <= 3 && c + k < points; ++k)
                    add_stiffness(vertex(r, c), vertex(r, c + k), k);
    }

    /// A row, or several, between places of ropes; u from 0 to 1.
    void add_rows(std::uint32_t count, std::initializer_list<std::pair<int, double>> places)
    {
        const std::uint32_t row = net_.pattern.add_vertex(count, std::uint32_t(ropes_), true);
        net_.pattern.add_block(row, row);
        for (std::uint32_t i = 0; i < count * count; ++i)
            net_.values.push_back(i % (count + 1) == 0 ? -kGive : 0);
        std::array<double, 3> axis;
        for (double& number : axis)
            number = roll();
        const double size = std::hypot(axis[0], axis[1], axis[2]);
        double sign = 1;
        for (const auto& [rope, u] : places) {
            touch(row, count, rope, u, sign, axis, size);
            sign = -1;
        }
    }

    Net finish()
    {
        for (std::size_t i = 0; i < net_.pattern.size(); ++i)
            net_.side.push_back(roll());
        return std::move(net_);
    }

private:
    std::uint32_t vertex(int rope, int point) const
    {
        return std::uint32_t(rope * points_ + point);
    }
    double roll() { return std::uniform_real_distribution<double>(-1, 1)(dice_); }

    void add_stiffness(std::uint32_t a, std::uint32_t b, int apart)
    {
        net_.pattern.add_block(b, a);
        std::array<double, 9> B;
        for (double& number : B)
            number = 0.3 * roll();
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                double entry = B[3 * i + j] / std::max(1, apart);
                if (apart == 0) {
                    entry = i == j ? 8 : 0;
                    for (std::size_t k = 0; k < 3; ++k)
                        entry += B[3 * i + k] * B[3 * j + k];
                }
                net_.values.push_back(entry);
            }
    }

    void touch(std::uint32_t row, std::uint32_t count, int rope, double u, double sign,
               const std::array<double, 3>& axis, double size)
    {
        const int first = std::min(points_ - 4, int(u * (points_ - 3)));
        const double x = u * (points_ - 3) - first, r = 1 - x;
        const double weight[4] = {r * r * r / 6, (4 + x * x * (3 * x - 6)) / 6,
                                  (4 + r * r * (3 * r - 6)) / 6, x * x * x / 6};
        for (int k = 0; k < 4; ++k) {
            net_.pattern.add_block(row, vertex(rope, first + k));
            for (std::uint32_t i = 0; i < count; ++i)
                for (std::uint32_t c = 0; c < kNumbers; ++c)
                    net_.values.push_back(sign * weight[k] *
                                          (count == 1 ? axis[c] / size
                                           : i == c   ? 1.0
                                                      : 0.0));
        }
    }

    int ropes_, points_;
    std::mt19937 dice_;
    Net net_;
};

} // namespace

Net make_net(const NetShape& shape)
{
    NetMaker maker(shape.ropes, shape.points);
    const int pairs = std::max(1, shape.ropes - 1), each = shape.distances / pairs + 1;
    for (int k = 0; k < shape.distances; ++k) {
        const double u = (k / pairs + 1.0) / (each + 1);
        maker.add_rows(1, {{k % pairs, u}, {k % pairs + 1, u}});
    }
    for (int k = 0; k < shape.fixings; k += 3) {
        const int rope = (k / 3) % shape.ropes, round = k / (3 * shape.ropes);
        const double u = round == 0   ? 0.001
                         : round == 1 ? 0.999
                                      : 0.1 + 0.8 * ((k / 3 * 7919) % 1000) / 1000.0;
        maker.add_rows(3, {{rope, u}});
    }
    return maker.finish();
}

Net make_square_net(int across)
{
    const int points = 3 * across + 3;
    NetMaker maker(2 * across, points);
    for (int i = 0; i < across; ++i) {
        for (int j = 0; j < across; ++j)
            maker.add_rows(3, {{i, (j + 0.5) / across}, {across + j, (i + 0.5) / across}});
        for (const int rope : {i, across + i})
            for (const double u : {0.001, 0.999})
                maker.add_rows(3, {{rope, u}});
    }
    return maker.finish();
}

double residual_of(const Net& net, const std::vector<double>& x)
{
    std::vector<double> left(x.size(), 0);
    add_product(net.pattern, net.values, x, left);
    double largest = 0, side = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        largest = std::max(largest, std::abs(left[i] - net.side[i]));
        side = std::max(side, std::abs(net.side[i]));
    }
    return largest / side;
}

} // namespace sinew::bench

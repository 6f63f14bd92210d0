// Islands by union-find. The root of a set is always its smallest member, and everything is visited
// in the order of ids, so the result does not depend on the order in which attachments came.

#include "islands/islands.h"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

/// Sets of block numbers; the least is the root.
class Sets {
public:
    explicit Sets(std::size_t count) : parent_(count)
    {
        std::iota(parent_.begin(), parent_.end(), std::size_t(0));
    }

    std::size_t root(std::size_t i)
    {
        while (parent_[i] != i)
            i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    void join(std::size_t a, std::size_t b)
    {
        a = root(a);
        b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> parent_;
};

constexpr std::size_t kNobody = std::size_t(-1);

/// Numbers all blocks of all models in order.
struct Numbers {
    std::vector<std::size_t> first = {0};
    std::span<const std::vector<char>> mobile;

    /// kNobody for what does not move freely.
    std::size_t of(BlockId id) const
    {
        const bool is_mobile = id != kGround && mobile[id.model][id.index];
        return is_mobile ? first[id.model] + id.index : kNobody;
    }
};

/// Joins what attachments join; marks what they touch.
Sets join_all(const Numbers& number, std::span<const Attachment> attachments,
              std::vector<char>& is_touched)
{
    Sets sets(is_touched.size());
    for (const Attachment& attachment : attachments) {
        const std::size_t a = number.of(attachment.a.block), b = number.of(attachment.b.block);
        for (const std::size_t side : {a, b})
            if (side != kNobody)
                is_touched[side] = 1;
        if (a != kNobody && b != kNobody)
            sets.join(a, b);
        for (std::size_t i = 0; is_eye(attachment) && i < attachment.path->passes.size(); ++i)
            if (const std::size_t c = number.of(attachment.path->passes[i].site.block);
                c != kNobody) {
                is_touched[c] = 1;
                sets.join(a, c);
            }
    }
    return sets;
}

} // namespace

Islands make_islands(std::span<const std::vector<char>> mobile,
                     std::span<const Attachment> attachments)
{
    Numbers number = {.mobile = mobile};
    for (const std::vector<char>& blocks : mobile)
        number.first.push_back(number.first.back() + blocks.size());
    std::vector<char> is_touched(number.first.back());
    Sets sets = join_all(number, attachments, is_touched);

    Islands result;
    std::vector<std::size_t> island(is_touched.size(), kNobody); // of a root
    for (std::uint32_t m = 0; m < mobile.size(); ++m)
        for (std::uint32_t b = 0; b < mobile[m].size(); ++b) {
            const std::size_t me = number.first[m] + b;
            if (!is_touched[me]) {
                if (mobile[m][b])
                    result.alone.push_back({m, b});
                continue;
            }
            const std::size_t root = sets.root(me);
            if (root == me) { // comes before all its members
                island[me] = result.islands.size();
                result.islands.emplace_back();
            }
            result.islands[island[root]].blocks.push_back({m, b});
        }
    for (std::uint32_t i = 0; i < attachments.size(); ++i) {
        const std::size_t a = number.of(attachments[i].a.block);
        const std::size_t me = a != kNobody ? a : number.of(attachments[i].b.block);
        if (me != kNobody)
            result.islands[island[sets.root(me)]].attachments.push_back(i);
    }
    return result;
}

} // namespace sinew

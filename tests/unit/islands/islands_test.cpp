#include "islands/islands.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

using namespace sinew;

namespace {

Attachment between(BlockId a, BlockId b) { return {.a = {.block = a}, .b = {.block = b}}; }

/// Islands by flooding: repeated until nothing changes.
std::vector<std::vector<std::size_t>> flood(const std::vector<std::vector<char>>& mobile,
                                            const std::vector<Attachment>& attachments)
{
    std::vector<std::vector<std::size_t>> label(mobile.size());
    std::size_t next = 0;
    for (std::size_t m = 0; m < mobile.size(); ++m)
        for (std::size_t b = 0; b < mobile[m].size(); ++b)
            label[m].push_back(next++);
    const auto is_mobile = [&](BlockId id) { return id != kGround && mobile[id.model][id.index]; };
    for (bool changes = true; changes;) {
        changes = false;
        for (const Attachment& attachment : attachments) {
            const BlockId a = attachment.a.block, b = attachment.b.block;
            if (!is_mobile(a) || !is_mobile(b))
                continue;
            std::size_t &la = label[a.model][a.index], &lb = label[b.model][b.index];
            changes |= la != lb;
            la = lb = std::min(la, lb);
        }
    }
    return label;
}

} // namespace

TEST_CASE("blocks that rows join are an island; blocks without rows are alone")
{
    const std::vector<std::vector<char>> mobile = {{1, 1, 1}, {1, 1}};
    const std::vector<Attachment> attachments = {between({1, 1}, {0, 2}), between({0, 0}, kGround)};

    const Islands islands = make_islands(mobile, attachments);

    REQUIRE(islands.islands.size() == 2);
    CHECK(islands.islands[0].blocks == std::vector<BlockId>{{0, 0}});
    CHECK(islands.islands[0].attachments == std::vector<std::uint32_t>{1});
    CHECK(islands.islands[1].blocks == std::vector<BlockId>{{0, 2}, {1, 1}});
    CHECK(islands.islands[1].attachments == std::vector<std::uint32_t>{0});
    CHECK(islands.alone == std::vector<BlockId>{{0, 1}, {1, 0}});
}

TEST_CASE("driven and fixed blocks never join islands")
{
    const std::vector<std::vector<char>> mobile = {{1, 0, 1}}; // the middle one is driven
    const std::vector<Attachment> attachments = {between({0, 0}, {0, 1}), between({0, 1}, {0, 2}),
                                                 between({0, 0}, kGround), between({0, 2}, kGround),
                                                 between({0, 1}, kGround)};

    const Islands islands = make_islands(mobile, attachments);

    REQUIRE(islands.islands.size() == 2);
    CHECK(islands.islands[0].attachments == std::vector<std::uint32_t>{0, 2});
    CHECK(islands.islands[1].attachments == std::vector<std::uint32_t>{1, 3});
    CHECK(islands.alone.empty());
}

TEST_CASE("islands are those of flooding, in any order of attachments")
{
    CHECK(rc::check("random graphs", [] {
        std::vector<std::vector<char>> mobile(3);
        for (std::vector<char>& blocks : mobile)
            for (int i = 0; i < 6; ++i)
                blocks.push_back(char(*rc::gen::inRange(0, 4) > 0));
        const auto block = [] {
            const auto model = *rc::gen::inRange<std::uint32_t>(0, 4);
            return model == 3 ? kGround : BlockId{model, *rc::gen::inRange<std::uint32_t>(0, 6)};
        };
        std::vector<Attachment> attachments;
        for (int i = *rc::gen::inRange(0, 14); i > 0; --i)
            attachments.push_back(between(block(), block()));

        const Islands islands = make_islands(mobile, attachments);
        std::ranges::reverse(attachments);
        const Islands turned = make_islands(mobile, attachments);

        const auto label = flood(mobile, attachments);
        std::size_t blocks = islands.alone.size();
        RC_ASSERT(islands.alone == turned.alone);
        RC_ASSERT(islands.islands.size() == turned.islands.size());
        for (std::size_t i = 0; i < islands.islands.size(); ++i) {
            const std::vector<BlockId>& members = islands.islands[i].blocks;
            RC_ASSERT(members == turned.islands[i].blocks);
            RC_ASSERT(std::ranges::is_sorted(members));
            for (const BlockId id : members) {
                RC_ASSERT(mobile[id.model][id.index]);
                RC_ASSERT(label[id.model][id.index] == label[members[0].model][members[0].index]);
            }
            blocks += members.size();
        }
        std::size_t count = 0;
        for (const std::vector<char>& flags : mobile)
            count += std::size_t(std::ranges::count(flags, 1));
        RC_ASSERT(blocks == count);
        for (std::size_t i = 1; i < islands.islands.size(); ++i) // different labels
            for (std::size_t j = 0; j < i; ++j) {
                const BlockId a = islands.islands[i].blocks[0], b = islands.islands[j].blocks[0];
                RC_ASSERT(label[a.model][a.index] != label[b.model][b.index]);
            }
    }));
}

// Scenes cut into parts: what is left refers to what is left.

#include "doctest/doctest.h"

#include "scene/formula.h"

#include "sinew/language.h"
#include "sinew/part_objects.h"

using namespace sinew;

namespace {

const char* kGrass = R"(def blade(bend)
  stalk = strand(spline(0,0,0, 0,0.2,0, bend,0.5,0, bend,0.9,0.1), segments = 8);
  leaf = branch(line(0,0,0, 0.1,0.1,0), from = stalk at 0.5 along, segments = 4);
  radius(2 mm); density(300); young(1e7); damping(0.05); air_drag(0.01, 0.1);
end;
for i in 1..7
  b[i] = blade(0.02 * i) translatex(i);
end;
wind(3, 0, 1) on b[5];
)";

} // namespace

TEST_CASE("a part of a scene is sound, and its strands have the paths they have in the whole")
{
    const ScriptReading whole = read_script("t.charli", kGrass, no_files());
    REQUIRE(problems_text(whole.problems, false) == "");
    const PartPlan plan = plan_parts(whole.scene, 3);
    std::size_t seen = 0;
    for (int part = 1; part <= 3; ++part) {
        const Scene cut = cut_scene(whole.scene, plan, part);
        CHECK(validate(cut).empty());
        CHECK(cut.paths.size() == cut.strands.size()); // those of the others are gone
        std::size_t next = 0;
        for (std::size_t i = 0; i < whole.scene.strands.size(); ++i) {
            if (plan.part_of[i] != std::uint32_t(part))
                continue;
            const Path& own = cut.paths[cut.strands[next].path.index];
            const Path& given = whole.scene.paths[whole.scene.strands[i].path.index];
            CHECK(own.points.first == given.points.first);
            const std::vector<std::uint32_t> objects = objects_of_part(whole.scene, plan, part);
            CHECK(objects[own.frame.index] == given.frame.index);
            CHECK(objects[cut.strands[next].object.index] == whole.scene.strands[i].object.index);
            CHECK(cut.objects.size() == objects.size());
            ++next;
        }
        CHECK(next == cut.strands.size());
        CHECK(cut.objects.size() ==
              1 + 3 * cut.trees.size()); // the world, trees and names of curves
        CHECK(cut.airs.size() == (plan.part_of[8] == std::uint32_t(part) ? 1 : 0)); // of b[5]
        seen += next;
    }
    CHECK(seen == whole.scene.strands.size());
}

TEST_CASE("a frame that rides on itself is told, and planning it ends")
{
    Scene scene = read_script("t.charli", kGrass, no_files()).scene;
    REQUIRE(!scene.strands.empty());
    const ObjectId tree = scene.strands.front().tree;
    scene.objects[tree.index].on = tree;
    CHECK(plan_parts(scene, 2).tree_count == 6);
}

TEST_CASE("a constraint of a rod that a probe names stays that one in every part")
{
    const std::string rows = "for i in 0..5 r[i] = rope translatex(i);"
                             " top[i] = position_constraint(r[i] at 0 along, point(i, 0, 0)); end;";
    const ScriptReading whole =
        read_script("t.charli",
                    "def rope rod(line(0,0,0, 0,-1,0), spans = 4, radius = 4 mm); end;" + rows +
                        "rods(contact = none); probe(\"pull\", tension(top[3]));",
                    no_files());
    REQUIRE(problems_text(whole.problems, false) == "");
    const PartPlan plan = plan_parts(whole.scene, 3);
    CHECK(plan.part_of_rod[3] == 0); // in every part, for every part computes what is probed
    CHECK(plan.island_count == 5);
    std::size_t asked = 0;
    for (int part = 1; part <= 3; ++part) {
        const Scene cut = cut_scene(whole.scene, plan, part);
        CHECK(validate(cut).empty());
        const std::vector<std::uint32_t> rods = rods_of_constraints(cut);
        for (const Formula& formula : cut.formulas)
            if (formula.operation == Operation::contact) {
                const ConstraintPlace place = constraint_of(formula);
                REQUIRE(place.index < cut.rod_constraints.size());
                CHECK(cut.objects[cut.rods[rods[place.index]].object.index].index == 3);
                ++asked;
            }
    }
    CHECK(asked == 3);
}

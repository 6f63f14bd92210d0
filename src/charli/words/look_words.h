#pragma once

// Arguments and effects of the words that say how things look; their rows are in words.cpp.

#include "charli/words/rod_words.h"

#include <array>

namespace sinew::charli {

void add_colour(const Call& call, Scene& scene);
void add_look(const Call& call, Scene& scene);
void add_children(const Call& call, Scene& scene);
void set_studio(const Call& call, Scene& scene);
void set_still(const Call& call, Scene& scene);

constexpr Range kUnit = Range::unit_interval;

constexpr Argument kColour[] = {{"red", ArgumentKind::number, "", "0 to 1", kUnit},
                                {"green", ArgumentKind::number, "", "0 to 1", kUnit},
                                {"blue", ArgumentKind::number, "", "0 to 1", kUnit}};
constexpr Argument kColourText[] = {{"text", ArgumentKind::text, "", "\"#c33\" or \"#cc3333\""}};

constexpr Argument kMaterialLook = {
    "material",
    ArgumentKind::word,
    "",
    "what it is made of",
    Range::any,
    false,
    0,
    "wood brick stone steel brass rope skin hair cloth grass glass paper plastic rubber"};
constexpr Argument kRoughness =
    optional_number("roughness", "", "0 mirrors, 1 is chalk; 0.35", kUnit, 0.35);
constexpr Argument kMetal =
    optional_number("metal", "", "1: all of its light is mirrored, in its colour; 0", kUnit, 0);
constexpr Argument kTransparency =
    optional_number("transparency", "", "light that passes through: 1 is glass; 0", kUnit, 0);
constexpr Argument kTranslucency = optional_number(
    "translucency", "", "light that is scattered through: leaves, paper, skin; 0", kUnit, 0);
constexpr Argument kSheen =
    optional_number("sheen", "", "soft light towards its rim: cloth; 0", kUnit, 0);
constexpr Argument kGlow = optional_number(
    "glow", "", "light of its own, in multiples of its colour; 0", Range::not_negative, 0);
constexpr Argument kRelief =
    optional_number("relief", "", "how strong its pattern is: grain, lay, weave; 0", kUnit, 0);
constexpr Argument kVariation = optional_number(
    "variation", "", "how much one instance differs from the next in lightness; 0", kUnit, 0);

constexpr Argument kMaterialLooks[] = {kMaterialLook, kRoughness,    kMetal,
                                       kTransparency, kTranslucency, kSheen,
                                       kGlow,         kRelief,       kVariation};
constexpr Argument kPlainLooks[] = {kRoughness, kMetal, kTransparency, kTranslucency,
                                    kSheen,     kGlow,  kRelief,       kVariation};

constexpr Argument kChildren[] = {
    {"count", ArgumentKind::whole, "", "hairs about each strand", Range::positive},
    optional_number("clump", "", "how far tips gather at their strand; 0.3", kUnit, 0.3),
    optional_number("frizz", "", "how far hairs stray, of the distance of strands; 0.1", kUnit,
                    0.1),
    optional_number("taper", "", "how much thinner tips are; 0.7", kUnit, 0.7),
    optional_number("ragged", "", "how much lengths differ; 0.1", kUnit, 0.1),
    optional_number("spread", "m", "about the roots; by default up to the next strands",
                    Range::not_negative, 0),
    optional_number("radius", "m", "at the root; by default from their number", Range::not_negative,
                    0),
    {"seed", ArgumentKind::whole, "", "another number, other hairs; 0", Range::not_negative, true,
     0}};

constexpr Argument kStudio[] = {
    {"sky", ArgumentKind::word, "", "and the light that it gives; day", Range::any, true, 0,
     "day clear evening night white dark"},
    {"floor", ArgumentKind::word, "", "what things stand on; plain", Range::any, true, 0,
     "plain grass wood stone tiles none"},
    optional_number("ground", "m", "height of the floor; else below the lowest thing", Range::any,
                    0),
    optional_number("azimuth", "rad", "of the sun, from z towards x", Range::any, 0),
    optional_number("elevation", "rad", "of the sun above the horizon", Range::any, 0),
    optional_number("softness", "", "of shadows; 0.5", kUnit, 0.5),
    optional_number("light", "", "a factor on all light; 1", Range::positive, 1),
    {"backdrop", ArgumentKind::text, "", "background colour: \"#eee\"", Range::any, true},
    optional_number("aperture", "m", "width of the lens; 0: everything is sharp",
                    Range::not_negative, 0),
    optional_number("focus", "m", "how far away things are sharp; where the camera looks",
                    Range::not_negative, 0),
    optional_number("shutter", "", "the part of a frame that it is open: blurs what moves; 0",
                    kUnit, 0)};
constexpr Argument kStill[] = {{"time", ArgumentKind::number, "s", "of the picture"}};

constexpr std::array kColours = {Signature(kColour), Signature(kColourText)};
constexpr std::array kLooks = {Signature(kMaterialLooks), Signature(kPlainLooks)};
constexpr auto kChildrenOnly = only(kChildren);
constexpr auto kStudioOnly = only(kStudio);
constexpr auto kStillOnly = only(kStill);

} // namespace sinew::charli

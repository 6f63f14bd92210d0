// The search for built-in words: by name, by what other programs call them, by meaning.

#include "charli/words/words.h"
#include "sinew/language.h"

#include <algorithm>
#include <array>

namespace sinew {

namespace {

using namespace charli;

/// A term that people bring from other programs, and the words of this language for it.
struct Synonym {
    std::string_view term, words;
};

constexpr Synonym kSynonyms[] = {
    {"actuator", "torque force"},
    {"air", "wind turbulence drag"},
    {"anchor", "point position_constraint fusion"},
    {"ball", "sphere"},
    {"bead", "pearl"},
    {"bounce", "material"},
    {"brush", "strand groom"},
    {"cable", "rod"},
    {"cardan", "universal_joint"},
    {"chain", "rod ball_joint dist_constraint"},
    {"collider", "obstacle"},
    {"collision", "contact obstacle material"},
    {"color", "colour"},
    {"colors", "colour"},
    {"cord", "rod strand"},
    {"cube", "box"},
    {"damper", "spring_and_damper damping"},
    {"density", "body density"},
    {"duration", "simulate"},
    {"elasticity", "young stretch_stiffness"},
    {"film", "camera studio"},
    {"floor", "plane obstacle studio"},
    {"freeze", "lock_axes"},
    {"friction", "material surface"},
    {"fur", "strand groom"},
    {"gear", "gear_joint"},
    {"grass", "strand groom"},
    {"ground", "plane obstacle"},
    {"hair", "strand groom children"},
    {"heightfield", "height_field"},
    {"hook", "fusion"},
    {"kinematic", "obstacle"},
    {"knot", "fusion keyhole"},
    {"length", "dist_constraint line"},
    {"link", "dist_constraint mass"},
    {"move", "translate velocity"},
    {"nut", "screw_joint"},
    {"pin", "position_constraint fusion hinge_joint"},
    {"pinion", "rack_joint"},
    {"position", "translate position_constraint"},
    {"rack", "rack_joint"},
    {"ragdoll", "ball_joint hinge_joint"},
    {"restitution", "material"},
    {"rigid", "body obstacle"},
    {"ring", "keyhole pearl"},
    {"rope", "rod"},
    {"ropes", "rod"},
    {"rotation", "rotatex rotatey rotatez spin"},
    {"sheave", "pulley"},
    {"speed", "velocity spin"},
    {"spring", "spring_and_damper"},
    {"static", "obstacle"},
    {"stick", "fusion fixed_joint"},
    {"stiffness", "young spring_and_damper bend_stiffness"},
    {"thread", "rod keyhole"},
    {"timestep", "simulate"},
    {"tree", "strand"},
    {"weight", "mass gravity"},
    {"weld", "fixed_joint fusion"},
    {"wire", "rod strand"},
};

/// True when the list, separated by blanks, has the word.
bool lists(std::string_view list, std::string_view word)
{
    for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' '))
            return true;
    }
    return false;
}

/// "hairs" is looked up as "hair" too.
std::string_view without_plural(std::string_view term)
{
    return term.size() > 3 && term.back() == 's' ? term.substr(0, term.size() - 1) : term;
}

/// The lower, the better; none where the word has nothing to do with the text.
enum Rank : int { kNamed, kCalled, kMeant, kUnrelated };

Rank rank_of(const Word& word, const std::string& text)
{
    if (lower(word.name).find(text) != std::string::npos)
        return kNamed;
    for (const Synonym& synonym : kSynonyms)
        if ((synonym.term == text || synonym.term == without_plural(text)) &&
            lists(synonym.words, word.name))
            return kCalled;
    return text.size() > 2 && lower(word.meaning).find(text) != std::string::npos ? kMeant
                                                                                  : kUnrelated;
}

std::string first_sentence(std::string_view meaning)
{
    const std::size_t end = std::min(meaning.find(". "), meaning.find(".\n"));
    return std::string(end == meaning.npos ? meaning : meaning.substr(0, end + 1));
}

} // namespace

std::vector<WordSummary> find_words(const std::string& text)
{
    const std::string wanted = lower(text);
    std::vector<WordSummary> found;
    if (wanted.empty())
        return found;
    for (const int rank : {kNamed, kCalled, kMeant})
        for (const Word& word : words())
            if (rank_of(word, wanted) == rank)
                found.push_back({std::string(word.name), std::string(title_of(word.kind)),
                                 signature_text(word, word.signatures[0]),
                                 first_sentence(word.meaning)});
    return found;
}

std::vector<std::string> word_groups()
{
    std::vector<std::string> groups;
    for (const WordKind kind : page_order())
        groups.emplace_back(title_of(kind));
    return groups;
}

} // namespace sinew

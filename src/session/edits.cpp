// Changes that become statements of the script, through its editor: what is not meant stays.

#include "session/parts.h"
#include "sinew/names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace sinew {

std::string written_number(double value, bool is_exact)
{
    constexpr int kReadable = 9; // digits
    char text[32];
    if (is_exact)
        return script_number(value);
    const auto general = std::chars_format::general;
    return std::string(text,
                       std::to_chars(text, text + sizeof text, value, general, kReadable).ptr);
}

std::string written_vector(const Vec3& vector, bool is_exact)
{
    return written_number(vector.x, is_exact) + ", " + written_number(vector.y, is_exact) + ", " +
           written_number(vector.z, is_exact);
}

std::vector<std::string> identifiers_of(const std::string& text)
{
    std::vector<std::string> words;
    for (const ScriptToken& token : script_tokens(text))
        if (token.kind == ScriptToken::Kind::identifier)
            words.push_back(text.substr(token.offset, token.length));
    return words;
}

Problem cannot_name(const Take& take, const std::string& name)
{
    return {.code = "cannot-name",
            .place = {.file = take.name},
            .what = "'" + name + "' has no name that a script can write",
            .hint = "give the instance a name of its own: a = " + name.substr(0, name.find('#')) +
                    " ...;"};
}

std::string free_name(const std::vector<std::string>& taken, const std::string& stem)
{
    for (int i = 1;; ++i) {
        std::string name = stem + std::to_string(i);
        if (std::ranges::find(taken, name) == taken.end())
            return name;
    }
}

namespace {

/// Writes the coordinates of a pose as the start, where the script has a place for them.
void set_start(ScriptEditor& editor, const Scene& scene, const Beginning& pose)
{
    for (std::size_t i = 0; i < pose.coordinates.size(); ++i) {
        const Coordinate& coordinate = scene.coordinates[i];
        const bool is_same =
            coordinate.initial == pose.coordinates[i] && coordinate.initial_rate == pose.rates[i];
        const bool is_plain = coordinate.name.find_first_of(".[#") == std::string::npos;
        if (!is_same && is_plain) // a refusal leaves the text as it was
            editor.set_value(coordinate.name,
                             "initial(" + written_number(pose.coordinates[i], pose.is_exact) +
                                 ", " + written_number(pose.rates[i], pose.is_exact) + ")");
    }
}

} // namespace

std::string script_number(double value)
{
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

bool is_pin(const Scene& scene, ObjectId object)
{
    return object.is_valid() && scene.objects[object.index].origin.file == 0 &&
           scene.objects[object.index].name.starts_with("pin_");
}

Result<std::string> add_pin(const Take& take, const Scene& scene, ObjectId object,
                            const Beginning& pose)
{
    const std::optional<std::string> name = script_name(scene, object);
    if (!name)
        return cannot_name(take, object_names(scene)[object.index]);
    Result<ScriptEditor> editor = ScriptEditor::open(take.name, take.script);
    if (!editor)
        return editor.problems();
    const std::vector<std::string> taken = identifiers_of(take.script);
    const std::string pin = free_name(taken, "pin_");
    set_start(*editor, scene, pose);
    Problems problems = editor->add_statement(pin + " = label() translate(" +
                                              written_vector(pose.place, pose.is_exact) + ");");
    if (problems.empty())
        problems = editor->add_statement("dist_constraint(" + *name + ", " + pin + ", 0);");
    if (!problems.empty())
        return problems;
    return editor->text();
}

Result<std::string> add_body_pin(const Take& take, const Scene& scene, ObjectId object,
                                 const Vec3& place)
{
    const std::optional<std::string> name = script_name(scene, object);
    if (!name)
        return cannot_name(take, object_names(scene)[object.index]);
    Result<ScriptEditor> editor = ScriptEditor::open(take.name, take.script);
    if (!editor)
        return editor.problems();
    const Problems problems =
        editor->add_statement("ball_joint(" + *name + ", point(" + written_vector(place) + "));");
    if (!problems.empty())
        return problems;
    return editor->text();
}

const Joint* find_body_pin(const Scene& scene, ObjectId object, const Vec3& place)
{
    constexpr double kSame = 1e-6; // of its distance from the origin: what a pin was written with
    for (const Joint& joint : scene.joints)
        if (joint.kind == JointKind::ball && joint.a == object && joint.b.index == 0 &&
            joint.frame.index == 0 && !joint.breaks && joint.origin.file == 0 &&
            length(joint.point - place) <= kSame * (1 + length(place)))
            return &joint;
    return nullptr;
}

Result<std::string> remove_body_pin(const Take& take, const Joint& pin)
{
    Result<ScriptEditor> editor = ScriptEditor::open(take.name, take.script);
    if (!editor)
        return editor.problems();
    const Problems problems = editor->remove_statement_at(pin.origin.offset);
    if (!problems.empty())
        return problems;
    return editor->text();
}

Result<std::string> remove_pin(const Take& take, const Scene& scene, ObjectId object)
{
    const auto found =
        std::ranges::find_if(scene.distance_constraints, [&](const DistanceConstraint& constraint) {
            return constraint.a == object && constraint.origin.file == 0 &&
                   is_pin(scene, constraint.b);
        });
    if (found == scene.distance_constraints.end())
        return Problem{.code = "not-pinned",
                       .place = {.file = take.name},
                       .what = "that is not pinned",
                       .hint = "pin it first"};
    Result<ScriptEditor> editor = ScriptEditor::open(take.name, take.script);
    if (!editor)
        return editor.problems();
    // From the back, so that the other offset stays true.
    const std::size_t label = scene.objects[found->b.index].origin.offset;
    const std::size_t constraint = found->origin.offset;
    Problems problems = editor->remove_statement_at(std::max(label, constraint));
    if (problems.empty())
        problems = editor->remove_statement_at(std::min(label, constraint));
    if (!problems.empty())
        return problems;
    return editor->text();
}

Result<std::string> move_object(const Take& take, const Scene& scene, ObjectId object,
                                const Vec3& by)
{
    Result<ScriptEditor> editor = ScriptEditor::open(take.name, take.script);
    if (!editor)
        return editor.problems();
    const std::string name = object_names(scene)[object.index];
    if (Problems problems = editor->move_instance(name, by); !problems.empty())
        return problems;
    return editor->text();
}

} // namespace sinew

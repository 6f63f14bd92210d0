// A script and the edits of tools: every edit leaves a script that parses, or the text as it was;
// the assistant answers anywhere.

#include "fuzz.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    if (size < 2)
        return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
    const unsigned choice = data[0];
    const std::size_t place = data[1] * text.size() / 255;
    const ScriptAssistant assistant("t.charli", text, no_files());
    assistant.complete(place);
    assistant.hover(place);
    assistant.definition(place);
    assistant.references(place);

    Result<ScriptEditor> editor = ScriptEditor::open("t.charli", text);
    if (!editor)
        return 0;
    const std::string names[] = {"length", "m0", "crate#2", "theta0", "p0.m0", "b[1]", "r"};
    const std::string& name = names[choice % std::size(names)];
    Problems problems;
    switch (choice % 7) {
    case 0: problems = editor->set_value(name, "2 * pi"); break;
    case 1: problems = editor->move_instance(name, {0.5, 0, -1}); break;
    case 2: problems = editor->add_statement("mass(1);", choice & 1 ? "m0" : ""); break;
    case 3: problems = editor->set_argument("line", 0, choice % 7, "3"); break;
    case 4: problems = editor->remove_statement_at(place); break;
    case 5: problems = editor->end_statement_at(place, choice - 100.0); break;
    default: problems = editor->remove_statement("line", 0); break;
    }
    if (!problems.empty())
        fuzz::require(editor->text() == text, "a refused edit changes nothing");
    fuzz::require(bool(ScriptEditor::open("t.charli", editor->text())),
                  "an edit leaves a script that parses");
    return 0;
}

#include "support/scripts.h"

#include "sinew/language.h"

#include <random>
#include <vector>

namespace sinew::test {

namespace {

class ScriptMaker {
public:
    explicit ScriptMaker(std::uint32_t seed) : random_(seed) {}

    std::string run()
    {
        add("var v0; v0 = " + std::to_string(1 + below(99)) + ";");
        add("def bob mass(" + number() + "); end;");
        add("o0 = bob;");
        const int statements = below(12);
        for (int i = 1; i <= statements; ++i)
            add_statement(i);
        return shaken();
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    void add(const std::string& statement) { text_ += statement + " "; }

    std::string number()
    {
        constexpr const char* units[] = {"", "", "", " cm", " mm", "cm"};
        return std::to_string(1 + below(90)) +
               (below(2) ? "" : "." + std::to_string(1 + below(9))) + units[below(6)];
    }

    std::string expression(int depth = 0)
    {
        constexpr const char* operators[] = {" + ", "-", "*", " * ", " / "};
        switch (depth > 3 ? 0 : below(7)) {
        case 0: return number();
        case 1: return "v0";
        case 2: return "(" + expression(depth + 1) + ")";
        case 3: return expression(depth + 1) + operators[below(5)] + number();
        case 4: return "-" + std::string("(") + expression(depth + 1) + ")";
        case 5: return "max(" + expression(depth + 1) + ", " + expression(depth + 1) + ")";
        default: return "sin(" + expression(depth + 1) + ")";
        }
    }

    std::string track(int depth = 0)
    {
        constexpr const char* easings[] = {"linear", "slowin", "slowout", "slowinout", "hold"};
        std::string text = "{";
        const int keys = 1 + below(4);
        for (int i = 0; i < keys; ++i)
            text += (i == 0 ? "" : std::string(" ") + easings[below(5)] + " ") +
                    (depth < 2 && below(4) == 0 ? track(depth + 1) : expression()) + " at " +
                    std::to_string(i) + " sec";
        return text + "}";
    }

    void add_statement(int i)
    {
        const std::string n = std::to_string(i), last = "o" + std::to_string(instances_);
        switch (below(9)) {
        case 0: return add("var v" + n + "; v" + n + " = " + expression() + ";");
        case 1: return add("var t" + n + "; t" + n + " = " + track() + ";");
        case 2: {
            const std::string own = "o" + std::to_string(++instances_);
            add("dynamic q" + n + "; q" + n + " = initial(" + expression() + ", " + number() +
                ");");
            return add(own + " = bob translatex(q" + n + ") rotatez(" + expression() +
                       ") translate(1, 2, " + number() + ");");
        }
        case 3: return add("line(0,0,0, " + last + "_x, " + last + "_y, " + expression() + ");");
        case 4:
            return add("for i" + n + " in 1..3 r" + n + "[i" + n + "] = bob translatex(i" + n +
                       " * " + number() + "); end;");
        case 5:
            return add("if v0 > " + number() +
                       " and not 1 == 2 label(); else label() translatey(1); end");
        case 6:
            return add("drag(" + last + ", " + number() + "); force(" + last + ", 0, time, -1);");
        case 7:
            return add("param p" + n + " = " + std::to_string(below(9)) + " [-1..10] \"knob # " +
                       n + "\";");
        default:
            return add("def d" + n + "(a, b) mass(1); line(a,a,a, b,b,b); end; d" + n +
                       "(1, b = " + expression() + ") scale(0.5);");
        }
    }

    /// The same tokens with other white space and comments.
    std::string shaken()
    {
        std::string out;
        std::size_t end = 0;
        for (const ScriptToken& token : script_tokens(text_)) {
            const bool was_apart = token.offset > end;
            end = token.offset + token.length;
            if (was_apart || below(12) == 0)
                out += blank();
            out += text_.substr(token.offset, token.length);
        }
        return out + (below(2) ? "\n" : "");
    }

    std::string blank()
    {
        switch (below(10)) {
        case 0: return "\n";
        case 1: return "\n\n\n\t ";
        case 2: return "  # a comment; with = (signs)\n";
        case 3: return "\r\n";
        case 4: return "\n#x\n  # y  \n";
        case 5: return "   ";
        default: return " ";
        }
    }

    std::mt19937 random_;
    std::string text_;
    int instances_ = 0;
};

} // namespace

std::string make_script(std::uint32_t seed) { return ScriptMaker(seed).run(); }

} // namespace sinew::test

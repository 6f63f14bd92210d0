// Visitors over all fields of a scene.

#include "scene/fields.h"

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

namespace {

/// Whether two things are the same: their fields, wherever they were written.
struct Equality {
    static bool of(const Origin&, const Origin&) { return true; }
    static bool of(const SourceFile& a, const SourceFile& b)
    {
        return a.name == b.name && (a.text == b.text || (a.text && b.text && *a.text == *b.text));
    }
    static bool of(const Vec3& a, const Vec3& b)
    {
        return of(a.x, b.x) && of(a.y, b.y) && of(a.z, b.z);
    }
    template <class T>
    static bool of(const std::vector<T>& a, const std::vector<T>& b)
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const T& x, const T& y) { return of(x, y); });
    }
    template <class T>
    static bool of(const std::optional<T>& a, const std::optional<T>& b)
    {
        return a.has_value() == b.has_value() && (!a || of(*a, *b));
    }
    template <class T>
    static bool of(const T& a, const T& b)
    {
        if constexpr (std::is_floating_point_v<T>) {
            return a == b || (a != a && b != b); // a number is the same as itself, whatever it is
        } else if constexpr (HasFields<T>) {
            bool is_same = true;
            for_each_field(
                [&](FieldName, const auto& x, const auto& y) { is_same = is_same && of(x, y); }, a,
                b);
            return is_same;
        } else {
            return a == b;
        }
    }
};

/// Walks to the first number that is not finite, and remembers the way.
class FiniteCheck {
public:
    std::string way;

    bool look(const Origin&) { return true; }
    bool look(const SourceFile&) { return true; }
    bool look(const Vec3& v) { return is_finite(v); }
    bool look(const Affine& X)
    {
        return look(X.linear.x) && look(X.linear.y) && look(X.linear.z) && look(X.origin);
    }
    bool look(const Quat& q)
    {
        return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
    }
    template <class T>
    bool look(const std::optional<T>& x)
    {
        return !x || look(*x);
    }
    template <class T>
    bool look(const std::vector<T>& list)
    {
        return look_through(list);
    }
    template <class T, std::size_t n>
    bool look(const std::array<T, n>& list)
    {
        return look_through(list);
    }
    template <class T>
    bool look(const T& x)
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::isfinite(x);
        else if constexpr (HasFields<T>)
            return look_into(x);
        else
            return true;
    }

private:
    template <class List>
    bool look_through(const List& list)
    {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (look(list[i]))
                continue;
            way = "[" + std::to_string(i) + "]" + way;
            return false;
        }
        return true;
    }

    template <class T>
    bool look_into(const T& thing)
    {
        bool is_good = true;
        for_each_field(
            [&](FieldName name, const auto& field) {
                if (!is_good)
                    return;
                is_good = look(field);
                if (!is_good)
                    way = "." + std::string(name.text) + way;
            },
            thing);
        return is_good;
    }
};

} // namespace

bool is_same(const Scene& a, const Scene& b)
{
    bool is_same = true;
    for_each_field(
        [&](FieldName name, const auto& x, const auto& y) {
            const bool is_source = name.text == "files"; // the text itself, with its comments
            is_same = is_same && (is_source || Equality::of(x, y));
        },
        a, b);
    return is_same;
}

std::string find_not_finite(const Scene& scene)
{
    FiniteCheck check;
    return check.look(scene) ? "" : check.way.substr(1);
}

} // namespace sinew

// Making instances: the tree of objects, their names and transformations, arguments of defs.

#include "charli/evaluate/evaluator.h"
#include "charli/words/strand_words.h"

#include "base/text.h"
#include "scene/unique_names.h"

#include <algorithm>
#include <map>

namespace sinew::charli {

namespace {

/// What holds two ends, or pulls at them.
bool may_be_named(const Word& word)
{
    return word.kind == WordKind::constraint || word.kind == WordKind::joint ||
           word.name == "spring_and_damper";
}

} // namespace

ObjectId Evaluator::add_object(Symbol symbol, std::string object_name, std::int64_t index,
                               ScopeId scope, Origin origin, bool anonymous)
{
    const ObjectId id{static_cast<std::uint32_t>(scene.objects.size())};
    if (is_exhausted_)
        return {};
    if (scene.objects.size() > limits_.object_count) {
        is_exhausted_ = true;
        error(origin, "too-many-objects",
              "the script makes more than " + std::to_string(limits_.object_count) + " objects",
              "let its loops end earlier");
        return {};
    }
    Object object{.name = std::move(object_name), .index = index, .is_anonymous = anonymous};
    object.parent = scope == kNoScope ? ObjectId{} : scopes_[scope].object;
    object.first_transformation = static_cast<std::uint32_t>(scene.transformations.size());
    object.origin = origin;
    scene.objects.push_back(std::move(object));
    object_symbols_.push_back(symbol);
    object_scopes_.push_back(kNoScope);
    object_names_at_.push_back(origin);
    object_is_named_.push_back(false);
    if (!anonymous) {
        objects_by_name_[symbol].push_back(id);
        const auto [old, is_new] =
            direct_.emplace(NameKey{scene.objects[id.index].parent.index, symbol, index}, id);
        if (!is_new)
            old->second = {};
    }
    return id;
}

void Evaluator::close_object(ObjectId object)
{
    scene.objects[object.index].end = static_cast<std::uint32_t>(scene.objects.size());
}

/// The def a name leads to, through namespaces.
BindingId Evaluator::find_callee(Site callee)
{
    const Tree& tree = *callee.tree;
    if (tree.nodes[callee.node].first_child == kNoNode) {
        const Token& token = tree.first_token(callee.node);
        const BindingId found = scopes_.find(callee.scope, token.symbol);
        if (found != kNoBinding)
            link(tree.origin(token), scopes_.binding(found).origin);
        return found;
    }
    BindingId found = kNoBinding;
    for (const NodeId part : children(tree, callee.node)) {
        const Token& token = tree.first_token(part);
        if (tree.nodes[part].first_child != kNoNode)
            return kNoBinding;
        if (found == kNoBinding)
            found = scopes_.find(callee.scope, token.symbol);
        else if (scopes_.binding(found).kind == BindingKind::name_space)
            found = scopes_.find_here(scopes_.binding(found).number, token.symbol);
        else
            return kNoBinding;
        if (found == kNoBinding)
            return kNoBinding;
        link(tree.origin(token), scopes_.binding(found).origin);
    }
    return found;
}

void Evaluator::instance_item(Site item, Symbol own_name, std::int64_t index, Origin name_origin)
{
    const Tree& tree = *item.tree;
    const NodeKind kind = tree.nodes[item.node].kind;
    const NodeId head = kind == NodeKind::item ? tree.nodes[item.node].first_child : item.node;
    const bool is_call = tree.nodes[head].kind == NodeKind::call;
    const NodeId callee_node = is_call ? tree.nodes[head].first_child : head;
    const bool is_named = own_name != kNoSymbol;
    if (tree.nodes[callee_node].kind != NodeKind::name ||
        tree.first_token(callee_node).kind == TokenKind::kw_initial)
        return report_undeclared(own_name, name_origin, tree, item.node);

    const Site callee{&tree, callee_node, item.scope};
    const Symbol symbol = tree.last_name(callee_node).symbol;
    const BindingId def = find_callee(callee);
    const bool is_def = def != kNoBinding && scopes_.binding(def).kind == BindingKind::def;
    const bool is_plain = tree.nodes[callee_node].first_child == kNoNode;
    if (def != kNoBinding && !is_def && scopes_.binding(def).bound.kind == Bound::Kind::poison)
        return; // its fault is told
    const Word* word = def == kNoBinding && is_plain ? find_statement_word(name(symbol)) : nullptr;

    if (!is_def && !word) {
        const bool is_value = is_named && kind != NodeKind::item &&
                              (def != kNoBinding || (is_plain && find_any_word(name(symbol))) ||
                               (!is_call && find_similar(name(symbol), names_of_defs()).empty()));
        // `b = mass(mass)` where `mass` is a var means the word that the var hides.
        const bool is_hidden =
            is_call && is_plain && def != kNoBinding && find_any_word(name(symbol));
        if (is_value && !is_hidden)
            return report_undeclared(own_name, name_origin, tree, item.node);
        report_no_def(callee, def);
        add_transformations(item, {});
        return;
    }
    if (word)
        return instance_word(item, head, *word, own_name, index, name_origin);
    instance_of_def(item, head, def, own_name, index, name_origin);
}

/// An object of a def, by its own name or by that of the def.
void Evaluator::instance_of_def(Site item, NodeId head, BindingId def, Symbol own_name,
                                std::int64_t index, Origin name_origin)
{
    const Tree& tree = *item.tree;
    const bool is_named = own_name != kNoSymbol;
    const NodeId callee =
        tree.nodes[head].kind == NodeKind::call ? tree.nodes[head].first_child : head;
    const Origin origin = tree.origin(callee);
    const Symbol symbol = is_named ? own_name : tree.last_name(callee).symbol;
    scopes_.binding(def).is_used = true;
    if (current_event_.tree) {
        error(origin, "object-at-an-event", "an object is there from the start",
              "make it outside, and let the event act on it");
        return;
    }
    if (is_named && !claim_name(item.scope, own_name, index, name_origin))
        return;
    const ObjectId object = add_object(symbol, std::string(name(symbol)), index, item.scope,
                                       is_named ? name_origin : origin, false);
    if (!object.is_valid())
        return;
    object_names_at_[object.index] = is_named ? name_origin : scopes_.binding(def).origin;
    if (is_named)
        note_name(object, name_origin);
    add_transformations(item, object);
    add_on(item, object);
    instance_def(def, {&tree, head, item.scope}, object);
    close_object(object);
}

/// How a statement places what it makes: by transformations, or on something else.
struct Evaluator::Placing {
    bool is_moved = false, is_on = false;
};

Evaluator::Placing Evaluator::placing_of(Site item, NodeId head) const
{
    const Tree& tree = *item.tree;
    Placing placing;
    if (head != item.node)
        for (NodeId part = tree.nodes[head].next; part != kNoNode; part = tree.nodes[part].next) {
            placing.is_on = placing.is_on || tree.nodes[part].kind == NodeKind::on;
            placing.is_moved = placing.is_moved || tree.nodes[part].kind == NodeKind::call;
        }
    return placing;
}

/// Whether a word may be placed as it is, with a message if not. `named` is where its name stands.
bool Evaluator::may_stand(const Tree& tree, NodeId head, const Word& word, Placing placing,
                          std::optional<Origin> named)
{
    const bool is_curve = word.kind == WordKind::strand && word.code == kMakesCurve;
    const bool has_place = word.kind == WordKind::primitive || word.kind == WordKind::shape ||
                           word.kind == WordKind::drawing || is_curve;
    if (is_curve && (placing.is_moved || placing.is_on)) {
        error(tree.origin(tree.nodes[head].next), "curve-moved",
              "a strand stays in the frame of its def: it is neither transformed nor on another",
              "place its path, or put it into a def of its own and move an instance of that");
        return false;
    }
    const bool is_placed = placing.is_moved || (placing.is_on && !word.takes_on);
    if (has_place || (!is_placed && (!named || (may_be_named(word) && !placing.is_on))))
        return true;
    error(named ? *named
                : tree.origin(tree.nodes[head].next == kNoNode ? head : tree.nodes[head].next),
          "no-place",
          "'" + std::string(word.name) +
              "' has no position: it can be neither named nor transformed",
          "write it alone: `" + std::string(word.example) + "`");
    return false;
}

/// A built-in as a statement; in an object of its own when it is transformed or named.
void Evaluator::instance_word(Site item, NodeId head, const Word& word, Symbol own_name,
                              std::int64_t index, Origin name_origin)
{
    const Tree& tree = *item.tree;
    const bool is_named = own_name != kNoSymbol;
    const Placing placing = placing_of(item, head);
    if (!may_stand(tree, head, word, placing, is_named ? std::optional(name_origin) : std::nullopt))
        return;
    const bool names_constraint =
        is_named && may_be_named(word) && !placing.is_moved && !placing.is_on;
    ObjectId object = scopes_[item.scope].object;
    const bool needs_object =
        placing.is_moved || (is_named && !names_constraint) || (placing.is_on && !word.takes_on);
    if (needs_object) {
        if (is_named && !claim_name(item.scope, own_name, index, name_origin))
            return;
        object = add_object(is_named ? own_name : kNoSymbol,
                            std::string(is_named ? name(own_name) : word.name), index, item.scope,
                            is_named ? name_origin : tree.origin(head), !is_named);
        if (!object.is_valid())
            return;
        object_scopes_[object.index] = scopes_.add(item.scope, object);
        if (is_named)
            note_name(object, name_origin);
        add_transformations(item, object);
        if (!word.takes_on)
            add_on(item, object);
        close_object(object);
    }
    const bool may_begin = word.kind == WordKind::force || word.kind == WordKind::constraint;
    if (current_event_.tree && !may_begin) {
        error(tree.origin(head), "not-at-an-event",
              "'" + std::string(word.name) + "' cannot begin at an event",
              "an event begins forces, torques, springs, motors and constraints, and sets rates");
        return;
    }
    const ObjectId own = names_constraint
                             ? add_constraint_name(own_name, index, item.scope, name_origin)
                             : ObjectId{};
    if (!names_constraint || own.is_valid())
        statements_.push_back({item, &word, object, current_event_, own});
}

void Evaluator::add_on(Site item, ObjectId object)
{
    const Tree& tree = *item.tree;
    if (tree.nodes[item.node].kind != NodeKind::item)
        return;
    for (const NodeId part : children(tree, item.node)) {
        if (tree.nodes[part].kind != NodeKind::on)
            continue;
        const NodeId first = tree.nodes[part].first_child;
        if (tree.nodes[first].next != kNoNode)
            error(tree.origin(tree.nodes[first].next), "on-several",
                  "an object rides on one other only",
                  "name one frame, or make an instance for each");
        else
            pending_on_.push_back({object, {&tree, first, item.scope}});
    }
}

/// An object stands for the name of a constraint, so that it is found as those of objects are, in
/// instances and with an index; it has no place.
ObjectId Evaluator::add_constraint_name(Symbol symbol, std::int64_t index, ScopeId scope,
                                        Origin origin)
{
    if (!claim_name(scope, symbol, index, origin))
        return {};
    const ObjectId object =
        add_object(symbol, std::string(name(symbol)), index, scope, origin, false);
    if (!object.is_valid())
        return {};
    scene.objects[object.index].is_anonymous = true; // it is not seen
    object_scopes_[object.index] = scopes_.add(scope, object);
    note_name(object, origin);
    close_object(object);
    named_constraints_.emplace(object.index, kNotMade);
    return object;
}

/// False, with an error, when a sibling has that name already.
bool Evaluator::claim_name(ScopeId scope, Symbol symbol, std::int64_t index, Origin origin)
{
    const auto key = std::make_tuple(scopes_[scope].object.index, symbol, index);
    const auto [old, is_new] = named_at_.emplace(key, origin);
    if (is_new)
        return true;
    const bool same_statement =
        old->second.file == origin.file && old->second.offset == origin.offset;
    Problem& problem = error(
        origin, "named-twice",
        "there is already an object '" + with_index(name(symbol), index) + "' here",
        same_statement ? "each iteration makes it: write " + std::string(name(symbol)) + "[i] = ..."
                       : "give one of them another name");
    report_.remark(problem, old->second, "the first one");
    return false;
}

void Evaluator::note_name(ObjectId object, Origin origin)
{
    object_is_named_[object.index] = true;
    link(origin, origin);
}

void Evaluator::instance_def(BindingId def, Site call, ObjectId object)
{
    const Binding binding = scopes_.binding(def);
    const Tree& tree = *binding.tree;
    Depth depth(*this);
    const std::uint32_t last = tree.nodes[binding.node].last_token;
    const bool is_closed = tree.tokens[last].kind == TokenKind::kw_end ||
                           tree.tokens[last - 1].kind == TokenKind::kw_end;
    instance_stack_.push_back(binding.symbol);
    if (static_cast<int>(instance_stack_.size()) > limits_.nesting) {
        const Symbol outer =
            instance_stack_[instance_stack_.size() / 2]; // in the midst of the recursion
        if (is_closed) // else it contains its own instance for want of an `end`
            error(binding.origin, "instances-too-deep",
                  "instances are nested more than " + std::to_string(limits_.nesting) +
                      " deep: does '" + std::string(name(outer)) + "' contain itself?",
                  "end the recursion with an `if`");
        is_exhausted_ = true;
    } else if (!depth.is_too_deep(binding.origin)) {
        const ScopeId body = scopes_.add(binding.value_scope, object);
        object_scopes_[object.index] = body;
        bind_def_arguments(def, call, body);
        NodeId block = tree.nodes[binding.node].first_child;
        while (tree.nodes[block].kind != NodeKind::block)
            block = tree.nodes[block].next;
        run_body({&tree, block, body}, object);
    }
    instance_stack_.pop_back();
}

/// The parameters of a def, and what a call gives for them.
struct Evaluator::DefArguments {
    std::string name = {};
    std::string form = {}; ///< as one would write the call
    std::vector<const Token*> parameters = {};
    std::vector<NodeId> defaults = {}; ///< of each parameter, or none
    std::vector<Bound> values = {};
    std::vector<bool> is_given = {};
    bool is_misnamed = false; ///< a parameter is named wrongly or twice, which is told
};

Evaluator::DefArguments Evaluator::list_parameters(const Binding& def)
{
    const Tree& tree = *def.tree;
    DefArguments out{.name = std::string(name(def.symbol))};
    const NodeId list = tree.nodes[def.node].first_child;
    if (tree.nodes[list].kind == NodeKind::parameters)
        for (const NodeId parameter : children(tree, list)) {
            out.parameters.push_back(&tree.first_token(parameter));
            out.defaults.push_back(tree.nodes[parameter].first_child);
        }
    for (std::size_t i = 0; i < out.parameters.size(); ++i)
        out.form +=
            (i == 0 ? "" : ", ") + std::string(name(out.parameters[i]->symbol)) +
            (out.defaults[i] == kNoNode ? "" : " = " + std::string(tree.text(out.defaults[i])));
    out.form = out.name + "(" + out.form + ")";
    out.values.resize(out.parameters.size());
    out.is_given.resize(out.parameters.size(), false);
    return out;
}

/// Which parameter a name means; none, with a message, where there is no such name.
std::optional<std::size_t> Evaluator::find_parameter(const Tree& tree, const Token& token,
                                                     DefArguments& arguments)
{
    const auto& parameters = arguments.parameters;
    const auto found = std::ranges::find(parameters, token.symbol, &Token::symbol);
    if (found != parameters.end())
        return found - parameters.begin();
    std::vector<std::string_view> candidates;
    for (const Token* p : parameters)
        candidates.push_back(name(p->symbol));
    error(tree.origin(token), "unknown-argument",
          "'" + arguments.name + "' has no parameter '" + std::string(name(token.symbol)) + "'",
          similar_hint(name(token.symbol), candidates, "write " + arguments.form));
    arguments.is_misnamed = true;
    return std::nullopt;
}

/// The arguments as they are written: by place, or by name.
void Evaluator::take_def_arguments(Site call, DefArguments& arguments)
{
    const Tree& tree = *call.tree;
    const std::size_t count = arguments.parameters.size();
    std::size_t next = 0;
    for (NodeId node = tree.nodes[tree.nodes[call.node].first_child].next; node != kNoNode;
         node = tree.nodes[node].next) {
        std::size_t i = next;
        NodeId value = node;
        if (tree.nodes[node].kind == NodeKind::named) {
            const auto found = find_parameter(tree, tree.first_token(node), arguments);
            if (!found)
                continue;
            i = *found;
            value = tree.nodes[node].first_child;
        }
        if (i >= count) {
            error(tree.origin(node), "too-many-arguments",
                  "'" + arguments.name + "' takes " + std::to_string(count) +
                      (count == 1 ? " argument" : " arguments") + ", but more are given",
                  "write " + arguments.form);
            break;
        }
        if (arguments.is_given[i]) {
            error(tree.origin(node), "argument-twice",
                  "'" + std::string(name(arguments.parameters[i]->symbol)) + "' is given twice",
                  "remove one");
            arguments.is_misnamed = true;
        }
        arguments.values[i] = evaluate({&tree, value, call.scope});
        arguments.is_given[i] = true;
        next = i + 1;
    }
}

/// Names what is neither given nor has a default; it is poison from here on.
void Evaluator::require_parameters(Site call, DefArguments& arguments)
{
    std::string missing;
    int missing_count = 0;
    for (std::size_t i = 0; i < arguments.parameters.size(); ++i)
        if (!arguments.is_given[i] && arguments.defaults[i] == kNoNode) {
            missing += (missing_count++ == 0 ? "'" : ", '") +
                       std::string(name(arguments.parameters[i]->symbol)) + "'";
            arguments.values[i] = poison();
            arguments.is_given[i] = true;
        }
    if (missing_count > 0 && !arguments.is_misnamed)
        error(call.tree->origin(call.node), "missing-argument",
              "'" + arguments.name + "' needs its " +
                  (missing_count == 1 ? "argument " : "arguments ") + missing,
              "write " + arguments.form);
}

void Evaluator::bind_def_arguments(BindingId def, Site call, ScopeId body)
{
    const Binding binding = scopes_.binding(def);
    const Tree& def_tree = *binding.tree;
    const NodeId list = def_tree.nodes[binding.node].first_child;
    DefArguments arguments = list_parameters(binding);
    if (call.tree == nullptr) {
        std::ranges::fill(arguments.values, poison());
        arguments.is_given.assign(arguments.parameters.size(), true);
    } else if (call.tree->nodes[call.node].kind == NodeKind::call) {
        take_def_arguments(call, arguments);
    }
    if (call.tree)
        require_parameters(call, arguments);
    for (std::size_t i = 0; i < arguments.parameters.size(); ++i) {
        if (!arguments.is_given[i]) // a default may use the parameters before it
            arguments.values[i] = evaluate({&def_tree, arguments.defaults[i], body});
        const BindingId id =
            add_binding({&def_tree, list, body}, *arguments.parameters[i], BindingKind::local);
        if (id == kNoBinding)
            continue;
        scopes_.binding(id).state = Binding::State::done;
        scopes_.binding(id).bound = arguments.values[i];
    }
}

void Evaluator::add_transformations(Site item, ObjectId object)
{
    const Tree& tree = *item.tree;
    if (tree.nodes[item.node].kind != NodeKind::item)
        return;
    for (NodeId part = tree.nodes[tree.nodes[item.node].first_child].next; part != kNoNode;
         part = tree.nodes[part].next) {
        if (tree.nodes[part].kind != NodeKind::call)
            continue;
        const NodeId callee = tree.nodes[part].first_child;
        const std::string_view word_name = name(tree.first_token(callee).symbol);
        const Word* word = find_word(word_name, WordKind::transformation);
        if (const Word* motion = find_word(word_name, WordKind::motion)) {
            add_motion({&tree, part, item.scope}, *motion, object);
            continue;
        }
        if (!word) {
            if (report_.is_told(tree.origin(callee), "unknown-transformation"))
                continue;
            std::vector<std::string_view> candidates;
            for (const Word& row : words())
                if (row.kind == WordKind::transformation || row.kind == WordKind::motion)
                    candidates.push_back(row.name);
            error(tree.origin(callee), "unknown-transformation",
                  "unknown transformation '" + std::string(word_name) + "'",
                  similar_hint(word_name, candidates,
                               find_any_word(word_name) ||
                                       scopes_.find(item.scope, tree.first_token(callee).symbol) !=
                                           kNoBinding
                                   ? "write ';' before it if it is a statement of its own"
                                   : "`sinew help transformations` lists them"));
            continue;
        }
        const Arguments arguments = bind_arguments({&tree, part, item.scope}, *word);
        if (!arguments.is_good || !object.is_valid())
            continue;
        append_transformation({&tree, part, item.scope}, *word, arguments, tree.origin(part));
    }
    if (object.is_valid())
        scene.objects[object.index].transformation_count =
            static_cast<std::uint32_t>(scene.transformations.size()) -
            scene.objects[object.index].first_transformation;
}

void Evaluator::append_transformation(Site call, const Word& word, const Arguments& arguments,
                                      Origin origin)
{
    using Kind = TransformationKind;
    const auto append = [&](Kind first, std::size_t axis, Value amount) {
        scene.transformations.push_back(
            {static_cast<Kind>(static_cast<std::size_t>(first) + axis), amount, origin});
    };
    const auto value = [&](std::size_t i) { return arguments.bound[i].value; };
    switch (static_cast<JointCode>(word.code)) {
    case JointCode::ball: return append_turn(arguments.bound[0].coordinate, origin);
    case JointCode::free:
        append_turn(arguments.bound[0].coordinate, origin);
        for (std::size_t i = 0; i < 3; ++i)
            append(Kind::translate_x, i, value(i + 1));
        return;
    case JointCode::follow: return append_follow(call, arguments, origin);
    case JointCode::universal:
        append(Kind::rotate_x, 0, value(0));
        append(Kind::rotate_y, 0, value(1));
        return;
    case JointCode::screw: {
        constexpr double kTurn = 6.283185307179586;
        const bool is_told = arguments.bound[2].kind != Bound::Kind::none;
        const std::size_t axis = is_told ? std::size_t(arguments.bound[2].text[0] - 'x') : 2;
        append(Kind::rotate_x, axis, value(0));
        append(Kind::translate_x, axis,
               apply(Operation::multiply, value(0), {value(1).number / kTurn}, origin));
        return;
    }
    default: break;
    }
    const bool each_axis =
        word.code == static_cast<std::uint8_t>(Kind::scale) && arguments.bound.size() == 3;
    for (std::size_t i = 0; i < arguments.bound.size(); ++i)
        append(static_cast<Kind>(word.code + each_axis), i, value(i));
}

/// The four parts of a turn, one behind the other.
void Evaluator::append_turn(CoordinateId first, Origin origin)
{
    for (std::uint32_t part = 0; part < 4; ++part) {
        const auto kind = static_cast<std::uint32_t>(TransformationKind::turn_w) + part;
        scene.transformations.push_back(
            {static_cast<TransformationKind>(kind),
             add_formula({.operation = Operation::coordinate, .index = first.index + part}),
             origin});
    }
}

/// Unnamed instances of one def in one place are told apart by number.
void Evaluator::number_siblings()
{
    std::map<std::pair<std::uint32_t, Symbol>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t i = 1; i < scene.objects.size(); ++i)
        if (!object_is_named_[i] && !scene.objects[i].is_anonymous)
            groups[{scene.objects[i].parent.index, object_symbols_[i]}].push_back(i);
    for (const auto& [key, members] : groups)
        for (std::size_t k = 0; members.size() > 1 && k < members.size(); ++k)
            scene.objects[members[k]].ordinal = static_cast<std::uint32_t>(k + 1);
}

/// Coordinates and probes get their full names.
void Evaluator::name_coordinates()
{
    for (std::size_t i = 0; i < scene.coordinates.size() && i < coordinate_scopes_.size(); ++i)
        if (const ObjectId object = scopes_[coordinate_scopes_[i]].object;
            object.is_valid() && object.index > 0)
            scene.coordinates[i].name = path_of(object) + "." + scene.coordinates[i].name;
    for (const auto& [drawing, object] : probes_)
        if (object.is_valid() && object.index > 0)
            scene.drawings[drawing].name = path_of(object) + "." + scene.drawings[drawing].name;
    UniqueNames unique; // each round of a loop has its own: they are told apart by number
    for (Coordinate& coordinate : scene.coordinates)
        coordinate.name = unique.take(std::move(coordinate.name));
}

std::string Evaluator::path_of(ObjectId object) const
{
    std::string path;
    for (ObjectId id = object; id.is_valid() && id.index > 0; id = scene.objects[id.index].parent) {
        const Object& o = scene.objects[id.index];
        std::string part = with_index(o.name, o.index);
        if (o.ordinal > 1)
            part += "#" + std::to_string(o.ordinal);
        path = path.empty() ? part : part + "." + path;
    }
    return path;
}

} // namespace sinew::charli

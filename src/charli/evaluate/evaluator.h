#pragma once

#include "charli/assist/report.h"
#include "charli/assist/symbols.h"
#include "charli/evaluate/scopes.h"
#include "charli/grooms/groom_source.h"
#include "charli/text/limits.h"
#include "charli/text/tree.h"
#include "charli/words/words.h"
#include "scene/constraints/law.h"
#include "scene/formula.h"
#include "sinew/curves.h"
#include "sinew/language.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sinew {
struct BodyMap;
struct NodeSamples;
class EndMap;
struct RodShape;
} // namespace sinew

namespace sinew::charli {

/// "b[3]", or the name alone.
inline std::string with_index(std::string_view name, std::int64_t index)
{
    std::string text(name);
    if (index != Object::kNoIndex)
        text += "[" + std::to_string(index) + "]";
    return text;
}

/// The turns about x, y, z, in this order, that make a rotation.
Vec3 turns_of(const Mat3& R);

/// Whether a strand or rod can be drawn along a path.
bool has_constant_curve(const Scene& scene, PathId path);

/// Carries a script out: from trees to a Scene.
///
/// Three passes, because a script may name things in any order:
///   declare   names of a block, its conditions, loops and includes (they decide which names there
///   are) instance  the objects, depth first: the body of each is declared and instanced in turn
///   state     constraints, forces, drawing, settings, once every object has its place
///
/// Implemented by responsibility: evaluate.cpp (the passes), declare.cpp and includes.cpp (names),
/// instances.cpp and designators.cpp (objects), expressions.cpp, lists.cpp, bindings.cpp and
/// formulas.cpp (values), arguments.cpp (calls of the table's words), surfaces.cpp and bodies.cpp
/// (what bodies need beyond that), strands.cpp (the same for strands), samples.cpp (motion that is
/// sampled), unused.cpp (what is forgotten), messages.cpp (names that lead nowhere).
class Evaluator {
public:
    Evaluator(const Limits& limits, Symbols& symbols, Report& report, const ReadFile& read_file,
              const ReadOptions& options);

    /// Requires one call per Evaluator. `folder` is put before the names of included files in
    /// messages.
    void run(const Tree& main, const std::string& folder);

    Scene scene;

    /// A name in a text and where it comes from; kept when asked for.
    struct Link {
        Origin use, definition;
    };
    bool keep_links = false;
    UnmadeCurves unmade; ///< where ReadOptions::makes_curves is false
    std::vector<Link> links;

    /// True when what was reported leaves the scene fit for looking at its physics.
    bool is_scene_whole() const { return spoiling_errors_ == 0; }

private:
    /// A piece of text in the scope it is to be understood in.
    struct Site {
        const Tree* tree = nullptr;
        NodeId node = kNoNode;
        ScopeId scope = kNoScope;
    };
    struct Block;
    /// What the declaring pass leaves for the instancing one.
    struct Action {
        Site site;
        int block = -1;  ///< of a namespace: its own actions
        Site event = {}; ///< that it stands in; none: it acts from the start
    };
    struct Block {
        std::vector<Action> actions;
        Symbol name = kNoSymbol; ///< of a namespace
        ScopeId scope = kNoScope;
        Origin origin = {};
    };
    /// A statement for the last pass.
    struct Statement {
        Site site;
        const Word* word;
        ObjectId object;
        Site event = {};     ///< likewise
        ObjectId named = {}; ///< stands for its name: `rod = dist_constraint(...)`
    };
    struct PendingPosition {
        std::uint32_t formula;
        Site site;                 ///< the name
        bool names_object = false; ///< it is the object's own, without an axis behind it
    };
    struct PendingOn {
        ObjectId object;
        Site site;
    };
    struct PendingFrames {
        std::uint32_t track;
        std::uint32_t key;
    };

    /// The arguments of a call in the order of its signature.
    struct Arguments {
        Signature signature;
        std::vector<Bound> bound;
        std::vector<Value> points;
        std::vector<Bound> values; ///< of an argument of kind anything
        bool is_good = true;
    };

    // --- the passes: evaluate.cpp
    void run_body(Site block, ObjectId object);
    void declare_names(Site block);
    void declare_faulty(Site site);
    void declare_block(Site block, Block& out);
    void declare_statement(Site site, Block& out);
    void declare_variables(Site site);
    void declare_param(Site site);
    void declare_def(Site site);
    void declare_assign(Site site, Block& out);
    void assign_declared(Site site);
    void declare_loop(Site site, Block& out);
    void declare_list_loop(Site site, Block& out);
    void declare_step_loop(Site site, Block& out);
    bool declare_round(Site loop, Bound value, Block& out);
    void declare_branch(Site site, Block& out);
    void declare_event(Site site, Block& out);
    void declare_event_name(Site site);
    void declare_include(Site site, Block& out);
    BindingId find_assigned(Site site) const;
    void assign_value(Site site, BindingId binding);
    BindingId add_binding(Site site, const Token& token, BindingKind kind);
    const Tree* load_file(Site site, const std::string& name);
    std::optional<std::string> resolve_file(Origin origin, const std::string& wanted,
                                            const std::string& from);
    std::optional<std::string> read_text(Origin origin, const std::string& wanted,
                                         const std::string& file_name);
    std::optional<std::string> read_library(const std::string& wanted,
                                            const std::string& file_name);
    std::string name_below_folder(const Tree& tree) const;
    void force_values(std::size_t first_binding);
    void instance_block(const Block& block);
    void carry_out_statements();
    void carry_out(const Statement& statement);
    void check_unused_defs(std::size_t first_binding);
    void look_into(BindingId def);
    void finish_frames();
    void finish_parameters();

    // --- values: expressions.cpp
    Bound evaluate(Site site);
    Bound evaluate_kind(Site site);
    Bound evaluate_time(Origin origin);
    Bound evaluate_string(Site site);
    Bound evaluate_negation(Site site);
    Bound evaluate_number(Site site);
    Bound evaluate_name(Site site, bool may_be_object);
    Bound evaluate_plain_name(Site site, const Token& token, bool may_be_object);
    Bound evaluate_path_name(Site site, bool may_be_object);
    BindingId find_value_in_namespaces(Site site, const std::vector<NodeId>& parts);
    Bound evaluate_element(Site site, NodeId part, BindingId found);
    Bound force_element(Site site, const Token& token, BindingId row, std::int64_t index);
    std::optional<Bound> evaluate_axis(Site site, std::vector<NodeId> parts);
    Bound evaluate_call(Site site);
    Bound evaluate_chain(Site site);
    Bound evaluate_comparison(Site site);
    Bound evaluate_logic(Site site);
    Bound evaluate_track(Site site);
    /// What a track's keys say besides its own fields.
    struct KeyNotes {
        std::vector<bool> in_frames = {};
        std::size_t smooth = 0; ///< of the easings between them
        bool is_smooth() const { return smooth > 0; }
    };
    Bound add_track(Track track, const KeyNotes& notes);
    Bound add_tracks(Track track, const KeyNotes& notes, const std::vector<Bound>& values);
    bool evaluate_key(Site site, Track& track, KeyNotes& notes, std::vector<Bound>& values);
    bool check_smooth(const Track& track, const KeyNotes& notes);

    // --- motion that is sampled: samples.cpp
    std::vector<Key> pieces_through(std::span<const double> times, std::span<const double> values,
                                    Origin origin);
    void finish_smooth_tracks();
    void smooth_track(std::uint32_t number);
    Value add_samples(std::span<const double> times, std::span<const double> values, bool may_stay,
                      Origin origin);
    std::optional<NodeSamples> find_node_motion(Site call, const Arguments& arguments);
    std::vector<Transformation> make_followed(const NodeSamples& samples, double scale,
                                              Origin origin);
    void append_follow(Site call, const Arguments& arguments, Origin origin);

    Bound compare(TokenKind sign, Value a, Value b, Origin origin);
    Bound evaluate_moving_logic(NodeKind kind, const std::vector<Value>& operands, Origin origin);
    Bound evaluate_path(Site site, const Word& word);
    Bound evaluate_function(Site site, const Word& word);

    // --- lists, functions of the script, choices: lists.cpp
    Bound evaluate_list(Site site);
    Bound evaluate_component(Site site);
    Bound evaluate_let(Site site);
    Bound evaluate_choice(Site site);
    Bound choose(Value condition, const Bound& a, const Bound& b, Origin origin);
    Bound add_list(std::vector<Bound> elements, Origin origin);
    Bound element_of(const Bound& list, std::int64_t index, Origin origin);
    Bound component_of(const Bound& list, std::string_view axis, Origin origin);
    Bound combine(Operation operation, const Bound& a, const Bound& b, Origin origin);
    Bound evaluate_operand(Site site);
    Bound call_function(BindingId function, Site call);
    Bound evaluate_list_function(Site site, const Word& word);
    std::optional<std::vector<Value>> vector_of(const Bound& bound, Origin origin);
    Bound place_of(const Bound& object, Site site);
    std::optional<Bound> find_vector(Site site);
    std::optional<Bound> find_vector_of_call(Site site);
    std::optional<Bound> find_vector_of_name(Site site);
    Bound force_of(Site site, const Word& word);
    Bound length_of_constraint(Site site, const Word& word);
    void resolve_measures();
    Bound rate_of(Site site, const Word& word);
    Bound evaluate_vector_function(ListFunction function, const std::vector<Value>& a,
                                   const std::vector<Value>& b, Origin origin);
    std::string text_of(const Bound& bound) const;
    void carry_out_echo(const Site& statement, const Word& word, const Arguments& arguments);

    std::optional<Value> evaluate_value(Site site);
    std::optional<Value> as_value(const Bound& found, Site site);
    std::optional<double> as_constant(const Bound& found, Site site, const std::string& what);
    std::optional<std::int64_t> as_whole(const Bound& found, Site site, const std::string& what);
    std::optional<double> evaluate_constant(Site site, const std::string& what);
    std::optional<std::int64_t> evaluate_whole(Site site, const std::string& what);
    std::optional<bool> evaluate_condition(Site site);
    Bound force(BindingId binding, Site use);
    Bound compute_binding(BindingId binding);
    void compute_range(const Binding& binding, Parameter& parameter);
    std::optional<std::string> take_given(Parameter& parameter);
    Bound compute_param(const Binding& binding);
    Bound compute_value(const Binding& binding, Site site);
    void evaluate_initial(BindingId binding, Site site);
    Bound make_coordinate(BindingId binding);
    Bound make_turn(BindingId binding);
    Bound event_of(Site event);
    Bound make_event(Site event);
    std::vector<std::size_t> sizes_of_acting() const;
    void begin_at(Value latch, const std::vector<std::size_t>& before);
    void evaluate_turn_start(BindingId binding, std::uint32_t first, const Arguments& arguments);
    Bound position_of(Site name, Axis axis);
    Value add_formula(const Formula& formula);
    Value add_checked(const Formula& formula, Origin origin);
    Value apply(Operation operation, Value a, Value b, Origin origin);
    bool check_budget(Origin origin);
    std::uint8_t dependence_of(Value value) const;
    void check_formulas();
    std::string describe_dependence(Value value) const;

    // --- objects: objects.cpp
    BindingId find_callee(Site callee);
    void instance_item(Site item, Symbol name, std::int64_t index, Origin name_origin);
    void instance_word(Site item, NodeId head, const Word& word, Symbol name, std::int64_t index,
                       Origin name_origin);
    void add_on(Site item, ObjectId object);
    void note_name(ObjectId object, Origin origin);
    bool claim_name(ScopeId scope, Symbol symbol, std::int64_t index, Origin origin);
    void instance_def(BindingId def, Site item, ObjectId object);
    void instance_of_def(Site item, NodeId head, BindingId def, Symbol name, std::int64_t index,
                         Origin name_origin);
    struct Placing;
    Placing placing_of(Site item, NodeId head) const;
    bool may_stand(const Tree& tree, NodeId head, const Word& word, Placing placing,
                   std::optional<Origin> named);
    struct DefArguments;
    DefArguments list_parameters(const Binding& def);
    std::optional<std::size_t> find_parameter(const Tree& tree, const Token& token,
                                              DefArguments& arguments);
    void take_def_arguments(Site call, DefArguments& arguments);
    void require_parameters(Site call, DefArguments& arguments);
    void bind_def_arguments(BindingId def, Site call, ScopeId body);
    ObjectId add_object(Symbol symbol, std::string name, std::int64_t index, ScopeId scope,
                        Origin origin, bool anonymous);
    void close_object(ObjectId object);
    void add_transformations(Site item, ObjectId object);
    void append_transformation(Site call, const Word& word, const Arguments& arguments,
                               Origin origin);
    void append_turn(CoordinateId first, Origin origin);
    void number_siblings();
    void name_coordinates();
    ObjectId add_constraint_name(Symbol symbol, std::int64_t index, ScopeId scope, Origin origin);
    ObjectId as_place(ObjectId object, Origin use);
    ObjectId find_object(Site name);
    ObjectId find_object_part(ObjectId inside, Symbol symbol, std::int64_t index,
                              std::vector<ObjectId>& several) const;
    ObjectId resolve_name_parts(Site name, const std::vector<NodeId>& parts, Symbol last);
    ObjectId resolve_first_part(Site site, Symbol symbol, std::int64_t index, Origin origin);
    ObjectId resolve_object(const Bound& bound, Origin use);
    void report_unknown(Site site, Symbol symbol, std::int64_t index, Origin origin, bool as_value);
    void report_unknown_object(Site site);
    void report_no_def(Site callee, BindingId found);
    std::string find_in_namespaces(ScopeId scope, Symbol symbol) const;
    std::vector<std::string_view> names_of_defs() const;
    void report_undeclared(Symbol symbol, Origin origin, const Tree& tree, NodeId value);
    bool named_in_text(Site site, Symbol symbol) const;
    Bound evaluate_member(Site site);
    void report_several(Origin origin, Symbol symbol, const std::vector<ObjectId>& several);
    void resolve_pending();
    void resolve_place(std::uint32_t formula, Site site);
    void check_attribute_names();
    ScopeId scope_of(ObjectId object) const;
    std::string path_of(ObjectId object) const;

    // --- calls of words: arguments.cpp
    /// An argument as it is written, or one component of a vector.
    struct Given {
        NodeId node;  ///< with its name, if it has one
        NodeId value; ///< without
        bool is_named = false;
        std::optional<Bound> known = {}; ///< evaluated already: a component of a vector
    };
    std::vector<Given> expand_arguments(Site call, const Word& word);
    void expand_argument(Site site, const Word& word, std::vector<Given>& out);
    Arguments bind_arguments(Site call, const Word& word);
    std::optional<std::size_t> find_argument(const Token& token, Site call, const Word& word,
                                             Signature signature);
    void report_too_many(Origin origin, const Word& word, Signature signature, std::size_t given);
    void require_arguments(Site call, const Word& word, bool is_told, Arguments& out);
    const Signature* choose_signature(Site call, const Word& word, const std::vector<Given>& given);
    bool fits(const Tree& tree, const std::vector<Given>& given, Signature signature) const;
    bool may_be(Site site, ArgumentKind kind) const;
    bool may_be(Site call, const Given& given, const Argument& argument) const;
    bool may_be_word(Site site, std::string_view words) const;
    std::optional<Value> evaluate_argument(Site site, const Given& given, const Argument& argument,
                                           const std::string& what);
    void bind_along(Site site, const Word& word, Bound& bound, Arguments& out);
    void bind_text(Site site, const Word& word, const Argument& argument, Bound& bound,
                   Arguments& out);
    void bind_argument(Site call, const Given& given, const Word& word, const Argument& argument,
                       Bound& bound, Arguments& out);
    void bind_path_or_coordinate(Site site, const Argument& argument, const std::string& what,
                                 Bound& bound, Arguments& out);
    void bind_list(Site site, const std::string& what, Bound& bound, Arguments& out);
    void bind_points(Site call, const Word& word, const Argument& argument,
                     const std::vector<Given>& given, std::size_t first, Arguments& out);
    bool add_points_of(Site site, const Word& word, const Argument& argument, Arguments& out);
    void check_degrees(Site site, const Word& word, const Argument& argument);
    void bind_word(Site site, const Word& word, const Argument& argument, Bound& bound,
                   Arguments& out);
    void check_range(Site site, const Word& word, const Argument& argument, Value value,
                     Arguments& out);
    void check_unit(Site site, const Word& word, const Argument& argument);

    // --- surfaces of shapes: surfaces.cpp
    Surface find_surface(Site call, const Word& word, Arguments& arguments);
    ObjectId find_frame(Site call, const Word& word, ObjectId object, Arguments& arguments);
    Surface make_surface(Site call, const Word& word, Arguments& arguments);
    const Groom* find_groom(Site call, const Word& word, Arguments& arguments);
    Groom make_groom(std::shared_ptr<GroomSource> source);
    std::optional<std::uint32_t> add_skin(MovingMesh& surface, const Arguments& arguments,
                                          Origin origin);
    std::shared_ptr<GroomSource> read_groom(Site call, const Arguments& arguments,
                                            const std::string& file_name);
    bool check_size(const Arguments& arguments);
    bool read_map(const Bound& file, const std::string& file_name, const Bound* wanted,
                  std::vector<double>& map);
    std::optional<CurveSet> read_curve_file(const Bound& file, const std::string& file_name);
    std::shared_ptr<GroomSource> grow_groom(Site call, const Arguments& arguments,
                                            const std::string& file_name);
    std::optional<std::string> read_asset(const Bound& file, const std::string& file_name);
    std::optional<FileShot> find_shot(Site call, const Word& word, Arguments& arguments);
    std::optional<MovingMesh> read_surface(const Bound& file, const std::string& file_name,
                                           double scale);
    bool read_heights(const Bound& file, const std::string& file_name, std::vector<double>& heights,
                      std::size_t& columns);
    Surface make_height_field(Site call, const std::string& file_name, const Arguments& arguments);
    Surface make_hull_of_points(Site call, const Arguments& arguments);
    Surface make_hull_of(const std::vector<Vec3>& points, Origin origin);
    Surface add_mesh(TriangleMesh mesh, Origin origin);

    // --- bodies once all objects exist: bodies.cpp
    void finish_bodies();
    template <class BodyPair>
    void expand_pairs(std::vector<BodyPair>& list);
    void set_in_motion();
    void add_motion(Site part, const Word& word, ObjectId object);

    // --- strands once all objects exist: strands.cpp
    ObjectId add_site(Site site);
    void finish_strands();
    void scale_stiffness();
    void order_strands();
    std::uint32_t find_parent_curve(const std::vector<StrandCurve>& given,
                                    const StrandCurve& curve);
    void make_trees();
    std::vector<StrandTree>::iterator find_tree(ObjectId object);
    void find_property_curves();
    void spread_airs();
    void place_sites();
    void ride(ObjectId rider, ObjectId carrier, const Affine& place, Origin origin);
    void find_pose_curves();
    struct PendingSite;
    std::uint32_t find_curve(const PendingSite& site);
    struct Motion;
    bool set_trees_in_motion(const Motion& motion);

    // --- rods once all objects exist: rods.cpp
    std::optional<std::uint32_t> find_rod(ObjectId object) const;
    bool give_to_rod(const StrandProperty& property);
    void tell_of_curves();
    void tell_of_rider(const EndMap& ends, ObjectId object, const Origin& origin, bool is_point);
    void tell_of_carrier(const EndMap& ends, const Rod& rod);
    void sort_constraints();
    void answer_measures(const std::vector<std::vector<ConstraintPlace>>& places);
    void answer_measure(std::uint32_t formula, std::span<const ConstraintPlace> places);
    bool answer_length(std::uint32_t first, ConstraintPlace place, const Constraint& constraint);
    bool locate_end(std::uint32_t first, ObjectId object, PathId path);
    bool knows_error(ConstraintPlace place) const;
    void note_objects_of_sorter();
    ObjectId add_rod_point(std::uint32_t number, const RodShape& shape, double along,
                           const Origin& origin);
    void close_rods();
    void weaken_rods();
    void cut_rods();
    void cut_rod(std::uint32_t number, const std::map<double, RodCut>& cuts);
    void move_to_pieces(std::uint32_t number, ObjectId whole,
                        std::span<const std::uint32_t> pieces);
    ObjectId add_piece(const Rod& whole, std::size_t number);
    bool set_rods_in_motion(const Motion& motion);

    // --- names that nothing uses: unused.cpp
    void warn_unused();
    void note_empty_scene();

    // --- common
    Problem& error(Origin origin, std::string_view code, std::string what, std::string hint);
    Bound poison() const { return {.kind = Bound::Kind::poison}; }
    Bound bound(Value value, Origin origin) const
    {
        return {.kind = Bound::Kind::value, .value = value, .origin = origin};
    }
    std::string_view name(Symbol symbol) const
    {
        return symbol == kNoSymbol ? std::string_view("?") : symbols_.name(symbol);
    }
    void link(Origin use, Origin definition);
    std::vector<std::string_view> names_in(ScopeId scope) const;
    std::string similar_hint(std::string_view word, const std::vector<std::string_view>& candidates,
                             const std::string& otherwise) const;
    bool spend(Origin origin); ///< one statement of the budget

    /// Counts how deep evaluation is nested in itself.
    class Depth;

    const Limits& limits_;
    Symbols& symbols_;
    Report& report_;
    const ReadFile& read_file_;
    const ReadOptions& options_;
    const Tree* main_ = nullptr;
    std::string folder_;

    Scopes scopes_;
    std::deque<Tree> included_; ///< stable addresses
    std::unordered_map<std::string, const Tree*> files_by_name_;
    std::vector<SourceFile> assets_; ///< files that are no scripts
    std::vector<std::string> include_stack_;
    std::vector<Block> blocks_; ///< of namespaces
    std::vector<Statement> statements_;
    std::vector<PendingPosition> pending_positions_;
    /// A call that names an object, and the formulas that it is: one, or those of a vector.
    struct PendingMeasure {
        std::uint32_t first = 0, count = 1; ///< in Scene::formulas
        Site site;
        const Word* word = nullptr;
    };
    std::vector<PendingMeasure> pending_measures_;
    std::vector<std::pair<ObjectId, Origin>> measured_sections_; ///< what they ask rods for
    /// Formulas that ask for a named constraint, and the object that stands for its name.
    struct ConstraintQuestion {
        std::uint32_t formula = 0;
        ObjectId named = {};
        bool is_length = false; ///< six positions follow, of its ends
        Origin origin = {};
    };
    std::vector<ConstraintQuestion> constraint_questions_;
    static constexpr std::size_t kNotMade = SIZE_MAX;
    std::unordered_map<std::uint32_t, std::size_t> named_constraints_; ///< by object: in the list
    bool takes_constraints_ = false;                         ///< a name of a constraint is wanted
    std::vector<std::pair<std::uint32_t, ObjectId>> probes_; ///< drawings, where they are written
    std::vector<PendingPosition> pending_values_;
    std::vector<PendingPosition> aliases_; ///< values of instances that were pending
    std::vector<PendingOn> pending_on_;
    std::vector<Site> pending_objects_;                     ///< Bound::pending counts into this
    std::vector<std::vector<Bound>> lists_;                 ///< Bound::list counts into this
    std::size_t list_entries_ = 0;                          ///< of all lists
    std::set<std::pair<ScopeId, const Tree*>> included_in_; ///< files that are there already
    std::vector<PendingFrames> pending_frames_;
    std::vector<std::uint32_t> smooth_tracks_;
    /// `velocity` and `spin` behind an instance.
    struct Motion {
        ObjectId object;
        Vec3 velocity, spin;
        Origin origin;
    };
    std::vector<Motion> motions_;
    /// The events made so far, by their statements in their scopes.
    std::map<std::tuple<const Tree*, NodeId, ScopeId>, Bound> events_;
    Site current_event_ = {};             ///< that objects and statements are made for
    std::vector<Constraint> constraints_; ///< all that holds, in the order of the script
    /// `name at u along` where an object is wanted.
    struct PendingSite {
        ObjectId object; ///< the anonymous one that stands for it
        ObjectId named;
        double along;
        Origin origin;
    };
    std::vector<PendingSite> pending_sites_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> curves_of_; ///< by object
    bool tells_of_strands_ = true;                      ///< false: faults may follow from others
    std::unordered_map<std::string, Surface> surfaces_; ///< by what they were made from
    std::unordered_map<std::string, Groom> grooms_;     ///< by file and numbers
    /// Grooms with a stiffness map, by the index of their first curve in Scene::paths.
    std::map<std::uint32_t, const Groom*> mapped_grooms_;
    std::unordered_map<std::string, std::vector<Transformation>> followed_; ///< by file and node
    std::size_t triangle_count_ = 0;                                        ///< of all surfaces
    std::vector<Symbol> object_symbols_;                                    ///< of each object
    std::vector<ScopeId> object_scopes_;  ///< of each object's body
    std::vector<Origin> object_names_at_; ///< where each object's name is written
    std::vector<bool> object_is_named_;
    std::unordered_map<Symbol, std::vector<ObjectId>> objects_by_name_;
    /// Who has a name in an object: (parent, name, index).
    using NameKey = std::tuple<std::uint32_t, Symbol, std::int64_t>;
    struct NameKeyHash {
        std::size_t operator()(const NameKey& key) const
        {
            const auto& [parent, symbol, index] = key;
            std::uint64_t hash =
                (static_cast<std::uint64_t>(parent) << 32 | symbol) * 0x9e3779b97f4a7c15u;
            hash = (hash ^ static_cast<std::uint64_t>(index)) * 0xc2b2ae3d27d4eb4fu;
            return hash ^ (hash >> 32);
        }
    };
    std::unordered_map<NameKey, Origin, NameKeyHash> named_at_;
    /// The direct children of each object: the only one of a name, or none when there are several.
    std::unordered_map<NameKey, ObjectId, NameKeyHash> direct_;
    std::vector<Symbol> instance_stack_;     ///< defs being instanced, one inside the other
    std::vector<ScopeId> coordinate_scopes_; ///< where each coordinate was declared
    std::vector<BindingId> params_;
    std::vector<Symbol> namespaces_;            ///< whose files are being declared, outermost first
    std::vector<BindingId> computed_;           ///< in the order of computing
    std::unordered_set<const Node*> seen_defs_; ///< that were carried out at least once
    std::vector<FormulaTraits> traits_;         ///< of each formula
    std::uint64_t spent_ = 0;
    std::size_t faulty_tokens_ = 0; ///< looked at in statements that could not be read
    int depth_ = 0;
    bool all_objects_exist_ = false;
    bool is_exhausted_ = false;
    bool is_too_deep_ = false; ///< said once: a chain of values has many places
    std::size_t spoiling_errors_ = 0;
    std::uint32_t time_formula_ = Value::kNoFormula;
};

class Evaluator::Depth {
public:
    explicit Depth(Evaluator& evaluator) : evaluator_(evaluator) { ++evaluator_.depth_; }
    ~Depth() { --evaluator_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    bool is_too_deep(Origin origin);

private:
    Evaluator& evaluator_;
};

} // namespace sinew::charli

// From the scene to the plan of one linkage: frames with their relays first, then values and points
// in the order in which they depend on each other, then what acts on them.

#include "models/linkage/equations/plan.h"

#include "base/contract.h"
#include "math/functions.h"
#include "models/linkage/events/zero_windows.h"
#include "scene/formula.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"
#include "scene/reading/equations.h"
#include "scene/reading/kinks.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace sinew {

namespace {

/// More unknowns on the way to a frame than this, and the frame above it becomes a relay.
constexpr std::uint32_t kMostColumns = 8;

/// What encloses some points.
struct Box {
    Vec3 low{0, 0, 0}, high{0, 0, 0};
    bool is_empty = true;

    void add(const Vec3& x)
    {
        if (!is_finite(x))
            return;
        low = is_empty ? x : Vec3{min(low.x, x.x), min(low.y, x.y), min(low.z, x.z)};
        high = is_empty ? x : Vec3{max(high.x, x.x), max(high.y, x.y), max(high.z, x.z)};
        is_empty = false;
    }
    double size() const { return length(high - low); }
};

class Planner {
public:
    Planner(const Scene& scene, const LinkageParts& parts, const Kinematics& start)
        : scene_(scene), parts_(parts), start_(start)
    {
        plan_.scene = &scene;
        plan_.coordinates = parts.coordinates;
        for (std::uint32_t i = 0; i < parts.coordinates.size(); ++i)
            column_of_[parts.coordinates[i]] = i;
        next_path_column_ = static_cast<std::uint32_t>(parts.coordinates.size());
        for (const std::uint32_t i : parts.path_constraints)
            if (scene.paths[scene.path_constraints[i].path.index].kind != PathKind::point)
                ++plan_.path_column_count;
        plan_.column_count = plan_.state_size();
        for (std::uint32_t c = 0; c < parts.coordinates.size(); ++c)
            if (scene.coordinates[parts.coordinates[c]].kind == CoordinateKind::turn_w)
                plan_.turns.push_back({{c, c + 1, c + 2, c + 3}}); // find_linkages joins them
    }

    LinkagePlan make()
    {
        add_frames();
        choose_relays();
        plan_frames();
        add_masses();
        add_ties();
        add_stops();
        add_forces();
        add_events();
        add_kinks_of_state();
        add_sites();
        collect_key_times();
        find_gimbals();
        measure();
        add_axes();
        return std::move(plan_);
    }

private:
    // ------------------------------------------------------------ frames

    void add_frames()
    {
        const auto add = [&](ObjectId object) { add_frame(object); };
        for (const std::uint32_t i : parts_.masses)
            add(scene_.masses[i].object);
        for (const std::uint32_t i : parts_.box_masses)
            add(scene_.box_masses[i].object);
        for (const std::uint32_t i : parts_.labels)
            add(scene_.labels[i].object);
        for (const ObjectId object : parts_.held)
            add(object);
        for (const std::uint32_t i : parts_.distance_constraints) {
            add(scene_.distance_constraints[i].a);
            add(scene_.distance_constraints[i].b);
            add_positions(scene_.distance_constraints[i].distance);
        }
        for (const std::uint32_t i : parts_.path_constraints) {
            const Path& path = scene_.paths[scene_.path_constraints[i].path.index];
            add(scene_.path_constraints[i].point);
            add(path.frame);
            for (std::uint32_t k = 0; k < path.points.count; ++k)
                add_positions(scene_.values[path.points.first + k]);
        }
        for (const std::uint32_t i : parts_.point_springs) {
            const PointSpring& s = scene_.point_springs[i];
            add(s.a);
            add(s.b);
            add_positions(s.rest_length, s.stiffness, s.damping);
        }
        for (const std::uint32_t i : parts_.coordinate_springs) {
            const CoordinateSpring& s = scene_.coordinate_springs[i];
            add_positions(s.rest_length, s.stiffness, s.damping, s.most);
        }
        for (const std::uint32_t i : parts_.frictions)
            add_positions(scene_.coordinate_frictions[i].most);
        for (const std::uint32_t i : parts_.events) {
            if (is_known_to_linkages(scene_, scene_.events[i].condition))
                add_positions(scene_.events[i].condition);
            for (const Event::RateSet& set : scene_.events[i].rates)
                add_positions(set.rate);
        }
        for (const std::uint32_t i : parts_.distance_constraints)
            add_positions(scene_.distance_constraints[i].release.active);
        for (const std::uint32_t i : parts_.path_constraints)
            add_positions(scene_.path_constraints[i].release.active);
        for (const std::uint32_t i : parts_.forces) {
            const Force& f = scene_.forces[i];
            add(f.object);
            add(f.frame);
            add_positions(f.x, f.y, f.z);
        }
        for (const std::uint32_t i : parts_.torques)
            add_positions(scene_.torques[i].value);
        for (const std::uint32_t i : parts_.turn_torques) {
            const TurnTorque& t = scene_.turn_torques[i];
            add_positions(t.x, t.y, t.z, t.stiffness, t.damping);
        }
        for (const std::uint32_t i : parts_.drags) {
            add(scene_.drags[i].object);
            add_positions(scene_.drags[i].coefficient);
        }
        for (const Field& field : scene_.fields) {
            add(field.frame);
            add_positions(field.x, field.y, field.z);
        }
        add_positions(scene_.settings.gravity_x, scene_.settings.gravity_y,
                      scene_.settings.gravity_z);
    }

    template <class... Values>
    void add_positions(Values... values)
    {
        const auto add = [&](const Formula& leaf) {
            if (leaf.operation == Operation::position) {
                add_frame(ObjectId{leaf.index});
                add_frame(leaf.frame);
            }
        };
        (for_each_leaf(scene_, values, add), ...);
    }

    void add_frame(ObjectId object)
    {
        std::vector<ObjectId> chain;
        for (; object.is_valid() && !frame_of_.contains(object.index);
             object = frame_parent(scene_.objects[object.index]))
            chain.push_back(object);
        for (; !chain.empty(); chain.pop_back()) {
            const Object& here = scene_.objects[chain.back().index];
            for (std::uint32_t k = 0; k < here.transformation_count; ++k)
                add_positions(scene_.transformations[here.first_transformation + k].amount);
            if (frame_of_.contains(chain.back().index))
                continue;
            PlannedFrame frame;
            frame.object = chain.back();
            const ObjectId parent = frame_parent(here);
            frame.parent = parent.is_valid() ? frame_of_.at(parent.index) : kNoIndex;
            frame.is_rigid = frame.parent == kNoIndex || plan_.frames[frame.parent].is_rigid;
            for (std::uint32_t k = 0; k < here.transformation_count; ++k)
                frame.is_rigid =
                    frame.is_rigid &&
                    !is_scale(scene_.transformations[here.first_transformation + k].kind);
            frame_of_[frame.object.index] = static_cast<std::uint32_t>(plan_.frames.size());
            plan_.frames.push_back(frame);
        }
    }

    void choose_relays()
    {
        std::vector<std::uint32_t> own(plan_.frames.size()), way(plan_.frames.size());
        for (std::uint32_t k = 0; k < plan_.frames.size(); ++k) {
            const Object& object = scene_.objects[plan_.frames[k].object.index];
            for (std::uint32_t i = 0; i < object.transformation_count; ++i)
                for_each_leaf(scene_,
                              scene_.transformations[object.first_transformation + i].amount,
                              [&](const Formula& leaf) {
                                  if (leaf.operation == Operation::coordinate)
                                      ++own[k];
                              });
            const std::uint32_t parent = plan_.frames[k].parent;
            if (parent == kNoIndex) {
                way[k] = own[k];
                continue;
            }
            const bool is_long = way[parent] + own[k] > kMostColumns && way[parent] > 0;
            if (is_long && plan_.frames[parent].is_rigid)
                plan_.frames[parent].is_relay = true;
            way[k] = own[k] + (plan_.frames[parent].is_relay ? 1 : way[parent]);
        }
    }

    void plan_frames()
    {
        for (std::uint32_t k = 0; k < plan_.frames.size(); ++k) {
            PlannedFrame& frame = plan_.frames[k];
            const Object& object = scene_.objects[frame.object.index];
            frame.relay = frame.parent == kNoIndex ? kNoIndex : plan_.frames[frame.parent].relay;
            std::vector<PlannedTransformation> list;
            for (std::uint32_t i = object.transformation_count; i-- > 0;) {
                const Transformation& t = scene_.transformations[object.first_transformation + i];
                list.push_back({t.kind, add_value(t.amount)});
            }
            frame.transformations = {static_cast<std::uint32_t>(plan_.transformations.size()),
                                     static_cast<std::uint32_t>(list.size())};
            plan_.transformations.insert(plan_.transformations.end(), list.begin(), list.end());
            if (frame.is_relay)
                add_relay(k);
        }
    }

    void add_relay(std::uint32_t k)
    {
        PlannedRelay relay;
        relay.frame = k;
        relay.walk = add_walk(k, true);
        relay.first_column = plan_.column_count;
        plan_.column_count += 6;
        relay.first_row = static_cast<std::uint32_t>(plan_.rows.size());
        plan_.frames[k].relay = static_cast<std::uint32_t>(plan_.relays.size());
        std::vector<std::uint32_t> terms(plan_.walk_columns.begin() + relay.walk.first,
                                         plan_.walk_columns.begin() + relay.walk.end());
        std::vector<std::uint32_t> columns;
        relay.slots = add_slots(terms, columns);
        for (std::uint32_t i = 0; i < 6; ++i) {
            columns.push_back(relay.first_column + i); // its own unknown comes last
            add_row(columns, kNoIndex);
            columns.pop_back();
        }
        plan_.relays.push_back(relay);
    }

    /// The columns met between a frame and the relay above it, the innermost first.
    Range add_walk(std::uint32_t k, bool from_relay_itself = false)
    {
        Range walk{static_cast<std::uint32_t>(plan_.walk_columns.size()), 0};
        for (bool is_first = true; k != kNoIndex; k = plan_.frames[k].parent, is_first = false) {
            const PlannedFrame& frame = plan_.frames[k];
            if (frame.is_relay && !(is_first && from_relay_itself)) {
                for (std::uint32_t i = 0; i < 6; ++i)
                    plan_.walk_columns.push_back(plan_.relays[frame.relay].first_column + i);
                break;
            }
            for (std::uint32_t i = frame.transformations.end();
                 i-- > frame.transformations.first;) {
                const Range columns = plan_.values[plan_.transformations[i].value].columns;
                for (std::uint32_t c = columns.first; c < columns.end(); ++c)
                    plan_.walk_columns.push_back(plan_.value_columns[c]);
            }
        }
        walk.count = static_cast<std::uint32_t>(plan_.walk_columns.size()) - walk.first;
        return walk;
    }

    // ------------------------------------------------------------ values and points

    std::uint32_t add_value(Value value)
    {
        PlannedValue planned{value};
        planned.switches = has_switches(scene_, value);
        std::vector<std::uint32_t> columns;
        std::vector<PlannedPosition> positions;
        bool has_state = false;
        for_each_leaf(scene_, value, [&](const Formula& leaf) {
            if (leaf.operation == Operation::coordinate && column_of_.contains(leaf.index)) {
                has_state = true;
                columns.push_back(column_of_.at(leaf.index));
            } else if (leaf.operation == Operation::coordinate &&
                       scene_.coordinates[leaf.index].kind == CoordinateKind::event) {
                has_state = true;
            } else if (leaf.operation == Operation::rate) {
                has_state = true;
            } else if (leaf.operation == Operation::position) {
                has_state = true;
                positions.push_back(make_position(leaf));
                append_columns(positions.back(), columns);
            }
        });
        if (value.is_constant())
            planned.source = ValueSource::constant;
        else if (!has_state)
            planned.source = ValueSource::known;
        else if (scene_.formulas[value.formula].operation == Operation::coordinate &&
                 !columns.empty())
            planned.source = ValueSource::coordinate;
        else
            planned.source = ValueSource::general;
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        planned.columns = {static_cast<std::uint32_t>(plan_.value_columns.size()),
                           static_cast<std::uint32_t>(columns.size())};
        plan_.value_columns.insert(plan_.value_columns.end(), columns.begin(), columns.end());
        planned.positions = {static_cast<std::uint32_t>(plan_.positions.size()),
                             static_cast<std::uint32_t>(positions.size())};
        plan_.positions.insert(plan_.positions.end(), positions.begin(), positions.end());
        plan_.values.push_back(planned);
        return static_cast<std::uint32_t>(plan_.values.size() - 1);
    }

    PlannedPosition make_position(const Formula& leaf)
    {
        PlannedPosition position;
        position.formula = static_cast<std::uint32_t>(&leaf - scene_.formulas.data());
        position.point = add_point(ObjectId{leaf.index}, {0, 0, 0});
        if (leaf.frame.index != 0) {
            position.frame = frame_of_.at(leaf.frame.index);
            position.columns = add_walk(position.frame);
        }
        return position;
    }

    void append_columns(const PlannedPosition& position, std::vector<std::uint32_t>& columns) const
    {
        const Range own = plan_.points[position.point].partials;
        columns.insert(columns.end(), plan_.partial_columns.begin() + own.first,
                       plan_.partial_columns.begin() + own.end());
        columns.insert(columns.end(), plan_.walk_columns.begin() + position.columns.first,
                       plan_.walk_columns.begin() + position.columns.end());
    }

    std::uint32_t add_point(ObjectId object, const Vec3& local)
    {
        const auto [entry, is_new] =
            point_of_.try_emplace({object.index, local.x, local.y, local.z},
                                  static_cast<std::uint32_t>(plan_.points.size()));
        if (!is_new)
            return entry->second;
        PlannedPoint point;
        point.frame = frame_of_.at(object.index);
        point.local = local;
        const Range walk = add_walk(point.frame);
        point.slots = {static_cast<std::uint32_t>(plan_.walk_slots.size()), walk.count};
        point.partials.first = static_cast<std::uint32_t>(plan_.partial_columns.size());
        std::map<std::uint32_t, std::uint32_t> slot_of;
        for (std::uint32_t i = walk.first; i < walk.end(); ++i) {
            const auto [slot, is_first] =
                slot_of.try_emplace(plan_.walk_columns[i], point.partials.count);
            if (is_first) {
                plan_.partial_columns.push_back(plan_.walk_columns[i]);
                ++point.partials.count;
            }
            plan_.walk_slots.push_back(slot->second);
        }
        plan_.points.push_back(point);
        return entry->second;
    }

    // ------------------------------------------------------------ what acts on them

    void add_masses()
    {
        for (const std::uint32_t i : parts_.masses)
            add_mass(scene_.masses[i].object, {0, 0, 0}, scene_.masses[i].mass);
        // Eight points m/8 at half the sides over √3 have the block's mass, centre and inertia.
        for (const std::uint32_t i : parts_.box_masses) {
            const BoxMass& box = scene_.box_masses[i];
            const Vec3 corner = box.size * (0.5 / sqrt(3.0));
            for (const double x : {-1.0, 1.0})
                for (const double y : {-1.0, 1.0})
                    for (const double z : {-1.0, 1.0})
                        add_mass(box.object, {x * corner.x, y * corner.y, z * corner.z},
                                 box.mass / 8);
        }
        double sum = 0;
        for (const PlannedMass& mass : plan_.masses)
            sum += mass.mass;
        plan_.mean_mass = sum > 0 ? sum / double(plan_.masses.size()) : 1;
        for (const Field& field : scene_.fields)
            plan_.fields.push_back({frame_of_.at(field.frame.index), add_value(field.x),
                                    add_value(field.y), add_value(field.z)});
    }

    void add_mass(ObjectId object, const Vec3& local, double mass)
    {
        PlannedMass planned;
        planned.point = add_point(object, local);
        planned.mass = mass;
        for (std::uint32_t i = 0; i < scene_.fields.size(); ++i)
            for (const ObjectId top : scene_.fields[i].on)
                if (top.index <= object.index && object.index < scene_.objects[top.index].end)
                    planned.fields.push_back(i);
        plan_.masses.push_back(std::move(planned));
    }

    std::uint32_t add_row(const std::vector<std::uint32_t>& columns, std::uint32_t statement)
    {
        PlannedRow row;
        row.columns = {static_cast<std::uint32_t>(plan_.row_columns.size()),
                       static_cast<std::uint32_t>(columns.size())};
        row.statement = statement;
        plan_.row_columns.insert(plan_.row_columns.end(), columns.begin(), columns.end());
        plan_.rows.push_back(row);
        return static_cast<std::uint32_t>(plan_.rows.size() - 1);
    }

    /// The distinct columns of the terms, and for each term which of them it adds to.
    Range add_slots(const std::vector<std::uint32_t>& terms, std::vector<std::uint32_t>& columns)
    {
        columns = terms;
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        const Range slots{static_cast<std::uint32_t>(plan_.row_slots.size()),
                          static_cast<std::uint32_t>(terms.size())};
        for (const std::uint32_t term : terms)
            plan_.row_slots.push_back(static_cast<std::uint32_t>(
                std::lower_bound(columns.begin(), columns.end(), term) - columns.begin()));
        return slots;
    }

    /// Rows of a tie whose gradient has terms with these columns, in this order.
    void add_tie_rows(PlannedTie& tie, const std::vector<std::uint32_t>& terms)
    {
        std::vector<std::uint32_t> columns;
        tie.slots = add_slots(terms, columns);
        tie.first_row = static_cast<std::uint32_t>(plan_.rows.size());
        for (std::uint32_t i = 0; i < tie.row_count; ++i)
            add_row(columns, tie.statement);
        plan_.ties.push_back(tie);
    }

    void add_release(const Release& release, PlannedTie& tie)
    {
        if (release.always_holds())
            return;
        tie.release = plan_.memory_size++;
        tie.active = add_value(release.active);
        tie.waits = waits_for_event(scene_, release.active);
        plan_.has_releases = true;
    }

    void append_partials(std::uint32_t point, std::vector<std::uint32_t>& terms) const
    {
        const Range partials = plan_.points[point].partials;
        terms.insert(terms.end(), plan_.partial_columns.begin() + partials.first,
                     plan_.partial_columns.begin() + partials.end());
    }

    void append_value(std::uint32_t value, std::vector<std::uint32_t>& terms) const
    {
        const Range columns = plan_.values[value].columns;
        terms.insert(terms.end(), plan_.value_columns.begin() + columns.first,
                     plan_.value_columns.begin() + columns.end());
    }

    void add_ties()
    {
        for (const std::uint32_t i : parts_.distance_constraints)
            add_distance(i);
        for (const std::uint32_t i : parts_.path_constraints)
            add_path(i);
    }

    void add_distance(std::uint32_t i)
    {
        const DistanceConstraint& constraint = scene_.distance_constraints[i];
        PlannedTie tie;
        tie.statement = i;
        tie.a = add_point(constraint.a, {0, 0, 0});
        tie.b = add_point(constraint.b, {0, 0, 0});
        tie.length = add_value(constraint.distance);
        const PlannedValue& length = plan_.values[tie.length];
        if (length.source == ValueSource::constant && constraint.distance.number == 0) {
            tie.kind = TieKind::coincidence;
            tie.row_count = 3;
        } else if (length.source == ValueSource::known &&
                   is_known_in_advance(scene_, constraint.distance)) {
            tie.windows = find_zero_windows(scene_, constraint.distance);
            tie.row_count = 3; // with or without windows, so that the state has one layout
            tie.memory = plan_.memory_size;
            plan_.memory_size += 3;
        }
        add_release(constraint.release, tie);
        std::vector<std::uint32_t> terms;
        append_partials(tie.a, terms);
        append_partials(tie.b, terms);
        append_value(tie.length, terms);
        add_tie_rows(tie, terms);
    }

    void add_path(std::uint32_t i)
    {
        const PathConstraint& constraint = scene_.path_constraints[i];
        const Path& path = scene_.paths[constraint.path.index];
        PlannedTie tie;
        tie.kind = TieKind::path;
        tie.statement = static_cast<std::uint32_t>(scene_.distance_constraints.size()) + i;
        tie.row_count = 3;
        tie.b = add_point(constraint.point, {0, 0, 0});
        tie.path = static_cast<std::uint32_t>(plan_.paths.size());
        add_release(constraint.release, tie);

        PlannedPath planned;
        planned.kind = path.kind;
        planned.scene_path = constraint.path.index;
        planned.frame = frame_of_.at(path.frame.index);
        planned.walk = add_walk(planned.frame);
        planned.is_constant = true;
        planned.values.count = path.points.count;
        std::vector<std::uint32_t> values;
        for (std::uint32_t k = 0; k < path.points.count; ++k) {
            values.push_back(add_value(scene_.values[path.points.first + k]));
            planned.is_constant =
                planned.is_constant && plan_.values[values.back()].source == ValueSource::constant;
        }
        planned.values.first = static_cast<std::uint32_t>(plan_.path_values.size());
        plan_.path_values.insert(plan_.path_values.end(), values.begin(), values.end());
        std::vector<std::uint32_t> terms;
        append_partials(tie.b, terms);
        terms.insert(terms.end(), plan_.walk_columns.begin() + planned.walk.first,
                     plan_.walk_columns.begin() + planned.walk.end());
        for (const std::uint32_t value : values)
            append_value(value, terms);
        if (path.kind != PathKind::point) {
            planned.column = next_path_column_++;
            terms.push_back(planned.column);
        }
        plan_.paths.push_back(planned);
        add_tie_rows(tie, terms);
    }

    /// A tie that can hold a coordinate where it is.
    std::uint32_t add_coordinate_tie(std::uint32_t column)
    {
        PlannedTie tie;
        tie.kind = TieKind::coordinate;
        tie.statement = kNoIndex;
        tie.release = plan_.memory_size++;
        tie.place = plan_.memory_size++;
        add_tie_rows(tie, {column});
        return static_cast<std::uint32_t>(plan_.ties.size() - 1);
    }

    void add_stops()
    {
        for (const std::uint32_t i : parts_.limits) {
            const CoordinateLimit& limit = scene_.coordinate_limits[i];
            const std::uint32_t column = column_of_.at(limit.coordinate.index);
            plan_.limits.push_back(
                {column, add_coordinate_tie(column), limit.low, limit.high, limit.bounce});
        }
        for (const std::uint32_t i : parts_.frictions) {
            const CoordinateFriction& friction = scene_.coordinate_frictions[i];
            const std::uint32_t column = column_of_.at(friction.coordinate.index);
            const std::uint32_t tie = add_coordinate_tie(column);
            plan_.frictions.push_back({column, tie, add_value(friction.most), plan_.memory_size++});
        }
    }

    void add_events()
    {
        for (const std::uint32_t i : parts_.events) {
            const Event& event = scene_.events[i];
            PlannedEvent planned{.event = i, .time = plan_.memory_size++};
            if (is_known_to_linkages(scene_, event.condition))
                planned.condition = add_value(event.condition);
            for (const Event::RateSet& set : event.rates)
                planned.rates.push_back({column_of_.at(set.coordinate.index), add_value(set.rate)});
            plan_.events.push_back(std::move(planned));
        }
    }

    /// Of values that move something; what forces depend on may jump.
    void add_kinks_of_state()
    {
        std::vector<std::uint32_t> moving = plan_.path_values;
        for (const PlannedTransformation& t : plan_.transformations)
            moving.push_back(t.value);
        for (const PlannedTie& tie : plan_.ties)
            if (tie.length != kNoIndex)
                moving.push_back(tie.length);
        std::vector<std::uint32_t> formulas;
        for (const std::uint32_t value : moving) {
            if (plan_.values[value].source != ValueSource::general)
                continue;
            const auto found = find_switches_of_state(scene_, plan_.values[value].value);
            formulas.insert(formulas.end(), found.begin(), found.end());
        }
        std::sort(formulas.begin(), formulas.end());
        formulas.erase(std::unique(formulas.begin(), formulas.end()), formulas.end());
        for (const std::uint32_t i : formulas) {
            const Formula& formula = scene_.formulas[i];
            plan_.kinks.push_back({formula.operation, add_value(formula.a), add_value(formula.b)});
        }
    }

    void add_forces()
    {
        for (const std::uint32_t i : parts_.point_springs) {
            const PointSpring& s = scene_.point_springs[i];
            plan_.point_springs.push_back({add_point(s.a, {0, 0, 0}), add_point(s.b, {0, 0, 0}),
                                           add_value(s.rest_length), add_value(s.stiffness),
                                           add_value(s.damping)});
        }
        for (const std::uint32_t i : parts_.coordinate_springs) {
            const CoordinateSpring& s = scene_.coordinate_springs[i];
            plan_.coordinate_springs.push_back({column_of_.at(s.coordinate.index),
                                                add_value(s.rest_length), add_value(s.stiffness),
                                                add_value(s.damping),
                                                s.follows ? add_value(s.most) : kNoIndex});
        }
        for (const std::uint32_t i : parts_.forces) {
            const Force& f = scene_.forces[i];
            plan_.forces.push_back({add_point(f.object, {0, 0, 0}), frame_of_.at(f.frame.index),
                                    add_value(f.x), add_value(f.y), add_value(f.z)});
        }
        for (const std::uint32_t i : parts_.torques)
            plan_.torques.push_back({column_of_.at(scene_.torques[i].coordinate.index),
                                     add_value(scene_.torques[i].value)});
        for (const std::uint32_t i : parts_.turn_torques) {
            const TurnTorque& t = scene_.turn_torques[i];
            const std::uint32_t column = column_of_.at(t.turn.index);
            const auto turn = std::ranges::find_if(
                plan_.turns, [&](const PlannedTurn& each) { return each.columns[0] == column; });
            plan_.turn_torques.push_back({static_cast<std::uint32_t>(turn - plan_.turns.begin()),
                                          add_value(t.x), add_value(t.y), add_value(t.z),
                                          add_value(t.stiffness), add_value(t.damping)});
        }
        for (const std::uint32_t i : parts_.drags)
            plan_.drags.push_back({add_point(scene_.drags[i].object, {0, 0, 0}),
                                   add_value(scene_.drags[i].coefficient)});
        const Settings& settings = scene_.settings;
        plan_.gravity[0] = add_value(settings.gravity_x);
        plan_.gravity[1] = add_value(settings.gravity_y);
        plan_.gravity[2] = add_value(settings.gravity_z);
    }

    void add_sites()
    {
        std::vector<ObjectId> objects;
        for (const std::uint32_t i : parts_.masses)
            objects.push_back(scene_.masses[i].object);
        for (const std::uint32_t i : parts_.box_masses)
            objects.push_back(scene_.box_masses[i].object);
        for (const std::uint32_t i : parts_.labels)
            objects.push_back(scene_.labels[i].object);
        objects.insert(objects.end(), parts_.held.begin(), parts_.held.end());
        std::sort(objects.begin(), objects.end());
        objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
        for (const ObjectId object : objects)
            plan_.sites.push_back({object, add_point(object, {0, 0, 0})});
    }

    /// Not part of the mechanism's extent: measured before.
    void add_axes()
    {
        const std::vector<ObjectId>& held = parts_.held;
        for (PlannedSite& site : plan_.sites)
            if (std::find(held.begin(), held.end(), site.object) != held.end() &&
                plan_.frames[frame_of_.at(site.object.index)].is_rigid)
                site.axes = {add_point(site.object, {1, 0, 0}), add_point(site.object, {0, 1, 0}),
                             add_point(site.object, {0, 0, 1})};
    }

    void find_gimbals()
    {
        for (const PlannedFrame& frame : plan_.frames) {
            std::vector<std::uint32_t> turns; // one behind the other, with nothing in between
            for (std::uint32_t i = frame.transformations.first; i < frame.transformations.end();
                 ++i) {
                const PlannedTransformation& t = plan_.transformations[i];
                const bool is_turn = t.kind >= TransformationKind::rotate_x &&
                                     t.kind <= TransformationKind::rotate_z;
                if (!is_turn)
                    turns.clear();
                else if (plan_.values[t.value].source == ValueSource::coordinate)
                    turns.push_back(i);
                if (frame.is_rigid && turns.size() >= 3)
                    plan_.gimbals.push_back({turns[turns.size() - 3], turns.back()});
            }
        }
    }

    // ------------------------------------------------------------ times and sizes

    void collect_key_times()
    {
        std::vector<double>& times = plan_.key_times;
        std::vector<double> kinks;
        for (const PlannedValue& value : plan_.values)
            if (value.source == ValueSource::known || value.source == ValueSource::general) {
                const std::vector<double> own = key_times(scene_, value.value);
                times.insert(times.end(), own.begin(), own.end());
                const std::vector<double> switches = find_kinks(scene_, value.value);
                kinks.insert(kinks.end(), switches.begin(), switches.end());
            }
        for (const PlannedTie& tie : plan_.ties) {
            for (const ZeroWindow& window : tie.windows) {
                times.push_back(window.begin);
                times.push_back(window.end);
            }
            if (tie.kind == TieKind::coordinate)
                continue;
            if (const auto until = release_of(scene_, tie.statement).until)
                times.push_back(*until);
        }
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        add_kinks(kinks);
    }

    /// Kinks are known to rounding: those at one time, or at that of a key, are one. As two they
    /// would each give the whole impulse.
    void add_kinks(std::vector<double>& kinks)
    {
        constexpr double kSame = 2e-13;
        std::vector<double>& times = plan_.key_times;
        const std::size_t keys = times.size();
        const auto is_near = [](double a, double b) {
            return abs(a - b) <= kSame * max(abs(b), 1.0);
        };
        std::sort(kinks.begin(), kinks.end());
        for (const double t : kinks) {
            const auto first = times.begin(), last = first + std::ptrdiff_t(keys);
            const auto next = std::lower_bound(first, last, t);
            const bool is_key = (next != last && is_near(*next, t)) ||
                                (next != first && is_near(*(next - 1), t)) ||
                                (times.size() > keys && is_near(times.back(), t));
            if (!is_key)
                times.push_back(t);
        }
        std::sort(times.begin(), times.end());
    }

    void measure()
    {
        Box box;
        for (const PlannedPoint& point : plan_.points)
            box.add(apply(start_.frame(plan_.frames[point.frame].object), point.local));
        for (const PlannedPath& path : plan_.paths)
            for (std::uint32_t i = 0; path.is_constant && i < path.values.count; i += 3) {
                const auto number = [&](std::uint32_t k) {
                    return plan_.values[plan_.path_values[path.values.first + i + k]].value.number;
                };
                box.add(apply(start_.frame(plan_.frames[path.frame].object),
                              Vec3{number(0), number(1), number(2)}));
            }
        plan_.extent = box.size() > 1e-9 ? box.size() : 1; // a single point: a metre
        plan_.column_scale.assign(plan_.state_size(), 1);
        plan_.is_length.assign(plan_.state_size(), false);
        for (const PlannedTransformation& t : plan_.transformations) {
            const Range columns = plan_.values[t.value].columns;
            for (std::uint32_t c = columns.first; c < columns.end(); ++c)
                if (plan_.value_columns[c] < plan_.coordinates.size() &&
                    t.kind <= TransformationKind::translate_z) {
                    plan_.column_scale[plan_.value_columns[c]] = plan_.extent;
                    plan_.is_length[plan_.value_columns[c]] = true;
                }
        }
    }

    const Scene& scene_;
    const LinkageParts& parts_;
    const Kinematics& start_;
    LinkagePlan plan_;
    std::uint32_t next_path_column_ = 0;
    std::unordered_map<std::uint32_t, std::uint32_t> column_of_, frame_of_;
    std::map<std::tuple<std::uint32_t, double, double, double>, std::uint32_t> point_of_;
};

} // namespace

LinkagePlan make_plan(const Scene& scene, const LinkageParts& parts)
{
    std::vector<double> start;
    for (const Coordinate& coordinate : scene.coordinates)
        start.push_back(coordinate.initial);
    return make_plan(scene, parts, Kinematics(scene, start, scene.settings.start));
}

LinkagePlan make_plan(const Scene& scene, const LinkageParts& parts, const Kinematics& start)
{
    return Planner(scene, parts, start).make();
}

std::optional<Problem> find_crowd(const LinkagePlan& plan)
{
    constexpr std::size_t kMost = 200;
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> crowds;
    for (const PlannedRow& row : plan.rows)
        if (row.statement != kNoIndex)
            crowds[{plan.row_columns.begin() + row.columns.first,
                    plan.row_columns.begin() + row.columns.end()}]
                .push_back(row.statement);
    for (const auto& [columns, statements] : crowds)
        if (statements.size() > kMost + 3 * columns.size()) {
            const Scene& scene = *plan.scene;
            const std::uint32_t extra = statements[columns.size()];
            const std::size_t distances = scene.distance_constraints.size();
            const ObjectId held = extra < distances
                                      ? scene.distance_constraints[extra].b
                                      : scene.path_constraints[extra - distances].point;
            const std::string count = std::to_string(columns.size());
            return make_problem(scene, Severity::error, "too-many-constraints",
                                statement_origin(scene, extra), "constraints",
                                std::to_string(statements.size()) + " equations hold '" +
                                    object_names(scene)[held.index] + "' by the same " + count +
                                    (columns.size() == 1 ? " coordinate" : " coordinates") +
                                    ": at most " + count + " can be independent",
                                "keep one constraint for each direction that is to be held");
        }
    return std::nullopt;
}

} // namespace sinew

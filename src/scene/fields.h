#pragma once

// The fields of everything a Scene is made of, listed once: the fingerprint, equality and the check
// that every number is finite are visitors. A new field is added here and is part of all of them.

#include "sinew/scene.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sinew {

/// Names of fields with blanks between them, in the order of the fingerprint. A `+` before a name:
/// it is newer than some recordings, and part of the fingerprint only where it is not as usual.
template <class... Members>
struct FieldList {
    std::string_view names;
    std::tuple<Members...> members;
};

template <class... Members>
consteval FieldList<Members...> fields(std::string_view names, Members... members)
{
    std::size_t count = 1;
    for (const char c : names)
        count += c == ' ';
    if (count != sizeof...(Members))
        std::abort(); // does not compile: a name for every member
    return {names, {members...}};
}

template <class T>
inline constexpr std::nullptr_t kFields = nullptr;

template <>
inline constexpr auto kFields<Origin> =
    fields("file offset length", &Origin::file, &Origin::offset, &Origin::length);
template <>
inline constexpr auto kFields<SourceFile> =
    fields("name text", &SourceFile::name, &SourceFile::text);
template <>
inline constexpr auto kFields<Value> = fields("number formula", &Value::number, &Value::formula);
template <>
inline constexpr auto kFields<Formula> =
    fields("operation axis index frame a b", &Formula::operation, &Formula::axis, &Formula::index,
           &Formula::frame, &Formula::a, &Formula::b);
template <>
inline constexpr auto kFields<Key> = fields("value at easing", &Key::value, &Key::at, &Key::easing);
template <>
inline constexpr auto kFields<Track> = fields("along keys origin +repeats", &Track::along,
                                              &Track::keys, &Track::origin, &Track::repeats);
template <>
inline constexpr auto kFields<Parameter> =
    fields("name value low high text origin", &Parameter::name, &Parameter::value, &Parameter::low,
           &Parameter::high, &Parameter::text, &Parameter::origin);
template <>
inline constexpr auto kFields<Coordinate> =
    fields("name initial initial_rate origin +kind", &Coordinate::name, &Coordinate::initial,
           &Coordinate::initial_rate, &Coordinate::origin, &Coordinate::kind);
template <>
inline constexpr auto kFields<Import> = fields("name origin", &Import::name, &Import::origin);
template <>
inline constexpr auto kFields<ValueList> =
    fields("first count", &ValueList::first, &ValueList::count);
template <>
inline constexpr auto kFields<Transformation> = fields(
    "kind amount origin", &Transformation::kind, &Transformation::amount, &Transformation::origin);
template <>
inline constexpr auto kFields<Object> =
    fields("name index ordinal is_anonymous parent on end first_transformation "
           "transformation_count origin",
           &Object::name, &Object::index, &Object::ordinal, &Object::is_anonymous, &Object::parent,
           &Object::on, &Object::end, &Object::first_transformation, &Object::transformation_count,
           &Object::origin);
template <>
inline constexpr auto kFields<Path> =
    fields("kind frame points origin", &Path::kind, &Path::frame, &Path::points, &Path::origin);
template <>
inline constexpr auto kFields<Mass> =
    fields("object mass origin", &Mass::object, &Mass::mass, &Mass::origin);
template <>
inline constexpr auto kFields<BoxMass> = fields("object mass size origin", &BoxMass::object,
                                                &BoxMass::mass, &BoxMass::size, &BoxMass::origin);
template <>
inline constexpr auto kFields<Label> = fields("object origin", &Label::object, &Label::origin);
template <>
inline constexpr auto kFields<Drawing> =
    fields("kind object points path origin +name", &Drawing::kind, &Drawing::object,
           &Drawing::points, &Drawing::path, &Drawing::origin, &Drawing::name);
template <>
inline constexpr auto kFields<Colour> =
    fields("object rgb origin", &Colour::object, &Colour::rgb, &Colour::origin);
template <>
inline constexpr auto kFields<Look> =
    fields("roughness metal transparency translucency sheen glow relief variation pattern",
           &Look::roughness, &Look::metal, &Look::transparency, &Look::translucency, &Look::sheen,
           &Look::glow, &Look::relief, &Look::variation, &Look::pattern);
template <>
inline constexpr auto kFields<ObjectLook> =
    fields("object look colour origin", &ObjectLook::object, &ObjectLook::look, &ObjectLook::colour,
           &ObjectLook::origin);
template <>
inline constexpr auto kFields<Children> =
    fields("count clump frizz taper ragged spread radius seed", &Children::count, &Children::clump,
           &Children::frizz, &Children::taper, &Children::ragged, &Children::spread,
           &Children::radius, &Children::seed);
template <>
inline constexpr auto kFields<TreeChildren> = fields(
    "tree children origin", &TreeChildren::tree, &TreeChildren::children, &TreeChildren::origin);
template <>
inline constexpr auto kFields<Studio> =
    fields("sky floor ground azimuth elevation softness light backdrop aperture focus shutter",
           &Studio::sky, &Studio::floor, &Studio::ground, &Studio::azimuth, &Studio::elevation,
           &Studio::softness, &Studio::light, &Studio::backdrop, &Studio::aperture, &Studio::focus,
           &Studio::shutter);
template <>
inline constexpr auto kFields<Force> =
    fields("object frame x y z origin", &Force::object, &Force::frame, &Force::x, &Force::y,
           &Force::z, &Force::origin);
template <>
inline constexpr auto kFields<Torque> =
    fields("coordinate value origin", &Torque::coordinate, &Torque::value, &Torque::origin);
template <>
inline constexpr auto kFields<Drag> =
    fields("object coefficient origin", &Drag::object, &Drag::coefficient, &Drag::origin);
template <>
inline constexpr auto kFields<Field> = fields("frame x y z on origin", &Field::frame, &Field::x,
                                              &Field::y, &Field::z, &Field::on, &Field::origin);
template <>
inline constexpr auto kFields<Release> =
    fields("until breaks beyond active ease", &Release::until, &Release::breaks, &Release::beyond,
           &Release::active, &Release::ease);
template <>
inline constexpr auto kFields<DistanceConstraint> =
    fields("a b distance +path +release origin", &DistanceConstraint::a, &DistanceConstraint::b,
           &DistanceConstraint::distance, &DistanceConstraint::path, &DistanceConstraint::release,
           &DistanceConstraint::origin);
template <>
inline constexpr auto kFields<PathConstraint> =
    fields("point path +release origin", &PathConstraint::point, &PathConstraint::path,
           &PathConstraint::release, &PathConstraint::origin);
template <>
inline constexpr auto kFields<PointSpring> =
    fields("a b rest_length stiffness damping +release origin", &PointSpring::a, &PointSpring::b,
           &PointSpring::rest_length, &PointSpring::stiffness, &PointSpring::damping,
           &PointSpring::release, &PointSpring::origin);
template <>
inline constexpr auto kFields<CoordinateSpring> =
    fields("coordinate rest_length stiffness damping origin +follows +most",
           &CoordinateSpring::coordinate, &CoordinateSpring::rest_length,
           &CoordinateSpring::stiffness, &CoordinateSpring::damping, &CoordinateSpring::origin,
           &CoordinateSpring::follows, &CoordinateSpring::most);
template <>
inline constexpr auto kFields<TurnTorque> =
    fields("turn x y z stiffness damping origin", &TurnTorque::turn, &TurnTorque::x, &TurnTorque::y,
           &TurnTorque::z, &TurnTorque::stiffness, &TurnTorque::damping, &TurnTorque::origin);
template <>
inline constexpr auto kFields<CoordinateLimit> =
    fields("coordinate low high bounce origin", &CoordinateLimit::coordinate, &CoordinateLimit::low,
           &CoordinateLimit::high, &CoordinateLimit::bounce, &CoordinateLimit::origin);
template <>
inline constexpr auto kFields<CoordinateFriction> =
    fields("coordinate most origin", &CoordinateFriction::coordinate, &CoordinateFriction::most,
           &CoordinateFriction::origin);
template <>
inline constexpr auto kFields<Event::RateSet> =
    fields("coordinate rate", &Event::RateSet::coordinate, &Event::RateSet::rate);
template <>
inline constexpr auto kFields<Event> =
    fields("time condition rates repeats origin", &Event::time, &Event::condition, &Event::rates,
           &Event::repeats, &Event::origin);
template <>
inline constexpr auto kFields<Joint> =
    fields("kind a b frame point other axis low high breaks motor_force motor distance "
           "+breaks_torque +until +active +cone +twist +target +stiffness +damping +friction "
           "origin",
           &Joint::kind, &Joint::a, &Joint::b, &Joint::frame, &Joint::point, &Joint::other,
           &Joint::axis, &Joint::low, &Joint::high, &Joint::breaks, &Joint::motor_force,
           &Joint::motor, &Joint::distance, &Joint::breaks_torque, &Joint::until, &Joint::active,
           &Joint::cone, &Joint::twist, &Joint::target, &Joint::stiffness, &Joint::damping,
           &Joint::friction, &Joint::origin);
template <>
inline constexpr auto kFields<StrandConstraint> =
    fields("kind a b path frame distance ease low high axis x y z stiffness damping active origin",
           &StrandConstraint::kind, &StrandConstraint::a, &StrandConstraint::b,
           &StrandConstraint::path, &StrandConstraint::frame, &StrandConstraint::distance,
           &StrandConstraint::ease, &StrandConstraint::low, &StrandConstraint::high,
           &StrandConstraint::axis, &StrandConstraint::x, &StrandConstraint::y,
           &StrandConstraint::z, &StrandConstraint::stiffness, &StrandConstraint::damping,
           &StrandConstraint::active, &StrandConstraint::origin);
template <>
inline constexpr auto kFields<RodConstraint> =
    fields("kind a b path frame tangent end is_at_most is_at_least is_oriented from friction "
           "viscous slide distance direction low high stiffness damping +radius +torque +stored "
           "+turns +is_last angle release origin",
           &RodConstraint::kind, &RodConstraint::a, &RodConstraint::b, &RodConstraint::path,
           &RodConstraint::frame, &RodConstraint::tangent, &RodConstraint::end,
           &RodConstraint::is_at_most, &RodConstraint::is_at_least, &RodConstraint::is_oriented,
           &RodConstraint::from, &RodConstraint::friction, &RodConstraint::viscous,
           &RodConstraint::slide, &RodConstraint::distance, &RodConstraint::direction,
           &RodConstraint::low, &RodConstraint::high, &RodConstraint::stiffness,
           &RodConstraint::damping, &RodConstraint::radius, &RodConstraint::torque,
           &RodConstraint::stored, &RodConstraint::turns, &RodConstraint::is_last,
           &RodConstraint::angle, &RodConstraint::release, &RodConstraint::origin);
template <>
inline constexpr auto kFields<TriangleMesh> =
    fields("vertices triangles", &TriangleMesh::vertices, &TriangleMesh::triangles);
template <>
inline constexpr auto kFields<MotionChannel> =
    fields("way width times values", &MotionChannel::way, &MotionChannel::width,
           &MotionChannel::times, &MotionChannel::values);
template <>
inline constexpr auto kFields<MeshMotion::Node> =
    fields("parent translated turned scaled matrix translation rotation scale",
           &MeshMotion::Node::parent, &MeshMotion::Node::translated, &MeshMotion::Node::turned,
           &MeshMotion::Node::scaled, &MeshMotion::Node::matrix, &MeshMotion::Node::translation,
           &MeshMotion::Node::rotation, &MeshMotion::Node::scale);
template <>
inline constexpr auto kFields<MeshMotion::Skin> =
    fields("nodes to_node", &MeshMotion::Skin::nodes, &MeshMotion::Skin::to_node);
template <>
inline constexpr auto kFields<MeshMotion::Part> =
    fields("first count node skin mixed shares forms", &MeshMotion::Part::first,
           &MeshMotion::Part::count, &MeshMotion::Part::node, &MeshMotion::Part::skin,
           &MeshMotion::Part::mixed, &MeshMotion::Part::shares, &MeshMotion::Part::forms);
template <>
inline constexpr auto kFields<MeshMotion> =
    fields("mesh begin speed scale corners joints weights parts nodes skins channels",
           &MeshMotion::mesh, &MeshMotion::begin, &MeshMotion::speed, &MeshMotion::scale,
           &MeshMotion::corners, &MeshMotion::joints, &MeshMotion::weights, &MeshMotion::parts,
           &MeshMotion::nodes, &MeshMotion::skins, &MeshMotion::channels);
template <>
inline constexpr auto kFields<RigidBody> =
    fields("object density mass velocity spin +gravity +damping +spin_damping +is_asleep "
           "origin",
           &RigidBody::object, &RigidBody::density, &RigidBody::mass, &RigidBody::velocity,
           &RigidBody::spin, &RigidBody::gravity, &RigidBody::damping, &RigidBody::spin_damping,
           &RigidBody::is_asleep, &RigidBody::origin);
template <>
inline constexpr auto kFields<MassPlacement> =
    fields("object centre moments origin", &MassPlacement::object, &MassPlacement::centre,
           &MassPlacement::moments, &MassPlacement::origin);
template <>
inline constexpr auto kFields<Shape> =
    fields("kind body frame mesh radius length offset size origin", &Shape::kind, &Shape::body,
           &Shape::frame, &Shape::mesh, &Shape::radius, &Shape::length, &Shape::offset,
           &Shape::size, &Shape::origin);
template <>
inline constexpr auto kFields<Material> =
    fields("object friction bounce rolling +sliding origin", &Material::object, &Material::friction,
           &Material::bounce, &Material::rolling, &Material::sliding, &Material::origin);
template <>
inline constexpr auto kFields<Belt> =
    fields("object x y z origin", &Belt::object, &Belt::x, &Belt::y, &Belt::z, &Belt::origin);
template <>
inline constexpr auto kFields<MaterialPair> =
    fields("a b friction bounce rolling +sliding origin", &MaterialPair::a, &MaterialPair::b,
           &MaterialPair::friction, &MaterialPair::bounce, &MaterialPair::rolling,
           &MaterialPair::sliding, &MaterialPair::origin);
template <>
inline constexpr auto kFields<MeetingPair> =
    fields("a b meeting origin", &MeetingPair::a, &MeetingPair::b, &MeetingPair::meeting,
           &MeetingPair::origin);
template <>
inline constexpr auto kFields<BodyTorque> =
    fields("object frame x y z origin", &BodyTorque::object, &BodyTorque::frame, &BodyTorque::x,
           &BodyTorque::y, &BodyTorque::z, &BodyTorque::origin);
template <>
inline constexpr auto kFields<StrandTree> =
    fields("object has_zero_gravity_rest velocity spin time_scale local_dynamics blend freeze "
           "reference origin",
           &StrandTree::object, &StrandTree::has_zero_gravity_rest, &StrandTree::velocity,
           &StrandTree::spin, &StrandTree::time_scale, &StrandTree::local_dynamics,
           &StrandTree::blend, &StrandTree::freeze, &StrandTree::reference, &StrandTree::origin);
template <>
inline constexpr auto kFields<StrandCurve> =
    fields("tree object path segments from from_along root origin", &StrandCurve::tree,
           &StrandCurve::object, &StrandCurve::path, &StrandCurve::segments, &StrandCurve::from,
           &StrandCurve::from_along, &StrandCurve::root, &StrandCurve::origin);
template <>
inline constexpr auto kFields<StrandProperty> =
    fields("kind tree curve a b origin", &StrandProperty::kind, &StrandProperty::tree,
           &StrandProperty::curve, &StrandProperty::a, &StrandProperty::b, &StrandProperty::origin);
template <>
inline constexpr auto kFields<StrandSite> =
    fields("object curve along origin", &StrandSite::object, &StrandSite::curve, &StrandSite::along,
           &StrandSite::origin);
template <>
inline constexpr auto kFields<StrandPose> =
    fields("tree curve path strength damping origin", &StrandPose::tree, &StrandPose::curve,
           &StrandPose::path, &StrandPose::strength, &StrandPose::damping, &StrandPose::origin);
template <>
inline constexpr auto kFields<Skin> = fields("triangles times vertices origin", &Skin::triangles,
                                             &Skin::times, &Skin::vertices, &Skin::origin);
template <>
inline constexpr auto kFields<StrandRoot> = fields(
    "skin triangle u v", &StrandRoot::skin, &StrandRoot::triangle, &StrandRoot::u, &StrandRoot::v);
template <>
inline constexpr auto kFields<Rod> =
    fields("object path kind spans radius young poisson density damping drag_along drag_across "
           "+stretch_stiffness +bend_stiffness +twist_stiffness +mass_per_length "
           "+stretch_damping +bend_damping +twist_damping rest_length is_straight rest_path "
           "velocity spin friction bounce contact begin end whole origin",
           &Rod::object, &Rod::path, &Rod::kind, &Rod::spans, &Rod::radius, &Rod::young,
           &Rod::poisson, &Rod::density, &Rod::damping, &Rod::drag_along, &Rod::drag_across,
           &Rod::stretch_stiffness, &Rod::bend_stiffness, &Rod::twist_stiffness,
           &Rod::mass_per_length, &Rod::stretch_damping, &Rod::bend_damping, &Rod::twist_damping,
           &Rod::rest_length, &Rod::is_straight, &Rod::rest_path, &Rod::velocity, &Rod::spin,
           &Rod::friction, &Rod::bounce, &Rod::contact, &Rod::begin, &Rod::end, &Rod::whole,
           &Rod::origin);
template <>
inline constexpr auto kFields<RodSite> = fields("object rod along origin", &RodSite::object,
                                                &RodSite::rod, &RodSite::along, &RodSite::origin);
template <>
inline constexpr auto kFields<RodCut> =
    fields("site when origin", &RodCut::site, &RodCut::when, &RodCut::origin);
template <>
inline constexpr auto kFields<Air> =
    fields("kind frame size period behind seed x y z strength weight point axis on origin",
           &Air::kind, &Air::frame, &Air::size, &Air::period, &Air::behind, &Air::seed, &Air::x,
           &Air::y, &Air::z, &Air::strength, &Air::weight, &Air::point, &Air::axis, &Air::on,
           &Air::origin);
template <>
inline constexpr auto kFields<CameraKey> =
    fields("time position target", &CameraKey::time, &CameraKey::position, &CameraKey::target);
template <>
inline constexpr auto kFields<Camera> =
    fields("position target field_of_view frame keys origin", &Camera::position, &Camera::target,
           &Camera::field_of_view, &Camera::frame, &Camera::keys, &Camera::origin);
template <>
inline constexpr auto kFields<BodySettings> =
    fields("method iterations has_shock smoothing substeps may_sleep", &BodySettings::method,
           &BodySettings::iterations, &BodySettings::has_shock, &BodySettings::smoothing,
           &BodySettings::substeps, &BodySettings::may_sleep);
template <>
inline constexpr auto kFields<StrandSettings> =
    fields("method is_float tolerance has_numerical_jacobian friction touch_each_other",
           &StrandSettings::method, &StrandSettings::is_float, &StrandSettings::tolerance,
           &StrandSettings::has_numerical_jacobian, &StrandSettings::friction,
           &StrandSettings::touch_each_other);
template <>
inline constexpr auto kFields<RodSettings> =
    fields("iterations contact solver tolerance is_quasi_static", &RodSettings::iterations,
           &RodSettings::contact, &RodSettings::solver, &RodSettings::tolerance,
           &RodSettings::is_quasi_static);
template <>
inline constexpr auto kFields<Settings> =
    fields("gravity_x gravity_y gravity_z frame_rate start end step assemble linkage_method bodies "
           "camera strands settle rods simulate_origin",
           &Settings::gravity_x, &Settings::gravity_y, &Settings::gravity_z, &Settings::frame_rate,
           &Settings::start, &Settings::end, &Settings::step, &Settings::assemble,
           &Settings::linkage_method, &Settings::bodies, &Settings::camera, &Settings::strands,
           &Settings::settle, &Settings::rods, &Settings::simulate_origin);
template <>
inline constexpr auto kFields<Scene> =
    fields("files assets settings parameters coordinates imports formulas tracks values "
           "transformations objects paths masses box_masses labels drawings distance_constraints "
           "path_constraints point_springs coordinate_springs forces torques drags fields colours "
           "bodies shapes meshes +mesh_motions materials material_pairs +belts +meetings "
           "+mass_placements +body_torques joints "
           "trees strands "
           "strand_properties strand_sites strand_poses strand_constraints skins strand_roots airs "
           "rods rod_sites rod_constraints +rod_cuts +turn_torques +coordinate_limits "
           "+coordinate_frictions +events +looks +children +studio +still",
           &Scene::files, &Scene::assets, &Scene::settings, &Scene::parameters, &Scene::coordinates,
           &Scene::imports, &Scene::formulas, &Scene::tracks, &Scene::values,
           &Scene::transformations, &Scene::objects, &Scene::paths, &Scene::masses,
           &Scene::box_masses, &Scene::labels, &Scene::drawings, &Scene::distance_constraints,
           &Scene::path_constraints, &Scene::point_springs, &Scene::coordinate_springs,
           &Scene::forces, &Scene::torques, &Scene::drags, &Scene::fields, &Scene::colours,
           &Scene::bodies, &Scene::shapes, &Scene::meshes, &Scene::mesh_motions, &Scene::materials,
           &Scene::material_pairs, &Scene::belts, &Scene::meetings, &Scene::mass_placements,
           &Scene::body_torques, &Scene::joints, &Scene::trees, &Scene::strands,
           &Scene::strand_properties, &Scene::strand_sites, &Scene::strand_poses,
           &Scene::strand_constraints, &Scene::skins, &Scene::strand_roots, &Scene::airs,
           &Scene::rods, &Scene::rod_sites, &Scene::rod_constraints, &Scene::rod_cuts,
           &Scene::turn_torques, &Scene::coordinate_limits, &Scene::coordinate_frictions,
           &Scene::events, &Scene::looks, &Scene::children, &Scene::studio, &Scene::still);

template <class T>
concept HasFields =
    !std::is_same_v<decltype(kFields<std::remove_const_t<T>>), const std::nullptr_t>;

/// What a visitor is told of a field beside its value.
struct FieldName {
    std::string_view text;
    bool is_later = false;
};

/// Calls visit(name, field) for the fields of a thing; of two of a kind visit(name, field of the
/// one, field of the other).
template <class Visit, HasFields First, class... More>
void for_each_field(Visit&& visit, First& first, More&... more)
{
    constexpr const auto& list = kFields<std::remove_const_t<First>>;
    std::string_view rest = list.names;
    const auto next_name = [&rest] {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        return word.starts_with('+') ? FieldName{word.substr(1), true} : FieldName{word};
    };
    const auto show = [&](auto member) { visit(next_name(), first.*member, (more.*member)...); };
    std::apply([&](auto... members) { (show(members), ...); }, list.members);
}

/// Whether two scenes are the same; where they were written does not count.
bool is_same(const Scene& a, const Scene& b);

/// The first number of a scene that is not finite, as "bodies[3].mass"; empty: all are.
std::string find_not_finite(const Scene& scene);

} // namespace sinew

// The table of built-in words, and what each statement adds to the Scene.
//
// A new word is a new row: its name, arguments with units, meaning, example, and the function that
// carries it out. Nothing else knows the words.

#include "charli/words/words.h"
#include "charli/words/body_words.h"
#include "charli/words/constraint_words.h"
#include "charli/words/look_words.h"
#include "charli/words/rod_words.h"
#include "charli/words/strand_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace sinew::charli {

namespace {

using enum ArgumentKind;

// --- what the statements do
// -----------------------------------------------------------------------

void add_mass(const Call& call, Scene& scene)
{
    scene.masses.push_back({call.object, call.number(0), call.origin});
}

void add_box_mass(const Call& call, Scene& scene)
{
    scene.box_masses.push_back({call.object,
                                call.number(0),
                                {call.number(1), call.number(2), call.number(3)},
                                call.origin});
}

void add_label(const Call& call, Scene& scene)
{
    scene.labels.push_back({call.object, call.origin});
}

ValueList add_points(const Call& call, Scene& scene)
{
    const ValueList list{static_cast<std::uint32_t>(scene.values.size()),
                         static_cast<std::uint32_t>(call.points.size())};
    scene.values.insert(scene.values.end(), call.points.begin(), call.points.end());
    return list;
}

void add_line(const Call& call, Scene& scene)
{
    scene.drawings.push_back(
        {DrawingKind::line, call.object, add_points(call, scene), {}, call.origin});
}

void add_polygon(const Call& call, Scene& scene)
{
    scene.drawings.push_back(
        {DrawingKind::polygon, call.object, add_points(call, scene), {}, call.origin});
}

void add_path(const Call& call, Scene& scene)
{
    scene.drawings.push_back(
        {DrawingKind::path, call.object, {}, call.arguments[0].path, call.origin});
}

/// Numbers to be recorded: a drawing that is not seen, in the world's frame.
void add_probe(const Call& call, Scene& scene)
{
    const ValueList list{static_cast<std::uint32_t>(scene.values.size()), 3};
    for (std::size_t i = 1; i <= 3; ++i)
        scene.values.push_back(call.value(i));
    scene.drawings.push_back({DrawingKind::probe,
                              ObjectId{0},
                              list,
                              {},
                              call.origin,
                              std::string(call.arguments[0].text)});
}

void add_force(const Call& call, Scene& scene)
{
    scene.forces.push_back({call.arguments[0].object, call.frame, call.value(1), call.value(2),
                            call.value(3), call.origin});
}

void add_torque(const Call& call, Scene& scene)
{
    if (call.signature[0].kind == ArgumentKind::object)
        return add_body_torque(call, scene);
    if (call.signature[0].kind == ArgumentKind::turn)
        scene.turn_torques.push_back({.turn = call.arguments[0].coordinate,
                                      .x = call.value(1),
                                      .y = call.value(2),
                                      .z = call.value(3),
                                      .origin = call.origin});
    else
        scene.torques.push_back({call.arguments[0].coordinate, call.value(1), call.origin});
}

void add_motor(const Call& call, Scene& scene)
{
    scene.coordinate_springs.push_back({call.arguments[0].coordinate, call.value(1), call.value(2),
                                        call.value(3), call.origin, true, call.value(4)});
}

void add_limits(const Call& call, Scene& scene)
{
    const CoordinateId coordinate = call.arguments[0].coordinate;
    const double start = scene.coordinates[coordinate.index].initial;
    if (!(call.number(1) < call.number(2)))
        return call.fault("no-room", "the low limit is not below the high one",
                          "write limits(a, low, high)");
    if (!(call.number(1) <= start && start <= call.number(2)))
        return call.fault("start-outside", "it does not start between its limits",
                          "write its start so: initial(value, rate), or widen the limits");
    scene.coordinate_limits.push_back(
        {coordinate, call.number(1), call.number(2), call.number(3), call.origin});
}

void add_friction(const Call& call, Scene& scene)
{
    scene.coordinate_frictions.push_back(
        {call.arguments[0].coordinate, call.value(1), call.origin});
}

void add_set_rate(const Call& call, Scene&)
{
    if (!call.rates)
        return call.fault("rate-without-event", "rates are set by events only",
                          "write it inside `when ... end;`, or start with initial(value, rate)");
    call.rates->push_back({call.arguments[0].coordinate, call.value(1)});
}

void add_drag(const Call& call, Scene& scene)
{
    scene.drags.push_back({call.arguments[0].object, call.value(1), call.origin});
}

void add_field(const Call& call, Scene& scene)
{
    scene.fields.push_back({call.frame,
                            call.value(0),
                            call.value(1),
                            call.value(2),
                            {call.on.begin(), call.on.end()},
                            call.origin});
}

void set_gravity(const Call& call, Scene& scene)
{
    scene.settings.gravity_x = call.value(0);
    scene.settings.gravity_y = call.value(1);
    scene.settings.gravity_z = call.value(2);
}

void set_frame_rate(const Call& call, Scene& scene) { scene.settings.frame_rate = call.number(0); }

void set_simulate(const Call& call, Scene& scene)
{
    scene.settings.start = call.shot ? 0 : call.number(0);
    scene.settings.end = call.shot ? call.shot->end : call.number(1);
    scene.settings.step = call.number(call.shot ? 1 : 2);
    scene.settings.simulate_origin = call.origin;
}

void set_assemble(const Call&, Scene& scene) { scene.settings.assemble = true; }

void set_linkages(const Call& call, Scene& scene)
{
    if (call.has(0) && call.arguments[0].text == "charli")
        scene.settings.linkage_method = LinkageMethod::charli;
    if (call.has(0) && call.arguments[0].text == "fixed")
        scene.settings.linkage_method = LinkageMethod::fixed;
}

void set_camera(const Call& call, Scene& scene)
{
    if (call.shot) {
        const CameraKey& first = call.shot->keys.front();
        scene.settings.camera = Camera{first.position,
                                       first.target,
                                       call.shot->field_of_view,
                                       call.origin,
                                       call.object.index == 0 ? ObjectId{} : call.object,
                                       call.shot->keys};
        return;
    }
    scene.settings.camera = Camera{{call.number(0), call.number(1), call.number(2)},
                                   {call.number(3), call.number(4), call.number(5)},
                                   call.number(6),
                                   call.origin,
                                   call.object.index == 0 ? ObjectId{} : call.object,
                                   {}};
}

// --- arguments
// ------------------------------------------------------------------------------------

constexpr Range kPositive = Range::positive;
constexpr Range kNotNegative = Range::not_negative;

constexpr Argument kDistance[] = {{"distance", value, "m", "how far"}};
constexpr Argument kAngle[] = {{"angle", value, "rad", "counter-clockwise, looking down the axis"}};
constexpr Argument kThreeDistances[] = {
    {"x", value, "m", "along x"}, {"y", value, "m", "along y"}, {"z", value, "m", "along z"}};
constexpr Argument kFactor[] = {{"factor", value, "", "1 leaves the size as it is"}};
constexpr Argument kThreeFactors[] = {
    {"x", value, "", "along x"}, {"y", value, "", "along y"}, {"z", value, "", "along z"}};

constexpr Argument kMass[] = {{"mass", number, "kg", "of the point", kPositive}};
constexpr Argument kBoxMass[] = {{"mass", number, "kg", "of the block", kPositive},
                                 {"lx", number, "m", "side along x", kPositive},
                                 {"ly", number, "m", "side along y", kPositive},
                                 {"lz", number, "m", "side along z", kPositive}};
constexpr Argument kLinePoints[] = {
    {"points", points, "m", "x, y, z of both ends", Range::any, false, 0, "", 2, 2}};
constexpr Argument kPolygonPoints[] = {
    {"points", points, "m", "x, y, z of each corner", Range::any, false, 0, "", 3}};
constexpr Argument kOnePoint[] = {{"x", value, "m", "of the point"},
                                  {"y", value, "m", "of the point"},
                                  {"z", value, "m", "of the point"}};
constexpr Argument kControlPoints[] = {
    {"points", points, "m", "x, y, z of each control point", Range::any, false, 0, "", 2}};
constexpr Argument kRingPoints[] = {
    {"points", points, "m", "x, y, z of each point", Range::any, false, 0, "", 3}};
constexpr Argument kPathToDraw[] = {{"path", path, "", "what to draw"}};
constexpr Argument kForce[] = {{"a", object, "", "the object that is pushed, at its origin"},
                               {"fx", value, "N", "along x of the enclosing def"},
                               {"fy", value, "N", "along y"},
                               {"fz", value, "N", "along z"}};
constexpr Argument kTorque[] = {{"coordinate", coordinate, "", "a dynamic variable"},
                                {"torque", value, "N m", "or N if it drives a translation"}};
constexpr Argument kTurnTorque[] = {{"ball", turn, "", "a dynamic ball"},
                                    {"x", value, "N m", "about x of the frame it rotates in"},
                                    {"y", value, "N m", "about y"},
                                    {"z", value, "N m", "about z"}};
constexpr Argument kBall[] = {{"ball", turn, "", "a dynamic ball"}};
constexpr Argument kFree[] = {{"ball", turn, "", "a dynamic ball"},
                              {"x", value, "m", "along x"},
                              {"y", value, "m", "along y"},
                              {"z", value, "m", "along z"}};
constexpr Argument kUniversal[] = {{"a", value, "rad", "about x, inside"},
                                   {"b", value, "rad", "about y, outside"}};
constexpr Argument kScrew[] = {{"angle", value, "rad", "a dynamic variable or any angle"},
                               {"pitch", number, "m", "displacement per revolution"},
                               {"axis", word, "", "default z", Range::any, true, 2, "x y z"}};
constexpr Argument kFollow[] = {
    {"file", ArgumentKind::file, "", "glTF (.glb) or BVH, relative to the script"},
    {"node", text, "",
     "name of the node, joint or bone; `\"Armature/Head\"` where there are several"},
    {"begin", number, "s", "start time of the animation", Range::any, true, 0},
    {"speed", number, "", "speed of the animation", kPositive, true, 1},
    {"scale", number, "m", "metres per unit of the file", kPositive, true, 1}};
constexpr Argument kMotor[] = {
    {"coordinate", coordinate, "", "a dynamic variable"},
    {"target", value, "", "where it is to be: a number, a track, a formula"},
    {"stiffness", value, "N/m", "or N m per radian that it is off", kNotNegative},
    {"damping", value, "N s/m", "or N m s per radian, against the target's rate", kNotNegative},
    {"most", value, "N", "the largest force or torque; unlimited by default", kNotNegative, true,
     0}};
constexpr Argument kLimits[] = {
    {"coordinate", coordinate, "", "a dynamic variable"},
    {"low", number, "", "its smallest value"},
    {"high", number, "", "its largest value"},
    {"bounce", number, "", "the part of its rate that comes back", Range::unit_interval, true, 0}};
constexpr Argument kFriction[] = {
    {"coordinate", coordinate, "", "a dynamic variable"},
    {"most", value, "N", "the force, or torque, that it slips at", kNotNegative}};
constexpr Argument kSetRate[] = {{"coordinate", coordinate, "", "a dynamic variable"},
                                 {"rate", value, "", "its rate from then on"}};
constexpr Argument kSince[] = {{"event", event, "", "the name of an event"}};
constexpr Argument kDrag[] = {{"a", object, "", "the object that is slowed down"},
                              {"coefficient", value, "N s/m", "force per speed", kNotNegative}};
constexpr Argument kAcceleration[] = {{"x", value, "m/s²", "along x"},
                                      {"y", value, "m/s²", "along y"},
                                      {"z", value, "m/s²", "along z"}};

constexpr Argument kField[] = {strand_value("x", "m/s²", "along x", Range::any),
                               strand_value("y", "m/s²", "along y", Range::any),
                               strand_value("z", "m/s²", "along z", Range::any)};

constexpr Argument kFrameRate[] = {{"rate", number, "fps", "frames per second", kPositive}};
constexpr Argument kSimulate[] = {
    {"from", number, "s", "start time"},
    {"to", number, "s", "end time"},
    {"step", number, "s", "longest time step", kPositive, true, 1.0 / 240}};
constexpr Argument kLinkages[] = {
    {"method", word, "",
     "automatic: exact constraints, adaptive steps; charli: the method of the original paper; "
     "fixed: exact constraints, fixed steps",
     Range::any, true, 0, "automatic charli fixed"}};
constexpr Argument kCamera[] = {
    {"x", number, "m", "of the eye"},
    {"y", number, "m", "of the eye"},
    {"z", number, "m", "of the eye"},
    {"to_x", number, "m", "of the point looked at"},
    {"to_y", number, "m", "of the point looked at"},
    {"to_z", number, "m", "of the point looked at"},
    {"fov", number, "rad", "vertical field of view", kPositive, true, 0.6108652381980153}};
constexpr Argument kShotFile[] = {
    {"file", ArgumentKind::file, "", "glTF (.glb) with a camera, relative to the script"}};
constexpr Argument kTimingFile[] = {
    {"file", ArgumentKind::file, "", "glTF (.glb) with an animation, relative to the script"},
    {"step", number, "s", "longest time step", kPositive, true, 1.0 / 240}};
constexpr Argument kProbe[] = {{"name", text, "", "name of the row in tables"},
                               {"x", value, "", "a number, or a vector for all three"},
                               {"y", value, "", "a second number", Range::any, true, 0},
                               {"z", value, "", "a third number", Range::any, true, 0}};
constexpr Argument kEcho[] = {
    {"values", anything, "", "numbers, vectors, lists, strings", Range::any, false, 0, "", 1}};
constexpr Argument kAssert[] = {
    {"condition", number, "", "condition that must be true when the script is read"},
    {"values", anything, "", "message if it is not", Range::any, false, 0, "", 0}};
constexpr Argument kInitial[] = {
    {"value", number, "", "at the start"},
    {"rate", number, "", "rate of change at the start", Range::any, true, 0}};

constexpr Argument kInitialTurn[] = {
    {"x", number, "rad", "of a ball: the vector of its rotation, axis times angle"},
    {"y", number, "rad", ""},
    {"z", number, "rad", ""},
    {"spin_x", number, "rad/s", "its angular velocity about the axes of that frame", Range::any,
     true, 0},
    {"spin_y", number, "rad/s", "", Range::any, true, 0},
    {"spin_z", number, "rad/s", "", Range::any, true, 0}};

constexpr Argument kOneAngle[] = {{"angle", value, "rad", ""}};
constexpr Argument kX[] = {{"x", value, "", ""}};
constexpr Argument kYX[] = {{"y", value, "", ""}, {"x", value, "", ""}};
constexpr Argument kXN[] = {{"x", value, "", ""}, {"n", value, "", ""}};
constexpr Argument kRandom[] = {
    {"seed", number, "", "seed of the random sequence"},
    {"i", number, "", "index into the sequence"},
    {"low", number, "", "lower limit", Range::any, true, 0},
    {"high", number, "", "upper limit, not included", Range::any, true, 1}};
constexpr Argument kRateOf[] = {
    {"x", value, "", "a dynamic variable, or a formula or vector of coordinates and positions"}};
constexpr Argument kHeld[] = {
    {"a", object, "", "what constraints hold, or a constraint with a name"}};
constexpr Argument kNamed[] = {
    {"constraint", object, "", "a constraint with a name: `rope = dist_constraint(a, b, 1);`"}};
constexpr Argument kCarrying[] = {
    {"a", object, "", "a point of a rod, or a rod: the largest value along it"}};
constexpr Argument kPulling[] = {
    {"a", object, "",
     "a point of a rod, or a rod: the largest value along it; or a constraint with a name"}};
constexpr Argument kTouching[] = {
    {"a", object, "", "a body, obstacle, strand or rod, or a def with some"},
    {"b", object, "", "the other object; default anything", Range::any, true}};
constexpr Argument kList[] = {{"list", list, "", ""}};
constexpr Argument kVector[] = {{"v", list, "", "a vector, or an object, whose position is used"}};
constexpr Argument kTwoVectors[] = {
    {"a", list, "", "a vector, or an object, whose position is used"}, {"b", list, "", "likewise"}};
constexpr Argument kAB[] = {{"a", value, "", ""}, {"b", value, "", ""}};

constexpr auto kDistanceOnly = only(kDistance);
constexpr auto kAngleOnly = only(kAngle);
constexpr auto kThreeDistancesOnly = only(kThreeDistances);
constexpr std::array kScales = {Signature(kFactor), Signature(kThreeFactors)};
constexpr auto kMassOnly = only(kMass);
constexpr auto kBoxMassOnly = only(kBoxMass);
constexpr std::array kNoArguments = {Signature()};
constexpr auto kLinePointsOnly = only(kLinePoints);
constexpr auto kPolygonPointsOnly = only(kPolygonPoints);
constexpr auto kPathToDrawOnly = only(kPathToDraw);
constexpr auto kProbeOnly = only(kProbe);
constexpr auto kRateOnly = only(kRateOf);
constexpr auto kHeldOnly = only(kHeld);
constexpr auto kCarryingOnly = only(kCarrying);
constexpr auto kNamedOnly = only(kNamed);
constexpr auto kPullingOnly = only(kPulling);
constexpr auto kTouchingOnly = only(kTouching);
constexpr auto kEchoOnly = only(kEcho);
constexpr auto kAssertOnly = only(kAssert);
constexpr auto kRandomOnly = only(kRandom);
constexpr auto kListOnly = only(kList);
constexpr auto kVectorOnly = only(kVector);
constexpr auto kTwoVectorsOnly = only(kTwoVectors);
constexpr auto kOnePointOnly = only(kOnePoint);
constexpr auto kRingPointsOnly = only(kRingPoints);
constexpr auto kControlPointsOnly = only(kControlPoints);
constexpr auto kForceOnly = only(kForce);
constexpr std::array kTorques = {Signature(kTorque), Signature(kTurnTorque),
                                 Signature(kBodyTorque)};
constexpr auto kMotorOnly = only(kMotor);
constexpr auto kLimitsOnly = only(kLimits);
constexpr auto kFrictionOnly = only(kFriction);
constexpr auto kSetRateOnly = only(kSetRate);
constexpr auto kSinceOnly = only(kSince);
constexpr auto kBallOnly = only(kBall);
constexpr auto kFreeOnly = only(kFree);
constexpr auto kUniversalOnly = only(kUniversal);
constexpr auto kScrewOnly = only(kScrew);
constexpr auto kFollowOnly = only(kFollow);
constexpr auto kDragOnly = only(kDrag);
constexpr auto kAccelerationOnly = only(kAcceleration);
constexpr auto kFieldOnly = only(kField);
constexpr auto kFrameRateOnly = only(kFrameRate);
constexpr std::array kSimulates = {Signature(kSimulate), Signature(kTimingFile)};
constexpr auto kLinkagesOnly = only(kLinkages);
constexpr std::array kCameras = {Signature(kCamera), Signature(kShotFile)};
constexpr std::array kInitials = {Signature(kInitial), Signature(kInitialTurn)};
constexpr auto kOneAngleOnly = only(kOneAngle);
constexpr auto kXOnly = only(kX);
constexpr auto kYXOnly = only(kYX);
constexpr auto kXNOnly = only(kXN);
constexpr auto kABOnly = only(kAB);

constexpr std::uint8_t code(auto value) { return static_cast<std::uint8_t>(value); }

// --- the table
// ------------------------------------------------------------------------------------

using W = WordKind;
using T = TransformationKind;
using S = ShapeKind;
using P = StrandPropertyKind;

constexpr Word kWords[] = {
    {"translatex", W::transformation, kDistanceOnly, "Moves along x.", "bob translatex(r);",
     nullptr, code(T::translate_x)},
    {"translatey", W::transformation, kDistanceOnly, "Moves along y.", "bob translatey(2);",
     nullptr, code(T::translate_y)},
    {"translatez", W::transformation, kDistanceOnly, "Moves along z.", "bob translatez(5 cm);",
     nullptr, code(T::translate_z)},
    {"translate", W::transformation, kThreeDistancesOnly, "Moves along all three axes.",
     "bob translate(1, 2, 0);", nullptr, code(T::translate_x)},
    {"rotatex", W::transformation, kAngleOnly, "Rotates about the x axis.", "arm rotatex(30 deg);",
     nullptr, code(T::rotate_x)},
    {"rotatey", W::transformation, kAngleOnly, "Rotates about the y axis.", "arm rotatey(pi / 2);",
     nullptr, code(T::rotate_y)},
    {"rotatez", W::transformation, kAngleOnly, "Rotates about the z axis.", "arm rotatez(theta);",
     nullptr, code(T::rotate_z)},
    {"scale", W::transformation, kScales, "Scales all axes by one factor, or each by its own.",
     "square scale(0.1);", nullptr, code(T::scale)},

    {"ball", W::transformation, kBallOnly,
     "Ball joint: rotates by a `dynamic ball`, without gimbal lock.",
     "arm translatey(-0.5) ball(q);", nullptr, code(JointCode::ball)},
    {"free", W::transformation, kFreeOnly,
     "Lets an instance rotate and move freely: ball(q) translate(x, y, z).",
     "crate free(q, x, y, z);", nullptr, code(JointCode::free)},
    {"universal", W::transformation, kUniversalOnly,
     "Universal joint: rotates about two crossed axes, rotatex(a) rotatey(b).",
     "arm universal(a, b);", nullptr, code(JointCode::universal)},
    {"screw", W::transformation, kScrewOnly,
     "Screw joint: rotates about an axis and moves along it by its pitch per revolution.",
     "nut screw(turns, 2 mm);", nullptr, code(JointCode::screw)},

    {"follow", W::transformation, kFollowOnly,
     "Moves with a node of an animated file: a bone, a joint, an empty. The node's scale is left "
     "out.",
     "head follow(\"walk.glb\", \"Head\");", nullptr, code(JointCode::follow)},

    {"velocity", W::motion, kVelocityOnly,
     "Initial velocity of all bodies and strands of an instance, along the axes of the enclosing "
     "def.",
     "crate translatey(3) velocity(2, 0, 0);"},
    {"spin", W::motion, kSpinOnly,
     "Initial angular velocity of all bodies and strands of an instance, about the origin of the "
     "instance.",
     "crate translatey(3) spin(0, 0, 2);"},

    {"mass", W::primitive, kMassOnly, "A point with mass at the origin of the def.",
     "def bob mass(2); end;", add_mass},
    {"box_mass", W::primitive, kBoxMassOnly,
     "A homogeneous block with these side lengths, centred at the origin of the def.",
     "def crate box_mass(5, 1, 1, 2); end;", add_box_mass},
    {"label", W::primitive, kNoArguments, "A point without mass, to attach things to.",
     "def tip label(); end;", add_label},

    {"body", W::body, kBodyOnly,
     "Makes its def a body that forces, contacts and joints move. Give its density, or its mass.",
     "def crate body(density = 400); box(1, 1, 1); end;", add_body},
    {"obstacle", W::body, kNoArguments,
     "Makes its def an obstacle: bodies collide with it, and only tracks move it (kinematic).",
     "def ground obstacle(); plane(0, 1, 0, 0); end;", add_obstacle},
    {"material", W::body, kMaterialOnly,
     "The surface material of the body of its def. A contact has the geometric mean of both "
     "frictions, the larger bounce and the larger rolling resistance.",
     "def crate body(density = 400); box(1, 1, 1); material(friction = 0.6); end;", add_material},
    {"contact_material", W::body, kPairOnly,
     "The material of contacts between two bodies, or between the bodies of two instances; the "
     "last statement wins.",
     "contact_material(crate, ground, friction = 0.9, bounce = 0.2);", add_contact_material},
    {"touches", W::body, kTouchesOnly,
     "Switches contact between two bodies, or between the bodies of two instances, on or off; the "
     "last statement wins.",
     "touches(ghost, wall, no);", add_touches},
    {"belt", W::body, kBeltOnly,
     "Moves the surface of the body of its def like a conveyor belt: objects on it are carried "
     "along.",
     "def conveyor obstacle(); box(4, 0.2, 1); belt(0.5, 0, 0); end;", add_belt},
    {"centre_of_mass", W::body, kCentreOfMassOnly,
     "The centre of mass of the body of its def, instead of that of its shapes.",
     "def tumbler body(mass = 1); sphere(0.1); centre_of_mass(0, -0.05, 0); end;",
     add_centre_of_mass},
    {"moments_of_inertia", W::body, kMomentsOnly,
     "Principal moments of inertia of the body of its def about its centre of mass, along x, y and "
     "z of the def, instead of those of its shapes.",
     "def rotor body(mass = 1); sphere(0.1); moments_of_inertia(0.01, 0.02, 0.01); end;",
     add_moments_of_inertia},

    {"box", W::shape, kBoxOnly, "A block centred at the origin.",
     "def crate body(density = 400); box(1, 1, 1); end;", add_shape, code(S::box)},
    {"sphere", W::shape, kSphereOnly, "A ball around the origin.",
     "def ball body(density = 400); sphere(0.1); end;", add_shape, code(S::sphere)},
    {"capsule", W::shape, kCapsules,
     "A cylinder with round ends: along y and centred, or from one point to another.",
     "def pill body(density = 400); capsule(0.1, 0.4); end;", add_shape, code(S::capsule)},
    {"cylinder", W::shape, kCylinderOnly, "A cylinder along y, centred.",
     "def drum body(density = 400); cylinder(0.3, 0.8); end;", add_shape, code(S::cylinder)},
    {"ellipsoid", W::shape, kEllipsoidOnly, "An ellipsoid around the origin, by its three radii.",
     "def egg body(density = 1000); ellipsoid(0.2, 0.3, 0.2); end;", add_shape, code(S::ellipsoid)},
    {"cone", W::shape, kConeOnly,
     "A cone along y, centred: its base is half its length below the origin, its tip above.",
     "def hat body(density = 400); cone(0.3, 0.8); end;", add_shape, code(S::cone)},
    {"hull", W::shape, kHulls, "The convex hull of points, or of the vertices of a mesh.",
     "def stone body(density = 400); hull(0,0,0, 1,0,0, 0,1,0, 0,0,1); end;", add_shape,
     code(S::hull)},
    {"mesh", W::shape, kMeshOnly,
     "A surface of triangles from a file. The mesh of a body must be closed; the mesh of an "
     "obstacle may have holes, and plays the first animation of its .glb: nodes, skins and shape "
     "keys.",
     "def cow body(density = 1000); mesh(\"cow.obj\", scale = 0.01); end;", add_shape,
     code(S::mesh)},
    {"plane", W::shape, kPlaneOnly,
     "The infinite plane n·x = d, for obstacles; bodies stay on the side that n points to.",
     "def ground obstacle(); plane(0, 1, 0, 0); end;", add_plane, code(S::plane)},
    {"height_field", W::shape, kHeightFields,
     "Terrain of an obstacle over a grid centred at the origin, given by its heights: rows along "
     "z, columns along x. Or from a file with one row per line, numbers separated by commas or "
     "spaces.",
     "def hills obstacle(); height_field(3, 1, 0,0,0, 0,1,0, 0,0,0); end;", add_shape,
     code(S::height_field)},

    {"strand", W::strand, kStrandOnly,
     "A chain of rigid segments with elastic joints, clamped at its first point to the frame of "
     "its def. Repeated points of the path are merged. Several strands of a def form a tree; a "
     "named one is `tree.trunk`.",
     "def braid strand(spline(0,0,0, 0.1,-0.4,0, 0,-0.9,0), segments = 24); end;", add_strand,
     kMakesCurve},
    {"branch", W::strand, kBranchOnly, "A strand that grows out of another one of the same def.",
     "limb = branch(line(0,0,0, 1,1,0), from = trunk at 0.6 along, segments = 8);", add_branch,
     kMakesCurve},
    {"groom", W::strand, kGroomOnly,
     "Many strands at once, in the frame of the def: one for every curve of a file, or `count` "
     "strands on a surface, spread evenly over its area, always the same for the same seed. On a "
     "surface that is animated, roots move with it.",
     "def fur groom(\"scalp.obj\", count = 500, length = 12 cm, vary = 0.3, droop = 0.8); end;",
     add_groom, kReadsCurves},
    {"rod", W::strand, kRodOnly,
     "A rope, cable or bow: a curve with a round section that stretches, bends and twists. It is "
     "free unless constraints hold it. Along a closed_spline it is closed: a belt, a ring. One rod "
     "per def.",
     "def cable rod(line(0,0,0, 3,0,0), spans = 20, radius = 5 mm, young = 2e7); end;", add_rod},
    {"radius", W::strand, kStrandRadiusOnly, "The radius of the strands of a def; default 5 mm.",
     "radius({2 cm at 0 along linear 5 mm at 1 along});", add_strand_property, code(P::radius),
     true},
    {"mass_per_length", W::strand, kMassPerLengthOnly,
     "The mass of the strands of a def per length; by default it follows from density and radius.",
     "mass_per_length(0.1);", add_strand_property, code(P::mass_per_length), true},
    {"density", W::strand, kDensityOnly,
     "The density of the strands of a def, which determines their mass; default 1000.",
     "density(1300);", add_strand_property, code(P::density), true},
    {"young", W::strand, kYoungOnly,
     "Young's modulus of the strands of a def, which determines their stiffness, EI = E pi r^4 / "
     "4; default 1e6, soft rubber.",
     "young(5e9);", add_strand_property, code(P::young), true},
    {"poisson", W::strand, kPoissonOnly,
     "Poisson's ratio of the strands of a def: GJ = EI / (1 + ratio); default 0.3.",
     "poisson(0.4);", add_strand_property, code(P::poisson), true},
    {"bend_stiffness", W::strand, kBendStiffnessOnly,
     "The bending stiffness of the strands of a def, independent of the number of segments. 0 "
     "makes a chain; extremely large values are rigid.",
     "bend_stiffness({0.8 at 0 along linear 0.05 at 1 along});", add_strand_property,
     code(P::bend_stiffness), true},
    {"twist_stiffness", W::strand, kTwistStiffnessOnly,
     "The twist stiffness of the strands of a def; by default it follows from bending and "
     "Poisson's ratio.",
     "twist_stiffness(0.4);", add_strand_property, code(P::twist_stiffness), true},
    {"damping", W::strand, kDampingOnly,
     "The relaxation time of bending and twist of the strands of a def; default 0, no damping.",
     "damping(0.1);", add_strand_property, code(P::damping), true},
    {"air_drag", W::strand, kAirDragOnly,
     "The air drag of the strands of a def, per length and relative speed. Without it wind has no "
     "effect.",
     "air_drag(0.01, 0.1);", add_strand_property, code(P::air_drag), true},
    {"hinge", W::strand, kStrandHingeOnly,
     "Restricts the joints of the strands of a def to one axis of their section.", "hinge(x);",
     add_strand_hinge, code(P::hinge), true},
    {"time_scale", W::strand, kTimeScaleOnly,
     "Scales the velocity and acceleration of the base, as the tree of a def feels them.",
     "time_scale({1 at 0 sec slowinout 0.3 at 2 sec});", add_time_scale},
    {"local_dynamics", W::strand, kLocalDynamicsOnly,
     "Removes a fraction of the motion of a reference from the base motion that the tree of a def "
     "feels.",
     "local_dynamics(0.6, hip);", add_local_dynamics},
    {"pose", W::strand, kPoseOnly,
     "Pulls the strand of a def, or those after `on`, towards an animated shape by springs all "
     "along it.",
     "pose(ear_pose, strength = {0 at 0 sec slowinout 400 at 1 sec}, damping = 4);", add_pose, 0,
     true},
    {"blend", W::strand, kBlendOnly,
     "Blends the visible tree of a def between its animation and its simulation. The simulation "
     "itself is not affected.",
     "blend({0 at 0 sec slowinout 1 at 1 sec});", add_blend},
    {"freeze", W::strand, kFreezeOnly,
     "Freezes the tree of a def: it keeps its shape and moves rigidly with its base.",
     "freeze({1 at 0 sec hold 0 at 2 sec});", add_freeze},
    {"stretch", W::strand, kStretchOnly,
     "Scales the length of the strands of a def, in time and along them; their mass stays the "
     "same.",
     "stretch({1 at 0 sec slowinout 1.5 at 1 sec});", add_strand_property, code(P::stretch), true},
    {"stretch_stiffness", W::strand, kStretchStiffnessOnly,
     "Makes the strands of a def stretch under load and spring back, damped like their bending. "
     "Without it they keep their length.",
     "stretch_stiffness(40);", add_strand_property, code(P::stretch_stiffness), true},
    {"least_radius", W::strand, kLeastRadiusOnly,
     "Limits the curvature of the strands of a def to this radius, except where the rest shape is "
     "already tighter.",
     "least_radius(3 cm);", add_strand_property, code(P::least_radius), true},
    {"surface", W::strand, kSurfaceOnly,
     "The surface material of the strands or the rod of a def; default friction 0.5 and bounce 0.",
     "surface(friction = {0.2 at 0 along linear 0.8 at 1 along});", add_surface, code(P::surface),
     true},
    {"contact", W::strand, kContactOnly,
     "Switches contact of the strands or the rod of a def on where this is above 0.5; by default "
     "everywhere.",
     "contact({0 at 0 along hold 1 at 0.2 along});", add_strand_property, code(P::contact), true},
    {"children", W::strand, kChildrenOnly,
     "Hairs that are drawn around the strands of a def, their guides, in pictures and exports. "
     "They do not affect the motion.",
     "children(60, clump = 0.5, frizz = 0.1);", add_children},
    {"zero_gravity_rest", W::strand, kNoArguments,
     "Treats the drawn curve as its shape under gravity, so the strand does not sag when the "
     "simulation starts.",
     "zero_gravity_rest();", add_zero_gravity_rest},

    {"line", W::drawing, kLinePointsOnly, "Draws a straight line.",
     "line(0, 0, 0, bob_x, bob_y, 0);", add_line},
    {"polygon", W::drawing, kPolygonPointsOnly, "Draws a closed polygon.",
     "polygon(0,0,0, 1,0,0, 0,1,0) scale(0.1);", add_polygon},
    {"path", W::drawing, kPathToDrawOnly, "Draws a path.", "path(p1);", add_path},
    {"colour", W::drawing, kColours, "The colour of everything in its def.",
     "colour(0.8, 0.3, 0.1);", add_colour},
    {"color", W::drawing, kColours, "The same as `colour`.", "color(\"#c33\");", add_colour},
    {"look", W::drawing, kLooks,
     "The material of its def and of everything in it: a preset, modified by the numbers that "
     "follow it, or the numbers alone. The colour of a preset applies where no colour is given.",
     "look(wood, roughness = 0.4);", add_look},

    {"point", W::path, kOnePointOnly, "A path of a single point; it may move.",
     "p = point(0, 1, 0);", nullptr, code(PathKind::point)},
    {"line", W::path, kLinePointsOnly, "A straight path, infinite on both sides.",
     "p = line(0,0,0, 1,0,0);", nullptr, code(PathKind::line)},
    {"spline", W::path, kControlPointsOnly,
     "A clamped uniform cubic B-spline: it begins at the first point, ends at the last, and is "
     "attracted by the others. Four points make a Bézier curve.",
     "p = spline(-10,10,0, -5,0,0, 5,0,0, 10,10,0);", nullptr, code(PathKind::spline)},
    {"spline_through", W::path, kControlPointsOnly,
     "A smooth curve through all its points; speed and curvature are continuous.",
     "p = spline_through(0,0,0, 1,1,0, 2,0,0);", nullptr, code(PathKind::spline_through)},
    {"closed_spline", W::path, kRingPointsOnly,
     "A smooth closed curve through all its points, from the last back to the first. Objects on it "
     "can go round and round; a rod along it is closed.",
     "p = closed_spline(0,0,0, 1,1,0, 2,0,0, 1,-1,0);", nullptr, code(PathKind::closed_spline)},
    {"polyline", W::path, kControlPointsOnly, "Straight pieces from point to point.",
     "p = polyline(0,0,0, 1,0,0, 1,1,0);", nullptr, code(PathKind::polyline)},

    {"dist_constraint", W::constraint, kDistConstraints,
     "Keeps two objects, or an object and a point, at a distance. `until`, `breaks` and `beyond` "
     "release it, `active` switches it on and off.",
     "dist_constraint(m0, m1, 1);", add_dist_constraint},
    {"path_constraint", W::constraint, kPathConstraintOnly,
     "Keeps an object on a path, free to slide along it. `until`, `breaks` and `beyond` release a "
     "rod.",
     "path_constraint(bead, spline(0,1,0, 1,0,0, 2,1,0));", add_path_constraint},

    {"position_constraint", W::constraint, kPositions,
     "Holds a point of a rod or strand, a body or a part of a linkage at a place, which may move, "
     "or "
     "to another of these. What is held may rotate.",
     "position_constraint(cable at 0 along, point(0, 1, 0));", add_position},
    {"orientation_constraint", W::constraint, kOrientationOnly,
     "Keeps the tangent of a rod or strand along a direction.",
     "orientation_constraint(cable at 0 along, 1, 0, 0);", add_orientation},
    {"plane_constraint", W::constraint, kPlanes,
     "Keeps a point of a rod in a plane, or on one side of it.",
     "plane_constraint(cable at 0.5 along, point(0, 0, 0), 0, 1, 0);", add_plane_constraint},
    {"axis_constraint", W::constraint, kAxisConstraintOnly,
     "Keeps a point of a rod, or a part of a linkage, on an endless line.",
     "axis_constraint(cable at 0.7 along, line(0,0,0, 1,0,0));", add_axis_constraint},
    {"circle_constraint", W::constraint, kCircleOnly, "Keeps a point of a rod on a circle.",
     "circle_constraint(cable at 1 along, point(0, 0, 0), 0, 1, 0, radius = 0.5);", add_circle},
    {"fusion", W::constraint, kFusionOnly,
     "Holds a point of a rod or strand to another, or to any object, with or without keeping their "
     "angle. Joining the two ends of one makes a loop. Bodies and linkages may rotate against each "
     "other.",
     "fusion(cable at 1 along, cable2 at 0 along, tangent = free);", add_fusion},
    {"keyhole", W::constraint, kKeyholes,
     "Lets a rod slide through a point, or through a point of a body or another rod.",
     "keyhole(cable, point(0.5, 0, 0), from = 0.4, friction = 0.1);", add_keyhole},
    {"oriented_keyhole", W::constraint, kOrientedKeyholes,
     "A keyhole that the rod passes in a given direction.",
     "oriented_keyhole(cable, point(1, 0, 0), 0, 1, 0);", add_keyhole},
    {"pearl", W::constraint, kPearlOnly, "Lets a body slide along a rod, like a pearl on a string.",
     "pearl(bead, cable, from = 0.2, friction = 0);", add_pearl},
    {"pulley", W::constraint, kPulleys,
     "Lets a rope run around a wheel, with friction according to the wrap angle. A wheel that is a "
     "body on a hinge, or a frame of a linkage, rotates with the rope.",
     "pulley(cable, wheel, radius = 0.1, friction = 0.3);", add_pulley},
    {"winch", W::constraint, kWinches,
     "Winds one end of a rope onto a drum, or pays it out: with a speed, with a torque, or as the "
     "drum rotates.",
     "winch(cable, point(0, 2, 0), radius = 0.1, speed = -0.5, stored = 2);", add_winch},
    {"cut", W::constraint, kCutOnly,
     "Cuts a rod at a point, at a time, or above a tension; a whole rod tears where its tension is "
     "highest. `cable at u along` keeps its meaning.",
     "cut(cable at 0.4 along, when = 1.5 sec);", add_cut},
    {"above", W::constraint, kAboveOnly,
     "Keeps a point of a strand or rod above the plane of an object.",
     "above(braid at 1 along, ground);", add_above},

    {"joint_constraint", W::constraint, kJointConstraintOnly,
     "Keeps a joint of a strand at an angle, which may be a track, or between two limits.",
     "joint_constraint(tail at 0.5 along, x, angle = {0 at 0 sec slowinout 30 deg at 1 sec});",
     add_joint_constraint},

    {"ball_joint", W::joint, kBallJoints,
     "Holds two bodies together at a point; without the second, a body and the world.",
     "ball_joint(arm, wall, point(0, 2, 0));", add_ball_joint},
    {"hinge_joint", W::joint, kHingeJoints,
     "Lets a body rotate about a line, relative to another body or to the world.",
     "hinge_joint(door, wall, line(0,0,0, 0,1,0), low = 0, high = 90 deg, motor = 2, "
     "breaks = 500);",
     add_hinge_joint},
    {"slider_joint", W::joint, kSliderJoints,
     "Lets a body slide along a line without rotating, relative to another body or to the world.",
     "slider_joint(drawer, desk, line(0,0,0, 0,0,1), low = 0, high = 0.4);", add_slider_joint},
    {"fixed_joint", W::joint, kFixedJoints,
     "Welds two bodies together as they are at the start, or a body to the world.",
     "fixed_joint(plank, wall, breaks = 2000);", add_fixed_joint},
    {"universal_joint", W::joint, kUniversals,
     "Joins two shafts by a cross (Cardan joint): a rotates about one arm of it, the cross about "
     "the other, and neither rotates about its own length against the other.",
     "universal_joint(driven, shaft, line(0,0,0, 0,1,0), line(0,0,0, 0,0,1));",
     add_universal_joint},
    {"screw_joint", W::joint, kScrews,
     "Lets a body rotate about a line and moves it along by a pitch for each turn, relative to "
     "another body or to the world.",
     "screw_joint(nut, bolt, line(0,0,0, 0,1,0), pitch = 0.02);", add_screw_joint},
    {"gear_joint", W::joint, kGearOnly,
     "Lets two bodies on hinges rotate with a ratio, like toothed wheels; also where what carries "
     "the hinges moves, as in a planetary gear.",
     "gear_joint(small, large, ratio = 3);", add_gear_joint},
    {"rack_joint", W::joint, kRackOnly,
     "Lets a body on a slider move as a body on a hinge rolls along it: rack and pinion.",
     "rack_joint(bar, pinion, radius = 0.05);", add_rack_joint},
    {"lock_axes", W::joint, kLockAxesOnly,
     "Locks axes of a body against the world: directions it cannot move in, axes it cannot rotate "
     "about.",
     "lock_axes(puck, z = yes, turn_x = yes, turn_y = yes);", add_lock_axes},
    {"dist_joint", W::joint, kDistJointOnly,
     "Keeps the origins of two objects, one of them in a body, at a distance, or between two "
     "limits; a dist_constraint to a body is the same.",
     "dist_joint(crane.hook, crate, 2);", add_dist_joint},

    {"spring_and_damper", W::force, kSprings,
     "A spring with a damper between two objects, or on one coordinate: a torsion spring if that "
     "coordinate is an angle.",
     "spring_and_damper(m1, m3, 8.09, 1, 3);", add_spring_and_damper},
    {"force", W::force, kForceOnly, "Applies a force to an object.", "force(bob, 0, 10, 0);",
     add_force},
    {"torque", W::force, kTorques,
     "Applies a force or torque to a coordinate, or a torque about three axes to a ball, a body or "
     "a point of a rod.",
     "torque(theta, 2);", add_torque},
    {"motor", W::force, kMotorOnly,
     "Drives a coordinate towards a target by a spring and a damper with bounded force.",
     "motor(elbow, {0 at 0 sec linear pi/2 at 1 sec}, 200, 20, most = 50);", add_motor},
    {"limits", W::force, kLimitsOnly,
     "Keeps a coordinate between two stops, where it bounces or comes to rest.",
     "limits(knee, 0, 150 deg, bounce = 0.3);", add_limits},
    {"friction", W::force, kFrictionOnly,
     "Dry friction of a coordinate: it sticks until the force on it exceeds the limit.",
     "friction(hinge, 0.2);", add_friction},
    {"set_rate", W::force, kSetRateOnly, "Sets the rate of a coordinate at an event.",
     "when time > 2 set_rate(wheel, 10); end;", add_set_rate},
    {"drag", W::force, kDragOnly,
     "Slows an object in proportion to its speed; a body that wind acts on, in proportion to its "
     "speed against the air.",
     "drag(bob, 0.1);", add_drag},
    {"field", W::force, kFieldOnly,
     "Accelerates every mass and every strand of the objects after `on`, independent of its mass, "
     "like gravity. For strands it may be a formula of the position: here_x, here_y, here_z.",
     "field(0.5, 0, 0) on bob;", add_field, 0, true},
    {"wind", W::force, kWindOnly,
     "Wind on strands, through their air_drag, and on bodies, through their drag. On strands it "
     "may be a formula of the position: here_x, here_y, here_z.",
     "wind(gust, 0, 0) on braid;", add_wind, 0, true},
    {"turbulence", W::force, kTurbulenceOnly,
     "Turbulent wind on strands and bodies: random, divergence-free, the same in every run.",
     "turbulence(3, size = 0.5, period = 0.8) on tree;", add_eddies, code(AirKind::turbulence),
     true},
    {"vortex", W::force, kVortexOnly,
     "Air that rotates about a line: rigidly inside the core, slower and slower outside.",
     "vortex(line(0,0,0, 0,1,0), 4, size = 0.3) on grass;", add_vortex, 0, true},
    {"wake", W::force, kWakeOnly, "Air that a moving object drags along.",
     "wake(car, size = 0.5) on grass;", add_wake, 0, true},
    {"noise", W::force, kNoiseOnly,
     "Accelerates strands at random, independent of their mass and air_drag.",
     "noise(2, size = 0.2, period = 0.5) on braid;", add_eddies, code(AirKind::noise), true},
    {"continuum", W::force, kContinuumOnly,
     "Treats hair as a fluid: where it is too dense, pressure pushes strands apart, and viscosity "
     "evens out their velocities.",
     "continuum(2 cm, density = 20, pressure = 5, viscosity = 4) on hair;", add_continuum, 0, true},
    {"gravity", W::force, kAccelerationOnly, "Gravity on everything; default (0, -9.81, 0).",
     "gravity(0, -1.62, 0);", set_gravity},

    {"simulate", W::setting, kSimulates,
     "Start time, end time and step of the simulation; or the length of the animation of a .glb. "
     "The command line overrides it.",
     "simulate(0 sec, 10 sec, step = 1/240);", set_simulate},
    {"frame_rate", W::setting, kFrameRateOnly,
     "Frames per second; default 24. The command line overrides it.", "frame_rate(24);",
     set_frame_rate},
    {"assemble", W::setting, kNoArguments,
     "Moves the parts into agreement with the constraints at the start, however far that is.",
     "assemble;", set_assemble},
    {"linkages", W::setting, kLinkagesOnly, "Solver settings of linkages.",
     "linkages(method = charli);", set_linkages},
    {"bodies", W::setting, kBodiesOnly, "Solver settings of bodies.",
     "bodies(method = erleben, iterations = 50);", set_bodies},
    {"strands", W::setting, kStrandsOnly, "Solver settings of strands.",
     "strands(method = ida, precision = double);", set_strands},
    {"rods", W::setting, kRodsOnly, "Solver and contact settings of rods.", "rods(contact = all);",
     set_rods},
    {"settle", W::setting, kNoArguments,
     "Starts the simulation with strands and rods in static equilibrium.", "settle();", set_settle},
    {"camera", W::setting, kCameras,
     "Position and target of the camera; or the first camera of a .glb, with its animation.",
     "camera(0, 1.5, 6, 0, 1, 0, fov = 35 deg);", set_camera},
    {"studio", W::setting, kStudioOnly,
     "Surroundings in pictures and films: sky, floor and sun; and settings of the lens.",
     "studio(evening, wood, elevation = 20 deg);", set_studio},
    {"still", W::setting, kStillOnly,
     "The time of a single picture; by default a third of the motion.", "still(1.5 sec);",
     set_still},
    {"probe", W::setting, kProbeOnly,
     "Records numbers at every frame under a name: one row of tables per frame.",
     "probe(\"height\", bob_y);", add_probe},
    {"echo", W::setting, kEchoOnly, "Prints values when the script is read.",
     "echo(\"length:\", 2 * 3);", nullptr},
    {"assert", W::setting, kAssertOnly,
     "Refuses the script if a condition is false, and prints the values after it.",
     "assert(2 > 1, \"two is too small:\", 2);", nullptr},

    {"initial", W::start, kInitials, "Initial value and rate of a dynamic variable.",
     "theta = initial(pi, -1);"},

    {"sin", W::function, kOneAngleOnly, "Sine.", "y = sin(time);", nullptr, code(Operation::sine)},
    {"cos", W::function, kOneAngleOnly, "Cosine.", "x = cos(time);", nullptr,
     code(Operation::cosine)},
    {"tan", W::function, kOneAngleOnly, "Tangent.", "h = tan(30 deg);", nullptr,
     code(Operation::tangent)},
    {"asin", W::function, kXOnly, "Angle with this sine, -pi/2 to pi/2.", "a = asin(0.5);", nullptr,
     code(Operation::arcsine)},
    {"acos", W::function, kXOnly, "Angle with this cosine, 0 to pi.", "a = acos(0.5);", nullptr,
     code(Operation::arccosine)},
    {"atan", W::function, kXOnly, "Angle with this tangent, -pi/2 to pi/2.", "a = atan(1);",
     nullptr, code(Operation::arctangent)},
    {"atan2", W::function, kYXOnly, "Angle of the direction (x, y), -pi to pi.",
     "a = atan2(1, -1);", nullptr, code(Operation::arctangent2)},
    {"sqrt", W::function, kXOnly, "Square root.", "d = sqrt(2);", nullptr,
     code(Operation::square_root)},
    {"exp", W::function, kXOnly, "Exponential.", "y = exp(-time);", nullptr,
     code(Operation::exponential)},
    {"log", W::function, kXOnly, "Natural logarithm.", "y = log(10);", nullptr,
     code(Operation::logarithm)},
    {"pow", W::function, kXNOnly, "x to the power n.", "y = pow(2, 10);", nullptr,
     code(Operation::power)},
    {"abs", W::function, kXOnly, "Absolute value.", "y = abs(sin(time));", nullptr,
     code(Operation::absolute)},
    {"sign", W::function, kXOnly, "1 for what is above zero, -1 below, 0 for zero.",
     "y = sign(sin(time));", nullptr, code(ListFunction::sign)},
    {"min", W::function, kABOnly, "The smaller of two.", "y = min(time, 1);", nullptr,
     code(Operation::minimum)},
    {"max", W::function, kABOnly, "The larger of two.", "y = max(0, time - 1);", nullptr,
     code(Operation::maximum)},
    {"mod", W::function, kXNOnly, "Remainder of x divided by n, between 0 and n.",
     "a = mod(time, 2);", nullptr, code(Operation::remainder)},
    {"floor", W::function, kXOnly, "Largest integer not above x.", "k = floor(2.7);", nullptr,
     code(Operation::round_down)},
    {"ceil", W::function, kXOnly, "Smallest integer not below x.", "k = ceil(2.2);", nullptr,
     code(Operation::round_up)},
    {"random", W::function, kRandomOnly,
     "A pseudo-random number between 0 and 1, or between low and high; always the same for the "
     "same seed and i.",
     "h = random(7, 3, 0.5, 1.5);", nullptr, code(ListFunction::random)},
    {"rate", W::function, kRateOnly,
     "Rate of change of a dynamic variable, or of a formula or vector: `rate(bob.at)` is a "
     "velocity. In force, torque, drag, probe and conditions only.",
     "torque(theta, -0.1 * rate(theta));", nullptr, code(ListFunction::rate)},
    {"since", W::function, kSinceOnly, "Time since an event, in seconds; 0 before it.",
     "when a_x > 2 as thrown end; torque(spin, 3 * since(thrown));", nullptr,
     code(ListFunction::since)},
    {"contact_force", W::function, kTouchingOnly,
     "How strongly two objects push each other where they touch, in newtons: the sum of the normal "
     "forces in the last step; in probes and in conditions of `when` and `whenever` only.",
     "when contact_force(ball, floor) > 0 as landed end;", nullptr,
     code(ListFunction::contact_force)},
    {"constraint_force", W::function, kHeldOnly,
     "The sum of the forces of constraints on an object, or the force of one constraint on its "
     "first end: a vector in newtons in the axes of the world. In probes and in conditions of "
     "`when` and `whenever` only.",
     "probe(\"force\", constraint_force(bob));", nullptr, code(ListFunction::constraint_force)},
    {"tension", W::function, kPullingOnly,
     "The tension of a rod at a point of it, in newtons, negative where the rod is pressed; of a "
     "whole rod, the highest. Of a distance or spring with a name: how strongly it pulls its ends "
     "together, negative where it pushes them apart; of other constraints the size of their force. "
     "In probes and in conditions of `when` and `whenever` only.",
     "probe(\"tension\", tension(cable at 0.5 along));", nullptr, code(ListFunction::tension)},
    {"bending_moment", W::function, kCarryingOnly,
     "The size of the bending moment of a rod at a point of it, in newton metres; of a whole rod, "
     "the largest. In probes and in conditions of `when` and `whenever` only.",
     "probe(\"moment\", bending_moment(bar at 0 along));", nullptr,
     code(ListFunction::bending_moment)},
    {"twist_moment", W::function, kCarryingOnly,
     "The moment that a rod carries about its tangent at a point of it, in newton metres; of a "
     "whole rod, the largest either way. In probes and in conditions of `when` and `whenever` "
     "only.",
     "probe(\"moment\", twist_moment(bar at 0 along));", nullptr, code(ListFunction::twist_moment)},
    {"constraint_length", W::function, kNamedOnly,
     "How far apart the ends of a constraint or spring are, in metres.",
     "probe(\"length\", constraint_length(rope));", nullptr, code(ListFunction::constraint_length)},
    {"constraint_error", W::function, kNamedOnly,
     "By how much a constraint is violated, in metres; of distances, pins, paths and points held "
     "together. In probes and in conditions of `when` and `whenever` only.",
     "probe(\"error\", constraint_error(rope));", nullptr, code(ListFunction::constraint_error)},
    {"kinetic_energy", W::function, kNoArguments,
     "The kinetic energy of everything, in joules; in probes and in conditions of `when` and "
     "`whenever` only.",
     "probe(\"energy\", kinetic_energy() + potential_energy());", nullptr,
     code(ListFunction::kinetic_energy)},
    {"potential_energy", W::function, kNoArguments,
     "The potential energy of everything in gravity and in springs, in joules; in probes and in "
     "conditions of `when` and `whenever` only.",
     "when potential_energy() < 2 as low end;", nullptr, code(ListFunction::potential_energy)},
    {"length", W::function, kVectorOnly, "The length of a vector.", "d = length((3, 4, 0));",
     nullptr, code(ListFunction::length)},
    {"unit", W::function, kVectorOnly, "A vector of length 1 in the direction of another.",
     "n = unit((3, 4, 0));", nullptr, code(ListFunction::unit)},
    {"dot", W::function, kTwoVectorsOnly, "Scalar product of two vectors.",
     "c = dot((1, 0, 0), (0.6, 0.8, 0));", nullptr, code(ListFunction::dot)},
    {"cross", W::function, kTwoVectorsOnly, "Vector product of two vectors.",
     "n = cross((1, 0, 0), (0, 1, 0));", nullptr, code(ListFunction::cross)},
    {"count", W::function, kListOnly, "Number of elements of a list.", "n = count([1, 2, 5]);",
     nullptr, code(ListFunction::count)},
    {"concat", W::function, kTwoVectorsOnly, "Joins two lists.", "l = concat([1, 2], [5]);",
     nullptr, code(ListFunction::concat)},
};

/// Name to row; the first of several with one name.
const std::unordered_map<std::string_view, const Word*>& rows_by_name()
{
    static const auto rows = [] {
        std::unordered_map<std::string_view, const Word*> map;
        for (const Word& row : kWords)
            map.emplace(row.name, &row);
        return map;
    }();
    return rows;
}

} // namespace

std::span<const Word> words() { return kWords; }

const Word* find_any_word(std::string_view name)
{
    const auto found = rows_by_name().find(name);
    return found == rows_by_name().end() ? nullptr : found->second;
}

const Word* find_word(std::string_view name, WordKind kind)
{
    for (const Word* row = find_any_word(name); row && row != std::end(kWords); ++row)
        if (row->name == name && row->kind == kind)
            return row;
    return nullptr;
}

const Word* find_statement_word(std::string_view name)
{
    const Word* row = find_any_word(name);
    return row && is_statement(row->kind) ? row : nullptr;
}

std::string_view title_of(WordKind kind)
{
    switch (kind) {
    case W::transformation: return "Transformations";
    case W::motion: return "Initial motion";
    case W::primitive: return "Primitives";
    case W::body: return "Bodies";
    case W::strand: return "Strands and rods";
    case W::shape: return "Shapes";
    case W::drawing: return "Drawing";
    case W::constraint: return "Constraints";
    case W::joint: return "Joints";
    case W::force: return "Forces";
    case W::setting: return "Settings";
    case W::path: return "Paths";
    case W::function: return "Functions";
    case W::start: return "Start values";
    }
    return "";
}

std::string signature_text(const Word& word, Signature signature)
{
    std::string text(word.name);
    text += '(';
    for (std::size_t i = 0; i < signature.size(); ++i) {
        const Argument& argument = signature[i];
        text += i == 0 ? "" : ", ";
        const std::string name = argument.kind == points ? "x, y, z, ..."
                                 : argument.is_list()    ? std::string(argument.name) + ", ..."
                                                         : std::string(argument.name);
        text += argument.is_optional ? "[" + name + "]" : name;
    }
    return text + ")";
}

} // namespace sinew::charli

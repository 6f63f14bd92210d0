// The table of built-in words, and what each statement adds to the Scene.
//
// A new word is a new row: its name, arguments with units, meaning, example, and the function that
// carries it out. Nothing else knows the words.

#include "charli/words/words.h"
#include "charli/words/body_words.h"
#include "charli/words/constraint_words.h"
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

void add_colour_text(const Call& call, Scene& scene);

void add_colour(const Call& call, Scene& scene)
{
    if (call.arguments.size() == 1)
        return add_colour_text(call, scene);
    scene.colours.push_back(
        {call.object, {call.number(0), call.number(1), call.number(2)}, call.origin});
}

/// The value of a hexadecimal digit; -1 for anything else.
int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/// "#c33" or "#cc3333".
void add_colour_text(const Call& call, Scene& scene)
{
    const std::string_view text = call.arguments[0].text;
    const std::size_t width = text.size() == 4 ? 1 : text.size() == 7 ? 2 : 0;
    bool is_good = width > 0 && text[0] == '#';
    double parts[3] = {0, 0, 0};
    for (std::size_t i = 1; is_good && i < text.size(); ++i) {
        const int digit = hex_digit(text[i]);
        is_good = digit >= 0;
        double& part = parts[(i - 1) / width];
        part = 16 * part + digit;
    }
    if (!is_good)
        return call.fault("not-a-colour", "'" + std::string(text) + "' is no colour",
                          "write \"#c33\", \"#cc3333\" or three numbers from 0 to 1");
    const double white = width == 1 ? 15 : 255;
    scene.colours.push_back(
        {call.object, {parts[0] / white, parts[1] / white, parts[2] / white}, call.origin});
}

void add_force(const Call& call, Scene& scene)
{
    scene.forces.push_back({call.arguments[0].object, call.frame, call.value(1), call.value(2),
                            call.value(3), call.origin});
}

void add_torque(const Call& call, Scene& scene)
{
    scene.torques.push_back({call.arguments[0].coordinate, call.value(1), call.origin});
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
constexpr Argument kColour[] = {{"red", number, "", "0 to 1", Range::unit_interval},
                                {"green", number, "", "0 to 1", Range::unit_interval},
                                {"blue", number, "", "0 to 1", Range::unit_interval}};

constexpr Argument kColourText[] = {{"text", text, "", "\"#c33\" or \"#cc3333\""}};

constexpr Argument kForce[] = {{"a", object, "", "what is pushed, at its origin"},
                               {"fx", value, "N", "along x of the def it is written in"},
                               {"fy", value, "N", "along y"},
                               {"fz", value, "N", "along z"}};
constexpr Argument kTorque[] = {{"coordinate", coordinate, "", "a dynamic variable"},
                                {"torque", value, "N m", "or N where it drives a translation"}};
constexpr Argument kDrag[] = {{"a", object, "", "what is slowed down"},
                              {"coefficient", value, "N s/m", "force per speed", kNotNegative}};
constexpr Argument kAcceleration[] = {{"x", value, "m/s²", "along x"},
                                      {"y", value, "m/s²", "along y"},
                                      {"z", value, "m/s²", "along z"}};

constexpr Argument kField[] = {strand_value("x", "m/s²", "along x", Range::any),
                               strand_value("y", "m/s²", "along y", Range::any),
                               strand_value("z", "m/s²", "along z", Range::any)};

constexpr Argument kFrameRate[] = {{"rate", number, "fps", "frames per second", kPositive}};
constexpr Argument kSimulate[] = {
    {"from", number, "s", "when the clock starts"},
    {"to", number, "s", "when it ends"},
    {"step", number, "s", "longest step of the world", kPositive, true, 1.0 / 240}};
constexpr Argument kLinkages[] = {
    {"method", word, "",
     "automatic: exact constraints, controlled error; charli: the paper's scheme; fixed: exact "
     "constraints, steps of a fixed size",
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
    {"step", number, "s", "longest step of the world", kPositive, true, 1.0 / 240}};
constexpr Argument kProbe[] = {{"name", text, "", "of its row in tables"},
                               {"x", value, "", "a number, or a vector: all three"},
                               {"y", value, "", "a second number", Range::any, true, 0},
                               {"z", value, "", "a third number", Range::any, true, 0}};
constexpr Argument kEcho[] = {
    {"values", anything, "", "numbers, vectors, lists, texts", Range::any, false, 0, "", 1}};
constexpr Argument kAssert[] = {
    {"condition", number, "", "what must hold when the script is read"},
    {"values", anything, "", "what to say if it does not", Range::any, false, 0, "", 0}};
constexpr Argument kInitial[] = {
    {"value", number, "", "at the start"},
    {"rate", number, "", "its rate of change at the start", Range::any, true, 0}};

constexpr Argument kOneAngle[] = {{"angle", value, "rad", ""}};
constexpr Argument kX[] = {{"x", value, "", ""}};
constexpr Argument kYX[] = {{"y", value, "", ""}, {"x", value, "", ""}};
constexpr Argument kXN[] = {{"x", value, "", ""}, {"n", value, "", ""}};
constexpr Argument kRandom[] = {{"seed", number, "", "another seed, other numbers"},
                                {"i", number, "", "which number of the sequence"},
                                {"low", number, "", "the smallest it may be", Range::any, true, 0},
                                {"high", number, "", "what it stays below", Range::any, true, 1}};
constexpr Argument kRateOf[] = {{"coordinate", coordinate, "", "a dynamic variable"}};
constexpr Argument kList[] = {{"list", list, "", ""}};
constexpr Argument kVector[] = {{"v", list, "", "a vector, or an object: where it is"}};
constexpr Argument kTwoVectors[] = {{"a", list, "", "a vector, or an object: where it is"},
                                    {"b", list, "", "likewise"}};
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
constexpr std::array kColours = {Signature(kColour), Signature(kColourText)};
constexpr auto kProbeOnly = only(kProbe);
constexpr auto kRateOnly = only(kRateOf);
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
constexpr auto kTorqueOnly = only(kTorque);
constexpr auto kDragOnly = only(kDrag);
constexpr auto kAccelerationOnly = only(kAcceleration);
constexpr auto kFieldOnly = only(kField);
constexpr auto kFrameRateOnly = only(kFrameRate);
constexpr std::array kSimulates = {Signature(kSimulate), Signature(kTimingFile)};
constexpr auto kLinkagesOnly = only(kLinkages);
constexpr std::array kCameras = {Signature(kCamera), Signature(kShotFile)};
constexpr auto kInitialOnly = only(kInitial);
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
    {"rotatex", W::transformation, kAngleOnly, "Turns about the x axis.", "arm rotatex(30 deg);",
     nullptr, code(T::rotate_x)},
    {"rotatey", W::transformation, kAngleOnly, "Turns about the y axis.", "arm rotatey(pi / 2);",
     nullptr, code(T::rotate_y)},
    {"rotatez", W::transformation, kAngleOnly, "Turns about the z axis.", "arm rotatez(theta);",
     nullptr, code(T::rotate_z)},
    {"scale", W::transformation, kScales,
     "Makes larger or smaller, alike along all axes or each by its own factor.",
     "square scale(0.1);", nullptr, code(T::scale)},

    {"velocity", W::motion, kVelocityOnly,
     "How the bodies and strands of an instance move at the start, as one, along the axes of the "
     "def it stands in.",
     "crate translatey(3) velocity(2, 0, 0);"},
    {"spin", W::motion, kSpinOnly,
     "How the bodies and strands of an instance turn at the start, as one, about the instance's "
     "origin.",
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
     "Makes its def an obstacle: bodies meet it, and only tracks move it.",
     "def ground obstacle(); plane(0, 1, 0, 0); end;", add_obstacle},
    {"material", W::body, kMaterialOnly,
     "The surface of its def's body. Two that touch have the geometric mean of their frictions and "
     "the larger bounce and rolling.",
     "def crate body(density = 400); box(1, 1, 1); material(friction = 0.6); end;", add_material},
    {"contact_material", W::body, kPairOnly,
     "What happens between two bodies, or the bodies of two instances; the last that is said "
     "holds.",
     "contact_material(crate, ground, friction = 0.9, bounce = 0.2);", add_contact_material},

    {"box", W::shape, kBoxOnly, "A block centred at the origin.",
     "def crate body(density = 400); box(1, 1, 1); end;", add_shape, code(S::box)},
    {"sphere", W::shape, kSphereOnly, "A ball around the origin.",
     "def ball body(density = 400); sphere(0.1); end;", add_shape, code(S::sphere)},
    {"capsule", W::shape, kCapsuleOnly, "A cylinder along y with round ends, centred.",
     "def pill body(density = 400); capsule(0.1, 0.4); end;", add_shape, code(S::capsule)},
    {"cylinder", W::shape, kCylinderOnly, "A cylinder along y, centred.",
     "def drum body(density = 400); cylinder(0.3, 0.8); end;", add_shape, code(S::cylinder)},
    {"cone", W::shape, kConeOnly,
     "A cone along y, its foot half its length below the origin, its tip above.",
     "def hat body(density = 400); cone(0.3, 0.8); end;", add_shape, code(S::cone)},
    {"hull", W::shape, kHulls, "The convex hull of points, or of the corners of a mesh.",
     "def stone body(density = 400); hull(0,0,0, 1,0,0, 0,1,0, 0,0,1); end;", add_shape,
     code(S::hull)},
    {"mesh", W::shape, kMeshOnly,
     "A surface of triangles from a file. That of a body must be closed; that of an obstacle may "
     "have holes, and moves as the first animation of its .glb has it: nodes, skins, forms.",
     "def cow body(density = 1000); mesh(\"cow.obj\", scale = 0.01); end;", add_shape,
     code(S::mesh)},
    {"plane", W::shape, kPlaneOnly,
     "All points with n·x = d of an obstacle, endless; bodies stay on the side n points to.",
     "def ground obstacle(); plane(0, 1, 0, 0); end;", add_plane, code(S::plane)},
    {"height_field", W::shape, kHeightFields,
     "Ground of an obstacle over a grid centred at the origin, given by its heights: rows along z, "
     "columns along x. Or from a file with one row a line, numbers parted by commas or blanks.",
     "def hills obstacle(); height_field(3, 1, 0,0,0, 0,1,0, 0,0,0); end;", add_shape,
     code(S::height_field)},

    {"strand", W::strand, kStrandOnly,
     "A curve of rigid segments with elastic joints, clamped at its first point to the frame of "
     "its "
     "def. Doubled points of the path are one. Several strands of a def are a tree; one with a "
     "name is `tree.trunk`.",
     "def braid strand(spline(0,0,0, 0.1,-0.4,0, 0,-0.9,0), segments = 24); end;", add_strand,
     kMakesCurve},
    {"branch", W::strand, kBranchOnly, "A curve that grows out of another of the same def.",
     "limb = branch(line(0,0,0, 1,1,0), from = trunk at 0.6 along, segments = 8);", add_branch,
     kMakesCurve},
    {"groom", W::strand, kGroomOnly,
     "Many strands at once, in the frame of the def: one for every curve of a file, or `count` "
     "that grow on a surface, spread evenly over its area, the same for the same seed.",
     "def fur groom(\"scalp.obj\", count = 500, length = 12 cm, vary = 0.3, droop = 0.8); end;",
     add_groom, kReadsCurves},
    {"rod", W::strand, kRodOnly,
     "A rope, cable or bow: a curve that stretches, bends and twists, of one round section. It is "
     "free unless constraints hold it; a def has one.",
     "def cable rod(line(0,0,0, 3,0,0), spans = 20, radius = 5 mm, young = 2e7); end;", add_rod},
    {"radius", W::strand, kStrandRadiusOnly,
     "How thick the strands of a def are; 5 mm when nothing is said.",
     "radius({2 cm at 0 along linear 5 mm at 1 along});", add_strand_property, code(P::radius),
     true},
    {"mass_per_length", W::strand, kMassPerLengthOnly,
     "How heavy the strands of a def are; else it follows from density and radius.",
     "mass_per_length(0.1);", add_strand_property, code(P::mass_per_length), true},
    {"density", W::strand, kDensityOnly,
     "Of the strands of a def: their mass follows; 1000 when nothing is said.", "density(1300);",
     add_strand_property, code(P::density), true},
    {"young", W::strand, kYoungOnly,
     "Young's modulus of the strands of a def: their stiffness follows, EI = E pi r^4 / 4; 1e6, "
     "soft rubber, when nothing is said.",
     "young(5e9);", add_strand_property, code(P::young), true},
    {"poisson", W::strand, kPoissonOnly,
     "Poisson's ratio of the strands of a def: GJ = EI / (1 + ratio); 0.3 when nothing is said.",
     "poisson(0.4);", add_strand_property, code(P::poisson), true},
    {"bend_stiffness", W::strand, kBendStiffnessOnly,
     "How the strands of a def resist bending, whatever the number of segments. 0 makes a chain; "
     "what is stiffer than anything counts as rigid.",
     "bend_stiffness({0.8 at 0 along linear 0.05 at 1 along});", add_strand_property,
     code(P::bend_stiffness), true},
    {"twist_stiffness", W::strand, kTwistStiffnessOnly,
     "How the strands of a def resist twist; else it follows from bending and Poisson's ratio.",
     "twist_stiffness(0.4);", add_strand_property, code(P::twist_stiffness), true},
    {"damping", W::strand, kDampingOnly,
     "In what time bending and twist of the strands of a def come to rest; 0, none, when nothing "
     "is said.",
     "damping(0.1);", add_strand_property, code(P::damping), true},
    {"air_drag", W::strand, kAirDragOnly,
     "How the air holds the strands of a def, by length and speed against it. Without it no wind "
     "is felt.",
     "air_drag(0.01, 0.1);", add_strand_property, code(P::air_drag), true},
    {"hinge", W::strand, kStrandHingeOnly,
     "Lets the joints of the strands of a def turn about one axis of their section only.",
     "hinge(x);", add_strand_hinge, code(P::hinge), true},
    {"time_scale", W::strand, kTimeScaleOnly,
     "How much of the motion of its base the tree of a def feels: velocity and acceleration times "
     "this.",
     "time_scale({1 at 0 sec slowinout 0.3 at 2 sec});", add_time_scale},
    {"local_dynamics", W::strand, kLocalDynamicsOnly,
     "Takes a share of a reference's motion out of what the tree of a def feels of its base's.",
     "local_dynamics(0.6, hip);", add_local_dynamics},
    {"pose", W::strand, kPoseOnly,
     "Draws the strand of a def, or those behind `on`, to an animated shape by springs all along "
     "it.",
     "pose(ear_pose, strength = {0 at 0 sec slowinout 400 at 1 sec}, damping = 4);", add_pose, 0,
     true},
    {"blend", W::strand, kBlendOnly,
     "How much of the simulation of the tree of a def is seen, against its animation. The "
     "simulation goes on unseen.",
     "blend({0 at 0 sec slowinout 1 at 1 sec});", add_blend},
    {"freeze", W::strand, kFreezeOnly,
     "Lets the base of the tree of a def carry it as it is, without a simulation.",
     "freeze({1 at 0 sec hold 0 at 2 sec});", add_freeze},
    {"stretch", W::strand, kStretchOnly,
     "Makes the strands of a def longer or shorter than their paths, in time and along them; their "
     "mass stays.",
     "stretch({1 at 0 sec slowinout 1.5 at 1 sec});", add_strand_property, code(P::stretch), true},
    {"stretch_stiffness", W::strand, kStretchStiffnessOnly,
     "Lets the strands of a def grow longer under load and spring back, damped as their bending "
     "is. Without it they keep their length.",
     "stretch_stiffness(40);", add_strand_property, code(P::stretch_stiffness), true},
    {"least_radius", W::strand, kLeastRadiusOnly,
     "How far the strands of a def bend at most, but for what is bent more at rest.",
     "least_radius(3 cm);", add_strand_property, code(P::least_radius), true},
    {"surface", W::strand, kSurfaceOnly,
     "How the strands or the rod of a def feel where they touch bodies: friction 0.5 and bounce 0 "
     "when nothing is said.",
     "surface(friction = {0.2 at 0 along linear 0.8 at 1 along});", add_surface, code(P::surface),
     true},
    {"contact", W::strand, kContactOnly,
     "Where along the strands or the rod of a def they touch bodies: where this is above 0.5; all "
     "along when nothing is said. What starts half inside a body never touches it.",
     "contact({0 at 0 along hold 1 at 0.2 along});", add_strand_property, code(P::contact), true},
    {"zero_gravity_rest", W::strand, kNoArguments,
     "Takes the shape of the paths for the one under gravity at the start: nothing sags.",
     "zero_gravity_rest();", add_zero_gravity_rest},

    {"line", W::drawing, kLinePointsOnly, "Draws a straight line.",
     "line(0, 0, 0, bob_x, bob_y, 0);", add_line},
    {"polygon", W::drawing, kPolygonPointsOnly, "Draws a closed polygon.",
     "polygon(0,0,0, 1,0,0, 0,1,0) scale(0.1);", add_polygon},
    {"path", W::drawing, kPathToDrawOnly, "Draws a path.", "path(p1);", add_path},
    {"colour", W::drawing, kColours, "The colour of what its def draws.", "colour(0.8, 0.3, 0.1);",
     add_colour},
    {"color", W::drawing, kColours, "The same as `colour`.", "color(\"#c33\");", add_colour},

    {"point", W::path, kOnePointOnly, "A path of a single point; it may move.",
     "p = point(0, 1, 0);", nullptr, code(PathKind::point)},
    {"line", W::path, kLinePointsOnly, "A straight path, endless on both sides.",
     "p = line(0,0,0, 1,0,0);", nullptr, code(PathKind::line)},
    {"spline", W::path, kControlPointsOnly,
     "A clamped uniform cubic B-spline: begins at the first point, ends at the last, is drawn "
     "towards "
     "the others. Four points make the Bézier curve.",
     "p = spline(-10,10,0, -5,0,0, 5,0,0, 10,10,0);", nullptr, code(PathKind::spline)},
    {"spline_through", W::path, kControlPointsOnly,
     "A smooth curve through all its points; speed and curvature are continuous.",
     "p = spline_through(0,0,0, 1,1,0, 2,0,0);", nullptr, code(PathKind::spline_through)},
    {"closed_spline", W::path, kRingPointsOnly,
     "A smooth closed curve through all its points, from the last back to the first. What slides "
     "on "
     "it goes round and round.",
     "p = closed_spline(0,0,0, 1,1,0, 2,0,0, 1,-1,0);", nullptr, code(PathKind::closed_spline)},
    {"polyline", W::path, kControlPointsOnly, "Straight pieces from point to point.",
     "p = polyline(0,0,0, 1,0,0, 1,1,0);", nullptr, code(PathKind::polyline)},

    {"dist_constraint", W::constraint, kDistConstraints,
     "Keeps two objects at a distance. What holds rods may let go, what holds rods or strands may "
     "come and go.",
     "dist_constraint(m0, m1, 1);", add_dist_constraint},
    {"path_constraint", W::constraint, kPathConstraintOnly,
     "Keeps an object on a path, free to slide along it. What holds a rod may let go.",
     "path_constraint(bead, spline(0,1,0, 1,0,0, 2,1,0));", add_path_constraint},

    {"position_constraint", W::constraint, kPositions,
     "Holds a point of a rod or strand at a place, which may move, or to an object.",
     "position_constraint(cable at 0 along, point(0, 1, 0));", add_position},
    {"orientation_constraint", W::constraint, kOrientationOnly,
     "Keeps the tangent of a rod or strand along a direction.",
     "orientation_constraint(cable at 0 along, 1, 0, 0);", add_orientation},
    {"plane_constraint", W::constraint, kPlanes,
     "Keeps a point of a rod in a plane, or on one side of it.",
     "plane_constraint(cable at 0.5 along, point(0, 0, 0), 0, 1, 0);", add_plane_constraint},
    {"axis_constraint", W::constraint, kAxisConstraintOnly, "Keeps a point of a rod on a line.",
     "axis_constraint(cable at 0.7 along, line(0,0,0, 1,0,0));", add_axis_constraint},
    {"circle_constraint", W::constraint, kCircleOnly, "Keeps a point of a rod on a circle.",
     "circle_constraint(cable at 1 along, point(0, 0, 0), 0, 1, 0, radius = 0.5);", add_circle},
    {"fusion", W::constraint, kFusionOnly,
     "Holds a point of a rod or strand to another, or to any object, with or without their angle. "
     "The two ends of one: a loop.",
     "fusion(cable at 1 along, cable2 at 0 along, tangent = free);", add_fusion},
    {"keyhole", W::constraint, kKeyholes,
     "Lets a rod slide through a point, or through a place on a body or another rod.",
     "keyhole(cable, point(0.5, 0, 0), from = 0.4, friction = 0.1);", add_keyhole},
    {"oriented_keyhole", W::constraint, kOrientedKeyholes,
     "A keyhole that the rod passes along a direction.",
     "oriented_keyhole(cable, point(1, 0, 0), 0, 1, 0);", add_keyhole},
    {"pearl", W::constraint, kPearlOnly, "Lets a body slide along a rod, as a pearl on a string.",
     "pearl(bead, cable, from = 0.2, friction = 0);", add_pearl},
    {"cut", W::constraint, kCutOnly,
     "Cuts a rod at a place, at a time. `cable at u along` goes on to mean the same place.",
     "cut(cable at 0.4 along, when = 1.5 sec);", add_cut},
    {"above", W::constraint, kAboveOnly,
     "Keeps a point of a strand or rod from sinking below the plane of an object.",
     "above(braid at 1 along, ground);", add_above},

    {"joint_constraint", W::constraint, kJointConstraintOnly,
     "Keeps a joint of a strand at an angle, which may move, or between two.",
     "joint_constraint(tail at 0.5 along, x, angle = {0 at 0 sec slowinout 30 deg at 1 sec});",
     add_joint_constraint},

    {"ball_joint", W::joint, kBallJoints,
     "Holds two bodies together in a point. Without the second: a body and the world.",
     "ball_joint(arm, wall, point(0, 2, 0));", add_ball_joint},
    {"hinge_joint", W::joint, kHingeJoints,
     "Lets a body turn about a line against another, or against the world.",
     "hinge_joint(door, wall, line(0,0,0, 0,1,0), low = 0, high = 90 deg, motor = 2, "
     "breaks = 500);",
     add_hinge_joint},
    {"slider_joint", W::joint, kSliderJoints,
     "Lets a body slide along a line without turning, against another or the world.",
     "slider_joint(drawer, desk, line(0,0,0, 0,0,1), low = 0, high = 0.4);", add_slider_joint},
    {"fixed_joint", W::joint, kFixedJoints,
     "Holds two bodies together as they are at the start, or a body in its place.",
     "fixed_joint(plank, wall, breaks = 2000);", add_fixed_joint},
    {"dist_joint", W::joint, kDistJointOnly,
     "Keeps the origins of two objects, one of them in a body, at a distance, or between two; a "
     "dist_constraint to a body is the same.",
     "dist_joint(crane.hook, crate, 2);", add_dist_joint},

    {"spring_and_damper", W::force, kSprings,
     "A spring with a damper between two objects, or along one coordinate: a torsion spring where "
     "that "
     "coordinate drives a rotation.",
     "spring_and_damper(m1, m3, 8.09, 1, 3);", add_spring_and_damper},
    {"force", W::force, kForceOnly, "Pushes an object.", "force(bob, 0, 10, 0);", add_force},
    {"torque", W::force, kTorqueOnly, "Drives a coordinate.", "torque(theta, 2);", add_torque},
    {"drag", W::force, kDragOnly, "Slows an object in proportion to its speed.", "drag(bob, 0.1);",
     add_drag},
    {"field", W::force, kFieldOnly,
     "Accelerates every mass and every strand of the objects behind `on`, whatever its mass, as "
     "gravity does. On strands it may be a formula of the place acted at: here_x, here_y, here_z.",
     "field(0.5, 0, 0) on bob;", add_field, 0, true},
    {"wind", W::force, kWindOnly,
     "Air that moves past strands; they feel it by their air_drag. It may be a formula of "
     "here_x, here_y, here_z.",
     "wind(gust, 0, 0) on braid;", add_wind, 0, true},
    {"turbulence", W::force, kTurbulenceOnly,
     "Air in eddies about strands: random, without sources, the same in every run.",
     "turbulence(3, size = 0.5, period = 0.8) on tree;", add_eddies, code(AirKind::turbulence),
     true},
    {"vortex", W::force, kVortexOnly,
     "Air that turns about a line: like a wheel inside the core, slower and slower outside.",
     "vortex(line(0,0,0, 0,1,0), 4, size = 0.3) on grass;", add_vortex, 0, true},
    {"wake", W::force, kWakeOnly, "Air that a moving object drags along.",
     "wake(car, size = 0.5) on grass;", add_wake, 0, true},
    {"noise", W::force, kNoiseOnly, "Shakes strands at random, whatever their mass and air_drag.",
     "noise(2, size = 0.2, period = 0.5) on braid;", add_eddies, code(AirKind::noise), true},
    {"continuum", W::force, kContinuumOnly,
     "Hair as a fluid: where it is denser than this, neighbouring strands push each other apart, "
     "and they drag each other along.",
     "continuum(2 cm, density = 20, pressure = 5, viscosity = 4) on hair;", add_continuum, 0, true},
    {"gravity", W::force, kAccelerationOnly,
     "The pull on everything; (0, -9.81, 0) when nothing is said.", "gravity(0, -1.62, 0);",
     set_gravity},

    {"simulate", W::setting, kSimulates,
     "From when to when to simulate, and the step; or as long as the animation of a .glb is. The "
     "command line wins.",
     "simulate(0 sec, 10 sec, step = 1/240);", set_simulate},
    {"frame_rate", W::setting, kFrameRateOnly,
     "Frames per second, 24 when nothing is said; the command line wins.", "frame_rate(24);",
     set_frame_rate},
    {"assemble", W::setting, kNoArguments,
     "Lets the start be moved into agreement with the constraints, however far that is.",
     "assemble;", set_assemble},
    {"linkages", W::setting, kLinkagesOnly, "How linkages are computed.",
     "linkages(method = charli);", set_linkages},
    {"bodies", W::setting, kBodiesOnly, "How bodies are computed.",
     "bodies(method = erleben, iterations = 50);", set_bodies},
    {"strands", W::setting, kStrandsOnly, "How strands are computed.",
     "strands(method = ida, precision = double);", set_strands},
    {"rods", W::setting, kRodsOnly, "How rods are computed, and what they touch.",
     "rods(contact = all);", set_rods},
    {"settle", W::setting, kNoArguments,
     "Starts from where strands and rods come to rest, then the clock runs.", "settle();",
     set_settle},
    {"camera", W::setting, kCameras,
     "Where pictures are taken from, and towards what; or the first camera of a .glb, as its "
     "animation moves it.",
     "camera(0, 1.5, 6, 0, 1, 0, fov = 35 deg);", set_camera},
    {"probe", W::setting, kProbeOnly,
     "Records numbers at every frame, under a name of their own: a row of tables for each frame.",
     "probe(\"height\", bob_y);", add_probe},
    {"echo", W::setting, kEchoOnly, "Tells values when the script is read.",
     "echo(\"length:\", 2 * 3);", nullptr},
    {"assert", W::setting, kAssertOnly,
     "Refuses the script where a condition does not hold, and tells the values behind it.",
     "assert(2 > 1, \"two is too small:\", 2);", nullptr},

    {"initial", W::start, kInitialOnly, "Where a dynamic variable starts, and how fast.",
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
    {"abs", W::function, kXOnly, "Size without sign.", "y = abs(sin(time));", nullptr,
     code(Operation::absolute)},
    {"min", W::function, kABOnly, "The smaller of two.", "y = min(time, 1);", nullptr,
     code(Operation::minimum)},
    {"max", W::function, kABOnly, "The larger of two.", "y = max(0, time - 1);", nullptr,
     code(Operation::maximum)},
    {"mod", W::function, kXNOnly, "What is left of x after taking away whole ns; between 0 and n.",
     "a = mod(time, 2);", nullptr, code(Operation::remainder)},
    {"floor", W::function, kXOnly, "The whole number below.", "k = floor(2.7);", nullptr,
     code(Operation::round_down)},
    {"ceil", W::function, kXOnly, "The whole number above.", "k = ceil(2.2);", nullptr,
     code(Operation::round_up)},
    {"random", W::function, kRandomOnly,
     "A number between 0 and 1, or between low and high: always the same for the same seed and i.",
     "h = random(7, 3, 0.5, 1.5);", nullptr, code(ListFunction::random)},
    {"rate", W::function, kRateOnly,
     "How fast a dynamic variable changes; in force, torque, drag and probe only.",
     "torque(theta, -0.1 * rate(theta));", nullptr, code(ListFunction::rate)},
    {"length", W::function, kVectorOnly, "The length of a vector.", "d = length((3, 4, 0));",
     nullptr, code(ListFunction::length)},
    {"unit", W::function, kVectorOnly, "A vector of length 1 in the direction of another.",
     "n = unit((3, 4, 0));", nullptr, code(ListFunction::unit)},
    {"dot", W::function, kTwoVectorsOnly, "Scalar product of two vectors.",
     "c = dot((1, 0, 0), (0.6, 0.8, 0));", nullptr, code(ListFunction::dot)},
    {"cross", W::function, kTwoVectorsOnly, "Vector product of two vectors.",
     "n = cross((1, 0, 0), (0, 1, 0));", nullptr, code(ListFunction::cross)},
    {"count", W::function, kListOnly, "How many elements a list has.", "n = count([1, 2, 5]);",
     nullptr, code(ListFunction::count)},
    {"concat", W::function, kTwoVectorsOnly, "Two lists, one behind the other.",
     "l = concat([1, 2], [5]);", nullptr, code(ListFunction::concat)},
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
    case W::motion: return "Motion at the start";
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

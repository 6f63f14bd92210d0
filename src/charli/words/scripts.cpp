// One whole small script for every word: what the reference page shows, and tests run.

#include "charli/words/scripts.h"

#include <algorithm>

namespace sinew::charli {

namespace {

struct WordScript {
    std::string_view words; ///< names of those it shows, separated by spaces; "line:path" by kind
    std::string_view text;
};

// clang-format off
constexpr WordScript kScripts[] = {
    {"translatex", R"(# A bob on a rail: a free coordinate moves it along x, a spring pulls it back.
dynamic x;
x = initial(0.5, 0);
def bob mass(1); end;
bob translatex(x);
spring_and_damper(x, 0, 40, 0.5);
)"},
    {"translatey", R"(# A crate that falls from two metres.
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(0.5, 0.5, 0.5); end;
ground;
crate translatey(2);
)"},
    {"translatez", R"(# Five balls, one behind the other.
def ball body(density = 400); sphere(0.1); end;
def ground obstacle(); plane(0, 1, 0, 0); end;
ground;
for i in 1..5 b[i] = ball translatey(0.3) translatez(25 cm * i); end;
)"},
    {"translate", R"(# Two pendulums whose pivots are at different places.
dynamic a, b;
a = initial(-60 deg, 0);
b = initial(-30 deg, 0);
def bob mass(1); end;
bob translatex(0.5) rotatez(a) translate(-0.6, 1, 0);
bob translatex(0.5) rotatez(b) translate(0.6, 1.2, 0);
)"},
    {"rotatex", R"(# A drum that lies on its side: a cylinder stands along y until it is rotated.
def ground obstacle(); plane(0, 1, 0, 0); end;
def drum body(density = 400); cylinder(0.2, 0.6); end;
ground;
drum rotatex(90 deg) translatey(0.5) velocity(1, 0, 0);
)"},
    {"rotatey", R"(# A carousel: the arm is driven, each seat swings freely.
var turn;
dynamic swing;
turn = {0 at 0 sec slowin 4 * pi at 4 sec};
swing = initial(0, 0);
def seat mass(20); end;
seat translatey(-1) rotatez(swing) translate(2, 2, 0) rotatey(turn);
)"},
    {"rotatez", R"(# A pendulum: the first transformation listed is the innermost.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
line(0, 0, 0, bob_x, bob_y, 0);
)"},
    {"scale", R"(# A flag at a tenth of its size, and one that is stretched.
def flag polygon(0,0,0, 2,0,0, 2,1,0, 0,1,0); end;
flag scale(0.1);
flag scale(0.3, 0.1, 1) translatex(0.5);
)"},
    {"mass", R"(# A point mass on a spring.
dynamic y;
y = initial(0, 0);
def bob mass(2); end;
bob translatey(y);
spring_and_damper(y, 0, 100, 1);
)"},
    {"box_mass", R"(# A block that swings about one of its edges; its inertia counts.
dynamic theta;
theta = initial(-80 deg, 0);
def plank box_mass(5, 1, 0.1, 0.3); end;
plank translatex(0.5) rotatez(theta);
)"},
    {"label", R"(# A label is a place on something: here the ring that a rope is tied to.
def hull body(density = 300); box(1, 0.3, 0.4); ring = label() translate(0.5, 0, 0); end;
def rope rod(line(0,0,0, 1,0,0), spans = 10, radius = 1 cm, young = 1e7, density = 900); end;
hull;
rope translatex(0.5);
fusion(rope at 0 along, hull.ring);
position_constraint(rope at 1 along, point(1.5, 0, 0));
)"},
    {"line:drawing", R"(# A line that follows a pendulum.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
line(0, 0, 0, bob_x, bob_y, 0);
)"},
    {"polygon", R"(# A roof drawn over a swinging lamp.
dynamic theta;
theta = initial(-70 deg, 0);
def lamp mass(1); end;
lamp translatex(0.6) rotatez(theta);
polygon(-0.4,0,0, 0.4,0,0, 0,0.3,0);
)"},
    {"path", R"(# A wire that is drawn, and the bead that slides along it.
var wire;
dynamic x, y;
wire = spline(-1,1,0, -0.5,0,0, 0.5,0,0, 1,1,0);
x = initial(-0.8, 0);
y = initial(0.7, 0);
def bead mass(0.1); end;
bead translatex(x) translatey(y);
path_constraint(bead, wire);
path(wire);
assemble;
)"},
    {"colour", R"(# A red ball on grey ground.
def ground obstacle(); plane(0, 1, 0, 0); colour(0.6, 0.6, 0.6); end;
def ball body(density = 400); sphere(0.2); colour(0.8, 0.2, 0.1); end;
ground;
ball translatey(1);
)"},
    {"look", R"(# A wooden crate, a brass ball that is a little dull, and a lamp that glows.
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(0.5, 0.5, 0.5); look(wood); end;
def ball body(density = 4000); sphere(0.2); look(brass, roughness = 0.4); end;
def lamp body(density = 300); sphere(0.15); colour(1, 0.8, 0.4); look(roughness = 0.9, glow = 2); end;
ground;
crate translatey(0.25);
ball translatey(0.9);
lamp translate(0.8, 0.5, 0);
)"},
    {"point", R"(# A chain that hangs from a point.
def chain rod(line(0,0,0, 1,0,0), spans = 12, radius = 1 cm, young = 1e7, density = 2000, damping = 5 ms); end;
chain;
position_constraint(chain at 0 along, point(0, 0, 0));
)"},
    {"line:path", R"(# A strand that is straight at rest and bends under its weight.
def twig strand(line(0,0,0, 1,0.2,0), segments = 12); radius(6 mm); young(5e8); damping(0.02); end;
twig;
)"},
    {"spline", R"(# A cubic B-spline: the curve is drawn towards its inner points and does not pass through them.
def tail strand(spline(0,0,0, 0.3,0,0, 0.5,0.4,0, 0.9,0.4,0), segments = 16); radius(1 cm); young(2e7); damping(0.02); end;
tail;
)"},
    {"spline_through", R"(# A curve that passes through every point.
def arch rod(spline_through(0,0,0, 0.5,0.5,0, 1,0,0), spans = 16, radius = 1 cm, young = 1e8, density = 900, damping = 5 ms); end;
arch;
position_constraint(arch at 0 along, point(0, 0, 0));
position_constraint(arch at 1 along, point(1, 0, 0));
)"},
    {"polyline", R"(# A rope laid in straight pieces over a table.
def rope rod(polyline(0,0,0, 0.5,0,0, 0.5,0,0.5), spans = 16, radius = 1 cm, young = 1e7, density = 900); end;
def ground obstacle(); plane(0, 1, 0, 0); end;
ground;
rope translatey(0.3);
)"},
    {"dist_constraint", R"(# A pendulum without angles: two coordinates and a rod that keeps its length.
dynamic x, y;
x = initial(1, 0);
y = initial(0, 0);
def bob mass(1); end;
def pivot label(); end;
pivot;
bob translatex(x) translatey(y);
dist_constraint(bob, pivot, 1);
)"},
    {"path_constraint", R"(# A bead that slides along a wire without friction.
dynamic x, y;
x = initial(0.1, 0);
y = initial(0.85, 0);
def bead mass(0.1); end;
bead translatex(x) translatey(y);
path_constraint(bead, spline(0,1,0, 0.5,0,0, 1.5,0,0, 2,1,0));
assemble;
)"},
    {"position_constraint", R"(# A cable held at one end; the other end is released after a second.
def cable rod(line(0,0,0, 1,0,0), spans = 12, radius = 1 cm, young = 1e7, density = 900); end;
cable;
position_constraint(cable at 0 along, point(0, 0, 0));
position_constraint(cable at 1 along, point(1, 0, 0), until = 1);
)"},
    {"orientation_constraint", R"(# A cable that leaves the wall straight, as if it were clamped.
def cable rod(line(0,0,0, 1,0,0), spans = 12, radius = 1 cm, young = 1e8, density = 900, damping = 5 ms); end;
cable;
position_constraint(cable at 0 along, point(0, 0, 0));
orientation_constraint(cable at 0 along, 1, 0, 0);
)"},
    {"plane_constraint", R"(# The middle of a rope slides on a table top.
def rope rod(line(0,0,0, 1,0,0), spans = 12, radius = 1 cm, young = 1e7, density = 900, damping = 5 ms); end;
rope;
plane_constraint(rope at 0.5 along, point(0, 0, 0), 0, 1, 0);
position_constraint(rope at 0 along, point(0, 0, 0));
)"},
    {"axis_constraint", R"(# The end of a rope slides along a rail.
def rope rod(line(0,0,0, 1,0,0), spans = 12, radius = 1 cm, young = 1e7, density = 900, damping = 5 ms); end;
rope;
position_constraint(rope at 0 along, point(0, 0, 0));
axis_constraint(rope at 1 along, line(0.2,0,0, 2,0,0));
)"},
    {"circle_constraint", R"(# The end of a rope runs on a ring.
def rope rod(line(0,0,0, 0.5,0,0), spans = 10, radius = 1 cm, young = 1e7, density = 900, damping = 5 ms); end;
rope;
position_constraint(rope at 0 along, point(0, 0, 0));
circle_constraint(rope at 1 along, point(0, 0, 0), 0, 1, 0, radius = 0.5);
)"},
    {"fusion", R"(# Two cables become one: they hold together and may rotate there.
def cable rod(line(0,0,0, 0.5,0,0), spans = 8, radius = 1 cm, young = 1e7, density = 900, damping = 5 ms); end;
left = cable;
right = cable translatex(0.5);
position_constraint(left at 0 along, point(0, 0, 0));
fusion(left at 1 along, right at 0 along, tangent = free);
)"},
    {"keyhole", R"(# A rope slips through an eye with some friction.
def rope rod(line(0,0,0, 1,0,0), spans = 20, radius = 5 mm, young = 1e7, density = 900, damping = 0.02); end;
rope;
keyhole(rope, point(0.4, 0, 0), from = 0.4, friction = 0.1);
)"},
    {"pulley", R"(# Two weights on a rope over a wheel: Atwood's machine.
def rope rod(polyline(-0.1,-1,0, -0.1,0,0, 0.1,0,0, 0.1,-1,0), spans = 16, radius = 4 mm, young = 1e9); end;
rope;
def wheel body(mass = 1); sphere(0.1); end;
disc = wheel;
hinge_joint(disc, line(0,0,0, 0,0,1));
pulley(rope, disc, radius = 0.1, friction = 0.5);
def weight(m) body(mass = m); sphere(50 mm); end;
light = weight(1) translate(-0.1, -1, 0);
heavy = weight(1.2) translate(0.1, -1, 0);
fusion(rope at 0 along, light);
fusion(rope at 1 along, heavy);
rods(contact = none);
)"},
    {"winch", R"(# A winch lifts a crate by half a metre a second.
def rope rod(line(0.1,2,0, 0.1,0.5,0), spans = 20, radius = 4 mm, young = 1e9, damping = 5 ms); end;
rope;
winch(rope, point(0, 2, 0), radius = 0.1, speed = -0.5);
def crate body(mass = 10); box(0.3, 0.3, 0.3); end;
load = crate translate(0.1, 0.5, 0);
fusion(rope at 1 along, load);
rods(contact = none);
simulate(0 sec, 2 sec);
)"},
    {"oriented_keyhole", R"(# A cable that passes through a hole in a wall, square to it.
def cable rod(line(0,0,0, 1,0,0), spans = 16, radius = 1 cm, young = 1e7, density = 900, damping = 0.02); end;
cable;
oriented_keyhole(cable, point(0.5, 0, 0), 1, 0, 0, from = 0.5);
)"},
    {"pearl", R"(# A bead that slides down a wire.
def wire rod(line(0,0,0, 1,-0.4,0), spans = 16, radius = 3 mm, young = 1e9, density = 900, damping = 0.02); end;
def bead body(density = 500); sphere(0.04); end;
wire;
bead translate(0.2, -0.08, 0);
position_constraint(wire at 0 along, point(0, 0, 0));
position_constraint(wire at 1 along, point(1, -0.4, 0));
pearl(bead, wire, from = 0.2, friction = 0);
)"},
    {"cut", R"(# A rope with a weight is cut after half a second.
def rope rod(line(0,0,0, 0,-1,0), spans = 12, radius = 1 cm, young = 1e7, density = 900, damping = 0.02); end;
rope;
position_constraint(rope at 0 along, point(0, 0, 0));
cut(rope at 0.4 along, when = 0.5 sec);
)"},
    {"above", R"(# The tip of a braid stays above the ground.
def ground obstacle(); plane(0, 1, 0, 0); end;
def braid strand(line(0,0,0, 0.6,-0.4,0), segments = 12); radius(1 cm); young(1e7); end;
ground;
braid translatey(0.5);
above(braid at 1 along, ground);
)"},
    {"joint_constraint", R"(# A tail whose middle joint is bent by the animator; all others move freely.
def tail strand(line(0,0,0, 1,0,0), segments = 10); radius(1 cm); young(5e7); damping(0.05); end;
tail;
joint_constraint(tail at 0.5 along, x, angle = {0 at 0 sec slowinout 30 deg at 1 sec});
)"},
    {"spring_and_damper", R"(# Two masses on a rail, joined by a spring; the first is tied to the wall by another.
dynamic a, b;
a = initial(1, 0);
b = initial(2.4, 0);
def bob mass(1); end;
left = bob translatex(a);
right = bob translatex(b);
spring_and_damper(left, right, 1, 50, 0.5);
spring_and_damper(a, 1, 20, 0);
)"},
    {"force", R"(# A puck pushed sideways by a steady force of two newtons.
dynamic x;
x = initial(0, 0);
def puck mass(1); end;
puck translatex(x);
force(puck, 2, 0, 0);
)"},
    {"torque", R"(# A motor turns a beam.
dynamic theta;
theta = initial(0, 0);
def beam box_mass(2, 1, 0.1, 0.1); end;
beam rotatez(theta);
torque(theta, 0.5);
)"},
    {"drag", R"(# A pendulum that the air slows down.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
drag(bob, 0.4);
)"},
    {"field", R"(# A field that pushes sideways, on one of two masses only.
dynamic x, z;
x = initial(0, 0);
z = initial(0, 0);
def bob mass(1); end;
left = bob translatex(x);
right = bob translatez(z);
field(0.5, 0, 0.5) on left;
)"},
    {"wind", R"(# Wind that rises over a braid.
var gust;
gust = {0 at 0 sec slowinout 6 at 1 sec};
def braid strand(line(0,0,0, 0,-0.8,0), segments = 16); radius(8 mm); young(1e7); air_drag(0.01, 0.1); end;
braid;
wind(gust, 0, 0) on braid;
)"},
    {"turbulence", R"(# Grass in a restless wind.
def blade strand(line(0,0,0, 0,0.4,0), segments = 8); radius({3 mm at 0 along linear 1 mm at 1 along}); young(2e8); damping(0.05); air_drag(0.001, 0.02); zero_gravity_rest(); end;
for i in 0..8 b[i] = blade translatex(0.08 * i); end;
wind(3, 0, 0) on b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8];
turbulence(3, size = 0.5, period = 0.8) on b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8];
)"},
    {"vortex", R"(# A whirl about the y axis bends the grass around it.
def blade strand(line(0,0,0, 0,0.4,0), segments = 8); radius(2 mm); young(2e8); damping(0.05); air_drag(0.001, 0.02); zero_gravity_rest(); end;
for i in 0..5 b[i] = blade translatex(0.15 + 0.1 * i); end;
vortex(line(0,0,0, 0,1,0), 4, size = 0.3) on b[0], b[1], b[2], b[3], b[4], b[5];
)"},
    {"wake", R"(# A ball that flies past pulls the air, and the grass, along.
def ball label(); end;
ball translate({-1 at 0 sec linear 2 at 1 sec}, 0.4, 0.2);
def blade strand(line(0,0,0, 0,0.4,0), segments = 8); radius(2 mm); young(2e8); damping(0.05); air_drag(0.001, 0.02); zero_gravity_rest(); end;
grass = blade;
wake(ball, size = 0.5) on grass;
)"},
    {"noise", R"(# A tail that never rests.
def tail strand(line(0,0,0, 0,-0.6,0), segments = 12); radius(8 mm); young(1e7); damping(0.05); end;
tail;
noise(2, size = 0.2, period = 0.5) on tail;
)"},
    {"continuum", R"(# Strands of hair that keep their distance and drag each other along.
def hair strand(line(0,0,0, 0,-0.3,0), segments = 8); radius(1 mm); young(1e8); damping(0.02); end;
for i in 0..5 h[i] = hair translatex(1 cm * i); end;
continuum(2 cm, density = 20, pressure = 5, viscosity = 4) on h[0], h[1], h[2], h[3], h[4], h[5];
)"},
    {"gravity", R"(# A pendulum on the moon.
gravity(0, -1.62, 0);
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
)"},
    {"body", R"(# A crate falls on the ground. A body needs a density or a mass, and at least one shape.
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(1, 1, 1); end;
ground;
crate translatey(2);
)"},
    {"obstacle", R"(# An obstacle is moved by tracks alone: a wall that pushes a crate.
def ground obstacle(); plane(0, 1, 0, 0); end;
def wall obstacle(); box(0.2, 1, 1); end;
def crate body(density = 400); box(0.5, 0.5, 0.5); end;
ground;
wall translate({-1 at 0 sec slowinout 0.5 at 2 sec}, 0.5, 0);
crate translatey(0.25);
)"},
    {"material", R"(# Two crates on a slope: one slides, one stays.
def slope obstacle(); box(3, 0.1, 2); material(friction = 0.5); end;
def crate(grip) body(density = 400); box(0.3, 0.3, 0.3); material(friction = grip); end;
slope rotatez(-20 deg);
crate(0.1) translate(-0.5, 0.21, 0.4) rotatez(-20 deg);
crate(0.9) translate(-0.5, 0.21, -0.4) rotatez(-20 deg);
)"},
    {"contact_material", R"(# A ball that bounces on this ground, whatever it does elsewhere.
def ground obstacle(); plane(0, 1, 0, 0); end;
def ball body(density = 400); sphere(0.1); end;
ground;
ball translatey(1);
contact_material(ball, ground, friction = 0.9, bounce = 0.8);
)"},
    {"touches", R"(# A ball that falls through the lid, is sensed in the gate, and lands on the floor.
def ground obstacle(); plane(0, 1, 0, 0); end;
def slab obstacle(); box(1, 0.05, 1); end;
def ball body(density = 400); sphere(0.1); end;
ground;
lid = slab translatey(1);
gate = slab translatey(0.5);
b = ball translatey(1.5);
touches(b, lid, no);
touches(b, gate, sense);
)"},
    {"belt", R"(# A crate on a conveyor, which soon moves as fast as the belt.
def conveyor obstacle(); box(4, 0.2, 1); belt(0.5, 0, 0); end;
def crate body(density = 400); box(0.3, 0.3, 0.3); end;
conveyor;
crate translate(-1, 0.26, 0);
)"},
    {"centre_of_mass", R"(# A tumbler rights itself.
def ground obstacle(); plane(0, 1, 0, 0); end;
def tumbler body(mass = 1); sphere(0.1); centre_of_mass(0, -0.05, 0); end;
ground;
tumbler rotatez(80 deg) translatey(0.1);
)"},
    {"moments_of_inertia", R"(# A body that turns end over end about its middle axis.
gravity(0, 0, 0);
def handle body(mass = 1); capsule(0.05, 0.3); moments_of_inertia(0.01, 0.02, 0.03); end;
handle spin(0.05, 8, 0);
)"},
    {"box", R"(# A block that lands on its edge.
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(1, 0.4, 0.6); end;
ground;
crate rotatez(30 deg) translatey(1.5);
)"},
    {"sphere", R"(# A ball that rolls.
def ground obstacle(); plane(0, 1, 0, 0); end;
def ball body(density = 400); sphere(0.1); end;
ground;
ball translatey(0.1) velocity(1, 0, 0);
)"},
    {"capsule", R"(# A pill falls over, and a bent pipe of two capsules between points.
def ground obstacle(); plane(0, 1, 0, 0); end;
def pill body(density = 400); capsule(0.1, 0.4); end;
def pipe body(density = 400); capsule(0.06, 0,0,0, 0.5,0.3,0); capsule(0.06, 0.5,0.3,0, 1,0,0); end;
ground;
pill rotatez(10 deg) translatey(0.4);
pipe translate(0.4, 0.5, 0);
)"},
    {"cylinder", R"(# A drum falls over.
def ground obstacle(); plane(0, 1, 0, 0); end;
def drum body(density = 400); cylinder(0.3, 0.8); end;
ground;
drum rotatez(30 deg) translatey(0.8);
)"},
    {"ellipsoid", R"(# An egg rolls and rocks until it lies still.
def floor obstacle(); plane(0, 1, 0, 0); end;
def egg body(density = 1000); ellipsoid(0.2, 0.3, 0.2); material(rolling = 0.005); end;
floor;
egg rotatez(60 deg) translatey(0.4) velocity(0.5, 0, 0);
)"},
    {"cone", R"(# A cone comes to rest on its side.
def ground obstacle(); plane(0, 1, 0, 0); end;
def hat body(density = 400); cone(0.3, 0.8); end;
ground;
hat rotatez(60 deg) translatey(0.8);
)"},
    {"hull", R"(# The smallest convex solid around four points.
def ground obstacle(); plane(0, 1, 0, 0); end;
def stone body(density = 400); hull(0,0,0, 1,0,0, 0,1,0, 0,0,1); end;
ground;
stone translatey(0.5);
)"},
    {"mesh", R"(# A cow from a file beside the script. Bodies take the convex hull of each part, obstacles the surface itself.
def ground obstacle(); plane(0, 1, 0, 0); end;
def cow body(density = 1000); mesh("meshes/cow.obj"); end;
ground;
cow translatey(1.5);
)"},
    {"plane", R"(# A slope without end: through the origin, along this normal.
def slope obstacle(); plane(0.2, 1, 0, 0); material(friction = 0.1); end;
def crate body(density = 400); box(0.3, 0.3, 0.3); end;
slope;
crate translatey(0.4);
)"},
    {"height_field", R"(# Hills from a grid of three by three heights, one metre apart.
def hills obstacle(); height_field(3, 1, 0,0,0, 0,1,0, 0,0,0); end;
def ball body(density = 400); sphere(0.1); end;
hills;
ball translate(1.1, 1.4, 1);
)"},
    {"velocity", R"(# A ball that is thrown.
def ground obstacle(); plane(0, 1, 0, 0); end;
def ball body(density = 400); sphere(0.1); end;
ground;
ball translatey(1) velocity(2, 2, 0);
)"},
    {"spin", R"(# A crate that is thrown with a spin.
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(0.4, 0.4, 0.4); end;
ground;
crate translatey(2) velocity(1, 0, 0) spin(0, 0, 6);
)"},
    {"ball", R"(# A plate on a ball joint, spun and let go slantwise: a top.
dynamic ball q = initial((0, 0, -30 deg), (20, 35, 0));
def plate box_mass(1, 0.4, 0.05, 0.4); end;
plate translatey(0.5) ball(q);
)"},
    {"free", R"(# A crate thrown spinning about its middle axis turns over again and again.
dynamic ball q = initial((0, 0, 0), (0.1, 6, 0));
dynamic x = initial(0, 1), y = initial(0, 5), z;
def crate box_mass(2, 1, 0.6, 0.3); end;
crate free(q, x, y, z);
)"},
    {"universal", R"(# A bar that swings both ways about crossed pins.
dynamic a = initial(30 deg, 0), b = initial(0, 2);
def bar box_mass(1, 0.1, 1, 0.1); end;
bar translatey(-0.5) universal(a, b);
)"},
    {"screw", R"(# A nut runs down an upright screw by its own weight.
dynamic a;
def nut box_mass(1, 0.2, 0.1, 0.2); end;
nut screw(a, 10 cm, axis = y);
)"},
    {"follow", R"(# A tassel on the last bone of a tentacle that another program animated.
def arm obstacle(); mesh("meshes/tentacle.glb"); end;
def tip label(); end;
def tassel strand(line(0,0.47,0, 0.6,0.47,0), segments = 10); radius(1 cm); bend_stiffness(1e-4); damping(0.05); end;
arm;
tip follow("meshes/tentacle.glb", "bone5");
tassel on tip;
)"},
    {"motor", R"(# An arm that a weak motor lifts after a track.
dynamic a;
def arm box_mass(2, 1, 0.1, 0.1); end;
arm translatex(0.5) rotatez(a);
motor(a, {0 at 0 sec slowinout 90 deg at 1 sec}, 400, 40, most = 30);
)"},
    {"limits", R"(# A flap that falls against its stop and bounces.
dynamic a = initial(80 deg, 0);
def flap box_mass(1, 1, 0.05, 0.5); end;
flap translatex(0.5) rotatez(a);
limits(a, 0, 90 deg, bounce = 0.4);
)"},
    {"friction", R"(# A pendulum whose hinge rubs: it stops hanging askew.
dynamic a = initial(60 deg, 0);
def bob mass(1); end;
bob translatey(-1) rotatez(a);
friction(a, 0.8);
)"},
    {"set_rate", R"(# A pendulum clock: every swing to the right gets a push as it passes the middle.
dynamic a = initial(10 deg, 0);
def bob mass(1); end;
b = bob translatey(-1) rotatez(a);
torque(a, -0.2 * rate(a));
whenever b_x > 0
  set_rate(a, 0.6);
end;
)"},
    {"since", R"(# A wheel that begins to turn when the weight has fallen a metre, ever faster.
dynamic y, a;
def weight mass(1); end;
def wheel box_mass(1, 1, 1, 0.1); end;
w = weight translatey(y);
wheel translatex(2) rotatez(a);
when w_y < -1 as fallen
  torque(a, since(fallen));
end;
)"},
    {"contact_force", R"(# A wheel that is driven once the ball has landed.
dynamic a;
def floor obstacle(); plane(0, 1, 0, 0); end;
def ball body(density = 400); sphere(0.1); end;
def wheel box_mass(1, 1, 1, 0.1); end;
floor;
b = ball translatey(1);
wheel rotatez(a) translate(2, 1, 0);
when contact_force(b, floor) > 0
  torque(a, 1);
end;
)"},
    {"ball_joint", R"(# A bar that hangs from the ceiling by its upper end.
def bar body(density = 400); box(0.1, 1, 0.1); end;
bar translate(0, 1.5, 0) spin(1, 0, 2);
ball_joint(bar, point(0, 2, 0));
)"},
    {"hinge_joint", R"(# A door with a stop at 90 degrees, pushed by a motor.
def door body(density = 400); box(0.8, 2, 0.04); end;
door translate(0.4, 1, 0);
hinge_joint(door, line(0,0,0, 0,1,0), low = 0, high = 90 deg, motor = 2, motor_force = 50);
)"},
    {"slider_joint", R"(# A drawer that slides out as far as its stop.
def drawer body(density = 300); box(0.4, 0.2, 0.5); end;
drawer velocity(0, 0, 1);
slider_joint(drawer, line(0,0,0, 0,0,1), low = 0, high = 0.4);
)"},
    {"fixed_joint", R"(# A plank glued to a wall, until the load is too large.
def wall obstacle(); box(0.2, 1, 1); end;
def plank body(density = 700); box(1, 0.05, 0.2); end;
def crate body(density = 700); box(0.3, 0.3, 0.3); end;
wall;
plank translatex(0.6);
crate translate(0.9, 1, 0);
fixed_joint(plank, wall, breaks = 300);
)"},
    {"universal_joint", R"(# A shaft that drives another one at an angle through a cross.
bodies(sleep = no);
def shaft body(density = 2000); cylinder(0.05, 1) rotatez(90 deg); box(0.06, 0.2, 0.06) translatex(0.3); end;
drive = shaft translatex(-0.5);
driven = shaft rotatez(180 deg) translatex(0.5) rotatey(30 deg);
hinge_joint(drive, line(0,0,0, 1,0,0), motor = 3);
hinge_joint(driven, line(0,0,0, cos(30 deg),0,-sin(30 deg)));
universal_joint(driven, drive, line(0,0,0, 0,0,1), line(0,0,0, 0,1,0));
)"},
    {"screw_joint", R"(# A nut runs down an upright screw by its own weight.
def bolt obstacle(); cylinder(0.05, 1); end;
def nut body(density = 4000); cylinder(0.15, 0.1); box(0.36, 0.08, 0.08); end;
bolt;
n = nut translatey(0.4);
screw_joint(n, bolt, line(0,0,0, 0,1,0), pitch = 0.1);
)"},
    {"gear_joint", R"(# A small wheel drives a large one, three times as slow.
bodies(sleep = no);
def small body(density = 1000); cylinder(0.1, 0.05) rotatex(90 deg); box(0.02, 0.16, 0.06); end;
def large body(density = 1000); cylinder(0.3, 0.05) rotatex(90 deg); box(0.04, 0.5, 0.06); end;
s = small translatex(-0.2);
l = large translatex(0.2);
hinge_joint(s, line(-0.2,0,0, -0.2,0,1), motor = 4);
hinge_joint(l, line(0.2,0,0, 0.2,0,1));
gear_joint(s, l, ratio = 3);
)"},
    {"rack_joint", R"(# A pinion drives a rack to and fro.
bodies(sleep = no);
def pinion body(density = 1000); cylinder(0.1, 0.05) rotatex(90 deg); box(0.02, 0.16, 0.06); end;
def bar body(density = 1000); box(1.2, 0.06, 0.05); end;
p = pinion;
b = bar translatey(-0.13);
hinge_joint(p, line(0,0,0, 0,0,1), target = 120 deg * sin(2 * time));
slider_joint(b, line(0,-0.1,0, 1,-0.1,0));
rack_joint(b, p, radius = 0.1);
)"},
    {"lock_axes", R"(# A puck that stays in its plane and turns about the normal only.
def puck body(density = 500); box(0.4, 0.4, 0.1); material(bounce = 0.5); end;
def floor obstacle(); plane(0, 1, 0, 0); end;
floor;
p = puck rotatez(20 deg) translatey(1) velocity(1, 0, 0.5) spin(1, 2, 3);
lock_axes(p, z = yes, turn_x = yes, turn_y = yes);
)"},
    {"dist_joint", R"(# A crate on a rigid rod.
def hook obstacle(); box(0.1, 0.1, 0.1); end;
def crate body(density = 400); box(0.4, 0.4, 0.4); end;
hook translatey(2);
crate translate(0.8, 1, 0);
dist_joint(hook, crate);
)"},
    {"strand", R"(# A braid: a curve of rigid segments with elastic joints.
def braid strand(spline(0,0,0, 0.1,-0.3,0, 0.1,-0.6,0, 0,-0.9,0), segments = 24); radius(1 cm); young(1e7); damping(0.02); end;
braid;
)"},
    {"branch", R"(# A trunk with two limbs.
def tree
  trunk = strand(line(0,0,0, 0,1,0), segments = 12);
  left = branch(line(0,0,0, -0.4,0.4,0), from = trunk at 0.5 along, segments = 8);
  right = branch(line(0,0,0, 0.4,0.4,0), from = trunk at 0.75 along, segments = 8);
  radius(1 cm); young(1e9); damping(0.05); air_drag(0.01, 0.1); zero_gravity_rest();
end;
tree;
wind(2, 0, 0) on tree;
)"},
    {"groom", R"(# Two hundred hairs that grow on a mesh.
def fur groom("meshes/scalp.obj", count = 200, length = 12 cm, vary = 0.3, droop = 0.8, segments = 6); radius(0.5 mm); young(1e9); zero_gravity_rest(); end;
fur;
)"},
    {"children", R"(# Forty strands, and fifty hairs drawn about each of them.
def lock strand(line(0,0,0, 0,-0.3,0), segments = 10); radius(1 mm); young(1e8); children(50, clump = 0.6, frizz = 0.15); end;
def fringe for i in 1..40 lock translate(0.01 * i - 0.2, 0, 0.02 * sin(40 * i)); end; end;
fringe rotatey({0 deg at 0 sec slowinout 60 deg at 0.6 sec});
)"},
    {"rod", R"(# A cable that hangs between two walls.
def cable rod(line(0,0,0, 2,0,0), spans = 20, radius = 5 mm, young = 2e7, density = 1000, length = 2.3, damping = 5 ms); end;
cable;
position_constraint(cable at 0 along, point(0, 0, 0));
position_constraint(cable at 1 along, point(2, 0, 0));
)"},
    {"radius", R"(# A whip that tapers from 14 to 2 millimetres.
def whip strand(line(0,0,0, 1,0,0), segments = 20); radius({14 mm at 0 along linear 2 mm at 1 along}); young(5e6); end;
whip rotatez({0 deg at 0 sec slowinout 90 deg at 0.3 sec});
)"},
    {"mass_per_length", R"(# A chain by its mass per metre.
def chain strand(line(0,0,0, 0.8,0,0), segments = 16); mass_per_length(0.5); bend_stiffness(0.001); twist_stiffness(0.001); damping(0.02); end;
chain;
)"},
    {"density", R"(# A rubber hose.
def hose strand(line(0,0,0, 0.8,0,0), segments = 16); radius(1 cm); density(1100); young(1e7); damping(0.02); end;
hose;
)"},
    {"young", R"(# Two reeds: the stiffer one bends less.
def reed(E) strand(line(0,0,0, 0.6,0,0), segments = 12); radius(3 mm); density(600); young(E); damping(0.02); end;
reed(5e8);
reed(5e9) translatez(0.2);
)"},
    {"poisson", R"(# Poisson's ratio sets how stiff a curve is in twist beside its stiffness in bending.
def hose strand(line(0,0,0, 0.6,0,0), segments = 12); radius(1 cm); young(1e7); poisson(0.4); end;
hose rotatex({0 at 0 sec slowinout 180 deg at 0.5 sec});
)"},
    {"bend_stiffness", R"(# A fishing rod, stiff at the grip and soft at the tip.
def pole strand(line(0,0,0, 1.5,0,0), segments = 20); mass_per_length(0.05); bend_stiffness({4 at 0 along linear 0.05 at 1 along}); twist_stiffness(1); end;
pole rotatez({30 deg at 0 sec slowinout 60 deg at 0.4 sec});
)"},
    {"twist_stiffness", R"(# A ribbon that is easily twisted.
def ribbon strand(line(0,0,0, 0.6,0,0), segments = 12); mass_per_length(0.02); bend_stiffness(0.05); twist_stiffness(0.002); end;
ribbon rotatex({0 at 0 sec slowinout 360 deg at 1 sec});
)"},
    {"damping", R"(# Two springy twigs; the second one comes to rest soon.
def twig(d) strand(line(0,0,0, 0.6,0,0), segments = 12); radius(4 mm); density(600); young(1e9); damping(d); end;
twig(0.001);
twig(0.1) translatez(0.2);
)"},
    {"air_drag", R"(# A feather: the air resists across far more than along.
def feather strand(line(0,0,0, 0.3,0,0), segments = 8); radius(2 mm); density(50); young(1e8); air_drag(0.001, 0.02); end;
feather;
)"},
    {"hinge", R"(# A tail that bends about one axis only.
def tail strand(line(0,0,0, 0.6,0,0.1), segments = 12); radius(1 cm); young(1e7); hinge(x); damping(0.02); end;
tail;
)"},
    {"time_scale", R"(# Slow motion for one strand.
def tail strand(line(0,0,0, 0.6,0,0), segments = 12); radius(1 cm); young(1e7); time_scale({1 at 0 sec slowinout 0.3 at 0.5 sec}); end;
tail;
)"},
    {"local_dynamics", R"(# A tail that feels little of the run of the hip it stands on.
def hip label(); end;
def tail strand(line(0,0,0, -0.6,0,0), segments = 12); radius(1 cm); young(2e7); local_dynamics(0.6, hip); end;
hip translatex({0 at 0 sec slowinout 3 at 1 sec});
tail on hip;
)"},
    {"pose", R"(# An ear that is pulled towards a pose.
def ear strand(line(0,0,0, 0,0.4,0), segments = 8); radius(1 cm); young(1e7); damping(0.05); pose(line(0,0,0, 0.3,0.3,0), strength = {0 at 0 sec slowinout 40 at 1 sec}, damping = 2); end;
ear;
)"},
    {"blend", R"(# A tail whose motion fades in from its drawn shape.
def tail strand(line(0,0,0, 0.6,0,0), segments = 12); radius(1 cm); young(1e7); blend({0 at 0 sec slowinout 1 at 1 sec}); end;
tail;
)"},
    {"freeze", R"(# A strand that stays as it is for half a second.
def tail strand(line(0,0,0, 0.6,0,0), segments = 12); radius(1 cm); young(1e7); freeze({1 at 0 sec hold 0 at 0.5 sec}); end;
tail;
)"},
    {"stretch", R"(# A tongue that the animator makes longer.
def tongue strand(line(0,0,0, 0.3,0,0), segments = 10); radius(1 cm); young(1e7); damping(0.05); stretch({1 at 0 sec slowinout 2 at 1 sec}); end;
tongue;
)"},
    {"stretch_stiffness", R"(# A rubber band that its own weight makes longer.
def band strand(line(0,0,0, 0,-0.5,0), segments = 12); radius(1 cm); density(2000); young(1e6); damping(0.02); stretch_stiffness(40); end;
band;
)"},
    {"least_radius", R"(# A hose that cannot be bent more tightly than three centimetres.
def hose strand(line(0,0,0, 0.6,0,0), segments = 30); radius(5 mm); density(1000); young(1e5); least_radius(3 cm); end;
hose;
)"},
    {"surface", R"(# A rope with a rough end falls on a ball.
def ball obstacle(); sphere(0.2); end;
def rope strand(line(0,0,0, 0.8,0,0), segments = 20); radius(1 cm); young(1e6); surface(friction = {0.2 at 0 along linear 0.8 at 1 along}); end;
ball translate(0.4, -0.4, 0);
rope;
)"},
    {"contact", R"(# Contact from a fifth of the length on, so that the root may stand inside the head.
def head obstacle(); sphere(0.1); end;
def hair strand(line(0,0,0, 0.4,0,0), segments = 16); radius(2 mm); young(1e7); contact({0 at 0 along hold 1 at 0.2 along}); end;
head;
hair translatey(0.09);
)"},
    {"zero_gravity_rest", R"(# The drawn curve is its shape under gravity: the twig does not sag at the start.
def twig strand(spline(0,0,0, 0.3,0.1,0, 0.5,0,0, 0.7,-0.1,0), segments = 12); radius(4 mm); density(600); young(1e9); zero_gravity_rest(); end;
twig;
)"},
    {"simulate", R"(# Two seconds, in steps of at most a thousandth.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
simulate(0 sec, 2 sec, step = 1 ms);
)"},
    {"frame_rate", R"(# Sixty frames a second.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
frame_rate(60);
)"},
    {"assemble", R"(# A start that only nearly fits the constraint is brought onto it.
dynamic x, y;
x = initial(0.9, 0);
y = initial(0.1, 0);
def bob mass(1); end;
def pivot label(); end;
pivot;
bob translatex(x) translatey(y);
dist_constraint(bob, pivot, 1);
assemble;
)"},
    {"linkages", R"(# The scheme of the original paper: constraints as stiff springs.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
linkages(method = charli);
)"},
    {"bodies", R"(# A small pile by Erleben's method.
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(0.4, 0.4, 0.4); end;
ground;
for i in 0..2 c[i] = crate translatey(0.2 + 0.4 * i); end;
bodies(method = erleben, iterations = 50);
)"},
    {"strands", R"(# A strand in double precision, with contact between strands.
def tail strand(line(0,0,0, 0.6,0,0), segments = 12); radius(1 cm); young(1e7); damping(0.02); end;
tail;
strands(precision = double);
)"},
    {"rods", R"(# Two ropes that touch each other.
def rope rod(line(0,0,0, 1,0,0), spans = 14, radius = 1 cm, young = 1e7, density = 900, damping = 0.02); end;
low = rope;
high = rope rotatey(90 deg) translate(0.5, 0.1, 0.5);
position_constraint(low at 0 along, point(0, 0, 0));
position_constraint(low at 1 along, point(1, 0, 0));
rods(contact = all);
)"},
    {"settle", R"(# A cable that hangs at rest from the first frame on.
def cable rod(line(0,0,0, 1,0,0), spans = 14, radius = 1 cm, young = 1e7, density = 900, length = 1.1); end;
cable;
position_constraint(cable at 0 along, point(0, 0, 0));
position_constraint(cable at 1 along, point(1, 0, 0));
settle();
)"},
    {"camera", R"(# Seen from the front, a little from above.
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(0.5, 0.5, 0.5); end;
ground;
crate rotatez(20 deg) translatey(1.5);
camera(0, 1.5, 6, 0, 0.6, 0, fov = 35 deg);
)"},
    {"studio", R"(# A ball on planks in the light of a low sun; what is farther than it is blurred.
def ground obstacle(); plane(0, 1, 0, 0); end;
def ball body(density = 400); sphere(0.2); look(steel); end;
ground;
ball translatey(1);
studio(evening, wood, elevation = 20 deg, softness = 0.3, aperture = 2 cm);
)"},
    {"still", R"(# A picture of it shows the moment before it lands.
def ground obstacle(); plane(0, 1, 0, 0); end;
def ball body(density = 400); sphere(0.2); end;
ground;
ball translatey(1.2);
still(0.4 sec);
)"},
    {"initial", R"(# Starts at 90 degrees, turning at two radians a second.
dynamic theta;
theta = initial(-90 deg, 2);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
)"},
    {"sin cos", R"(# A label on a circle.
def moon label(); end;
moon translate(cos(2 * time), sin(2 * time), 0);
)"},
    {"tan", R"(# A ramp that rises by 30 degrees over two metres.
def ramp obstacle(); hull(0,0,-1, 2,0,-1, 2,2 * tan(30 deg),-1, 0,0,1, 2,0,1, 2,2 * tan(30 deg),1); end;
def ball body(density = 400); sphere(0.1); end;
ramp;
ball translate(1.5, 1.2, 0);
)"},
    {"asin acos", R"(# Two arms of a metre that reach a height of half a metre.
def hand label(); end;
hand translatex(1) rotatez(asin(0.5));
hand translatey(1) rotatez(acos(0.5));
)"},
    {"atan atan2", R"(# A needle that points at a moving label.
def ship label(); end;
def needle line(0,0,0, 0.4,0,0); end;
ship translate({-2 at 0 sec linear 2 at 2 sec}, 1, 0);
needle rotatez(atan2(1, {-2 at 0 sec linear 2 at 2 sec}));
needle rotatez(atan(2)) translatey(-1);
)"},
    {"sqrt", R"(# Balls on a spiral, evenly spread.
def ball label(); end;
for i in 1..20 b[i] = ball translatex(0.1 * sqrt(i)) rotatez(137.5 deg * i); end;
)"},
    {"exp log", R"(# A swing that dies away, and one that grows slowly.
def dot label(); end;
dot translatey(exp(-time) * cos(8 * time));
dot translate(1, 0.3 * log(1 + time), 0);
)"},
    {"pow", R"(# A path that starts gently.
def dot label(); end;
dot translatex(0.2 * pow(time, 3));
)"},
    {"abs", R"(# A bouncing dot.
def dot label(); end;
dot translate(0.5 * time, abs(sin(4 * time)), 0);
)"},
    {"sign", R"(# A dot that jumps from side to side.
def dot label(); end;
dot translatex(0.5 * sign(sin(3 * time)));
)"},
    {"min max", R"(# A lift that waits a second, then rises two metres and stops.
def lift label(); end;
lift translatey(min(max(0, time - 1), 2));
)"},
    {"mod", R"(# A hand that starts again every second.
def hand line(0,0,0, 0,1,0); end;
hand rotatez(-360 deg * mod(time, 1));
)"},
    {"floor ceil", R"(# A clock's hand that jumps once a second, and steps of a stair.
def hand line(0,0,0, 0,1,0); end;
hand rotatez(-6 deg * floor(time));
def step label(); end;
for i in 0..5 s[i] = step translate(0.3 * i, 0.2 * ceil(i / 2), 0); end;
)"},
    {"color", R"(# A ball in a colour by its hexadecimal digits.
def ball body(density = 400); sphere(0.2); color("#c33"); end;
def ground obstacle(); plane(0, 1, 0, 0); end;
ground;
ball translatey(1);
)"},
    {"closed_spline", R"(# A bead that goes round and round on a closed wire.
var ring;
dynamic x, y;
ring = closed_spline(1,0,0, 0,1,0, -1,0,0, 0,-1,0);
x = initial(1, 0);
y = initial(0, -1);
def bead mass(0.1); end;
bead translatex(x) translatey(y);
path_constraint(bead, ring);
path(ring);
)"},
    {"echo assert", R"(# Values are told, and wrong ones refused, when the script is read.
param n = 3 [1..9];
def ball label(); end;
for i in 1..n b[i] = ball translatex(0.3 * i); end;
echo("balls:", n);
assert(n > 0, "too few balls:", n);
)"},
    {"probe", R"(# The height of a pendulum, as a row of tables for every frame.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
probe("height", bob_y);
)"},
    {"rate", R"(# A motor that resists the faster the arm turns.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
torque(theta, -2 * rate(theta));
)"},
    {"constraint_force", R"(# The tension of the rope of a swing.
dynamic x = initial(2, 0), y = initial(-1, 0);
def bob mass(3); end;
def post label(); end;
o = post;
b = bob translate(x, y, 0);
dist_constraint(o, b, sqrt(5));
line((0, 0, 0), b);
probe("tension", length(constraint_force(b)));
)"},
    {"tension bending_moment twist_moment", R"(# A clamped bar that a hand bends and twists, and a rope that carries a weight.
def bar rod(line(0,0,0, 1,0,0), spans = 12, radius = 5 mm, young = 1e8, damping = 0.02); end;
b = bar;
position_constraint(b at 0 along, point(0, 0, 0));
orientation_constraint(b at 0 along, 1, 0, 0);
force(b at 1 along, 0, 0.2, 0);
def rope rod(line(0,0,0, 0,-1,0), spans = 12, radius = 5 mm, young = 1e8, damping = 0.02); end;
r = rope translatez(1);
position_constraint(r at 0 along, point(0, 0, 1));
probe("root", bending_moment(b at 0 along), twist_moment(b at 0 along));
probe("rope", tension(r at 0.5 along), tension(r));
when tension(r) > 2 as taut end;
)"},
    {"constraint_length constraint_error", R"(# Two balls on a rubber band and a rod: how strongly these pull, and how long they are.
dynamic x = initial(1, 0), y = initial(0, 0), u = initial(2, 0), v = initial(0, 0);
def bob mass(3); end;
def post label(); end;
o = post;
b = bob translate(x, y, 0);
c = bob translate(u, v, 0);
band = spring_and_damper(o, b, 1, 200, 0);
rod = dist_constraint(b, c, 1);
line((0, 0, 0), b);
line(b, c);
probe("band", tension(band), constraint_length(band));
probe("rod", tension(rod), constraint_error(rod));
)"},
    {"kinetic_energy potential_energy", R"(# What a pendulum loses in height it gains in speed.
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(1); end;
bob translatex(1) rotatez(theta);
probe("energy", kinetic_energy(), potential_energy(), kinetic_energy() + potential_energy());
)"},
    {"count concat", R"(# Labels at the places of two lists.
var places;
places = concat([0, 1], [3, 6]);
def post label(); end;
for i in 0..count(places) - 1 p[i] = post translatex(places[i]); end;
)"},
    {"length unit", R"(# A label one metre from the origin, towards another.
var far;
far = (3, 4, 0);
def post label(); end;
post translate(far);
post translate(unit(far));
post translatex(length(far));
)"},
    {"dot cross", R"(# The normal of a plane, and how far a point is above it.
var a, b, n;
a = (1, 0, 0);
b = (0, 0, -1);
n = cross(a, b);
def post label(); end;
post translate(n);
post translatey(dot(n, (2, 3, 4)));
)"},
    {"random", R"(# Grass whose blades are scattered, always in the same way.
def blade strand(line(0,0,0, 0,0.4,0), segments = 8); radius(3 mm); young(2e8); damping(0.05); end;
for i in 1..12 b[i] = blade translate(random(7, i, -0.5, 0.5), 0, random(8, i, -0.5, 0.5)); end;
)"},
};
// clang-format on

/// Whether a list of names has one.
bool has_name(std::string_view names, std::string_view name)
{
    for (std::size_t begin = 0; begin < names.size();) {
        const std::size_t end = std::min(names.find(' ', begin), names.size());
        if (names.substr(begin, end - begin) == name)
            return true;
        begin = end + 1;
    }
    return false;
}

} // namespace

namespace {

const WordScript* find_script(const Word& word)
{
    const std::string by_kind =
        std::string(word.name) + (word.kind == WordKind::path ? ":path" : ":drawing");
    for (const WordScript& script : kScripts)
        if (has_name(script.words, word.name) || has_name(script.words, by_kind))
            return &script;
    return nullptr;
}

} // namespace

std::string_view script_of(const Word& word)
{
    const WordScript* script = find_script(word);
    return script ? script->text : std::string_view{};
}

std::string picture_of(const Word& word)
{
    const WordScript* script = find_script(word);
    if (!script)
        return {};
    std::string name(script->words.substr(0, script->words.find(' ')));
    std::replace(name.begin(), name.end(), ':', '_');
    return name;
}

} // namespace sinew::charli

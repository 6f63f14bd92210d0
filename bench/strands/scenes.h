#pragma once

#include "sinew/world.h"

#include <functional>
#include <string>

namespace sinew::bench {

struct StrandScene {
    std::string name;
    std::string script;
    int segments = 0;
    std::string mesh = {}; ///< of the file "scalp.obj"

    /// How deep a place on the axis of a strand is in what it may touch [m], by the geometry of the
    /// scene alone; none: it touches nothing.
    std::function<double(const Vec3&)> depth_at = {};
};

StrandScene make_jungle(int trees);   ///< of 100 segments each, in turbulence
StrandScene make_hair(int strands);   ///< of 25 segments each, on a head that shakes
StrandScene make_rubber(int strands); ///< the same, whose lengths move under load

/// Long hair of 25 segments each on a moving head: some of it lies there and on the shoulders, the
/// rest passes through.
StrandScene make_long_hair(int strands, int touching);

/// A curtain of hanging hair of 25 segments each, through which a ball goes to and fro.
StrandScene make_struck_hair(int strands, double speed);

/// Hanging trees of 40 segments in wind, whose branches lie on the ground or pass through.
StrandScene make_willows(int trees, bool touches);

/// A tuft of strands of 12 segments each, as many in a row as there are rows, that touch each other
/// while their base goes to and fro.
StrandScene make_tuft(int rows);

/// Strands of 16 segments each that grow on a scalp, on a head that shakes.
StrandScene make_groom(int strands);

/// Ends the program where strands start inside of something: their contact would not be measured.
World make_world(const StrandScene& scene, bool is_float, int threads);

/// How near the axes of two strands come, away from their roots [m].
double nearest_axes(const World& world);

struct FrameTime {
    double seconds = 0; ///< for a frame of four steps, mean
    double slowest = 0; ///< of 99 % of the frames
    double solves = 0;  ///< in a stage of a strand, mean
    double depth = 0;   ///< of the deepest point of any strand at the end of any frame [m]
    int halvings = 0;
};

/// Some frames, one after the other: of this thread's time, or by the clock on the wall.
FrameTime time_frames(const StrandScene& scene, World& world, bool is_by_wall, int frames);

} // namespace sinew::bench

#pragma once

#include "sinew/world.h"

#include <string>

namespace sinew::bench {

struct StrandScene {
    std::string name;
    std::string script;
    int segments = 0;
    std::string mesh = {}; ///< of the file "scalp.obj"
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

/// Strands of 16 segments each that grow on a scalp, on a head that shakes.
StrandScene make_groom(int strands);

World make_world(const StrandScene& scene, bool is_float, int threads);

struct FrameTime {
    double seconds = 0; ///< for a frame of four steps
    double solves = 0;  ///< in a stage of a strand, mean
    int halvings = 0;
};

/// Fastest of some frames: of this thread's time, or by the clock on the wall.
FrameTime time_frames(World& world, bool is_by_wall, int frames);

} // namespace sinew::bench

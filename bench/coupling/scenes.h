#pragma once

#include <string>
#include <vector>

namespace sinew::bench {

/// One scene in which several models touch.
struct CoupledScene {
    std::string name;
    std::string script;
    double seconds = 1; ///< simulated time
    double goal = 0;    ///< processor time [ms] of a step; of the whole run where `is_whole`
    bool is_whole = false;
    std::string rival = {}; ///< the scene in MuJoCo's language; empty: it cannot do it
};

/// All scenes, in the order of the table. With `is_large` those that take minutes, too.
std::vector<CoupledScene> make_scenes(bool is_large);

/// One kind of scene at growing sizes.
struct GrowthFamily {
    struct Size {
        int parts = 0;
        CoupledScene scene;
    };
    std::string name;
    double bound = 0; ///< of the exponent of time in parts
    std::vector<Size> sizes;
};

/// Chains and planes of 10 to 1,000 parts, with friction.
std::vector<GrowthFamily> make_families();

} // namespace sinew::bench

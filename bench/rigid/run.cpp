#include "run.h"

#include "apart.h"
#include "judge.h"

#include <algorithm>
#include <cmath>

namespace sinew::bench {

namespace {

std::vector<MovingPose> poses_of(const StackScene& scene, const StackEngine& engine)
{
    std::vector<MovingPose> poses;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        poses.push_back(scene.bodies[i].mass > 0
                            ? engine.pose(i)
                            : MovingPose{scene.bodies[i].x, scene.bodies[i].q, {0, 0, 0}});
    return poses;
}

double drift_of(const StackScene& scene, const std::vector<MovingPose>& poses)
{
    double most = 0;
    for (std::size_t i = 0; i < poses.size(); ++i)
        most = std::max(most, length(poses[i].x - scene.bodies[i].x));
    return most;
}

int count_lost(const StackScene& scene, const std::vector<MovingPose>& poses)
{
    return int(std::ranges::count_if(poses, [&](const MovingPose& pose) {
        const bool is_in = pose.x.z > -2.5 && std::hypot(pose.x.x, pose.x.y) <= scene.wall + 25;
        const bool is_held = scene.wall > 1e8 || std::hypot(pose.x.x, pose.x.y) <= scene.wall + 0.3;
        return !is_finite(pose.x) || !is_in || !is_held;
    }));
}

StackRun run(const StackScene& scene, StackEngine& engine, double h, double most_seconds)
{
    const Judge judge(scene);
    const bool is_pile = scene.expected == Outcome::settles;
    const int steps = int(std::lround(scene.seconds / h));
    const int every = is_pile ? 1 : std::max(1, int(std::lround(0.1 / h)));
    StackRun result;
    double spent = 0, spent_standing = 0;
    int done = 0, standing = 0;
    while (done < steps && spent < most_seconds * 1e3) {
        const double before = now_ms();
        engine.step();
        const double ms = now_ms() - before;
        spent += ms;
        result.worst_ms = std::max(result.worst_ms, ms);
        if (++done % every == 0) {
            const auto poses = poses_of(scene, engine);
            result.overlap = std::max(result.overlap, judge.overlap(poses));
            const bool is_up = drift_of(scene, poses) <= scene.most_drift;
            if (is_up)
                result.fell_at = -1; // soft contacts may sag and recover
            else if (result.fell_at < 0)
                result.fell_at = done * h;
            if (result.fell_at < 0)
                spent_standing = spent, standing = done;
        }
    }
    const auto poses = poses_of(scene, engine);
    const bool counts_standing = scene.expected == Outcome::stands && standing > 0;
    result.ms = counts_standing ? spent_standing / standing : spent / done;
    result.seconds = done * h;
    result.drift = drift_of(scene, poses);
    result.end_overlap = judge.overlap(poses);
    for (const MovingPose& pose : poses)
        result.speed = std::max(result.speed, length(pose.v));
    result.lost = count_lost(scene, poses);
    result.is_done = true;
    return result;
}

} // namespace

StackRun run_apart(const StackScene& scene, MakeEngine make, double h, double most_seconds)
{
    return call_apart<StackRun>([&](StackRun& result) {
        if (const StackEnginePointer engine = make(scene, h))
            result = run(scene, *engine, h, most_seconds);
    });
}

} // namespace sinew::bench

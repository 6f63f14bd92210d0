"""A cart with a pole for reinforcement learning, as an environment of gymnasium:

    from cart_pole import CartPole
    env = CartPole()
    observation, info = env.reset(seed=1)
    observation, reward, is_over, is_cut, info = env.step(env.action_space.sample())

Run as a program it holds the pole up with a linear controller and prints how long.
"""
from __future__ import annotations

from typing import Any

import gymnasium
import numpy
from numpy.typing import NDArray

import sinew

SCRIPT = """\
import push;
dynamic x, angle;
x = initial(0, 0);
angle = initial(90 deg, 0);

def cart box_mass(1, 0.4, 0.2, 0.2); end;
def bob mass(0.1); end;
cart translatex(x);
bob translatex(0.5) rotatez(angle) translatex(x);
line(cart_x, cart_y, 0, bob_x, bob_y, 0);
torque(x, push);
frame_rate(50);
"""


class CartPole(gymnasium.Env[NDArray[numpy.float32], NDArray[numpy.float32]]):
    """Observed: place and speed of the cart, angle from upright and its rate. Action: a push of the cart, -1 to 1, times 10 N."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(self, render_mode: str | None = None):
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Box(-numpy.inf, numpy.inf, (4,), numpy.float32)
        self.action_space = gymnasium.spaces.Box(-1, 1, (1,), numpy.float32)
        self.push = 0.0
        self.world = sinew.World(sinew.parse(SCRIPT), imports={"push": lambda time, coordinates, rates: self.push})

    def _observation(self) -> NDArray[numpy.float32]:
        (x, angle), (speed, rate) = self.world.coordinates, self.world.rates
        return numpy.array([x, speed, angle - numpy.pi / 2, rate], dtype=numpy.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[numpy.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.push = 0.0
        self.world = sinew.World(self.world.scene, imports={"push": lambda time, coordinates, rates: self.push})
        x, tilt = self.np_random.uniform(-0.05, 0.05, 2)
        self.world.set_state(coordinates={"x": x, "angle": numpy.pi / 2 + tilt})
        return self._observation(), {}

    def step(self, action: NDArray[numpy.float32]) -> tuple[NDArray[numpy.float32], float, bool, bool, dict[str, Any]]:
        self.push = 10 * float(numpy.clip(action[0], -1, 1))
        report = self.world.step()
        observation = self._observation()
        is_over = not report or abs(float(observation[0])) > 2.4 or abs(float(observation[2])) > 0.21
        return observation, 1.0, is_over, self.world.time >= 10, {}

    def render(self) -> NDArray[numpy.uint8] | None:
        if self.render_mode != "rgb_array":
            return None
        import io

        from PIL import Image
        return numpy.asarray(Image.open(io.BytesIO(self.world.picture(width=320, height=180, samples=4))).convert("RGB"))


if __name__ == "__main__":
    env = CartPole()
    seen, info = env.reset(seed=1)
    is_done = False
    while not is_done:
        force = numpy.dot([1, 2, -32, -6], seen) / 10
        seen, reward, is_over, is_cut, info = env.step(numpy.array([force], dtype=numpy.float32))
        is_done = is_over or is_cut
    print(f"{env.world.time:.3g} s upright")

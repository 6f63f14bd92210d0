// Where objects are: the point at which a label hangs and a grab takes hold.

import type { FrameData } from "../decode";
import type { ElementKind, Scene, SceneElement, Vec } from "../protocol";

const kOrder: Record<ElementKind, number> = {
    sphere: 0, box: 1, capsule: 1, cylinder: 1, cone: 1, mesh: 1, polygon: 2, surface: 2, spring: 3, curve: 4, plane: 9,
};
const kOnPoints = new Set<ElementKind>(["sphere", "curve", "spring", "polygon", "surface"]);

export const stands_on_points = (kind: ElementKind) => kOnPoints.has(kind);

export class Places {
    private readonly element_of = new Map<number, SceneElement>();
    private readonly constraint_elements = new Map<number, SceneElement>();

    constructor(scene: Scene) {
        for (const element of scene.elements) {
            if (element.constraint !== undefined && !this.constraint_elements.has(element.constraint))
                this.constraint_elements.set(element.constraint, element);
            if (element.object === undefined) continue;
            const known = this.element_of.get(element.object);
            if (!known || rank(element) < rank(known)) this.element_of.set(element.object, element);
        }
    }

    has(object: number): boolean {
        return this.element_of.has(object);
    }

    of(object: number, frame: FrameData): Vec | null {
        const element = this.element_of.get(object);
        return element ? middle(element, frame) : null;
    }

    /** A point of an object's curve, at a fraction of its points. */
    along(object: number, along: number, frame: FrameData): Vec | null {
        const element = this.element_of.get(object);
        if (element?.kind !== "curve") return null;
        const at = along * ((element.count ?? 1) - 1), k = Math.min(Math.floor(at), (element.count ?? 1) - 2), part = at - k;
        const f = frame.floats, a = (element.first + k) * 3;
        return [0, 1, 2].map((i) => f[a + i] + (f[a + 3 + i] - f[a + i]) * part) as Vec;
    }

    of_constraint(constraint: number, frame: FrameData): Vec | null {
        const element = this.constraint_elements.get(constraint);
        return element ? middle(element, frame) : null;
    }

    /** Whether a grab takes hold of the place itself: a mass or a body, not a line. */
    is_solid(object: number): boolean {
        const element = this.element_of.get(object);
        return element !== undefined && kOrder[element.kind] < 2;
    }
}

const rank = (element: SceneElement) => kOrder[element.kind] + ((element.role ?? "thing") === "thing" ? 0 : 5);

function middle(element: SceneElement, frame: FrameData): Vec {
    const f = frame.floats;
    if (!stands_on_points(element.kind)) {
        const at = frame.points * 3 + element.first * 12;
        return [f[at + 3], f[at + 7], f[at + 11]];
    }
    const count = element.count ?? 1, sum: Vec = [0, 0, 0];
    for (let i = element.first; i < element.first + count; ++i)
        for (let k = 0; k < 3; ++k) sum[k] += f[i * 3 + k] / count;
    return sum;
}

// The floats of a frame as one texture. Vertex shaders fetch points and poses from it, so the page
// copies a frame once and touches no point.

import { DataTexture, FloatType, NearestFilter, RedFormat } from "three";

const kWidth = 4096; // every WebGL 2 device has it; the shader's masks and shifts know it too

export class Field {
    /** Shared by all materials; its value changes when the texture has to grow. */
    readonly uniform = { value: make_texture(1) };
    private floats = this.uniform.value.image.data as Float32Array;

    write(floats: Float32Array): void {
        const rows = Math.max(1, Math.ceil(floats.length / kWidth));
        if (this.uniform.value.image.height < rows) {
            this.uniform.value.dispose();
            this.uniform.value = make_texture(rows);
            this.floats = this.uniform.value.image.data as Float32Array;
        }
        this.floats.set(floats);
        this.uniform.value.needsUpdate = true;
    }
}

function make_texture(rows: number): DataTexture {
    const texture = new DataTexture(
        new Float32Array(rows * kWidth), kWidth, rows, RedFormat, FloatType);
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    return texture;
}

// Binary messages as views: nothing is copied, so a frame costs its header and no more.

const kMagic = 0x46574e53;
const kHeaderBytes = 56;

export interface FrameData {
    revision: number;
    frame: number;
    is_stale: boolean;
    time: number;
    points: number;
    poses: number;
    forces: number;
    residuals: number;
    hands: number;
    contacts: number;
    layers: number;
    cameras: number; // 1: the script's camera moves, and this is where it is
    /** Points, poses, forces, residuals, hands, contacts, layers and camera, one behind the other. */
    floats: Float32Array;
    bytes: number;
}

/** Where the parts of a frame begin, in floats. */
export interface Offsets {
    poses: number;
    forces: number;
    residuals: number;
    hands: number;
    contacts: number;
    layers: number;
    camera: number;
    end: number;
}

export function offsets_of(frame: FrameData): Offsets {
    const poses = frame.points * 3;
    const forces = poses + frame.poses * 12;
    const residuals = forces + frame.forces * 8;
    const hands = residuals + frame.residuals;
    const contacts = hands + frame.hands * 6, layers = contacts + frame.contacts * 8;
    const camera = layers + frame.layers;
    return { poses, forces, residuals, hands, contacts, layers, camera, end: camera + frame.cameras * 6 };
}

/** Null when the message is no frame or is cut short. */
export function decode_frame(message: ArrayBuffer): FrameData | null {
    if (message.byteLength < kHeaderBytes) return null;
    const header = new DataView(message, 0, kHeaderBytes);
    if (header.getUint32(0, true) !== kMagic) return null;
    const frame: FrameData = {
        revision: header.getUint32(4, true),
        frame: header.getUint32(8, true),
        is_stale: (header.getUint32(12, true) & 1) !== 0,
        time: header.getFloat64(16, true),
        points: header.getUint32(24, true),
        poses: header.getUint32(28, true),
        forces: header.getUint32(32, true),
        residuals: header.getUint32(36, true),
        hands: header.getUint32(40, true),
        contacts: header.getUint32(44, true),
        layers: header.getUint32(48, true),
        cameras: header.getUint32(52, true),
        floats: new Float32Array(message, kHeaderBytes, (message.byteLength - kHeaderBytes) >> 2),
        bytes: message.byteLength,
    };
    return offsets_of(frame).end <= frame.floats.length ? frame : null;
}

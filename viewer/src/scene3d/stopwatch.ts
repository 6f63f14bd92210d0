// The page's own work per frame: decoding, buffers and scene in one number, the calls that hand
// them to the graphics library in another.

const kKept = 600;

export interface Work {
    decode: number[]; // [ms] each
    update: number[];
    submit: number[];
}

export class Stopwatch {
    private readonly kept: Work = { decode: [], update: [], submit: [] };
    private started = 0;
    private ended = 0;

    decoded(ms: number): void {
        keep(this.kept.decode, ms);
    }

    begin(): void {
        this.started = performance.now();
    }

    end(): void {
        this.ended = performance.now();
        keep(this.kept.update, this.ended - this.started);
    }

    submitted(): void {
        keep(this.kept.submit, performance.now() - this.ended);
    }

    work(): Work {
        return structuredClone(this.kept);
    }

    forget(): void {
        for (const list of Object.values(this.kept)) list.length = 0;
    }
}

function keep(list: number[], ms: number): void {
    list.push(ms);
    if (list.length > kKept) list.shift();
}

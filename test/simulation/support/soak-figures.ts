import { median, quantile } from '../../../src/statistics.ts';

/** Metrics of a service at one moment. */
export interface SoakSample {
  /** Since the start. */
  seconds: number;
  rss_bytes: number;
  heap_bytes: number;
  items: number;
  checkpoints: number;
  /** Answers since the previous sample. */
  requests: number;
  /** 99th percentile of their latency. */
  p99_ms: number;
}

const MIB = 2 ** 20;
const ROWS = 12;

/** The samples between two shares of the whole, in order of time. */
function between<T>(samples: readonly T[], from: number, until: number): T[] {
  return samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * until));
}

/** Growth of memory: the median of the last quarter relative to that of the second; 0.05 is 5 %. */
export function growthOf(samples: readonly SoakSample[]): number {
  const rss = (from: number, until: number) =>
    median(between(samples, from, until).map(({ rss_bytes }) => rss_bytes));
  return rss(0.75, 1) / rss(0.25, 0.5) - 1;
}

/** Up to twelve rows with medians. Requests are per second, checkpoints are cumulative. */
export function tableOf(samples: readonly SoakSample[]): string {
  const rows = Math.min(ROWS, samples.length);
  const lines = ['seconds  RSS MiB  heap MiB    items  checkpoints  requests/s  p99 ms'];
  let before = 0;
  for (let row = 0; row < rows; row++) {
    const part = samples.slice((row * samples.length) / rows, ((row + 1) * samples.length) / rows);
    const last = part[part.length - 1];
    const of = (field: keyof SoakSample) => median(part.map((sample) => sample[field]));
    const requests = part.reduce((sum, sample) => sum + sample.requests, 0);
    const cells: [string | number, number][] = [
      [Math.round(last.seconds), 7],
      [(of('rss_bytes') / MIB).toFixed(1), 9],
      [(of('heap_bytes') / MIB).toFixed(1), 10],
      [of('items'), 9],
      [last.checkpoints, 13],
      [Math.round(requests / (last.seconds - before)), 12],
      [of('p99_ms').toFixed(1), 8],
    ];
    lines.push(cells.map(([cell, width]) => String(cell).padStart(width)).join(''));
    before = last.seconds;
  }
  return lines.join('\n');
}

/** Latencies since the last reading. */
export class Latencies {
  private ms: number[] = [];

  add(ms: number): void {
    this.ms.push(ms);
  }

  take(): { requests: number; p99_ms: number } {
    const taken = { requests: this.ms.length, p99_ms: quantile(this.ms, 0.99) };
    this.ms = [];
    return taken;
  }
}

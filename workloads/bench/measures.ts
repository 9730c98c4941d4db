import type { WorldName } from './worlds.ts';

/** The required and the desired value. `null`: no bound. */
interface Bounds {
  must: number | null;
  aim: number | null;
}

interface MeasureSpec {
  title: string;
  unit: string;
  better: 'more' | 'less';
  /** The worlds that the bounds apply to. `any`: independent of the world. */
  bounds: Partial<Record<WorldName | 'any', Bounds>>;
}

function spec(
  title: string,
  unit: string,
  better: MeasureSpec['better'],
  bounds: MeasureSpec['bounds'],
): MeasureSpec {
  return { title, unit, better, bounds };
}

/** All measures in the order of the report. The bounds of `…_cpu_ratio` are relative to commit 7b167c6. */
export const MEASURES = {
  for_you_cpu_us: spec('CPU time of a for-you page, all threads', 'µs', 'less', {}),
  trending_cpu_us: spec('CPU time of a trending page, all threads', 'µs', 'less', {}),
  popular_cpu_us: spec('CPU time of a popular page, all threads', 'µs', 'less', {}),
  for_you_cpu_ratio: spec('CPU time of a for-you page over that of --against', 'ratio', 'less', {
    M: { must: 1.15, aim: 0.9 },
  }),
  trending_cpu_ratio: spec('CPU time of a trending page over that of --against', 'ratio', 'less', {
    M: { must: 1.5, aim: 1 },
  }),
  popular_cpu_ratio: spec('CPU time of a popular page over that of --against', 'ratio', 'less', {
    M: { must: 1.5, aim: 1 },
  }),
  for_you_ratio: spec('for-you requests/s over the bare handler', 'ratio', 'more', {}),
  trending_ratio: spec('trending requests/s over the bare handler', 'ratio', 'more', {}),
  popular_ratio: spec('popular requests/s over the bare handler', 'ratio', 'more', {}),
  breadth_cpu_ratio: spec(
    'CPU time of a for-you page of 500 candidates over a usual one of --against',
    'ratio',
    'less',
    { M: { must: 2.5, aim: 1.8 } },
  ),
  first_pages_p99_ratio: spec('for-you p99 right after a start over warm', 'ratio', 'less', {
    M: { must: 2, aim: 1.3 },
  }),
  first_pages_common: spec(
    'items of warm pages that pages right after a start have too',
    'ratio',
    'more',
    {},
  ),
  p99_over_p50: spec('for-you p99 over p50 at half of the peak load', 'ratio', 'less', {
    M: { must: 6, aim: 3 },
  }),
  selectivity_worst_ratio: spec('time of the worst filtered request over unfiltered', 'ratio', 'less', {
    M: { must: 3, aim: 1.5 },
  }),
  ingest_per_s: spec('interactions acknowledged durable, bodies of 1,000', '1/s', 'more', {
    M: { must: 60_000, aim: 200_000 },
  }),
  ingest_read_p99_ratio: spec('for-you p99 while 20,000 interactions/s arrive over idle', 'ratio', 'less', {
    M: { must: 4, aim: 2 },
  }),
  visible_to_others_ms_p99: spec('an acknowledged act in the pages of others, p99', 'ms', 'less', {
    M: { must: 100, aim: null },
  }),
  bytes_per_follow: spec('resident bytes of a follow', 'B', 'less', { M: { must: 24, aim: 16 } }),
  bytes_per_interaction: spec('resident bytes of an interaction', 'B', 'less', { M: { must: 36, aim: 28 } }),
  bytes_per_item: spec('resident bytes of an item without text', 'B', 'less', { M: { must: 400, aim: 250 } }),
  bytes_per_seen_item: spec('stored bytes of a seen item', 'B', 'less', { M: { must: 8, aim: 5 } }),
  scale_ratio: spec('time of a for-you request, all items over a tenth of them', 'ratio', 'less', {
    M: { must: 1.3, aim: 1.1 },
  }),
  replay_per_s: spec('stored changes applied at start-up', '1/s', 'more', {
    M: { must: 500_000, aim: 1_500_000 },
    L: { must: 400_000, aim: 1_500_000 },
  }),
  ready_s: spec('start-up until ready, with a checkpoint', 's', 'less', {
    L: { must: 30, aim: 10 },
  }),
  first_feed_ms: spec('empty start until the first answered feed', 'ms', 'less', {
    any: { must: 500, aim: 150 },
  }),
  executable_mb: spec('size of the executable', 'MB', 'less', { any: { must: 140, aim: null } }),
  answers_hash: spec('hash of the items on fixed pages', 'sha256/16', 'more', {}),
  recorded_hash: spec('the same of pages that are recorded as seen', 'sha256/16', 'more', {}),
} as const satisfies Record<string, MeasureSpec>;

export type MeasureName = keyof typeof MEASURES;

/** One measured value in the form of `--json`. */
export interface Measure extends Bounds {
  name: MeasureName;
  value: number | string;
  unit: string;
}

/** The measured values of one world, with notes that only the table shows. */
export class Results {
  private readonly values = new Map<MeasureName, number | string>();
  /** Lines of detail under a heading. */
  readonly notes: { heading: string; lines: [string, string][] }[] = [];

  constructor(readonly world: WorldName) {}

  set(name: MeasureName, value: number | string): void {
    this.values.set(name, value);
  }

  note(heading: string, lines: [string, string][]): void {
    this.notes.push({ heading, lines });
  }

  /** Whether this world has a bound for the measure. */
  judges(name: MeasureName): boolean {
    const { must, aim } = this.boundsOf(name);
    return must !== null || aim !== null;
  }

  measures(): Measure[] {
    const names = Object.keys(MEASURES) as MeasureName[];
    return names.flatMap((name) => {
      const value = this.values.get(name);
      if (value === undefined) return [];
      const { unit } = MEASURES[name];
      const { must, aim } = this.boundsOf(name);
      return [{ name, value: typeof value === 'number' ? rounded(value) : value, unit, must, aim }];
    });
  }

  private boundsOf(name: MeasureName): Bounds {
    const { bounds }: MeasureSpec = MEASURES[name];
    return bounds[this.world] ?? bounds.any ?? { must: null, aim: null };
  }
}

/** Rounds to three significant digits, and to whole numbers from 1,000. */
function rounded(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

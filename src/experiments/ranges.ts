import {
  type ExperimentMethod,
  type ExperimentVariant,
  POINTS,
  type PointRange,
} from '../model/experiment-content.ts';

/**
 * Which points of viewers a variant has. Other percents change as few of them as possible.
 *
 * A cohort is a name for the points that had their variant for the same time: since the first range of the period (`0`),
 * or since its nth change (`n`), until a change (`0-2`), and again from a change on (`0-2+3`). The viewers of a cohort
 * differ in nothing but their variant, so only they are compared.
 */

type Ranges = Pick<ExperimentVariant, 'ranges' | 'left'>;

/** The cohort of points that were in another variant of the same period before. Its viewers are not compared. */
export const MIXED = 'mixed';

const WHOLE: PointRange = { from: 0, to: POINTS, cohort: '' };

export const NO_RANGES: Ranges = { ranges: [], left: [] };

/**
 * Gives variants other percents. A variant that shrinks gives up the end of what it has. One that grows takes points that
 * no variant has: first those that it gave up itself, then those that none ever had, and only then those of others.
 * @param change counts the changes of the period
 */
export function withPercents<V extends Ranges & { percent: number }>(
  variants: readonly V[],
  percents: readonly number[],
  change: number,
): V[] {
  const next = variants.map((variant, at) => ({
    ...shrunk(variant, percents[at], change),
    percent: percents[at],
  }));
  for (const [at, variant] of next.entries())
    next[at] = grown(
      variant,
      next.filter((other) => other !== variant),
      change,
    );
  return next;
}

/** The variants with other percents. Interleaved ones share the viewers of the first. */
export function withRanges(
  method: ExperimentMethod,
  variants: readonly ExperimentVariant[],
  percents: readonly number[],
  change: number,
): ExperimentVariant[] {
  if (method === 'split') return withPercents(variants, percents, change);
  const [first, second] = variants;
  return [...withPercents([first], percents, change), { ...second, percent: percents[1] }];
}

/** A warning if a single variant grows, whose new viewers have none to be compared with. */
export function loneGrowth(variants: readonly ExperimentVariant[], percents: readonly number[]): string[] {
  const grown = variants.filter(({ percent }, at) => percents[at] > percent);
  if (grown.length !== 1) return [];
  return [
    `only '${grown[0].name}' gets further viewers, who are counted but compared with no others; let all variants grow at once, or begin a new period with "repin": true`,
  ];
}

/** More ranges of a variant are replaced by one when a period begins. */
const RANGES_MAX = 100;

/** What variants have when a period begins: what they had, as one cohort. Very many ranges are laid out anew. */
export function ofNewPeriod(
  method: ExperimentMethod,
  variants: readonly ExperimentVariant[],
): ExperimentVariant[] {
  const renewed = variants.map((variant) => ({ ...variant, ranges: joined(variant.ranges), left: [] }));
  if (renewed.every(({ ranges }) => ranges.length <= RANGES_MAX)) return renewed;
  const empty = renewed.map((variant) => ({ ...variant, ...NO_RANGES }));
  return withRanges(
    method,
    empty,
    variants.map(({ percent }) => percent),
    0,
  );
}

/** The same points in as few ranges as possible, as one cohort. */
function joined(ranges: readonly PointRange[]): PointRange[] {
  const all: PointRange[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last?.to === from) last.to = to;
    else all.push({ from, to, cohort: '0' });
  }
  return all;
}

/** The cohort of a point that a variant has or had. */
export function cohortAt({ ranges, left }: Ranges, point: number): string | undefined {
  return [...ranges, ...left].find(({ from, to }) => from <= point && point < to)?.cohort;
}

/** How many points a variant has or had of each cohort. */
export function cohortWidths({ ranges, left }: Ranges): Map<string, number> {
  const widths = new Map<string, number>();
  for (const { from, to, cohort } of [...ranges, ...left])
    widths.set(cohort, (widths.get(cohort) ?? 0) + to - from);
  return widths;
}

function shrunk<V extends Ranges>(variant: V, percent: number, change: number): V {
  const ranges = [...variant.ranges];
  const left = [...variant.left];
  for (let excess = -missing(ranges, percent); excess > 0; ) {
    const { from, to, cohort } = ranges.pop()!;
    const cut = Math.max(from, to - excess);
    if (cut > from) ranges.push({ from, to: cut, cohort });
    left.push({ from: cut, to, cohort: later(cohort, `-${change}`) });
    excess -= to - cut;
  }
  return { ...variant, ranges, left };
}

function grown<V extends Ranges & { percent: number }>(
  variant: V,
  others: readonly Ranges[],
  change: number,
): V {
  const ranges = [...variant.ranges];
  const left_by_others = others.flatMap(({ left }) => left);
  const free = without([WHOLE], [...ranges, ...others.flatMap((other) => other.ranges)]);
  const own = variant.left
    .toReversed()
    .map((range) => ({ ...range, cohort: later(range.cohort, `+${change}`) }));
  const supply = [
    ...within(without(own, left_by_others), free),
    ...named(String(change), without(free, [...variant.left, ...left_by_others])),
    ...named(MIXED, free),
  ];
  for (const range of supply)
    for (const { from, to, cohort } of without([range], ranges)) {
      const end = Math.min(to, from + missing(ranges, variant.percent));
      if (end > from) ranges.push({ from, to: end, cohort });
    }
  return { ...variant, ranges, left: without(variant.left, ranges) };
}

function later(cohort: string, step: string): string {
  return cohort === MIXED ? MIXED : cohort + step;
}

/** The points that a variant has too few for its percent; below 0: too many. */
function missing(ranges: readonly PointRange[], percent: number): number {
  const has = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  return Math.round((percent / 100) * POINTS) - has;
}

function named(cohort: string, ranges: readonly PointRange[]): PointRange[] {
  return ranges.map((range) => ({ ...range, cohort }));
}

/** The parts of ranges that are in none of the others. */
function without(ranges: readonly PointRange[], others: readonly PointRange[]): PointRange[] {
  return others.reduce<PointRange[]>(
    (rest, other) =>
      rest.flatMap((range) =>
        [
          { ...range, to: Math.min(range.to, other.from) },
          { ...range, from: Math.max(range.from, other.to) },
        ].filter(({ from, to }) => from < to),
      ),
    [...ranges],
  );
}

/** The parts of ranges that are in one of the others. */
function within(ranges: readonly PointRange[], others: readonly PointRange[]): PointRange[] {
  return without(ranges, without([WHOLE], others));
}

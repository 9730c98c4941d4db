import { count, identifier } from '../ingest/records/checks.ts';
import { type Parsed, readRecord, refused, type Shape, shapeOf } from '../ingest/records/record.ts';
import { type Check, expected, Refusal, refuse } from '../ingest/records/refusal.ts';
import { seconds } from '../ingest/records/time.ts';
import { HORIZON, LIST_EVERY, LIST_SIZE, RECENT } from '../state/trend.ts';
import { FEATURES, type TrendForm } from '../state/trend-form.ts';

/** Increased when the numbers change their meaning, so that trends of other versions are refused. */
const VERSION = 1;
/** All features of an item are logarithms, and far smaller. */
const FEATURE_MAX = 1_000;
/** Maximum numbers of a learner, checked before they are counted. */
const LEARNER_MAX = 100_000;

/** An identifier; null for an item that was removed. */
export type ItemId = string | null;

/** The single line of a file of trends. */
export interface Trends {
  /** The time of the exported state, seconds. */
  applied_at: number;
  /** Undefined if nothing was learnt. */
  learnt: TrendForm<ItemId> | undefined;
}

export function trendLine({ applied_at, learnt }: Trends): string {
  if (learnt === undefined) return `${JSON.stringify({ version: VERSION, applied_at })}\n`;
  const { recent, noted, learner, ...known } = learnt;
  const lists = noted.map(({ features, expected: guesses, ...list }) => ({
    ...list,
    features: [...features],
    expected: [...guesses],
  }));
  // JSON has no Infinity, so an infinite `begun_at` is written as null.
  const numbers = { ...known, recent: recent.map(({ item, time }) => [item, time]), noted: lists };
  return `${JSON.stringify({ version: VERSION, applied_at, learnt: { ...numbers, learner: [...learner] } })}\n`;
}

/**
 * Parses the line of a file of trends.
 *
 * Valid trends can be taken over unchanged, except that only the learner can check the learner's numbers.
 */
export function parseTrends(value: unknown): Parsed<Trends> {
  const read = readRecord(value, LINE_SHAPE);
  if (!read.ok) return read;
  const { applied_at, learnt } = read.record;
  const fault = learnt === undefined ? undefined : faultOf(learnt, applied_at);
  return fault === undefined ? { ...read, record: { applied_at, learnt } } : refused('/learnt', fault);
}

/** The first inconsistency between the fields. */
function faultOf(learnt: TrendForm<ItemId>, applied_at: number): string | undefined {
  const { events, recent, noted, next_list, next_minute } = learnt;
  if (recent.length !== Math.min(events, RECENT))
    return `recent: expected the latest ${RECENT} of all events`;
  const times = [...recent, ...noted].map(({ time }) => time);
  if (times.some((time) => time > applied_at)) return 'expected no time after applied_at';
  if (next_minute > applied_at + 60 || next_list > applied_at + LIST_EVERY) {
    return `next_minute, next_list: expected at most 60 and ${LIST_EVERY} seconds after applied_at`;
  }
  const whole = noted.every(
    ({ items, features, expected: guesses }) =>
      features.length === items.length * FEATURES && guesses.length === items.length,
  );
  return whole ? undefined : `noted: expected ${FEATURES} features and one expected number for each item`;
}

function version(value: unknown): number | Refusal {
  return value === VERSION ? value : expected(`${VERSION}, the version that this service supports`, value);
}

/** Checks for a finite number. */
function number(value: unknown): number | Refusal {
  return typeof value === 'number' && Number.isFinite(value) ? value : expected('a finite number', value);
}

function feature(value: unknown): number | Refusal {
  const fits = typeof value === 'number' && Math.abs(value) <= FEATURE_MAX;
  return fits ? value : expected(`a number from -${FEATURE_MAX} to ${FEATURE_MAX}`, value);
}

/** As `listOf` for lists of other lengths. Reports one fault. */
function upTo<T>(length_max: number, entry: Check<T>): Check<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return expected('an array', value);
    if (value.length > length_max)
      return refuse(`expected at most ${length_max} entries; got ${value.length}`);
    const entries: T[] = [];
    for (const [index, each] of value.entries()) {
      const checked = entry(each);
      if (checked instanceof Refusal) return at(`/${index}`, checked);
      entries.push(checked);
    }
    return entries;
  };
}

function numbers(length_max: number, entry: Check<number>): Check<Float64Array> {
  const list = upTo(length_max, entry);
  return (value) => {
    const entries = list(value);
    return entries instanceof Refusal ? entries : Float64Array.from(entries);
  };
}

function at(place: string, { faults }: Refusal): Refusal {
  return new Refusal(faults.map(({ path, message }) => ({ path: place + path, message })));
}

function engagement(value: unknown): { item: ItemId; time: number } | Refusal {
  if (!Array.isArray(value) || value.length !== 2) return expected('an item and a time', value);
  const item = value[0] === null ? null : identifier(value[0]);
  if (item instanceof Refusal) return at('/0', item);
  const time = seconds(value[1]);
  return time instanceof Refusal ? at('/1', time) : { item, time };
}

/** Checks the fields of an object within the line. */
function fields<T extends object>(shape: Shape<T>): Check<T> {
  return (value) => {
    const read = readRecord(value, shape);
    return read.ok ? read.record : new Refusal(read.faults);
  };
}

const noted = fields(
  shapeOf<TrendForm<ItemId>['noted'][number]>(
    {
      time: seconds,
      items: upTo(LIST_SIZE, identifier),
      features: numbers(LIST_SIZE * FEATURES, feature),
      expected: numbers(LIST_SIZE, feature),
    },
    ['time', 'items', 'features', 'expected'],
  ),
);

const learnt = fields(
  shapeOf<Omit<TrendForm<ItemId>, 'begun_at'> & { begun_at?: number }>(
    {
      begun_at: seconds,
      events: count,
      next_list: number,
      next_minute: number,
      lists: count,
      recent: upTo(RECENT, engagement),
      noted: upTo(HORIZON / LIST_EVERY + 1, noted),
      learner: numbers(LEARNER_MAX, number),
    },
    ['events', 'next_list', 'next_minute', 'lists', 'recent', 'noted', 'learner'],
  ),
);

const LINE_SHAPE = shapeOf<{ version: number; applied_at: number; learnt?: TrendForm<ItemId> }>(
  {
    version,
    applied_at: seconds,
    learnt: (value) => {
      const known = learnt(value);
      return known instanceof Refusal ? known : { begun_at: Number.POSITIVE_INFINITY, ...known };
    },
  },
  ['version', 'applied_at'],
);

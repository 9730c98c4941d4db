import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { seededRandom } from '../../src/clock.ts';
import { pairOf } from './plain-walk.ts';

/** A user and an item that the user acted on, as indexes. */
export type Pair = readonly [user: number, item: number];

/** Training acts and held-out acts, in the order of the file. */
export interface Split {
  train: readonly Pair[];
  test: readonly Pair[];
}

export interface Cut extends Split {
  name: string;
}

const SEED = 41;
/** Shares of the training acts to keep. */
const SHARES = [0.5, 0.7, 0.85, 1];
const MANY_ACTS = 50;
const FEW_ACTS = 20;
/** The core has users and items of at least this many acts. */
const CORE_USER_ACTS = 30;
const CORE_ITEM_ACTS = 15;
/** For the dense cut: the share of users to evaluate, and the share of their acts to hold out. */
const DENSE_USERS = 0.1;
const DENSE_HELD_OUT = 0.2;

/** Reads `interactions.csv.gz` and `test.csv.gz` of a folder. */
export function readSplit(folder: string): Split {
  const users = new Map<string, number>();
  const items = new Map<string, number>();
  const read = (name: string) =>
    readActs(join(folder, name)).map(
      ({ user_id, item_id }): Pair => [indexOf(users, user_id), indexOf(items, item_id)],
    );
  return { train: read('interactions.csv.gz'), test: read('test.csv.gz') };
}

/** The acts of a file in the form of `interactions.csv.gz`. @throws Error for other columns */
export function readActs(path: string): { user_id: string; item_id: string; timestamp: number }[] {
  const [header, ...lines] = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
  const columns = 'user_id,item_id,event_type,timestamp';
  if (header !== columns) throw new Error(`${path} has the columns ${header}; they must be ${columns}`);
  return lines.map((line) => {
    const [user_id, item_id, , timestamp] = line.split(',');
    return { user_id, item_id, timestamp: Number(timestamp) };
  });
}

/** Thinner and denser versions of a split, and some of its users apart. */
export function cutsOf({ train, test }: Split): Cut[] {
  const acts = countsOf(train, 0);
  const byActs = (fits: (count: number) => boolean) => test.filter(([user]) => fits(acts.get(user) ?? 0));
  return [
    ...SHARES.map((share) => ({
      name: `${share * 100} % of the acts`,
      train: share < 1 ? sampleOf(train, share) : train,
      test,
    })),
    { name: `users of more than ${MANY_ACTS} acts`, train, test: byActs((count) => count > MANY_ACTS) },
    { name: `users of fewer than ${FEW_ACTS} acts`, train, test: byActs((count) => count < FEW_ACTS) },
    { name: 'dense neighbourhood', ...dense([...train, ...test]) },
    { name: `users of ${CORE_USER_ACTS}, items of ${CORE_ITEM_ACTS} acts`, ...core({ train, test }) },
  ];
}

/** A seeded sample of acts, in the same order. */
function sampleOf(pairs: readonly Pair[], share: number): Pair[] {
  const random = seededRandom(SEED);
  return pairs.filter(() => random() < share);
}

/** Holds out acts of a few users only, so that all others keep everything. */
function dense(all: readonly Pair[]): Split {
  const random = seededRandom(SEED);
  const chosen = new Map<number, boolean>();
  const split = { train: [] as Pair[], test: [] as Pair[] };
  for (const pair of all) {
    if (!chosen.has(pair[0])) chosen.set(pair[0], random() < DENSE_USERS);
    const held_out = chosen.get(pair[0]) === true && random() < DENSE_HELD_OUT;
    split[held_out ? 'test' : 'train'].push(pair);
  }
  return split;
}

/** Removes users and items with few acts until all that are left have enough. */
function core({ train, test }: Split): Split {
  let kept = train;
  for (let before = Number.POSITIVE_INFINITY; kept.length < before; ) {
    before = kept.length;
    const of_users = countsOf(kept, 0);
    const of_items = countsOf(kept, 1);
    kept = kept.filter(
      ([user, item]) => of_users.get(user)! >= CORE_USER_ACTS && of_items.get(item)! >= CORE_ITEM_ACTS,
    );
  }
  const items = countsOf(kept, 1);
  return { train: kept, test: test.filter(([, item]) => items.has(item)) };
}

function countsOf(pairs: readonly Pair[], side: 0 | 1): Map<number, number> {
  const counts = new Map<number, number>();
  for (const pair of pairs) counts.set(pair[side], (counts.get(pair[side]) ?? 0) + 1);
  return counts;
}

/** The held-out items of a seeded sample of users, without items that the user has in training. */
export function questionsOf({ train, test }: Split, users: number): Map<number, Set<number>> {
  const known = new Set(train.map(([user, item]) => pairOf(user, item)));
  const with_history = countsOf(train, 0);
  const relevant = new Map<number, Set<number>>();
  for (const [user, item] of test) {
    if (!with_history.has(user) || known.has(pairOf(user, item))) continue;
    relevant.set(user, (relevant.get(user) ?? new Set()).add(item));
  }
  const random = seededRandom(SEED);
  const order = Array.from(relevant.keys(), (user) => ({ user, place: random() }));
  order.sort((one, other) => one.place - other.place);
  return new Map(order.slice(0, users).map(({ user }) => [user, relevant.get(user)!]));
}

export function indexOf(indexes: Map<string, number>, id: string): number {
  const known = indexes.get(id);
  if (known !== undefined) return known;
  indexes.set(id, indexes.size);
  return indexes.size - 1;
}

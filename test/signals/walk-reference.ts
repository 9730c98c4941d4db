import { tieBreak } from '../../src/signals/order.ts';
import type { InteractionLog } from '../../src/state/interaction-log.ts';
import type { State } from '../../src/state/state.ts';
import { HOUR } from '../support/scene.ts';
import { naiveSignificantActs, newestOrApproving } from './significant-reference.ts';

/** The walk in plain loops and Maps, with its constants in one place. */

export const LIST_LENGTH = 128;
export const ADDITIONS = 2400;
const USERS = 150;
const ITEMS = 200;
const ENTRIES = 6000;
const ENDS = 32;
const OF_EACH_END = 48;
const SHARED = 0.55;

interface Entry {
  other: number;
  kind: number;
  interest: number;
  seconds: number;
}

/** The latest `limit` entries, newest first. Removed ones have interest 0. */
function latest({ vocabulary }: State, log: InteractionLog, subject: number, limit: number): Entry[] {
  const entries: Entry[] = [];
  for (let at = log.end(subject) - 1; at >= log.start(subject); at--) {
    const kind = log.event_type(at);
    const interest = log.removed(at) ? 0 : vocabulary.interest[kind];
    entries.push({ other: log.other(at), kind, interest, seconds: log.seconds(at) });
  }
  return entries.slice(0, limit);
}

/** Only entries with interest, and only the last of repeated ones. */
function significantEntries({ vocabulary }: State, entries: Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ other, kind, interest }) => {
    const known = seen.has(`${other} ${kind}`);
    if (interest > 0) seen.add(`${other} ${kind}`);
    return interest > 0 && !(known && vocabulary.isIdentifiedByTime(kind));
  });
}

function add(sums: Map<number, number>, item: number, amount: number): void {
  sums.set(item, (sums.get(item) ?? 0) + amount);
}

export interface NaiveOptions {
  history: number;
  half_life_hours: number;
  within_hours?: number;
}

/** The start weight of each item. */
export function naiveStarts(state: State, viewer: number, options: NaiveOptions): Map<number, number> {
  const { by_item } = state.interactions;
  const { history, half_life_hours, within_hours = Number.POSITIVE_INFINITY } = options;
  const acts = naiveSignificantActs(state, viewer, history);
  const starts = new Map<number, number>();
  for (const { item, interest, seconds } of acts) {
    const hours = (acts[0].seconds - seconds) / HOUR;
    if (hours > within_hours) continue;
    const later = acts.filter((act) => act.seconds > seconds).length;
    const lateness = 1 / Math.sqrt(later + 1) / (1 + hours / half_life_hours);
    add(starts, item, interest * lateness * by_item.length(item) ** -0.65);
  }
  return starts;
}

/** The acts of the users that a step from an item leads to, newest first. */
function visited(state: State, item: number, users: number): Entry[] {
  const entries = significantEntries(state, latest(state, state.interactions.by_item, item, 8 * users));
  return newestOrApproving(entries, users);
}

/** The items of the latest users of an item. */
export function naiveSpread(
  state: State,
  item: number,
  users = USERS,
  items = ITEMS,
  entries = ENTRIES,
): Map<number, number> {
  const { by_user } = state.interactions;
  const sums = new Map<number, number>();
  const visits = visited(state, item, users);
  const wanted = ({ other }: Entry) => Math.min(items, by_user.length(other));
  const approving = visits.filter(({ interest }) => interest >= 0.5);
  const of_approving = approving.reduce((sum, visit) => sum + wanted(visit), 0);
  const room = { all: entries, glances: entries - Math.min(of_approving, Math.floor(entries / 2)) };
  for (const visit of visits) {
    const second = visit.interest * by_user.length(visit.other) ** -0.5;
    const glances = visit.interest < 0.5;
    const most = Math.min(wanted(visit), room.all, glances ? room.glances : room.all);
    room.all -= most;
    if (glances) room.glances -= most;
    for (const { other, interest, seconds } of significantEntries(
      state,
      latest(state, by_user, visit.other, most),
    )) {
      if (other === item) continue;
      const direction = seconds < visit.seconds ? state.vocabulary.habits.backward : 1;
      const age_hours = (state.applied_at - seconds) / HOUR;
      add(sums, other, (second * interest * direction) / (1 + age_hours / 72));
    }
  }
  return sums;
}

/** The neighbours of an item in list order. */
export function naiveNeighbours(state: State, item: number): [item: number, weight: number][] {
  const { by_item } = state.interactions;
  return [...naiveSpread(state, item)]
    .map(([target, sum]) => ({ target, sum, degree: by_item.length(target) }))
    .sort(
      (a, b) =>
        b.sum * (b.degree + 10) ** -0.13 - a.sum * (a.degree + 10) ** -0.13 ||
        tieBreak(state, b.target, a.target),
    )
    .slice(0, LIST_LENGTH)
    .map(({ target, sum, degree }) => [target, sum ** 1.125 * (degree + 10) ** -0.26]);
}

/** The neighbours with weights corrected for overlap, strongest first. */
function naiveCorrected(state: State, item: number): [item: number, weight: number][] {
  const neighbours = naiveNeighbours(state, item);
  const shadow = new Map<number, number>();
  for (const [end, weight] of neighbours.slice(0, ENDS)) {
    const list = naiveNeighbours(state, end).slice(0, OF_EACH_END);
    const total = list.reduce((sum, [, each]) => sum + each, 0);
    for (const [target, each] of list) add(shadow, target, (SHARED * weight * each) / total);
  }
  const left = ([target, weight]: [number, number]): [number, number] => [
    target,
    Math.max(weight - (shadow.get(target) ?? 0), weight * 1e-4),
  ];
  return neighbours
    .map(left)
    .sort(([one, of_one], [other, of_other]) => of_other - of_one || tieBreak(state, other, one));
}

/** The sums of a walk from `starts` with lists as in `neighboursOf`. */
export function naiveSums(
  state: State,
  starts: ReadonlyMap<number, number>,
  neighboursOf = naiveCorrected,
): Map<number, number> {
  const sums = new Map<number, number>();
  const limit = Math.min(LIST_LENGTH, Math.floor(ADDITIONS / Math.max(1, starts.size)));
  for (const [start, strength] of starts) {
    for (const [item, weight] of neighboursOf(state, start).slice(0, limit))
      add(sums, item, strength * weight);
  }
  return sums;
}

/** Whether the cut of each list is unambiguous: the weights of the last and the next neighbour differ. */
export function knowsEnds(state: State, starts: ReadonlyMap<number, number>): boolean {
  const limit = Math.min(LIST_LENGTH, Math.floor(ADDITIONS / Math.max(1, starts.size)));
  return [...starts.keys()].every((start) => {
    const [last, next] = naiveCorrected(state, start).slice(limit - 1);
    return next === undefined || last[1] - next[1] > 1e-6 * last[1];
  });
}

export function naiveWalk(state: State, viewer: number, options: NaiveOptions): Map<number, number> {
  const starts = naiveStarts(state, viewer, options);
  return new Map([...naiveSums(state, starts)].filter(([item]) => !starts.has(item)));
}

import type { Bound, BoundFilter, Test } from '../pipeline/compiled-feed.ts';
import {
  type MixInput,
  type NamedValue,
  NONE,
  type Ordinal,
  type Postings,
  type RequestContext,
  type Slot,
} from '../plugin/index.ts';
import { assertListed, isList } from '../plugin/listed-items.ts';
import { NAMED_VALUES_MAX, namedValuesProblem } from '../plugin/named-values.ts';
import { postingsProblem } from '../plugin/postings.ts';
import { slotsProblem } from '../plugin/slots.ts';
import { textOf } from '../plugin/text-of.ts';
import type { Account } from '../registry/account.ts';
import { blaming, pluginFailed } from '../registry/plugin-failed.ts';

/** Runs something on an account, which is blamed for what it throws. */
function onAccount<T>({ id, watched }: Account, run: () => T): T {
  const watch = watched();
  return blaming(id, watch === undefined ? run : () => watch(run));
}

/** What is asked for each item of a request, on an account. */
function eachOnAccount<R>({ watched }: Account, ask: (item: Ordinal) => R): (item: Ordinal) => R {
  const watch = watched();
  return watch === undefined ? ask : (item) => watch(() => ask(item));
}

/** Where a filter says that its items are listed; undefined: it does not say. */
export function guardPostings(
  account: Account,
  postings: ((request: RequestContext) => Postings) | undefined,
): ((request: RequestContext) => Postings) | undefined {
  return (
    postings &&
    ((request) =>
      onAccount(account, () => {
        const named = postings(request);
        const problem = postingsProblem(named);
        if (problem !== undefined) throw new Error(problem);
        if (!('column' in named)) return named;
        // What `request.code` gives for a value that no item ever had.
        return { ...named, values: named.values.filter((value) => value !== NONE) };
      }))
  );
}

/** What a filter says that it depends on; undefined: it does not say. */
export function guardDependsOn(id: string, depends_on: () => unknown): BoundFilter['depends_on'] {
  return blaming(id, () => {
    const said = depends_on();
    if (said === undefined || said === 'content' || said === 'item') return said;
    throw new Error(`it depends on ${textOf(said)}, neither content nor item`);
  });
}

/** The values that a filter says its options name, no more than are looked up. */
export function guardNamedValues(id: string, named_values: () => unknown): readonly NamedValue[] {
  return blaming(id, () => {
    const named = named_values() ?? [];
    const problem = namedValuesProblem(named);
    if (problem !== undefined) throw new Error(problem);
    return (named as NamedValue[]).slice(0, NAMED_VALUES_MAX);
  });
}

/** Items that a plugin lists, taken whole: what a lazy list throws midway is its own failure, too. */
export function listItems(account: Account, list: () => Iterable<Ordinal>): Ordinal[] {
  return onAccount(account, () => {
    const listed: unknown = list();
    if (!isList(listed)) throw new Error(`it lists ${textOf(listed)}, which is not a list of items`);
    const items: Ordinal[] = [];
    for (const item of listed) {
      // What `request.item` gives for an id that nobody has heard of.
      if (item === NONE) continue;
      assertListed(item, items.length, 'lists');
      items.push(item);
    }
    return items;
  });
}

/** What a rule says that it might let through; undefined: it does not say. */
export function guardAllows(
  account: Account,
  allows: ((request: RequestContext) => Iterable<Ordinal> | undefined) | undefined,
): ((request: RequestContext) => Ordinal[] | undefined) | undefined {
  return (
    allows &&
    ((request) => {
      const items = onAccount(account, () => allows(request));
      return items === undefined ? undefined : listItems(account, () => items);
    })
  );
}

/** A filter or rule that fails closed: a throw, or anything but true and false, fails the request. */
export function guardTest(account: Account, bind: (request: RequestContext) => Test): Bound<Test> {
  const { id } = account;
  return {
    id,
    bind(request) {
      const test = onAccount(account, () => bind(request));
      return eachOnAccount(account, (item) => {
        let kept: unknown;
        try {
          kept = test(item);
        } catch (error) {
          throw pluginFailed(id, error);
        }
        if (typeof kept === 'boolean') return kept;
        throw pluginFailed(id, new Error(`it said ${textOf(kept)}, neither true nor false`));
      });
    },
  };
}

/** A scoring function whose throw or unusable number fails the request. */
export function guardScore(
  account: Account,
  bind: (request: RequestContext) => (item: Ordinal) => number,
): Bound<(item: Ordinal) => number> {
  const { id } = account;
  return {
    id,
    bind(request) {
      const score = onAccount(account, () => bind(request));
      return eachOnAccount(account, (item) => {
        let value: unknown;
        try {
          value = score(item);
        } catch (error) {
          throw pluginFailed(id, error);
        }
        if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
        throw pluginFailed(id, new Error(`score ${textOf(value)} is not a finite number of at least 0`));
      });
    },
  };
}

/** A strategy that gives a list of slots, each of which holds something; that these are items of the page is the caller's to see. */
export function guardMix(account: Account, run: (input: MixInput) => Slot[]): (input: MixInput) => Slot[] {
  return (input) =>
    onAccount(account, () => {
      const slots = run(input);
      const problem = slotsProblem(slots);
      if (problem !== undefined) throw new Error(problem);
      return slots;
    });
}

/** The signals that a scoring function says it asks for; undefined: it does not say. */
export function guardSignals(
  id: string,
  signals: () => readonly string[] | undefined,
): readonly string[] | undefined {
  return blaming(id, () => {
    const named: unknown = signals();
    if (named === undefined) return undefined;
    if (Array.isArray(named) && named.every((name) => typeof name === 'string')) return named;
    throw new Error('its signals are not a list of names');
  });
}

/** What a score is made of, as the scoring function says; anything but finite numbers fails the request. */
export function guardParts(
  id: string,
  bind: (request: RequestContext) => ((item: Ordinal) => Record<string, number>) | undefined,
): (request: RequestContext) => (item: Ordinal) => Record<string, number> {
  return (request) => {
    const parts = blaming(id, () => bind(request));
    return (item) => {
      const said = blaming(id, () => parts?.(item)) ?? {};
      const wrong = Object.entries(said).find(([, value]) => !Number.isFinite(value));
      if (wrong === undefined) return said;
      throw pluginFailed(id, new Error(`the part ${wrong[0]} of a score is not a finite number`));
    };
  };
}

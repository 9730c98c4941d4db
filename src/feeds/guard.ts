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
import { NAMED_VALUES_MAX } from '../plugin/named-values.ts';
import { textOf } from '../plugin/text-of.ts';
import { type Attribution, attributed } from '../registry/attribution.ts';
import { blaming, pluginFailed } from '../registry/plugin-failed.ts';
import type { Bound, Test } from './compiled-feed.ts';
import { namedValuesProblem, postingsProblem, slotsProblem } from './returned.ts';

/** Wraps a function of items, so that its time is measured. */
function eachAttributed<R>({ watched }: Attribution, ask: (item: Ordinal) => R): (item: Ordinal) => R {
  const watch = watched();
  return watch === undefined ? ask : (item) => watch(() => ask(item));
}

/** Wraps the postings of a filter. Undefined if it has none. */
export function guardPostings(
  attribution: Attribution,
  postings: ((request: RequestContext) => Postings | undefined) | undefined,
): ((request: RequestContext) => Postings | undefined) | undefined {
  return (
    postings &&
    ((request) =>
      attributed(attribution, () => {
        const named = postings(request);
        const problem = postingsProblem(named);
        if (problem !== undefined) throw new Error(problem);
        if (named === undefined || !('column' in named)) return named;
        // `request.item.code` returns NONE for a value that no item ever had.
        return { ...named, values: named.values.filter((value) => value !== NONE) };
      }))
  );
}

/** Validates the values that a filter's options name, and limits their number. */
export function guardNamedValues(id: string, named_values: () => unknown): readonly NamedValue[] {
  return blaming(id, () => {
    const named = named_values() ?? [];
    const problem = namedValuesProblem(named);
    if (problem !== undefined) throw new Error(problem);
    return (named as NamedValue[]).slice(0, NAMED_VALUES_MAX);
  });
}

/** Reads the items that a plugin lists completely, so that errors of a lazy list are the plugin's failures. */
function listItems(attribution: Attribution, list: () => Iterable<Ordinal>): Ordinal[] {
  return attributed(attribution, () => {
    const listed: unknown = list();
    if (!isList(listed)) throw new Error(`it lists ${textOf(listed)}, which is not a list of items`);
    const items: Ordinal[] = [];
    for (const item of listed) {
      // `request.item.find` returns NONE for an unknown id.
      if (item === NONE) continue;
      assertListed(item, items.length, 'lists');
      items.push(item);
    }
    return items;
  });
}

/** Wraps the items that a rule may allow. Undefined if it does not list them. */
export function guardAllows(
  attribution: Attribution,
  allows: ((request: RequestContext) => Iterable<Ordinal> | undefined) | undefined,
): ((request: RequestContext) => Ordinal[] | undefined) | undefined {
  return (
    allows &&
    ((request) => {
      const items = attributed(attribution, () => allows(request));
      return items === undefined ? undefined : listItems(attribution, () => items);
    })
  );
}

/** Wraps a filter or rule. A throw, or a result that is not a boolean, fails the request. */
export function guardTest(attribution: Attribution, bind: (request: RequestContext) => Test): Bound<Test> {
  const { id } = attribution;
  return {
    id,
    bind(request) {
      const test = attributed(attribution, () => bind(request));
      return eachAttributed(attribution, (item) => {
        let kept: unknown;
        try {
          kept = test(item);
        } catch (error) {
          throw pluginFailed(id, error);
        }
        if (typeof kept === 'boolean') return kept;
        throw pluginFailed(id, new Error(`it returned ${textOf(kept)}, which is neither true nor false`));
      });
    },
  };
}

/** Wraps a scoring function. A throw or an invalid number fails the request. */
export function guardScore(
  attribution: Attribution,
  bind: (request: RequestContext) => (item: Ordinal) => number,
): Bound<(item: Ordinal) => number> {
  const { id } = attribution;
  return {
    id,
    bind(request) {
      const score = attributed(attribution, () => bind(request));
      return eachAttributed(attribution, (item) => {
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

/** Wraps a strategy. Checks the form of its slots. The caller checks that they contain items of the page. */
export function guardMix(
  attribution: Attribution,
  run: (input: MixInput) => Slot[],
): (input: MixInput) => Slot[] {
  return (input) =>
    attributed(attribution, () => {
      const slots = run(input);
      const problem = slotsProblem(slots);
      if (problem !== undefined) throw new Error(problem);
      return slots;
    });
}

/** Validates the signals that a scoring function declares. Undefined if it declares none. */
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

/** Wraps the parts of a score. A part that is not a finite number fails the request. */
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

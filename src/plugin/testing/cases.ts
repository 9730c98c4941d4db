import type { Static, TSchema } from '@sinclair/typebox';
import { NONE, type Ordinal } from '../ordinal.ts';
import { DEFAULT_PER_ITEM, usuallyWanted } from '../wanted.ts';
import type { Case, CaseOf } from './case-types.ts';
import { checkConnector } from './connector-runs.ts';
import type { PerItem } from './invariants.ts';
import { checkedOptions, type Refusing, refuses } from './options.ts';
import type { Invariant, Kind, OtherSignals, Subject } from './subject.ts';
import type { TestRequest } from './test-request.ts';
import { checkWebhook } from './webhook-cases.ts';

const DIGITS = 9;

/** Signals that a case does not define are 0 for every item. */
const ALL_ZERO: OtherSignals = () => () => 0;

/** Turns the author's cases of an extension into invariants. */
export function caseInvariants<K extends Kind>(
  subject: Subject,
  kind: K,
  id: string,
  cases: readonly CaseOf[K][],
): Invariant[] {
  return cases.map((each) => ({ name: each.name, run: () => RUN[kind](subject, id, each) }));
}

/** Checks that the schema or `compile` rejects options. */
export function refusalInvariants(extension: Refusing, options: readonly unknown[]): Invariant[] {
  return options.map((given) => ({
    name: `refuses ${JSON.stringify(given)}`,
    run: () => {
      if (!refuses(extension, given)) throw new Error('these options are accepted');
    },
  }));
}

const RUN: { [K in Kind]: (subject: Subject, id: string, given: CaseOf[K]) => void | Promise<void> } = {
  scoring_functions(subject, id, given) {
    const { request, said } = perItem(subject, subject.extension('scoring_functions', id), given);
    if (given.scores !== undefined) expectNumbers(byId(request, said), given.scores);
    if (given.order === undefined) return;
    const score = (item_id: string) => Number(said.get(request.item(item_id)) ?? Number.NaN);
    const wrong = given.order.findIndex(
      (item_id, at) => at > 0 && !(score(given.order![at - 1]) > score(item_id)),
    );
    if (wrong < 0) return;
    const [better, worse] = [given.order[wrong - 1], given.order[wrong]];
    throw new Error(`'${better}' scores ${score(better)}, '${worse}' ${score(worse)}`);
  },
  filters(subject, id, given) {
    expectKept(perItem(subject, subject.extension('filters', id), given, true), given.keeps);
  },
  visibility_rules(subject, id, given) {
    expectKept(perItem(subject, subject.extension('visibility_rules', id), given, true), given.shows);
  },
  signals(subject, id, given) {
    const { request, said } = perItem(subject, subject.extension('signals', id), given);
    expectNumbers(byId(request, said), given.values);
  },
  candidate_sources(subject, id, given) {
    const extension = subject.extension('candidate_sources', id);
    const request = subject.request(given, { reads: extension.reads, others: ALL_ZERO });
    const options = optionsOf(extension.options, given);
    const wanted = usuallyWanted(extension.per_item?.(options) ?? DEFAULT_PER_ITEM, request);
    const list = [...extension.compile(options)(request, wanted)].filter((item) => item !== NONE);
    expectSame(
      list.map((item) => request.idOf(item)),
      given.proposes,
    );
  },
  promotion_strategies(subject, id, given) {
    const extension = subject.extension('promotion_strategies', id);
    const { main, promoted, page, overfetch_factor = 2, seed } = given;
    const { items } = subject.spaces;
    const request = subject.request({ seed }, { others: ALL_ZERO });
    const slots = extension.compile(optionsOf(extension.options, given))({
      main: main.map((item_id) => items.of(item_id)),
      promoted: promoted.map((each) =>
        typeof each === 'string'
          ? { item: items.of(each) }
          : { item: items.of(each.item_id), rank: each.rank },
      ),
      page,
      overfetch_factor,
      random: () => request.random(),
    });
    expectSame(
      slots.map((slot) => `${slot.promoted ? '*' : ''}${items.id(slot.item)}`),
      given.slots,
    );
  },
  async metadata_providers(subject, id, given) {
    const extension = subject.extension('metadata_providers', id);
    const metadata = await extension.compile(optionsOf(extension.options, given))(given.item_ids);
    expectSame(metadata, given.metadata);
  },
  connectors(subject, id, given) {
    return checkConnector(subject.extension('connectors', id), given);
  },
  webhooks(subject, id, given) {
    checkWebhook(subject.extension('webhooks', id), given);
  },
};

function optionsOf<O extends TSchema>(schema: O, { options }: { options?: unknown }): Static<O> {
  return checkedOptions(schema, options) as Static<O>;
}

/** The results of an extension for the items of a case. */
interface Said {
  request: TestRequest;
  said: Map<Ordinal, unknown>;
}

/** @param for_admission true for filters and rules */
function perItem(subject: Subject, extension: PerItem, given: Case, for_admission = false): Said {
  const request = subject.request(given, { reads: extension.reads, others: ALL_ZERO, for_admission });
  const compute = extension.compile(optionsOf(extension.options, given) as never)(request);
  return { request, said: new Map(request.items.map((item) => [item, compute(item)])) };
}

function byId(request: TestRequest, said: ReadonlyMap<Ordinal, unknown>): Record<string, unknown> {
  return Object.fromEntries([...said].map(([item, value]) => [request.idOf(item), value]));
}

function expectKept({ request, said }: Said, expected: readonly string[]): void {
  const kept = [...said].filter(([, passed]) => passed === true).map(([item]) => request.idOf(item));
  expectSame(kept, expected);
}

/** Ignores items that the case does not name. */
function expectNumbers(said: Record<string, unknown>, expected: Record<string, number>): void {
  const rounded = Object.keys(expected).map((item_id) => [item_id, round(said[item_id])]);
  const wanted = Object.entries(expected).map(([item_id, value]) => [item_id, round(value)]);
  expectSame(Object.fromEntries(rounded), Object.fromEntries(wanted));
}

function round(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value;
}

function expectSame(said: unknown, expected: unknown): void {
  if (Bun.deepEquals(said, expected)) return;
  throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(said)}`);
}

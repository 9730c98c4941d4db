import type { TSchema } from '@sinclair/typebox';
import type { Ordinal } from '../ordinal.ts';
import type { RequestContext } from '../request-context.ts';
import { textOf } from '../text-of.ts';
import { optionsToTry, schemaProblem } from './options.ts';
import { sampleSignal, sampleWorlds } from './sample.ts';
import type { Asked, Invariant, Subject } from './subject.ts';
import type { TestRequest } from './test-request.ts';
import { frozen, withoutClock } from './traps.ts';
import type { TestWorld } from './world.ts';

/** An extension of one of the kinds that say something about each item. */
export interface PerItem {
  options: TSchema;
  reads?: readonly string[];
  compile(options: never): (request: RequestContext) => (item: Ordinal) => unknown;
}

/** One extension in one world with one set of options. */
export interface Trial<E> {
  extension: E;
  options: unknown;
  world: TestWorld;
  /**
   * A new request, which knows nothing of those before it.
   * @param changes to what it may be asked, and where
   */
  request(changes?: Partial<Asked> & { world?: TestWorld }): TestRequest;
  /** What the trial is, for messages. */
  what: string;
}

/**
 * Every extension with every set of options in every sample world.
 * @param for_admission it is a filter or a rule
 */
export function trials<E extends { options: TSchema; reads?: readonly string[] }>(
  subject: Subject,
  extension: E,
  for_admission = false,
): Trial<E>[] {
  const { reads } = extension;
  return sampleWorlds(reads ?? []).flatMap((world) =>
    optionsToTry(extension.options).map((options) => ({
      extension,
      options,
      world,
      request: (changes) =>
        subject.request(changes?.world ?? world, { reads, others: sampleSignal, for_admission, ...changes }),
      what: `options ${JSON.stringify(options)}, ${whoAsks(world)}`,
    })),
  );
}

function whoAsks({ viewer, items = [] }: TestWorld): string {
  return `${viewer === undefined ? 'no viewer' : `viewer '${viewer}'`}${items.length === 0 ? ', no items' : ''}`;
}

/** Every trial, in turn; what fails says in which. */
export function each<E>(all: () => Trial<E>[], run: (trial: Trial<E>) => void): () => void {
  return () => {
    for (const trial of all()) naming(trial.what, () => run(trial));
  };
}

/** What holds for the options of every kind. */
export function optionsInvariant(extension: { options: TSchema }): Invariant {
  return {
    name: 'has options that can be tried: valid defaults and examples',
    run: () => {
      const problem = schemaProblem(extension.options);
      if (problem !== undefined) throw new Error(problem);
    },
  };
}

/**
 * What holds for every kind that says something about each item.
 * @param name of the invariant on values
 * @param problem what is wrong with a value; undefined: nothing
 */
export function perItemInvariants(
  all: () => Trial<PerItem>[],
  name: string,
  problem: (value: unknown) => string | undefined,
): Invariant[] {
  return [
    { name, run: each(all, (trial) => checkValues(trial, problem)) },
    { name: 'says the same of an item whatever was asked before', run: each(all, checkOrder) },
    { name: 'asks neither the clock nor chance', run: each(all, checkClock) },
    { name: 'changes neither its options nor the request', run: each(all, checkMutation) },
  ];
}

/** Runs the three steps, and the last one for each of the items in their order. */
export function measure(
  trial: Trial<PerItem>,
  request = trial.request(),
  items = request.items,
): Map<Ordinal, unknown> {
  const say = trial.extension.compile(structuredClone(trial.options) as never)(request);
  return new Map(items.map((item) => [item, say(item)]));
}

function checkValues(trial: Trial<PerItem>, problem: (value: unknown) => string | undefined): void {
  const request = trial.request();
  for (const [item, value] of measure(trial, request)) {
    const wrong = problem(value);
    if (wrong !== undefined) throw new Error(`${nameOf(trial, item)}: ${textOf(value)} is ${wrong}`);
  }
}

function checkOrder(trial: Trial<PerItem>): void {
  const first = measure(trial);
  const items = [...first.keys()];
  const orders = [items, items.toReversed(), ...items.slice(0, 5).map((item) => [item, item])];
  for (const order of orders) {
    for (const [item, value] of measure(trial, trial.request(), order)) {
      if (Object.is(value, first.get(item))) continue;
      throw new Error(
        `${nameOf(trial, item)}: ${textOf(first.get(item))} at one time, ${textOf(value)} at another; draw request.random() once a request`,
      );
    }
  }
}

function checkClock(trial: Trial<PerItem>): void {
  withoutClock(() => measure(trial));
}

function checkMutation(trial: Trial<PerItem>): void {
  const before = JSON.stringify(trial.options);
  const options = frozen(structuredClone(trial.options));
  const request = trial.request();
  const say = trial.extension.compile(options as never)(request);
  for (const item of request.items) say(item);
  if (JSON.stringify(options) !== before) throw new Error('it changes its options');
}

/** The identifier of an item, as of a world that has it. */
export function nameOf({ request }: { request(): TestRequest }, item: Ordinal): string {
  return `item '${request().idOf(item)}'`;
}

/** Runs something; what it throws also says where. */
export function naming<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : textOf(error);
    throw new Error(`${reason} (${what})`, { cause: error });
  }
}

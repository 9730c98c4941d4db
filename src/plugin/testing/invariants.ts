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

/** An extension of a kind that returns a value for each item. */
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
   * Makes a new request without state of earlier ones.
   * @param changes overrides of the permitted fields and of the world
   */
  request(changes?: Partial<Asked> & { world?: TestWorld }): TestRequest;
  what: string;
}

/**
 * Combines an extension with each set of options and each sample world.
 * @param for_admission true for filters and rules
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
      what: `options ${JSON.stringify(options)}, ${viewerOf(world)}`,
    })),
  );
}

function viewerOf({ viewer, items = [] }: TestWorld): string {
  return `${viewer === undefined ? 'no viewer' : `viewer '${viewer}'`}${items.length === 0 ? ', no items' : ''}`;
}

/** Runs a check for every trial. Errors name the trial. */
export function each<E>(all: () => Trial<E>[], run: (trial: Trial<E>) => void): () => void {
  return () => {
    for (const trial of all()) naming(trial.what, () => run(trial));
  };
}

export function optionsInvariant(extension: { options: TSchema }): Invariant {
  return {
    name: 'has valid defaults or examples, so that it can be tested',
    run: () => {
      const problem = schemaProblem(extension.options);
      if (problem !== undefined) throw new Error(problem);
    },
  };
}

/**
 * The invariants of every kind that returns a value for each item.
 * @param name the name of the invariant on values
 * @param problem describes the fault in a value; undefined if it is valid
 */
export function perItemInvariants(
  all: () => Trial<PerItem>[],
  name: string,
  problem: (value: unknown) => string | undefined,
): Invariant[] {
  return [
    { name, run: each(all, (trial) => checkValues(trial, problem)) },
    { name: 'returns the same value for an item after any other items', run: each(all, checkOrder) },
    { name: 'uses neither the clock nor Math.random', run: each(all, checkClock) },
    { name: 'changes neither its options nor the request', run: each(all, checkMutation) },
  ];
}

/** Runs all three steps, and the last step for each item in order. */
export function measure(
  trial: Trial<PerItem>,
  request = trial.request(),
  items = request.items,
): Map<Ordinal, unknown> {
  const compute = trial.extension.compile(structuredClone(trial.options) as never)(request);
  return new Map(items.map((item) => [item, compute(item)]));
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
  const compute = trial.extension.compile(options as never)(request);
  for (const item of request.items) compute(item);
  if (JSON.stringify(options) !== before) throw new Error('it changes its options');
}

export function nameOf({ request }: { request(): TestRequest }, item: Ordinal): string {
  return `item '${request().idOf(item)}'`;
}

/** Runs a function and adds `what` to the message of its errors. */
export function naming<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : textOf(error);
    throw new Error(`${reason} (${what})`, { cause: error });
  }
}

import { ServiceError } from '../errors.ts';
import type { FeedSettings } from '../feeds/compile-feed.ts';
import type { PageContext } from '../page/page-context.ts';
import type { DependsOn } from '../plugin/depends-on.ts';
import type { Ordinal } from '../plugin/index.ts';
import { textOf } from '../plugin/text-of.ts';
import type { Registered } from '../registry/registry.ts';
import { optionsToTry } from './options.ts';
import type { PluginUnderTest } from './plugin-under-test.ts';
import type { Changes, SmallWorld } from './small-world.ts';
import type { TestWorld } from './test-world.ts';
import { withoutClock } from './traps.ts';

/** The feed that shows all items which another part of it does not drop. */
const ALL_ITEMS = 'popular';

/** Checks that a feed with a filter or rule shows exactly those of its items that pass. */
export function checkPages(trial: Trial, settings: FeedSettings): void {
  const { world } = trial;
  const passed = valuesOf(trial);
  const expected = world.shownBy(ALL_ITEMS, {}).filter((item) => passed.get(item) === true);
  const ids = (items: readonly Ordinal[]) => items.map((item) => world.idOf(item)).join(', ');
  const shown = ids(world.shownBy(ALL_ITEMS, settings));
  if (shown !== ids(expected))
    throw new Error(`a feed shows '${shown}', but '${ids(expected)}' pass; its lists must have all of these`);
}

/** A property that must hold. `run` throws or rejects if it does not. */
export interface Invariant {
  name: string;
  run(): void | Promise<void>;
}

/** The function of an extension that gets a page, and returns one that gets items. */
export type BindToPage = (page: PageContext) => (item: Ordinal) => unknown;

/** An extension with its options. */
export interface Compiled {
  bind: BindToPage;
}

/** One extension in one sample world, with one set of options. */
export interface Trial extends Compiled {
  given: TestWorld;
  options: unknown;
  world: SmallWorld;
  /** Compiles the extension anew and binds it, since `compile` must not use the clock either. */
  bindAnew: BindToPage;
}

/**
 * Runs a check for each set of options in each sample world. Errors name both.
 * @param compile undefined for options that switch the extension off
 */
export function each<C extends Compiled>(
  subject: PluginUnderTest,
  registered: Registered<unknown>,
  compile: (options: unknown) => C | undefined,
  check: (trial: Trial & C) => void,
): () => void {
  return () => {
    for (const given of subject.samples) {
      for (const options of optionsToTry(registered)) {
        naming(`options ${JSON.stringify(options)}, ${viewerOf(given)}`, () => {
          const compiled = compile(options);
          if (compiled === undefined) return;
          const bindAnew: BindToPage = (page) => (compile(options) ?? compiled).bind(page);
          check({ given, options, world: subject.enter(given), bindAnew, ...compiled });
        });
      }
    }
  };
}

function viewerOf({ viewer, items = {} }: TestWorld): string {
  const who = viewer === undefined ? 'no viewer' : `viewer '${viewer}'`;
  return Object.keys(items).length === 0 ? `${who}, no items` : who;
}

/** The invariants of every kind that returns a value for each item. @param what it returns */
export function perItem(what: string, check: (run: (trial: Trial) => void) => () => void): Invariant[] {
  return [
    { name: what, run: check((trial) => void valuesOf(trial)) },
    { name: 'returns the same value for an item after any other items', run: check(checkOrder) },
    {
      name: 'uses neither the clock nor Math.random',
      run: check(({ world, bindAnew }) => void withoutClock(() => valuesOf({ world, bind: bindAnew }))),
    },
  ];
}

/** The values of items in order. Errors name the item. */
export function valuesOf(
  { world, bind }: Pick<Trial, 'world' | 'bind'>,
  page = world.request(),
  items = world.items,
): Map<Ordinal, unknown> {
  const measure = bind(page);
  return new Map(items.map((item) => [item, about(world, item, () => measure(item))]));
}

function checkOrder(trial: Trial): void {
  const { world, bindAnew } = trial;
  const first = valuesOf(trial);
  const items = [...first.keys()];
  const orders = [items, items.toReversed(), ...items.slice(0, 5).map((item) => [item, item])];
  const again = orders.map((order) => valuesOf(trial, world.request(), order));
  for (const values of [...again, valuesOf({ world, bind: bindAnew })]) {
    for (const [item, value] of values) {
      if (Object.is(value, first.get(item))) continue;
      throw new Error(
        `${nameOf(world, item)}: ${textOf(first.get(item))} at one time, ${textOf(value)} at another; draw request.random() once a request`,
      );
    }
  }
}

const DAY = 86_400;

/**
 * Checks that values depend on nothing but what is declared: not on the viewer and the seed, on fields of users and on
 * other items; unless `time`, not on the time; and with `content`, not on counters.
 */
export function checkSameElsewhere(subject: PluginUnderTest, trial: Trial, depends_on: DependsOn): void {
  if (depends_on === 'viewer') return;
  const { world, given } = trial;
  const before = valuesOf(trial);
  const { now } = world;
  const changes: Changes[] = [{ viewer: undefined }, { viewer: 'viewer' }, { seed: 99 }];
  if (depends_on !== 'time') changes.push({ now: now + 3 * DAY });
  subject.conduct.from_items_alone = true;
  try {
    for (const one of changes) compare(before, trial, world.request(one));
    const other = depends_on === 'content' ? subject.enter(recounted(given)) : world;
    compare(before, { ...trial, world: other }, other.request());
  } finally {
    subject.conduct.from_items_alone = false;
    subject.enter(given);
  }
}

function compare(before: ReadonlyMap<Ordinal, unknown>, trial: Trial, page: PageContext): void {
  for (const [item, value] of valuesOf(trial, page)) {
    if (Object.is(value, before.get(item))) continue;
    throw new Error(`${nameOf(trial.world, item)}: ${textOf(before.get(item))} here, ${textOf(value)} there`);
  }
}

function recounted(world: TestWorld): TestWorld {
  const counts = { likes_count: 1001, comments_count: 1002, shares_count: 1003 };
  const items = Object.entries(world.items ?? {}).map(([id, item]) => [id, { ...item, ...counts }]);
  return { ...world, items: Object.fromEntries(items) };
}

export function nameOf(world: SmallWorld, item: Ordinal): string {
  return `item '${world.idOf(item)}'`;
}

/** Runs a function about an item. Its errors name the item. */
export function about<T>(world: SmallWorld, item: Ordinal, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw renamed(error, (reason) => `${nameOf(world, item)}: ${reason}`);
  }
}

/** Runs a function and adds `what` to the message of its errors. */
export function naming<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw renamed(error, (reason) => `${reason} (${what})`);
  }
}

/** An error with another message, whose cause is the plugin's own. */
function renamed(error: unknown, message: (reason: string) => string): Error {
  const found = originOf(error);
  const reason = found instanceof Error ? found.message : textOf(found);
  return new Error(message(reason), { cause: found instanceof Error ? (found.cause ?? found) : found });
}

/** The error of a plugin, without those of the service that wrap it. */
export function originOf(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'plugin_failed') return error;
  return error.cause instanceof Error ? originOf(error.cause.cause) : error;
}

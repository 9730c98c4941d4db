import type { Ordinal } from '../plugin/index.ts';
import type { SmallWorld } from './small-world.ts';

const DIGITS = 9;

/** @throws Error with both values unless they are equal */
export function expectSame(found: unknown, expected: unknown): void {
  if (Bun.deepEquals(found, expected)) return;
  throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`);
}

/** Compares the ids of the items for which a test is true. */
export function expectItems(
  world: SmallWorld,
  values: ReadonlyMap<Ordinal, unknown>,
  expected: readonly string[],
): void {
  const passed = [...values].filter(([, passes]) => passes === true);
  expectSame(
    passed.map(([item]) => world.idOf(item)),
    expected,
  );
}

/** Compares the numbers of items by id, or checks that each item in a list has a higher number than the next. */
export function expectNumbers(
  world: SmallWorld,
  values: ReadonlyMap<Ordinal, unknown>,
  expected: readonly string[] | Record<string, number>,
): void {
  const found = Object.fromEntries([...values].map(([item, value]) => [world.idOf(item), Number(value)]));
  if (isList(expected)) {
    expectOrder(found, expected);
    return;
  }
  const rounded = Object.keys(expected).map((id) => [id, round(found[id])]);
  const wanted = Object.entries(expected).map(([id, value]) => [id, round(value)]);
  expectSame(Object.fromEntries(rounded), Object.fromEntries(wanted));
}

function expectOrder(found: Record<string, number>, order: readonly string[]): void {
  const wrong = order.findIndex((id, at) => at > 0 && !(found[order[at - 1]] > found[id]));
  if (wrong < 0) return;
  const [better, worse] = [order[wrong - 1], order[wrong]];
  throw new Error(`expected '${better}' before '${worse}', got ${found[better]} and ${found[worse]}`);
}

function isList(expected: readonly string[] | Record<string, number>): expected is readonly string[] {
  return Array.isArray(expected);
}

function round(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Number(value.toPrecision(DIGITS));
}

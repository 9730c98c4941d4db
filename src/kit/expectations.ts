import type { Ordinal } from '../plugin/index.ts';
import type { SmallWorld } from './small-world.ts';
import { originOf } from './trials.ts';

const DIGITS = 9;

/** What an author expects instead of a result. */
interface ExpectedError {
  error: string;
}

/** The result of a case is not the expected one. */
class Unmet extends Error {}

/** @throws Error with both values unless they are equal */
export function expectSame(found: unknown, expected: unknown): void {
  if (Bun.deepEquals(found, expected)) return;
  throw new Unmet(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`);
}

export function isExpectedError(expected: unknown): expected is ExpectedError {
  return (
    typeof expected === 'object' &&
    expected !== null &&
    'error' in expected &&
    typeof expected.error === 'string'
  );
}

/** Runs a case that must fail with a text in the message. @param run compares its result with `expected` */
export async function expectError(
  run: () => void | Promise<void>,
  { error: text }: ExpectedError,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    const reason = originOf(error);
    if (reason instanceof Unmet || !(reason instanceof Error)) throw reason;
    if (reason.message.includes(text)) return;
    throw new Unmet(`expected an error with '${text}', got '${reason.message}'`);
  }
  throw new Unmet(`expected an error with '${text}', got none`);
}

/** Compares the ids of the items for which a test is true. */
export function expectItems(
  world: SmallWorld,
  values: ReadonlyMap<Ordinal, unknown>,
  expected: unknown,
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
  expected: readonly string[] | Record<string, number> | ExpectedError,
): void {
  const found = Object.fromEntries([...values].map(([item, value]) => [world.idOf(item), Number(value)]));
  if (isExpectedError(expected)) expectSame(found, expected);
  else if (isList(expected)) expectOrder(found, expected);
  else expectSame(rounded(found, Object.keys(expected)), rounded(expected));
}

function expectOrder(found: Record<string, number>, order: readonly string[]): void {
  const wrong = order.findIndex((id, at) => at > 0 && !(found[order[at - 1]] > found[id]));
  if (wrong < 0) return;
  const [better, worse] = [order[wrong - 1], order[wrong]];
  throw new Unmet(`expected '${better}' before '${worse}', got ${found[better]} and ${found[worse]}`);
}

function isList(expected: readonly string[] | Record<string, number>): expected is readonly string[] {
  return Array.isArray(expected);
}

function rounded(
  numbers: Record<string, number>,
  ids = Object.keys(numbers),
): Record<string, number | undefined> {
  const round = (number: number | undefined) => number && Number(number.toPrecision(DIGITS));
  return Object.fromEntries(ids.map((id) => [id, round(numbers[id])]));
}

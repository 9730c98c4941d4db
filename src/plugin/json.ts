import {
  type ContainerBudget,
  JSON_CONTAINERS_MAX,
  type LongContainer,
  NestingScanner,
} from './json-nesting.ts';
import { nextTurn } from './turn.ts';

/** Texts up to this length are parsed at once, and longer ones in slices of it. A slice takes a millisecond. */
export const JSON_SLICE_LENGTH = 64 * 1024;
/** The number of characters that are scanned per turn of the event loop. */
const SCANNED_LENGTH = 2 * JSON_SLICE_LENGTH;

/**
 * Parses JSON of an untrusted sender. The nesting of the text is checked before anything is parsed.
 *
 * For texts whose length is bounded: it blocks the event loop for about 20 ms per megabyte. See `parseLongJson`.
 * @throws SyntaxError; TooNested
 */
export function parseJson(text: string, budget: ContainerBudget = { left: JSON_CONTAINERS_MAX }): unknown {
  new NestingScanner(text, JSON_SLICE_LENGTH, budget).scan(text.length);
  return JSON.parse(text);
}

/**
 * Parses JSON of an untrusted sender like `parseJson`. Long texts are parsed in slices, and the event loop runs between
 * them.
 * @param budget for texts that are bounded together
 * @throws SyntaxError; TooNested
 */
export async function parseLongJson(
  text: string,
  budget: ContainerBudget = { left: JSON_CONTAINERS_MAX },
): Promise<unknown> {
  if (text.length <= JSON_SLICE_LENGTH) return parseJson(text, budget);
  const scanner = new NestingScanner(text, JSON_SLICE_LENGTH, budget);
  while (scanner.at < text.length) {
    scanner.scan(scanner.at + SCANNED_LENGTH);
    await nextTurn();
  }
  const { root } = scanner;
  // A text, a number, or no JSON.
  if (root === undefined) return JSON.parse(text);
  JSON.parse(`${text.slice(0, root.start)}null${text.slice(root.end)}`);
  return built(text, root);
}

async function built(text: string, { is_object, parts }: LongContainer): Promise<unknown> {
  const result = is_object ? {} : [];
  for (const { start, end, long } of parts) {
    // A long container is parsed apart, and what is around it with null in its place.
    const content =
      long === undefined
        ? text.slice(start, end)
        : `${text.slice(start, long.start)}null${text.slice(long.end, end)}`;
    const values = JSON.parse(is_object ? `{${content}}` : `[${content}]`);
    const names = is_object ? Object.keys(values) : values;
    // Between two commas, or before the end.
    if (names.length === 0 && parts.length > 1) throw new SyntaxError('JSON Parse error: Unexpected comma');
    const inner = long && (await built(text, long));
    if (Array.isArray(result)) for (const value of values) result.push(long ? inner : value);
    else for (const name of names) define(result, name, long ? inner : values[name]);
    await nextTurn();
  }
  return result;
}

/** Sets a member as `JSON.parse` does. An assignment to `__proto__` would not create one. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

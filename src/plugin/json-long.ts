import { JSON_SLICE_LENGTH, type JsonReading, parsedPart, parseJson } from './json.ts';
import { lostDigits, noteLostDigits } from './json-digits.ts';
import { membersIn, repeatedMembers } from './json-members.ts';
import {
  type ContainerBudget,
  JSON_CONTAINERS_MAX,
  type LongContainer,
  NestingScanner,
} from './json-scanner.ts';
import { nextTurn } from './turn.ts';

/** The number of characters that are scanned per turn of the event loop. */
const SCANNED_LENGTH = 2 * JSON_SLICE_LENGTH;

/**
 * Parses JSON of an untrusted sender like `parseJson`. Long texts are parsed in slices, and the event loop runs between
 * them.
 * @param budget for texts that are bounded together
 * @throws SyntaxError; TooNested
 */
export async function parseLongJson(
  text: string,
  budget: ContainerBudget = { left: JSON_CONTAINERS_MAX },
  reading: JsonReading = {},
): Promise<unknown> {
  if (text.length <= JSON_SLICE_LENGTH) return parseJson(text, budget, reading);
  const scanner = new NestingScanner(text, JSON_SLICE_LENGTH, budget);
  while (scanner.at < text.length) {
    scanner.scan(scanner.at + SCANNED_LENGTH);
    await nextTurn();
  }
  const { root, members, long_numbers } = scanner;
  // A text, a number, or no JSON.
  if (root === undefined) return JSON.parse(text);
  JSON.parse(`${text.slice(0, root.start)}null${text.slice(root.end)}`);
  const builder = new LongBuilder(text, long_numbers, reading);
  const value = await builder.built(root);
  const { repeated } = reading;
  if (repeated === undefined || builder.members === members) return value;
  for (const path of repeatedMembers(text)) {
    if (path === undefined) await nextTurn();
    else repeated.push(path);
  }
  return value;
}

/** Builds a long value from its parts. */
class LongBuilder {
  /** Number of members of what was built, if they are counted. */
  members = 0;

  /** @param long_numbers their positions, ascending */
  constructor(
    private readonly text: string,
    private readonly long_numbers: readonly number[],
    private readonly reading: JsonReading,
  ) {}

  async built({ is_object, parts }: LongContainer): Promise<object> {
    const { text } = this;
    const result = is_object ? {} : [];
    let names_count = 0;
    for (const { start, end, long } of parts) {
      // A long container is parsed apart, and what is around it with null in its place.
      const content =
        long === undefined
          ? text.slice(start, end)
          : `${text.slice(start, long.start)}null${text.slice(long.end, end)}`;
      const whole = is_object ? `{${content}}` : `[${content}]`;
      const values = parsedPart(whole, this.hasLongNumber(start, end), this.reading) as Record<
        string,
        unknown
      >;
      const names = Object.keys(values);
      // Between two commas, or before the end.
      if (names.length === 0 && parts.length > 1) throw new SyntaxError('JSON Parse error: Unexpected comma');
      if (this.reading.repeated !== undefined) this.members += membersIn(values);
      const inner = long && (await this.built(long));
      const lost = lostDigits(values);
      for (const name of names) {
        const to = Array.isArray(result) ? String(result.length) : name;
        define(result, to, long ? inner : values[name]);
        const source = lost.get(name);
        if (source !== undefined) noteLostDigits(result, to, source);
      }
      names_count += names.length;
      await nextTurn();
    }
    // Members in different parts may have the same name.
    if (is_object) this.members -= names_count - Object.keys(result).length;
    return result;
  }

  /** Whether a long number begins within a range of the text. O(log(numbers)). */
  private hasLongNumber(start: number, end: number): boolean {
    const { long_numbers } = this;
    let low = 0;
    for (let high = long_numbers.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (long_numbers[middle] < start) low = middle + 1;
      else high = middle;
    }
    return long_numbers[low] < end;
  }
}

/** Sets a member as `JSON.parse` does. An assignment to `__proto__` would not create one. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

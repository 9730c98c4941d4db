/** Members of JSON objects: how many there are, and which have a name that their object already has. */

/** The names of members and the indices of elements, from the outermost value to one within it. */
export type JsonPath = readonly (string | number)[];

/** Number of members of all objects within a parsed value. Members that `JSON.parse` replaced are missing. */
export function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++)
      if (typeof value[at] === 'object') count += membersIn(value[at]);
    return count;
  }
  const members = Object.values(value);
  for (const inner of members) if (typeof inner === 'object') count += membersIn(inner);
  return count + members.length;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const BRACKET_END = 0x5d;
const BRACE_END = 0x7d;

/** The number of characters between two turns of the event loop. */
const SLICE_LENGTH = 128 * 1024;

interface Open {
  /** Of an object. */
  names: Set<string> | undefined;
  /** Of the member or element at the position. */
  at: string | number;
  awaits_name: boolean;
}

/**
 * Finds members of a valid JSON text with a name that their object already has: the first within each element of an
 * outermost array, or the first of all. Yields undefined where the event loop may run.
 */
export function* repeatedMembers(text: string): Generator<JsonPath | undefined> {
  const open: Open[] = [];
  let found_within: string | number | undefined;
  let turn_at = SLICE_LENGTH;
  for (let at = 0; at < text.length; at++) {
    if (at >= turn_at) {
      turn_at = at + SLICE_LENGTH;
      yield undefined;
    }
    const code = text.charCodeAt(at);
    const within = open.at(-1);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (within?.names !== undefined && within.awaits_name) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        within.at = name;
        within.awaits_name = false;
        if (within.names.has(name) && open[0].at !== found_within) {
          yield open.map((each) => each.at);
          if (open[0].names !== undefined) return;
          found_within = open[0].at;
        }
        within.names.add(name);
      }
      at = end;
    } else if (code === BRACE) open.push({ names: new Set(), at: '', awaits_name: true });
    else if (code === BRACKET) open.push({ names: undefined, at: 0, awaits_name: false });
    else if (code === BRACE_END || code === BRACKET_END) open.pop();
    else if (code === COMMA && within !== undefined) {
      if (typeof within.at === 'number') within.at++;
      else within.awaits_name = true;
    }
  }
}

/** Position of the quote that ends the string starting at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((at - escapes) % 2 === 0) return at;
  }
  return text.length;
}

/** Members of JSON objects with a name that their object already has. */
import type { Fault } from '../../errors.ts';
import { parseJson } from '../../plugin/json.ts';
import type { JsonPath } from '../../plugin/json-members.ts';
import { describeFaults, pointerStep, Refusal } from './refusal.ts';

export function repeatedAt(path: JsonPath): Fault {
  return { path: path.map(pointerStep).join(''), message: 'is given more than once' };
}

/**
 * Parses JSON that a person has written.
 * @throws SyntaxError; TooNested; Error for a member that is given more than once, because one of them would be lost
 */
export function parseWritten(text: string): unknown {
  const repeated: JsonPath[] = [];
  const value = parseJson(text, undefined, { repeated });
  if (repeated.length > 0) throw new Error(describeFaults(repeated.map(repeatedAt)));
  return value;
}

/** The records of a parsed text, with a refusal in place of each that has a member more than once. */
export function withoutRepeated(value: unknown, repeated: readonly JsonPath[]): unknown[] {
  if (!Array.isArray(value)) return repeated.length === 0 ? [value] : [new Refusal(repeated.map(repeatedAt))];
  for (const [index, ...path] of repeated) value[Number(index)] = new Refusal([repeatedAt(path)]);
  return value;
}

import { describeFaults, isPlainObject } from '../model/values/refusal.ts';
import { repeatedAt } from '../model/values/repeated.ts';
import { parseJson } from '../plugin/json.ts';
import type { JsonPath } from '../plugin/json-members.ts';
import { TooNested } from '../plugin/json-scanner.ts';

/** A row of a file that is not blank. */
export interface Row {
  /** Number of its first line, from 1. */
  line: number;
  /** As it is written. */
  text: string;
  /** The cells of a row of CSV. Of one with a fault, as far as they can be read. */
  cells?: string[];
  /** The object of a row of JSON without a fault. */
  value?: Record<string, unknown>;
  /** Why it cannot be read. */
  fault?: string;
}

/** Gives the rows of bytes that it has got. */
export interface RowSource {
  push(bytes: Uint8Array): void;
  end(): void;
  /** The next row; undefined if more bytes are needed, or at the end. */
  next(): Row | undefined;
}

/** A row of JSON; undefined for `null`, which stands for nothing. */
export function jsonRow(line: number, text: string): Row | undefined {
  const repeated: JsonPath[] = [];
  try {
    const value = parseJson(text, undefined, { repeated, long_numbers: 'noted' });
    if (repeated.length > 0) return { line, text, fault: describeFaults(repeated.map(repeatedAt)) };
    if (value === null) return undefined;
    return isPlainObject(value)
      ? { line, text, value }
      : { line, text, fault: 'record: expected a JSON object' };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { line, text, fault: error instanceof TooNested ? fault : `not valid JSON: ${fault}` };
  }
}

/** Converts texts, and values of JSON that stand where a text could, to what the parsers of records take. */
import type { CellType } from '../model/values/cell-types.ts';
import { Refusal } from '../model/values/refusal.ts';
import { repeatedAt } from '../model/values/repeated.ts';
import { parseJson } from '../plugin/json.ts';
import type { JsonPath } from '../plugin/json-members.ts';

/** A decimal number as spreadsheets and data frames write it (`1.7e+09`). */
const DECIMAL = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?$/;
/** A number with a decimal comma. With three digits behind it, it could stand between thousands. */
const WITH_COMMA = /^[+-]?\d+,(?:\d{1,2}|\d{4,})$/;
/** The texts that databases write for true and false. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', 'n', '0'].map((text) => [text, false] as const),
]);
const LIST_SEPARATOR = '|';
/** Dates that stand for none in MySQL, Go and .NET: of the years 0 and 1. */
const NO_DATE = /^000[01]-\d\d-\d\d(?!\d)/;

/** Undefined if the text is no decimal number. */
export function numberOf(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}

/** The same for ratings, which may have a decimal comma. */
export function ratingOf(text: string): number | undefined {
  return numberOf(WITH_COMMA.test(text) ? text.replace(',', '.') : text);
}

/** Whether a text means true. */
export function isTrue(text: string): boolean {
  return FLAGS.get(text.toLowerCase()) === true;
}

/** Whether a text means false. */
export function isFalse(text: string): boolean {
  return FLAGS.get(text.toLowerCase()) === false;
}

export function isNoDate(text: string): boolean {
  return text.startsWith('000') && NO_DATE.test(text);
}

export interface Form {
  /** Numbers of time units per second. */
  per_second: number;
  /** Whether a text that is no JSON is a list of texts between `|`. Else it is a list of one. */
  splits_lists: boolean;
}

/** Converts a value that is not absent. What is not understood stays, and the parser refuses it with a message. */
export function converted(type: CellType | undefined, value: unknown, form: Form): unknown {
  if (typeof value !== 'string') return fromJson(type, value, form);
  switch (type) {
    case undefined:
    case 'identifier':
      return value;
    case 'time': {
      const number = numberOf(value);
      return number === undefined ? value : number / form.per_second;
    }
    case 'number':
      return numberOf(value) ?? value;
    case 'flag':
      return FLAGS.get(value.toLowerCase()) ?? value;
    case 'list':
      if (isJson(value)) return parsedJson(value);
      return form.splits_lists ? value.split(LIST_SEPARATOR) : [value];
    case 'json':
      return parsedJson(value);
    case 'vector':
      return value.trimStart().startsWith('[') ? parsedJson(value) : value;
  }
}

function fromJson(type: CellType | undefined, value: unknown, { per_second }: Form): unknown {
  if (typeof value === 'object') return value;
  switch (type) {
    case undefined:
    case 'identifier':
      return String(value);
    case 'time':
      return typeof value === 'number' ? value / per_second : value;
    case 'flag':
      return FLAGS.get(String(value)) ?? value;
    case 'list':
      return [value];
    default:
      return value;
  }
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function parsedJson(text: string): unknown {
  const repeated: JsonPath[] = [];
  try {
    const value = parseJson(text, undefined, { repeated, long_numbers: 'noted' });
    return repeated.length > 0 ? new Refusal(repeated.map(repeatedAt)) : value;
  } catch {
    return text;
  }
}

/** What the values of a column say about it. */
import { EVENT_TYPES, type EventType } from '../model/acts.ts';
import { isFalse, isTrue, ratingOf } from './cells.ts';
import { ACT_WORDS, folded, PUBLIC_WORDS } from './column-words.ts';
import { isNullWord } from './doubts.ts';
import { type ColumnSource, KEEP, type Rule } from './map.ts';

/** How a column is read, and why that may be wrong. */
export interface Reading extends Pick<ColumnSource, 'unit'> {
  rules?: Rule[];
  doubt?: string;
}

const REST = { is_rest: true } as const;
/** Leaves out rows whose value no rule before it keeps. */
const SKIP_REST: Rule = { when: REST, to: undefined };

const NUMBER = /^-?\d+(\.\d+)?$/;
const ISO = /^\d{4}-\d\d-\d\d/;
const DAY_FIRST = /^(\d{1,2})([./])(\d{1,2})\2\d{4}/;
/** What programs write for no time. */
const NO_TIME = /^(0+|0{4}-00-00.*|0001-01-01.*)$/;
/** Upper bounds of the present time in each unit. */
const UNITS = [
  [1e11, undefined],
  [1e14, 'ms'],
  [1e17, 'us'],
  [Number.POSITIVE_INFINITY, 'ns'],
] as const;

/** The first text of a column that is no time. */
export function untimely(values: readonly string[]): string | undefined {
  return values.find((value) => !ISO.test(value) && !NUMBER.test(value)) ?? values[0];
}

/** From 2000 to 2100, in seconds. */
const [EPOCH_MIN, EPOCH_MAX] = [946_684_800, 4_102_444_800];

/** Whether the values of a column are dates, whatever its name is. Numbers in nanoseconds are rather identifiers. */
export function isDated(values: readonly string[]): boolean {
  const times = values.filter((value) => !NO_TIME.test(value));
  if (times.length === 0 || timeReading(times) === undefined) return false;
  if (!times.every((value) => NUMBER.test(value))) return true;
  const isIn = (scale: number) =>
    times.every((value) => Number(value) >= EPOCH_MIN * scale && Number(value) < EPOCH_MAX * scale);
  return [1, 1e3, 1e6].some(isIn);
}

/** How the times of a column are written; undefined if they are none. */
export function timeReading(values: readonly string[]): Reading | undefined {
  const times = values.filter((value) => !NO_TIME.test(value));
  if (times.length === 0 || times.every((value) => ISO.test(value))) return {};
  if (times.every((value) => NUMBER.test(value))) {
    const middle = times.map(Number).sort((one, other) => one - other)[times.length >> 1];
    return middle < 1e8 ? undefined : { unit: UNITS.find(([below]) => middle < below)?.[1] };
  }
  const days = times.map((value) => DAY_FIRST.exec(value));
  if (days.some((found) => found === null)) return undefined;
  if (days[0]?.[2] === '.') return { unit: 'dd.mm.yyyy' };
  const largest = (part: 1 | 3) => Math.max(...days.map((found) => Number(found?.[part])));
  if (largest(3) > 12) return { unit: 'mm/dd/yyyy' };
  const doubt =
    largest(1) > 12 ? undefined : `dates such as ${times[0]} may have the month first: @mm/dd/yyyy`;
  return { unit: 'dd/mm/yyyy', doubt };
}

/** Which texts of a column are which act; undefined if they are no names of acts. */
export function actReading(values: readonly string[]): Reading | undefined {
  const texts = [...new Set(values)];
  const numbers = texts.flatMap((text) => ratingOf(text) ?? []);
  if (texts.length > 0 && numbers.length === texts.length) return ratingReading(numbers);
  const acts = texts.map((text) => ({ text, act: actNamed(text) }));
  if (!acts.some(({ act }) => act !== undefined)) return undefined;
  if (acts.every(({ text, act }) => text === act)) return {};
  const unknown = acts.filter(({ act }) => act === undefined).map(({ text }) => text);
  const rules = acts.flatMap(({ text, act }): Rule[] =>
    act === undefined ? [] : [{ when: { is: text }, to: act }],
  );
  const doubt = `what ${shown(texts)} are here`;
  if (unknown.length === 0) return { rules, doubt };
  return { rules: [...rules, SKIP_REST], doubt: `${doubt}; rows with ${shown(unknown)} stay out` };
}

/** High ratings are likes. */
function ratingReading(ratings: readonly number[]): Reading {
  const [min, max] = [Math.min(...ratings), Math.max(...ratings)];
  const from = max <= 1 ? max : max <= 5 ? 4 : max <= 10 ? 7 : Math.ceil(max * 0.7);
  return {
    rules: [{ when: { comparison: '>=', number: from }, to: 'like' }, SKIP_REST],
    doubt: `values from ${min} to ${max}: likes from ${from} on, rows with lower ones stay out`,
  };
}

/** The kind of interaction that a word of other software means. */
export function actNamed(text: string): EventType | undefined {
  const word = folded(text).replaceAll(/[_-]+/g, ' ').trim();
  return EVENT_TYPES.find((type) => type === word) ?? ACT_WORDS.find(([, words]) => words.test(word))?.[0];
}

const TAG = /<\/?(p|br|a|div|b|i|em|strong|ul|ol|li|blockquote|img|span|h\d|r|t)\b[^>]*>/i;

export function hasHtml(values: readonly string[]): boolean {
  return values.some((value) => TAG.test(value));
}

/** What a column says of who may see a row, see `PRIVACY_WORDS`. */
export type Privacy = 'no' | 'yes' | 'which';

export interface PrivacyReading {
  rules: Rule[];
  doubt: string;
}

/** Keeps the rows that everybody may see. */
export function privacyReading(meaning: Privacy, values: readonly string[]): PrivacyReading {
  const texts = [...new Set(values)];
  const isPublic = (text: string): boolean => {
    if (meaning === 'no') return isNo(text) || NO_TIME.test(text) || isNullWord(text);
    return meaning === 'yes' ? isYes(text) : PUBLIC_WORDS.test(text);
  };
  const kept = texts.filter(isPublic);
  const rules: Rule[] = [...kept.map((text) => ({ when: { is: text }, to: KEEP })), SKIP_REST];
  // An empty `deleted_at` is not deleted, but nobody knows of an empty `approved`.
  if (meaning !== 'no') rules.push({ when: { is: '' }, to: undefined });
  if (meaning === 'which' && kept.length === 0)
    return {
      rules,
      doubt: `rows stay out, all of them: which of ${shown(texts)} everybody may see is not known`,
    };
  const unless = [...kept.map((text) => `'${text}'`), ...(meaning === 'no' ? ['empty'] : [])];
  return { rules, doubt: `rows stay out unless it is ${unless.join(' or ') || 'known to be public'}` };
}

const FOREIGN_TRUE = /^(ja|j|oui|si|sim|wahr|vrai)$/;
const FOREIGN_FALSE = /^(nein|non|nao|falsch|faux)$/;

function isYes(text: string): boolean {
  return isTrue(text) || FOREIGN_TRUE.test(folded(text));
}

function isNo(text: string): boolean {
  return isFalse(text) || FOREIGN_FALSE.test(folded(text));
}

/** Whether a text means yes or no, in whatever language. */
export function isFlag(text: string): boolean {
  return isYes(text) || isNo(text);
}

/** Whether a text is read as true or false without rules. */
export function isReadFlag(text: string): boolean {
  return isTrue(text) || isFalse(text);
}

const SHOWN_MAX = 8;

function shown(texts: readonly string[]): string {
  return (
    texts
      .slice(0, SHOWN_MAX)
      .map((text) => `'${text}'`)
      .join(', ') + (texts.length > SHOWN_MAX ? ', …' : '')
  );
}

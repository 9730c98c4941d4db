import { numberOf, ratingOf } from './cells.ts';
import type { Comparison, Condition, Rule } from './map.ts';

const HOLDS: Readonly<Record<Comparison, (left: number, right: number) => boolean>> = {
  '>=': (left, right) => left >= right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '<': (left, right) => left < right,
};

/** Finds the first rule that fits a text; undefined if none does. An empty value has an empty text. */
export type RuleFinder = (text: string) => Rule | undefined;

export function ruleFinder(rules: readonly Rule[]): RuleFinder {
  const tested = rules.map((rule) => ({ rule, fits: testOf(rule.when) }));
  return (text) => {
    const number = ratingOf(text);
    return tested.find(({ fits }) => fits(text, number))?.rule;
  };
}

type Test = (text: string, number: number | undefined) => boolean;

function testOf(when: Condition): Test {
  if ('is_rest' in when) return (text) => text !== '';
  if ('comparison' in when) {
    const holds = HOLDS[when.comparison];
    return (_, number) => number !== undefined && holds(number, when.number);
  }
  const own = exactNumber(numberOf(when.is));
  return (text, number) => text === when.is || (own !== undefined && own === exactNumber(number));
}

/** Undefined beyond 2^53, where different texts become the same number. */
function exactNumber(number: number | undefined): number | undefined {
  return number !== undefined && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** The text of a value as rules compare it. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

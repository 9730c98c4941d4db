import { aligned } from '../../src/evaluate/report.ts';
import { MEASURES, type Measure, type Results } from './measures.ts';

/** The output of `feedloom bench --json`. */
export function jsonReport(results: Results): string {
  return JSON.stringify({ world: results.world, measures: results.measures() });
}

/** A table of all measures with their bounds, followed by details. */
export function tableReport(results: Results): string {
  const rows = [['measure', 'value', 'must', 'aim', ''], ...results.measures().map(rowOf)];
  const parts = [`world ${results.world}`, indented(rows)];
  for (const { heading, lines } of results.notes) parts.push(`\n${heading}`, indented(lines));
  return parts.join('\n');
}

function rowOf(measure: Measure): string[] {
  const { name, value, unit, must, aim } = measure;
  const shown = typeof value === 'number' ? `${value.toLocaleString('en-US')} ${unit}` : value;
  return [
    `${name}: ${MEASURES[name].title}`,
    shown,
    bound(measure, must),
    bound(measure, aim),
    verdict(measure),
  ];
}

function bound({ name }: Measure, limit: number | null): string {
  if (limit === null) return '';
  return `${MEASURES[name].better === 'more' ? '≥' : '≤'} ${limit.toLocaleString('en-US')}`;
}

function verdict(measure: Measure): string {
  if (measure.must === null && measure.aim === null) return '';
  if (measure.must !== null && !reaches(measure, measure.must)) return 'FAIL';
  return measure.aim !== null && reaches(measure, measure.aim) ? 'aim reached' : 'pass';
}

function reaches({ name, value }: Measure, limit: number): boolean {
  if (typeof value !== 'number') return true;
  return MEASURES[name].better === 'more' ? value >= limit : value <= limit;
}

function indented(rows: readonly (readonly string[])[]): string {
  return aligned(rows)
    .map((line) => `  ${line}`)
    .join('\n');
}

import {
  type ColumnSource,
  type Condition,
  type FieldSource,
  type FileMap,
  type Rule,
  SKIP,
  UNIT_PATTERN,
} from './map.ts';

const NEEDS_QUOTES = new RegExp(`[,'"[\\]]|^\\s|\\s$|@(?:${UNIT_PATTERN})$`);
const PLAIN_RULE_TEXT = /^[^\s:,'"[\]<>*](?:[^:,'"[\]]*[^\s:,'"[\]])?$/;

/** Writes a map so that `parseMap` reads it as it is. */
export function writeMap({ file, kind, fields, skips }: FileMap): string {
  const sources: [string, FieldSource][] = [
    ...fields,
    ...skips.map((skip): [string, ColumnSource] => [SKIP, skip]),
  ];
  const written = sources.map(([field, source]) => `${field}=${sourceText(source)}`);
  return written.length === 0 ? `${file}=${kind}` : `${file}=${kind}:${written.join(',')}`;
}

function sourceText(source: FieldSource): string {
  if ('constant' in source) return singleQuoted(source.constant);
  const { column, is_literal, unit, rules } = source;
  const name = is_literal || NEEDS_QUOTES.test(column) ? `"${column.replaceAll('"', '""')}"` : column;
  return `${name}${unit === undefined ? '' : `@${unit}`}${rules.length === 0 ? '' : `[${rulesText(rules)}]`}`;
}

/** Writes rules so that `parseRules` reads them as they are. */
export function rulesText(rules: readonly Rule[]): string {
  return rules
    .map(({ when, to }) => `${conditionText(when)}:${to === undefined ? SKIP : ruleText(to)}`)
    .join(',');
}

function conditionText(when: Condition): string {
  if ('is_rest' in when) return '*';
  return 'is' in when ? ruleText(when.is) : `${when.comparison}${when.number}`;
}

function ruleText(text: string): string {
  return PLAIN_RULE_TEXT.test(text) && text !== SKIP ? text : singleQuoted(text);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

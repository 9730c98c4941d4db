/**
 * Reads maps of foreign files: `FILE=kind:field=column,field='text',field=column@ms,field=column[from:to,>=4:like,*:skip]`.
 *
 * docs/import/maps.md describes the language.
 */
import { FILE_ENDINGS, isMappable } from '../rows/file-names.ts';
import { numberOf } from './cells.ts';
import { fieldsOf, isKind, KINDS, type Kind } from './kinds.ts';
import {
  COMPARISONS,
  type ColumnSource,
  type Condition,
  type FieldSource,
  type FileMap,
  KEEP,
  MapFault,
  type Rule,
  SKIP,
  UNIT_PATTERN,
  UNITS,
} from './map.ts';

const FORM = "FILE=kind:field=column,field='text for all lines',field=column[from:to,from:to]";
const RULE_FORM = '[from:to,from:to]';

const WHOLE = /^\s*(.+?)=(\w+)(?::(.*))?$/s;
const FIELD = /\s*(\w+)=/y;
const IN_SINGLE_QUOTES = /\s*'((?:[^']|'')*)'/y;
const IN_DOUBLE_QUOTES = /\s*"((?:[^"]|"")*)"/y;
const COLUMN = /[^,'"[\]]+/y;
const UNIT = new RegExp(`@(${UNIT_PATTERN})(?![^[,\\s])`, 'y');
const PLAIN_WITH_UNIT = new RegExp(`^(.*?)\\s*@(${UNIT_PATTERN})$`, 's');
const RULES = /\s*\[/y;
const FROM = /[^:,\]]*/y;
const COLON = /\s*:/y;
const TO = /[^,\]]*/y;
const RULE_END = /\s*([,\]])/y;
const FIELD_END = /\s*(?:,|$)/y;
const COMPARED = /^(>=|<=|>|<)\s*(.*)$/s;

/**
 * @param is_table whether the map may name a table, whose file has any of the endings
 * @throws MapFault
 */
export function parseMap(text: string, is_table = false): FileMap {
  const [, file, kind, list = ''] = WHOLE.exec(text) ?? [];
  if (file === undefined) throw new MapFault(`expected ${FORM}`);
  if (!isKind(kind)) throw new MapFault(`there is no kind '${kind}'; expected one of ${KINDS.join(', ')}`);
  if (!is_table && !isMappable(file))
    throw new MapFault(`expected a file that ends with ${FILE_ENDINGS.join(', ')}, each also with .gz`);
  return { file, kind, ...new Parser(list).fieldsOf(kind) };
}

/**
 * Reads rules as they stand between brackets; none for an empty text.
 * @throws MapFault
 */
export function parseRules(text: string): Rule[] {
  return text.trim() === '' ? [] : new Parser(`${text}]`).rules();
}

/**
 * Reads a file of maps of files or tables: one a line. Blank lines, and lines that begin with `#`, say nothing.
 * @throws MapFault that names the line
 */
export function parseMaps(text: string): FileMap[] {
  return text.split('\n').flatMap((line, index) => {
    const map = line.trim();
    if (map === '' || map.startsWith('#')) return [];
    try {
      return parseMap(map, true);
    } catch (error) {
      throw error instanceof MapFault ? new MapFault(`line ${index + 1}: ${error.message}`) : error;
    }
  });
}

class Parser {
  private at = 0;

  constructor(private readonly list: string) {}

  fieldsOf(kind: Kind): Pick<FileMap, 'fields' | 'skips'> {
    const known = fieldsOf(kind);
    const fields = new Map<string, FieldSource>();
    const skips: ColumnSource[] = [];
    while (this.at < this.list.length) {
      const start = this.at;
      const [, field] = this.take(FIELD) ?? this.refuse(start);
      const source = this.source(start);
      if (this.take(FIELD_END) === undefined) this.refuse(start);
      if (field === SKIP) skips.push(this.skip(source));
      else if (!known.includes(field))
        throw new MapFault(
          `${kind} have no field '${field}'; expected one of ${[...known, SKIP].join(', ')}`,
        );
      else if (fields.has(field)) throw new MapFault(`the field '${field}' is given twice`);
      else fields.set(field, source);
    }
    return { fields, skips };
  }

  private source(start: number): FieldSource {
    const constant = this.quoted(IN_SINGLE_QUOTES, "'");
    if (constant !== undefined) return { constant };
    const name = this.quoted(IN_DOUBLE_QUOTES, '"');
    const named = name === undefined ? this.plainColumn() : this.quotedColumn(name);
    if (named === undefined || named.column === '') return this.refuse(start);
    return { ...named, rules: this.take(RULES) === undefined ? [] : this.rules() };
  }

  private plainColumn(): Omit<ColumnSource, 'rules'> | undefined {
    const plain = this.take(COLUMN)?.[0].trim();
    if (plain === undefined) return undefined;
    const [, column, unit] = PLAIN_WITH_UNIT.exec(plain) ?? [];
    return column === undefined ? { column: plain } : { column, ...unitOf(unit) };
  }

  private quotedColumn(column: string): Omit<ColumnSource, 'rules'> {
    const unit = unitOf(this.take(UNIT)?.[1]);
    return { column, ...(/\.|^\d+$/.test(column) && { is_literal: true }), ...unit };
  }

  rules(): Rule[] {
    const rules: Rule[] = [];
    for (;;) {
      const start = this.at;
      const quoted = this.text();
      const from = quoted ?? this.take(FROM)?.[0].trim() ?? '';
      if (this.take(COLON) === undefined) this.refuseRule(start);
      const when = quoted === undefined ? conditionOf(from) : { is: quoted };
      const to = this.text() ?? skipped(this.take(TO)?.[0].trim() ?? '');
      rules.push({ when, to });
      const [, end] = this.take(RULE_END) ?? this.refuseRule(start);
      if (end === ']') return rules;
    }
  }

  private skip(source: FieldSource): ColumnSource {
    const rules = 'rules' in source ? source.rules : [];
    const others = rules.filter(({ to }) => to !== undefined && to !== KEEP);
    if ('constant' in source || rules.length === 0 || others.length > 0) {
      const found = others.length > 0 ? `; got '${others[0].to}'` : '';
      throw new MapFault(
        `${SKIP} says which rows stay out: expected ${SKIP}=column[text:${SKIP},text:${KEEP}]${found}`,
      );
    }
    return source;
  }

  private text(): string | undefined {
    return this.quoted(IN_SINGLE_QUOTES, "'") ?? this.quoted(IN_DOUBLE_QUOTES, '"');
  }

  private quoted(pattern: RegExp, quote: string): string | undefined {
    return this.take(pattern)?.[1].replaceAll(quote + quote, quote);
  }

  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.list) ?? undefined;
    if (match !== undefined) this.at += match[0].length;
    return match;
  }

  private refuse(start: number): never {
    throw new MapFault(`'${this.list.slice(start)}' is not understood; expected ${FORM}`);
  }

  private refuseRule(start: number): never {
    const [rule] = /^[^,\]]*/.exec(this.list.slice(start)) ?? [''];
    throw new MapFault(`'${rule}' is not understood; expected ${RULE_FORM}`);
  }
}

function unitOf(text: string | undefined): Pick<ColumnSource, 'unit'> {
  const unit = UNITS.find((each) => each === text);
  return unit === undefined ? {} : { unit };
}

function skipped(to: string): string | undefined {
  return to === SKIP ? undefined : to;
}

function conditionOf(from: string): Condition {
  if (from === '*') return { is_rest: true };
  const [, comparison, text = ''] = COMPARED.exec(from) ?? [];
  const known = COMPARISONS.find((each) => each === comparison);
  if (known === undefined) return { is: from };
  const number = numberOf(text);
  if (number !== undefined) return { comparison: known, number };
  throw new MapFault(`'${from}' compares with no number; write a text that begins so within single quotes`);
}

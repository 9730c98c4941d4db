import type { CellType } from '../model/values/cell-types.ts';
import { PER_SECOND, type TimeUnit } from '../model/values/time.ts';
import { converted, isNoDate, numberOf } from './cells.ts';
import { isDateForm, isoDate } from './dates.ts';
import { doubtOf } from './doubts.ts';
import type { ColumnSource } from './map.ts';
import { ruleFinder, textOf } from './rules.ts';

export interface RowOptions {
  /** The unit of numeric times whose column names none. Default: seconds. */
  time_unit?: TimeUnit;
  /** Texts that mean an absent value, besides an empty one and `\N`. */
  nulls?: readonly string[];
}

/** What a row says. */
export interface RowFields {
  /** The input of the parser of records. */
  fields: Record<string, unknown>;
  /** Whether the map leaves the row out. */
  is_skipped: boolean;
  warnings: readonly string[];
}

/** Reads the value of one field into a row. */
export type FieldReader = (raw: unknown, row: RowFields) => void;

/** What databases write for an absent value. */
const NULL_OF_DATABASES = '\\N';
const NO_WARNINGS: readonly string[] = [];

export function emptyRow(fields: Record<string, unknown> = {}): RowFields {
  return { fields, is_skipped: false, warnings: NO_WARNINGS };
}

/** The value, or an empty text if it counts as absent. */
function givenValue(raw: unknown, { nulls = [] }: RowOptions): unknown {
  if (raw === undefined || raw === null || raw === NULL_OF_DATABASES) return '';
  return nulls.length > 0 && nulls.includes(textOf(raw)) ? '' : raw;
}

/** How a field is read. */
interface FieldPlan {
  field: string;
  type: CellType | undefined;
  /** Its column in a map; undefined for a column with the name of the field. */
  source?: Pick<ColumnSource, 'rules' | 'unit'>;
  options: RowOptions;
  /** Whether blanks around identifiers go. Files without a map mean them, if they stand in quotes. */
  trims: boolean;
  splits_lists: boolean;
}

export function fieldReader({ field, type, source, options, trims, splits_lists }: FieldPlan): FieldReader {
  const { time_unit = 's' } = options;
  const unit = source?.unit ?? time_unit;
  const date_form = isDateForm(unit) ? unit : undefined;
  const form = { per_second: PER_SECOND[isDateForm(unit) ? time_unit : unit], splits_lists };
  const ruleFor = source && source.rules.length > 0 ? ruleFinder(source.rules) : undefined;
  const valueIn = (raw: unknown, row: RowFields): unknown => {
    const given = givenValue(raw, options);
    const rule = ruleFor?.(textOf(given));
    if (rule !== undefined) {
      row.is_skipped ||= rule.to === undefined;
      return rule.to ?? given;
    }
    if (typeof given !== 'string') return given;
    const text = trims && type === 'identifier' ? given.trim() : given;
    const doubt = doubtOf(field, type, text);
    if (doubt !== undefined) row.warnings = [...row.warnings, doubt];
    if (type !== 'time') return text;
    if (isNoDate(text)) return '';
    return date_form === undefined ? text : isoDate(text, date_form);
  };
  const is_plain_time = type === 'time' && source === undefined && options.nulls === undefined;
  return (raw, row) => {
    // The usual time of a file, for speed.
    const seconds = is_plain_time && typeof raw === 'string' ? numberOf(raw) : undefined;
    if (seconds !== undefined) {
      row.fields[field] = seconds / form.per_second;
      return;
    }
    const value = valueIn(raw, row);
    if (value !== '') row.fields[field] = converted(type, value, form);
    // Nothing is said of other fields; an empty author is one who is not known.
    else if (field === 'author_id') row.fields[field] = null;
  };
}

/** Reads a column that only decides whether the row stays out. */
export function skipReader({ rules }: Pick<ColumnSource, 'rules'>, options: RowOptions): FieldReader {
  const ruleFor = ruleFinder(rules);
  return (raw, row) => {
    const rule = ruleFor(textOf(givenValue(raw, options)));
    if (rule !== undefined && rule.to === undefined) row.is_skipped = true;
  };
}

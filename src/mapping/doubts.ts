import type { CellType } from '../model/values/cell-types.ts';
import { clip } from '../model/values/refusal.ts';

/** What programs write for an absent value, although it could be a text. */
const NULL_WORDS = new Set(['NULL', 'Null', 'null', 'None', 'none', 'NaN', 'nan', 'NaT', '<NA>']);
const WORD_LENGTH_MAX = 4;
const OF_A_DATA_FRAME = /^(\d+)\.0+$/;
const OF_A_SPREADSHEET = /^\d(?:[.,]\d+)?[eE]\+?\d+$/;

/** Whether nothing about the text of a text or an identifier needs a closer look. */
export function isUsual(text: string): boolean {
  return text.length > WORD_LENGTH_MAX && !text.includes('.') && !text.includes('+');
}

/** What is suspicious about the text of a field; undefined for most. The value follows `; got `, as in all warnings. */
export function doubtOf(field: string, type: CellType | undefined, text: string): string | undefined {
  if (text.length <= WORD_LENGTH_MAX && NULL_WORDS.has(text))
    return `${field}: ${text} is read as a text; --null ${text} reads it as no value`;
  if (type !== 'identifier' || isUsual(text)) return undefined;
  const [, digits] = OF_A_DATA_FRAME.exec(text) ?? [];
  const got = JSON.stringify(clip(text));
  if (digits !== undefined)
    return `${field}: an identifier with a point; got ${got}, which looks like ${digits} written by a data frame`;
  if (!OF_A_SPREADSHEET.test(text)) return undefined;
  return `${field}: an identifier with an exponent; got ${got}, with digits lost by a spreadsheet`;
}

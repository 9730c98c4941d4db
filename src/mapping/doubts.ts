import type { CellType } from '../model/values/cell-types.ts';
import { clip } from '../model/values/refusal.ts';

/** What programs write for an absent value, although it could be a text. */
const NULL_WORDS = new Set(['NULL', 'Null', 'null', 'None', 'none', 'NaN', 'nan', 'NaT', '<NA>']);
const WORD_LENGTH_MAX = 4;
const ZERO = 0x30;
const NINE = 0x39;
const OF_A_DATA_FRAME = /^(\d+)\.0+$/;
const OF_A_SPREADSHEET = /^\d(?:[.,]\d+)?[eE]\+?\d+$/;

export function isNullWord(text: string): boolean {
  return text.length <= WORD_LENGTH_MAX && NULL_WORDS.has(text);
}

/** Whether a text of CSV is neither absent nor suspicious, as most are. */
export function isUsual(text: string, type: CellType | undefined): boolean {
  if (text === '' || text === '\\N' || isNullWord(text)) return false;
  return type !== 'identifier' || !isLikeNumber(text);
}

/** Whether an identifier begins like a number with a point or an exponent. */
function isLikeNumber(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= ZERO && first <= NINE && (text.includes('.') || text.includes('+'));
}

/** What is suspicious about the text of a field; undefined for most. The value follows `; got `, as in all warnings. */
export function doubtOf(field: string, type: CellType | undefined, text: string): string | undefined {
  if (isNullWord(text)) return `${field}: ${text} is read as a text; --null ${text} reads it as no value`;
  if (type !== 'identifier' || !isLikeNumber(text)) return undefined;
  const [, digits] = OF_A_DATA_FRAME.exec(text) ?? [];
  const got = JSON.stringify(clip(text));
  if (digits !== undefined)
    return `${field}: an identifier with a point; got ${got}, which looks like ${digits} written by a data frame`;
  if (!OF_A_SPREADSHEET.test(text)) return undefined;
  return `${field}: an identifier with an exponent; got ${got}, with digits lost by a spreadsheet`;
}

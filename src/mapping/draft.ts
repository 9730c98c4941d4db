/** What the lines of a file are, and which column is which field, by names alone. */
import {
  COLUMN_WORDS,
  FILE_NOUNS,
  folded,
  OF_HIDDEN_USERS,
  PRIVACY_WORDS,
  PRIVATE_FILE,
} from './column-words.ts';
import { isLikeRow } from './columns.ts';
import { isDated, isFlag, type Privacy } from './guess-values.ts';
import { fieldsOf, type Kind, RECORDS, requiredFields } from './kinds.ts';
import { COUNTED_AT } from './row-type.ts';
import type { Sample } from './sample.ts';

/** What a proposed map may have wrong. */
export interface Doubt {
  /** Undefined: the file as a whole. */
  field?: string;
  text: string;
}

/** A file whose kind is known, and the columns of its fields. */
export interface Draft {
  sample: Sample;
  kind: Kind;
  columns: Map<string, string>;
  doubts: Doubt[];
}

const POSITIONS = 'a map names the columns of a file without a header by position (item_id=1)';

/** Fields that show the kind of a file whose name does not. */
const TELLING: readonly (readonly [Kind, readonly string[]])[] = [
  ['items', ['author_id', 'text']],
  ['interactions', ['event_type']],
  ['follows', []],
  ['users', ['username']],
];

/** Fields without which a file is not of a kind. A kind of act can be written as a text. */
function neededFields(kind: Kind): string[] {
  return requiredFields(kind).filter((field) => field !== 'event_type');
}

/** @returns why the file is left out, if it is */
export function draftOf(sample: Sample): Draft | string {
  const nouns = nounsOf(sample);
  if (nouns.some((noun) => PRIVATE_FILE.test(noun))) return 'its name says that it is private';
  const named = FILE_NOUNS.filter(([, noun]) => nouns.some((each) => noun.test(each))).map(([kind]) => kind);
  const complete = (kind: Kind, needed: readonly string[]): Draft | undefined => {
    const draft = draftAs(kind, sample);
    return needed.every((field) => draft.columns.has(field)) ? draft : undefined;
  };
  for (const kind of named) {
    const draft = complete(kind, neededFields(kind));
    if (draft !== undefined) return draft;
  }
  for (const [kind, telling] of TELLING) {
    const draft = complete(kind, [...neededFields(kind), ...telling]);
    if (draft === undefined) continue;
    draft.doubts.push({ text: `only its columns say that its lines are ${kind}` });
    return draft;
  }
  if (isLikeRow(sample.columns)) return `its first line looks like a row; ${POSITIONS}`;
  const wanted = named.map((kind) => `; ${kind} need ${neededFields(kind).join(', ')}`)[0] ?? '';
  return `neither its name nor its columns say what its lines are${wanted}`;
}

/** A file as lines of a kind that is known. */
export function draftAs(kind: Kind, sample: Sample): Draft {
  const columns = columnsOf(kind, sample);
  const draft: Draft = { sample, kind, columns, doubts: [] };
  // What users and counters have besides are rather times of something else.
  const field = kind === 'items' ? 'created_at' : 'timestamp';
  if (columns.has(field) || kind === 'users' || kind === 'engagement') return draft;
  const used = new Set(columns.values());
  const dated = sample.columns.filter(
    (column) =>
      !used.has(column) &&
      !isIdentifier(wordsOf(column)) &&
      privacyMeaning(kind, column) === undefined &&
      isDated(valuesOf(sample, column)),
  );
  if (dated.length === 1) {
    columns.set(field, dated[0]);
    draft.doubts.push({ field, text: `only the values of ${dated[0]} say that it is the time` });
  } else if (dated.length > 1) {
    draft.doubts.push({ field, text: `which of ${dated.join(', ')} is the time is not known` });
  }
  return draft;
}

export function nounsOf({ name }: Sample): string[] {
  return wordsOf(name.replace(/(\.\w+)?(\.gz)?$/i, ''));
}

/** `PostNr` → `post`, `nr`; `author._id.$oid` → `author`, `id`; `at.$date.$numberLong` → `at` */
export function wordsOf(name: string): string[] {
  const plain = name.replace(/(\.\$\w+)+$/, '').replaceAll(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ');
  return folded(plain)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

const OF_IDENTIFIERS = /^(ids?|nr|no|num|number|key|pk|fk|uuid|guid)$/;

export function isIdentifier(words: readonly string[]): boolean {
  return OF_IDENTIFIERS.test(words.at(-1) ?? '');
}

function singular(noun: string): string {
  return noun.replace(/(?<=ss|us)es$|ies$|s$/, (ending) => (ending === 'ies' ? 'y' : ''));
}

/** What `COLUMN_WORDS` may call a column. */
function formsOf(column: string, nouns: readonly string[]): string[] {
  const words = wordsOf(column);
  const short = isIdentifier(words) ? words.slice(0, -1) : words;
  const is_own = nouns.some((noun) => singular(noun) === words[0]);
  const forms = is_own ? [words, short, words.slice(1), short.slice(1)] : [words, short];
  return forms.map((form) => form.join(' '));
}

/** What `action` of a record may be. Other software calls the kind of an act so. */
const ACTION = /^(add|remove|(un)?(follow|block))$/;

/** The columns of the fields of a kind. Each column is given to the field that it fits best. */
export function columnsOf(kind: Kind, sample: Sample): Map<string, string> {
  const nouns = nounsOf(sample);
  // Of the time of a version, a map must say that it is also the time of the counters.
  const is_action = valuesOf(sample, 'action').every((value) => ACTION.test(value));
  const fields = fieldsOf(kind).filter((field) => field !== COUNTED_AT && (field !== 'action' || is_action));
  const pairs = sample.columns.flatMap((column) => {
    const forms = formsOf(column, nouns);
    const is_flag = isFlagColumn(sample, column);
    return fields.flatMap((field) => {
      // As `published`, which may be a time or a flag.
      if (is_flag && column !== field && RECORDS[kind].cells.get(field) === 'time') return [];
      const words = COLUMN_WORDS[kind][field] ?? [field.replaceAll('_', ' ')];
      const rank = words.findIndex((word) => forms.includes(word));
      // Of a follower and a user, the user is who is followed.
      const is_same = column === field && !(field === 'user_id' && 'target_user_id' in COLUMN_WORDS[kind]);
      return rank < 0 ? [] : [{ field, column, rank: is_same ? -1 : rank }];
    });
  });
  const found: Record<string, string> = {};
  const taken = new Set<string>();
  for (const { field, column } of pairs.sort((one, other) => one.rank - other.rank)) {
    if (found[field] !== undefined || taken.has(column)) continue;
    found[field] = column;
    taken.add(column);
  }
  return new Map(fields.flatMap((field) => (found[field] === undefined ? [] : [[field, found[field]]])));
}

/** Whether a column says yes or no. */
export function isFlagColumn(sample: Sample, column: string): boolean {
  const values = valuesOf(sample, column);
  return values.length > 0 && values.every(isFlag);
}

/** What a column says by its name of who may see a row. */
export function privacyMeaning(kind: Kind, column: string): Privacy | undefined {
  const words = wordsOf(column);
  if (isIdentifier(words)) return undefined;
  const patterns = kind === 'users' ? OF_HIDDEN_USERS : PRIVACY_WORDS;
  const meaning = (['yes', 'no', 'which'] as const).find((each) => patterns[each].test(words.join(' ')));
  return meaning === 'which' && kind !== 'items' && kind !== 'users' ? undefined : meaning;
}

/** Whether a column may decide who sees a row, of whatever kind. */
export function mayDecide(column: string): boolean {
  return privacyMeaning('items', column) !== undefined || privacyMeaning('users', column) !== undefined;
}

/** The texts of a column that are not empty. */
export function valuesOf({ rows }: Sample, column: string): string[] {
  return rows.flatMap((row) => row[column] || []);
}

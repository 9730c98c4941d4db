/**
 * Proposes how files of other software are read, by the names of files and columns and by their first rows.
 *
 * What decides who may see a row fails on the safe side: such rows stay out until somebody has checked the map.
 */
import { isNullWord } from './doubts.ts';
import {
  type Doubt,
  type Draft,
  draftAs,
  draftOf,
  isFlagColumn,
  isIdentifier,
  nounsOf,
  privacyMeaning,
  valuesOf,
  wordsOf,
} from './draft.ts';
import {
  actNamed,
  actReading,
  hasHtml,
  isDated,
  isFlag,
  isReadFlag,
  type PrivacyReading,
  privacyReading,
  type Reading,
  timeReading,
  untimely,
} from './guess-values.ts';
import { type Kind, RECORDS } from './kinds.ts';
import { type ColumnSource, type FieldSource, type FileMap, KEEP, type Rule } from './map.ts';
import type { Sample } from './sample.ts';

export interface GuessedMap {
  map: FileMap;
  doubts: readonly Doubt[];
}

export interface Guess {
  maps: GuessedMap[];
  left_out: { name: string; reason: string }[];
}

export function guess(samples: readonly Sample[]): Guess {
  const drafts: Draft[] = [];
  const left_out: Guess['left_out'] = [];
  for (const sample of samples) {
    const draft = draftOf(sample);
    if (typeof draft === 'string') left_out.push({ name: sample.name, reason: draft });
    else drafts.push(draft);
  }
  matchUserNames(drafts);
  return { maps: drafts.flatMap(mapsOf), left_out };
}

/** What the fields of one file of a kind that is known probably are. */
export function guessFields(kind: Kind, sample: Sample): GuessedMap {
  return mapsOf(draftAs(kind, sample))[0];
}

/** A part of a map, and what it may have wrong. */
export type GuessedPart = Pick<FileMap, 'fields' | 'skips'> & Pick<GuessedMap, 'doubts'>;

/** How a column that somebody chose for a field is read, by its values. */
export function guessField(kind: Kind, sample: Sample, field: string, column: string): GuessedPart {
  const made = new MapDraft(sample.name, kind);
  addField(made, { sample, kind, columns: new Map(), doubts: [] }, field, column);
  const source = made.fields.get(field);
  // Acts of other names than those that are known.
  if (source === undefined || 'constant' in source) made.column(field, column);
  return made;
}

/** Which rows stay out by a column that somebody chose, by its values. */
export function guessSkip(kind: Kind, sample: Sample, column: string): GuessedPart {
  const values = valuesOf(sample, column);
  const by_values = values.every(isFlag) || isDated(values) ? 'no' : 'which';
  const { rules, doubt } = privacyReading(privacyMeaning(kind, column) ?? by_values, values);
  const made = new MapDraft(sample.name, kind);
  made.skips.push({ column, rules });
  made.doubt(`skip=${column}`, doubt);
  return made;
}

const OF_USERS = ['author_id', 'user_id', 'target_user_id'];

/** Identifies users by another column, such as their names, if that is what other files refer to. */
function matchUserNames(drafts: readonly Draft[]): void {
  const users = drafts.find(({ kind }) => kind === 'users');
  const known = users?.columns.get('user_id');
  if (users === undefined || known === undefined) return;
  const others = drafts.filter((draft) => draft !== users);
  const referred = new Set(
    others.flatMap(({ sample, columns }) =>
      OF_USERS.flatMap((field) => valuesOf(sample, columns.get(field) ?? '')),
    ),
  );
  const hits = (column: string) =>
    valuesOf(users.sample, column).filter((value) => referred.has(value)).length;
  const [best] = users.sample.columns.toSorted((one, other) => hits(other) - hits(one));
  if (hits(known) > 0 || hits(best) < 2) return;
  users.columns.set('user_id', best);
  const text = `other files have values of ${best}, and none of ${known}`;
  users.doubts.push({ field: 'user_id', text });
}

/** A map under construction. */
class MapDraft implements GuessedMap {
  readonly fields = new Map<string, FieldSource>();
  readonly skips: ColumnSource[] = [];
  readonly doubts: Doubt[] = [];

  constructor(
    private readonly file: string,
    private readonly kind: Kind,
  ) {}

  get map(): FileMap {
    const { file, kind, fields, skips } = this;
    return { file, kind, fields, skips };
  }

  column(field: string, column: string, { unit, rules = [], doubt }: Reading = {}): void {
    this.fields.set(field, { column, ...(unit !== undefined && { unit }), rules });
    this.doubt(field, doubt);
  }

  text(field: string, constant: string, doubt?: string): void {
    this.fields.set(field, { constant });
    this.doubt(field, doubt);
  }

  doubt(field: string, text: string | undefined): void {
    if (text !== undefined) this.doubts.push({ field, text });
  }
}

function mapsOf(draft: Draft): GuessedMap[] {
  const { sample, kind, columns } = draft;
  const made = new MapDraft(sample.name, kind);
  made.doubts.push(...draft.doubts);
  for (const [field, column] of columns) addField(made, draft, field, column);
  if (kind === 'items' && !columns.has('author_id')) made.text('author_id', '', 'no column names the author');
  if (kind === 'items' && !columns.has('created_at')) {
    const is_open = draft.doubts.some(({ field }) => field === 'created_at');
    if (!is_open) made.doubt('created_at', 'no column has times: posts are as old as the first act on them');
  }
  if (kind === 'interactions' && !columns.has('event_type')) addAct(made, sample);
  const others = kind === 'users' ? hideUsers(made, draft) : [];
  if (kind !== 'users') addPrivacy(made, draft);
  if (kind === 'users' || kind === 'items') made.doubts.push(...unreadFlags(draft));
  const is_thread =
    kind === 'items' && ['author_id', 'parent_item_id', 'created_at'].every((field) => columns.has(field));
  return is_thread ? [made, commentsOf(made)] : [made, ...others];
}

/** Accounts that are no more. */
const GONE = /^(\[\w+\]|deleted|-1)$/i;

function addField(made: MapDraft, { sample, kind }: Draft, field: string, column: string): void {
  const given = valuesOf(sample, column);
  // What a program writes for no value. In a text it may be a word.
  const nulls = RECORDS[kind].cells.has(field) ? [...new Set(given.filter(isNullWord))] : [];
  const values = given.filter((value) => !nulls.includes(value));
  const says_public = privacyMeaning(kind, column) === 'yes';
  if (field === 'created_at' || field === 'timestamp') {
    const doubt = `times such as '${untimely(values)}' cannot be read`;
    made.column(field, column, timeReading(values) ?? { doubt });
  } else if (field === 'hidden' && (says_public || !values.every(isReadFlag))) {
    const meaning = says_public ? 'yes' : 'no';
    made.column(field, column, hiding(privacyReading(meaning, values), 'rows are hidden'));
  } else if (field === 'event_type') {
    const reading = actReading(values);
    if (reading === undefined) addAct(made, sample);
    else made.column(field, column, reading);
  } else if (field === 'author_id' || (kind === 'interactions' && field === 'user_id')) {
    const gone = [...new Set(values)].filter((text) => GONE.test(text));
    const to = field === 'author_id' ? '' : undefined;
    made.column(field, column, { rules: gone.map((is): Rule => ({ when: { is }, to })) });
  } else {
    made.column(field, column);
    if (field === 'text' && hasHtml(values)) made.text('text_format', 'html');
  }
  const source = made.fields.get(field);
  if (nulls.length === 0 || source === undefined || 'constant' in source) return;
  const of_nulls = nulls.map((is): Rule => ({ when: { is }, to: '' }));
  made.fields.set(field, { ...source, rules: [...of_nulls, ...source.rules] });
}

/** An act that is named by its file alone. */
function addAct(made: MapDraft, sample: Sample): void {
  const act = nounsOf(sample)
    .map(actNamed)
    .find((found) => found !== undefined);
  made.text('event_type', act ?? 'view', act === undefined ? 'what people did: nothing says it' : undefined);
}

/** Columns that say who may see a row, and what they say. */
function privacyOf({ sample, kind, columns }: Draft): { column: string; reading: PrivacyReading }[] {
  const used = new Set(columns.values());
  return sample.columns.flatMap((column) => {
    const meaning = used.has(column) ? undefined : privacyMeaning(kind, column);
    return meaning === undefined
      ? []
      : [{ column, reading: privacyReading(meaning, valuesOf(sample, column)) }];
  });
}

/** A flag of a name that is not understood may say who may see a row. */
function unreadFlags({ sample, kind, columns }: Draft): Doubt[] {
  const used = new Set(columns.values());
  const unread = sample.columns.filter(
    (column) =>
      !used.has(column) &&
      !isIdentifier(wordsOf(column)) &&
      privacyMeaning(kind, column) === undefined &&
      isFlagColumn(sample, column),
  );
  return unread.map((column) => ({
    text: `column ${column} is not read; do its rows differ in who may see them?`,
  }));
}

/** Keeps out what not everybody may see. */
function addPrivacy(made: MapDraft, draft: Draft): void {
  for (const { column, reading } of privacyOf(draft)) {
    made.skips.push({ column, rules: reading.rules });
    made.doubt(`skip=${column}`, reading.doubt);
  }
}

/**
 * Hides users whom not everybody may see, with all that they wrote.
 * @returns further maps: where several columns decide it, each only says who is hidden
 */
function hideUsers(made: MapDraft, draft: Draft): GuessedMap[] {
  const { sample, columns } = draft;
  const own = columns.get('hidden');
  const deciding = [
    ...(own === undefined ? [] : [{ column: own, reading: privacyReading('no', valuesOf(sample, own)) }]),
    ...privacyOf(draft),
  ];
  if (own !== undefined && deciding.length === 1) return [];
  const user = made.fields.get('user_id');
  return deciding.flatMap(({ column, reading }, index) => {
    const to_hide = index === 0 ? made : new MapDraft(sample.name, 'users');
    if (index > 0 && user !== undefined) to_hide.fields.set('user_id', user);
    to_hide.column(
      'hidden',
      column,
      hiding(reading, 'users are hidden', deciding.length === 1 ? 'false' : ''),
    );
    return index === 0 ? [] : [to_hide];
  });
}

/** The same rows hidden, instead of left out. @param kept the value of others */
function hiding({ rules, doubt }: PrivacyReading, what: string, kept = 'false'): Reading {
  const hidden = rules.map(({ when, to }) => ({ when, to: to === KEEP ? kept : 'true' }));
  return { rules: hidden, doubt: doubt.replace('rows stay out', what) };
}

/** A reply is also a comment of its author on what it replies to. */
function commentsOf({ map: { file, fields, skips } }: MapDraft): GuessedMap {
  const made = new MapDraft(file, 'interactions');
  const from = {
    user_id: 'author_id',
    item_id: 'parent_item_id',
    event_id: 'item_id',
    timestamp: 'created_at',
  };
  for (const [field, of_item] of Object.entries(from)) {
    const source = fields.get(of_item);
    if (source === undefined || 'constant' in source) continue;
    const required = field === 'user_id' || field === 'item_id' ? [{ when: { is: '' }, to: undefined }] : [];
    const rules = source.rules.map(({ when, to }) => ({ when, to: to === '' ? undefined : to }));
    made.fields.set(field, { ...source, rules: [...rules, ...required] });
  }
  made.text('event_type', 'comment');
  made.skips.push(...skips);
  return made;
}

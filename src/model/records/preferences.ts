/** What a viewer wants to get, and what not. */
import { Type } from '@sinclair/typebox';
import type { Fault } from '../../errors.ts';
import { InvalidOptions } from '../../plugin/index.ts';
import { grouped } from '../../plugin/list-of.ts';
import { parseWordEntry } from '../../plugin/word-entries.ts';
import type { Key } from '../key.ts';
import { CHANNEL_LENGTH_MAX, NAME_LENGTH_MAX } from '../values/checks.ts';
import { type FieldsOf, objectOf, optional, recordType, required } from '../values/record-type.ts';
import { type Checked, Dropped, isPlainObject, mapped, Reduced, Refusal, whole } from '../values/refusal.ts';
import * as type from '../values/values.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

const ENTRIES_MAX = 200;
const BYTES_MAX = 16_384;
const WORD_LENGTH_MAX = 256;

/** Words of texts as the filter `words` takes them, without blanks around them. */
const Word: type.ValueType<string> = {
  schema: type.text(WORD_LENGTH_MAX).schema,
  check(given, options) {
    const word = typeof given === 'string' ? given.trim() : given;
    const checked = type.text(WORD_LENGTH_MAX).check(word, options);
    if (typeof checked !== 'string') return checked;
    try {
      parseWordEntry(checked);
    } catch (error) {
      if (error instanceof InvalidOptions) return new Refusal(error.faults);
      throw error;
    }
    return checked;
  },
};

/** The values of each kind, in the form in which filters compare them. */
const VALUES = {
  author: type.Identifier,
  channel: type.text(CHANNEL_LENGTH_MAX),
  label: type.text(NAME_LENGTH_MAX),
  word: Word,
};
type ValueKind = keyof typeof VALUES;
const VALUE_KINDS = Object.keys(VALUES) as ValueKind[];

interface Until {
  /** From then on the entry has no effect. In seconds. Absent: forever. */
  until?: number;
}
export type Entry<V> = V | ({ value: V } & Required<Until>);
export type WeightedEntry<Author = string> = Until &
  ({ kind: 'author'; value: Author } | { kind: Exclude<ValueKind, 'author'>; value: string });

/** Complete preferences. @template Author how they name users: by identifiers, in the store and the state by keys */
export interface Preferences<Author = string> {
  muted: Record<'words' | 'channels' | 'labels', Entry<string>[]> & { authors: Entry<Author>[] };
  more: WeightedEntry<Author>[];
  less: WeightedEntry<Author>[];
  /** Whether pages use what the viewer did. */
  personalised: boolean;
}

/** Of viewers who set none. */
export const NO_PREFERENCES: Preferences<never> = {
  muted: { words: [], authors: [], channels: [], labels: [] },
  more: [],
  less: [],
  personalised: true,
};

const until = optional(type.Time, 'From then on the entry has no effect. Absent: forever.', 1796401269);

function entryOf(value: type.ValueType<string>): type.ValueType<Entry<string>> {
  const timed = objectOf(
    recordType('TimedEntry', 'A value for a time.', { value: required(value, 'As without a time.'), until }),
  );
  return {
    schema: Type.Union([value.schema, timed.schema]),
    check: (given, options) =>
      isPlainObject(given)
        ? mapped(timed.check(given), ({ value, until }) => (until === undefined ? value : { value, until }))
        : value.check(given, options),
  };
}

function entries(kind: ValueKind, description: string, example: readonly Entry<string>[]) {
  return optional(type.list(entryOf(VALUES[kind]), 0, ENTRIES_MAX, 'entries'), description, example);
}

const MUTED = recordType('MutedValues', 'Items with any of these are not shown.', {
  words: entries('word', 'Words, phrases, beginnings of words, hashtags.', ['late night', '#vinyl']),
  authors: entries('author', 'Users whose items are not shown.', [EXAMPLE_IDS.other_viewer]),
  channels: entries('channel', 'Channels.', ['https://example.community/channel/music']),
  labels: entries('label', 'AI labels. One counts with a score above the threshold of the service.', [
    { value: 'politics', until: 1796401269 },
  ]),
});

const WEIGHTED = recordType('WeightedEntry', 'A value of items.', {
  kind: required(type.word(VALUE_KINDS), 'What the value names.', 'label'),
  value: required<unknown>(
    { schema: Type.Union(Object.values(VALUES).map(({ schema }) => schema)), check: (given) => given },
    'A value as filters take it.',
    'jazz',
  ),
  until,
});

const weighted = objectOf(WEIGHTED);

const Weighted: type.ValueType<WeightedEntry> = {
  schema: weighted.schema,
  check(given): Checked<WeightedEntry> {
    const checked = weighted.check(given);
    if (checked instanceof Refusal || checked instanceof Dropped) return checked;
    const { kind, value: unchecked } = checked instanceof Reduced ? checked.value : checked;
    const value = whole(VALUES[kind].check(unchecked));
    if (value instanceof Refusal)
      return new Refusal(value.faults.map((fault) => ({ ...fault, path: `/value${fault.path}` })));
    return mapped(checked, (entry) => ({ ...entry, kind, value }));
  },
};

const WeightedEntries = type.list(Weighted, 0, ENTRIES_MAX, 'entries');

const FIELDS = {
  muted: optional(objectOf(MUTED), 'What is never shown to the viewer.', MUTED.schema.example),
  more: optional(WeightedEntries, 'Of what the viewer wants more.', [WEIGHTED.schema.example]),
  less: optional(WeightedEntries, 'Of what the viewer wants less.', [
    { kind: 'channel', value: 'https://example.community/channel/news', until: 1796401269 },
  ]),
  personalised: optional(type.Flag, 'Whether pages use what the viewer did. Absent: true.', true),
};

export const PREFERENCES = recordType(
  'Preferences',
  'What a viewer wants to get, and what not. Up to 200 entries, 16 kB.',
  FIELDS,
);

/** A line of `preferences.jsonl`. */
export const PREFERENCES_LINE = recordType('PreferencesLine', 'Preferences of a user.', {
  user_id: required(type.Identifier),
  ...FIELDS,
});

/** The given fields. In a patch, one that is present with the value undefined was `null`. */
export type GivenPreferences = FieldsOf<typeof FIELDS>;

/** `null` removes what is stored. */
export const PreferencesPatch: type.ValueType<GivenPreferences> = {
  schema: PREFERENCES.schema,
  check: (given) => objectOf(PREFERENCES).check(given, { null_clears: true }),
};

/** The former preferences with the given fields of a patch, also those within `muted`. */
export function patched(former: Preferences, given: GivenPreferences): Preferences {
  const muted = given.muted && replaced(former.muted, given.muted, NO_PREFERENCES.muted);
  const { muted: _, ...others } = given;
  return replaced<Preferences>(former, 'muted' in given ? { ...others, muted } : others, NO_PREFERENCES);
}

function replaced<T extends object>(
  former: T,
  given: { [Name in keyof T]?: T[Name] | undefined },
  absent: T,
): T {
  const result = { ...former };
  for (const name of Object.keys(given) as (keyof T)[]) result[name] = given[name] ?? absent[name];
  return result;
}

/** The faults of complete preferences that are too large. */
export function faultsOfPreferences(preferences: Preferences): Fault[] {
  const { muted, more, less } = preferences;
  const count = [...Object.values(muted), more, less].reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.byteLength(JSON.stringify(preferences));
  return [
    { noun: 'entries in all', given: count, max: ENTRIES_MAX },
    { noun: 'bytes as JSON text', given: bytes, max: BYTES_MAX },
  ]
    .filter(({ given, max }) => given > max)
    .map(({ noun, given, max }) => {
      return { path: '', message: `expected at most ${grouped(max)} ${noun}; got ${grouped(given)}` };
    });
}

/** As long as the key of any user, in bytes. */
const ANY_KEY: Key = 2 ** 31 - 1;

/** The size of preferences that a state keeps, in bytes of JSON text. It is the same whatever users they name. */
export function preferencesBytes<A extends string | Key>(preferences: Preferences<A>): number {
  return Buffer.byteLength(JSON.stringify(withAuthors(preferences, () => ANY_KEY)));
}

/** The same preferences with other names of users. @param nameOf undefined leaves the entry out */
export function withAuthors<A extends string | Key, B>(
  { muted, more, less, personalised }: Preferences<A>,
  nameOf: (author: A) => B | undefined,
): Preferences<B> {
  const authors = muted.authors.flatMap((entry): Entry<B>[] => {
    const value = nameOf(typeof entry === 'object' ? entry.value : entry);
    if (value === undefined) return [];
    return [typeof entry === 'object' ? { ...entry, value } : value];
  });
  const renamed = (entry: WeightedEntry<A>): WeightedEntry<B>[] => {
    if (entry.kind !== 'author') return [entry];
    const value = nameOf(entry.value);
    return value === undefined ? [] : [{ ...entry, value }];
  };
  return {
    muted: { ...muted, authors },
    more: more.flatMap(renamed),
    less: less.flatMap(renamed),
    personalised,
  };
}

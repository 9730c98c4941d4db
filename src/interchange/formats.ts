import { isTrue } from '../mapping/cells.ts';
import { ALSO_REQUIRED, type Kind, RECORDS } from '../mapping/kinds.ts';
import {
  type BlockRecord,
  type EngagementRecord,
  type EventRemoval,
  type FollowRecord,
  type ImpressionRecord,
  type InteractionRecord,
  type ItemRecord,
  type LabelRecord,
  parseAct,
  parseBlock,
  parseEngagement,
  parseFollow,
  parseImpression,
  parseItem,
  parseLabel,
  parseUser,
  type UserRecord,
} from '../model/records/index.ts';
import { type CatalogRecord, catalogParser, catalogRecords } from '../model/records/token.ts';
import { eventParser, type WalletEvent, walletEvent } from '../model/records/wallet-event.ts';
import type { CellTypes } from '../model/values/cell-types.ts';
import {
  type FieldNames,
  fieldNames,
  IS_REQUIRED,
  type Parsed,
  refused,
  type Shape,
} from '../model/values/record.ts';
import { isPlainObject, type ReadOptions } from '../model/values/refusal.ts';
import { isCsv } from '../rows/file-names.ts';
import { type InterchangeFile, NAMES, type WalletKind } from './files.ts';
import {
  CsvFormat,
  type FieldTime,
  type Format,
  JsonFormat,
  type ReadFile,
  type RecordSpec,
  reading,
} from './line-formats.ts';

/**
 * A line of `items.jsonl`.
 *
 * In an export, `"author_id":null` means that the author is unknown (`bare`). With `"created_at":null` as well, the
 * item was never described or has been deleted, and only acts on it are known (`undescribed`). A line without these
 * fields says neither. `rejected` is what is left of a bad line (`Format.rest`).
 */
export interface ImportedItem extends ItemRecord {
  completeness: 'described' | 'bare' | 'undescribed' | 'rejected';
}

export interface ImportedRecords {
  users: UserRecord;
  items: ImportedItem;
  follows: FollowRecord;
  blocks: BlockRecord;
  engagement: EngagementRecord;
  interactions: InteractionRecord;
  impressions: ImpressionRecord;
  labels: LabelRecord;
  /** Lines of `follows.csv`, `blocks.csv` and `interactions.csv` that take back an event by its id alone. */
  event_removals: EventRemoval;
}

export type DatedEvent = WalletEvent & { timestamp: number };

interface WalletRecords {
  events: DatedEvent;
  tokens: CatalogRecord;
}

type TimedOf<R> = {
  [K in keyof R]: { kind: K; record: R[K]; time: number | undefined; created_at?: number };
}[keyof R];

/**
 * A record with its kind and the time (seconds) at which it is due; undefined means at once, and then `created_at` may
 * be the time that it names.
 */
export type Timed = TimedOf<ImportedRecords>;
export type TimedOfWallets = TimedOf<WalletRecords>;

/** How a file is read, from its name and its map. */
export function formatOf(file: Pick<InterchangeFile, 'name' | 'kind'> & ReadFile): Format<Timed> {
  const { name, kind, map } = file;
  const spec = KIND_SPECS[kind];
  // A file with held-out acts may have any name.
  const is_csv = isCsv(map === undefined ? NAMES[kind] : name);
  if (!is_csv) return new JsonFormat(spec, file);
  return new CsvFormat(spec, file, map === undefined ? adviceFor(name, kind, spec.required) : RENAMING);
}

/** The same for a file of wallets of a chain. */
export function walletFormatOf(file: InterchangeFile<WalletKind>, chain: string): Format<TimedOfWallets> {
  const { events, tokens } = walletSpecs(chain);
  return file.kind === 'events' ? new CsvFormat(events, file) : new JsonFormat(tokens, file);
}

const RENAMING = '; feedloom import --map renames columns';

/** For a file with the name of an interchange file and columns of other software. */
function adviceFor(name: string, kind: Kind, required: readonly string[]): string {
  const fields = required.map((field) => `${field}=COLUMN`).join();
  return `; map it (--map "${name}=${kind}:${fields}"), or move it away`;
}

const READ_OPTIONS = {
  unit_advice: '; feedloom import --time-unit reads ms, us or ns, and COLUMN@ms in a map one column',
};

type Parser<T> = (value: unknown, options?: ReadOptions) => Parsed<T>;

/** @param required, further to those that every record has */
function spec<T extends object, R>(
  { cells, shape }: { shape: Shape<never>; cells: CellTypes },
  parse: Parser<T>,
  timed: (record: T, value: unknown) => R,
  { required = [], rest }: { required?: readonly string[] } & Pick<RecordSpec<R>, 'rest'> = {},
): RecordSpec<R> {
  const times = [...cells].flatMap(([field, type]) => (type === 'time' ? field : []));
  return {
    cells,
    ...fieldNames(shape, required),
    parse(value) {
      const parsed = parse(value, READ_OPTIONS);
      const read = reading(parsed, (record) => timed(record, value));
      if (!parsed.ok || read.type !== 'record') return read;
      const early = earlyTimes(parsed.record, times);
      return early === undefined ? read : { ...read, early };
    },
    rest,
  };
}

/** The start of 1990, seconds. */
const EARLY = 631_152_000;

/** The times of a record before 1990; undefined for none. */
function earlyTimes(record: object, names: readonly string[]): FieldTime[] | undefined {
  const said = 'content' in record ? record.content : record;
  if (!isPlainObject(said)) return undefined;
  let early: FieldTime[] | undefined;
  for (const field of names) {
    const time = said[field];
    if (typeof time === 'number' && time < EARLY) early = [...(early ?? []), { field, time }];
  }
  return early;
}

/** Whether a bad line says in any form that it is hidden. */
function saysHidden({ hidden }: Record<string, unknown>): boolean {
  return isTrue(String(hidden));
}

/** An act needs a time in a file. Over HTTP the default is now, which would differ at each import. */
function dated<T extends { timestamp?: number }>(parse: Parser<T>): Parser<T & { timestamp: number }> {
  return (value, options) => {
    const parsed = parse(value, options);
    if (!parsed.ok) return parsed;
    const { timestamp } = parsed.record;
    if (timestamp === undefined) return refused('/timestamp', IS_REQUIRED);
    return { ...parsed, record: Object.assign(parsed.record, { timestamp }) };
  };
}

/** Makes what `spec` needs of records that are due at their timestamps. */
function at<K extends 'labels' | 'engagement' | 'impressions' | 'interactions' | 'follows' | 'blocks'>(
  kind: K,
) {
  return (record: ImportedRecords[K]) => ({ kind, record, time: record.timestamp });
}

/** The same for records that may take back an event by its id alone. */
function atOrRemoval<K extends 'interactions' | 'follows' | 'blocks'>(kind: K) {
  const timed = at(kind);
  return (record: ImportedRecords[K] | EventRemoval) =>
    'space' in record ? ({ kind: 'event_removals', record, time: record.timestamp } as const) : timed(record);
}

/** Makes `KindSpec.rest` of a kind whose bad lines decide only whether their subject is hidden. */
function restIfHidden<T, R>(id: string, parse: Parser<T>, timed: (record: T) => R): RecordSpec<R>['rest'] {
  return (value) => {
    const rest = parse({ [id]: value[id], hidden: true });
    return saysHidden(value) && rest.ok ? timed(rest.record) : undefined;
  };
}

const user = (record: UserRecord): Timed => ({ kind: 'users', record, time: record.content.created_at });

const KIND_SPECS: Readonly<Record<Kind, RecordSpec<Timed>>> = {
  users: spec(RECORDS.users, parseUser, user, { rest: restIfHidden('user_id', parseUser, user) }),
  items: spec<ItemRecord, Timed>(
    RECORDS.items,
    parseItem,
    (item, value) => {
      const { author_id, created_at } = value as Record<string, unknown>;
      const undescribed = author_id === null && created_at === null;
      const completeness = undescribed ? 'undescribed' : author_id === null ? 'bare' : 'described';
      return { kind: 'items', record: { ...item, completeness }, time: item.content.created_at };
    },
    {
      rest(value) {
        const item = parseItem({ item_id: value.item_id, hidden: saysHidden(value) || undefined });
        if (!item.ok) return undefined;
        return { kind: 'items', record: { ...item.record, completeness: 'rejected' }, time: undefined };
      },
    },
  ),
  follows: spec(RECORDS.follows, parseFollow, atOrRemoval('follows')),
  blocks: spec(RECORDS.blocks, parseBlock, atOrRemoval('blocks')),
  engagement: spec(RECORDS.engagement, parseEngagement, at('engagement')),
  interactions: spec(
    RECORDS.interactions,
    dated<InteractionRecord | EventRemoval>(parseAct),
    atOrRemoval('interactions'),
    { required: ALSO_REQUIRED.interactions },
  ),
  impressions: spec(RECORDS.impressions, parseImpression, at('impressions')),
  labels: spec(RECORDS.labels, dated(parseLabel), at('labels'), { required: ALSO_REQUIRED.labels }),
};

function walletSpecs(chain: string): Record<WalletKind, RecordSpec<TimedOfWallets>> {
  const parseToken = catalogParser(chain);
  const token = (record: CatalogRecord) =>
    ({ kind: 'tokens', record, time: undefined, created_at: record.created_at }) as const;
  return {
    events: spec(
      walletEvent(chain),
      dated(eventParser(chain)),
      (record) => ({ kind: 'events', record, time: record.timestamp }),
      { required: ['timestamp'] },
    ),
    tokens: spec(catalogRecords(chain).token, parseToken, token, {
      rest: restIfHidden('item_id', parseToken, token),
    }),
  };
}

/** The fields of a line per kind of file. The first line of an item needs more, see `missingOfNewItem`. */
export const LINE_FIELDS: Readonly<Record<Kind | 'events', FieldNames>> = {
  ...KIND_SPECS,
  items: fieldNames(RECORDS.items.shape, ['author_id']),
  events: walletSpecs('').events,
};

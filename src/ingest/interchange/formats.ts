import { describeFaults } from '../outcome.ts';
import {
  type BlockRecord,
  type CsvKind,
  coerceCsv,
  type EngagementRecord,
  type FollowRecord,
  type ImpressionRecord,
  type InteractionRecord,
  type ItemRecord,
  type Parsed,
  parseBlock,
  parseEngagement,
  parseFollow,
  parseImpression,
  parseInteraction,
  parseItem,
  parseUser,
  type UserRecord,
} from '../records/index.ts';
import { ITEM_SHAPE } from '../records/item.ts';
import { type FieldNames, fieldNames, unknownField } from '../records/record.ts';
import { USER_SHAPE } from '../records/user.ts';
import { csvFields } from './csv.ts';
import type { Kind } from './files.ts';

/**
 * A line of `items.jsonl`. In an export, `"author_id":null` says that nobody knows the author (`bare`), and
 * with `"created_at":null` that the item itself was never described, or deleted since, and only what users did
 * with it is known (`undescribed`). A line that leaves the fields out says neither.
 */
export interface ImportedItem extends ItemRecord {
  standing: 'described' | 'bare' | 'undescribed';
}

export interface ImportedRecords {
  users: UserRecord;
  items: ImportedItem;
  follows: FollowRecord;
  blocks: BlockRecord;
  engagement: EngagementRecord;
  interactions: InteractionRecord;
  impressions: ImpressionRecord;
}

/** A record with its kind and the time (seconds) at which it is due; undefined: as soon as it is met. */
export type Timed = {
  [K in Kind]: { kind: K; record: ImportedRecords[K]; time: number | undefined };
}[Kind];

/** What a line of a file says. */
export type Reading<T = Timed> =
  | { type: 'record'; timed: T; warnings: readonly string[] }
  | { type: 'header'; warnings: readonly string[] }
  /** The record goes on in the next line. */
  | { type: 'open' }
  | { type: 'bad'; reason: string }
  /** A header without which no line of the file can be understood. */
  | { type: 'bad_header'; reason: string };

/** Reads the records of one file, one after another. */
export interface Format<T = Timed> {
  read(text: string): Reading<T>;
}

export function formatOf(kind: Kind): Format {
  if (kind === 'users') return new JsonFormat(readUser);
  if (kind === 'items') return new JsonFormat(readItem);
  return new CsvFormat(CSV[kind]);
}

export class JsonFormat<T> implements Format<T> {
  constructor(private readonly readValue: (value: unknown) => Reading<T>) {}

  read(text: string): Reading<T> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return { type: 'bad', reason: `not valid JSON: ${error instanceof Error ? error.message : error}` };
    }
    return this.readValue(value);
  }
}

export function reading<R, T>(parsed: Parsed<R>, timed: (record: R) => T): Reading<T> {
  if (!parsed.ok) return { type: 'bad', reason: describeFaults(parsed.faults) };
  return { type: 'record', timed: timed(parsed.record), warnings: parsed.warnings };
}

function readUser(value: unknown): Reading {
  return reading(parseUser(value), (record) => ({ kind: 'users', record, time: record.content.created_at }));
}

function readItem(value: unknown): Reading {
  return reading(parseItem(value), (item) => {
    const { author_id, created_at } = value as Record<string, unknown>;
    const undescribed = author_id === null && created_at === null;
    const standing = undescribed ? 'undescribed' : author_id === null ? 'bare' : 'described';
    return { kind: 'items', record: { ...item, standing }, time: item.content.created_at };
  });
}

/** How the rows of a kind of CSV file become records. */
export interface CsvSpec<T> extends FieldNames {
  read(row: Record<string, string>): Reading<T>;
}

function spec<T>(
  csv_kind: CsvKind,
  required: readonly string[],
  optional: readonly string[],
  parse: (value: unknown) => Parsed<T>,
  timed: (record: T) => Timed,
): CsvSpec<Timed> {
  return { required, optional, read: (row) => reading(parse(coerceCsv(csv_kind, row)), timed) };
}

/** Over HTTP an act without a time happens now; in a file that would be another moment at each import. */
function parseDatedInteraction(value: unknown): Parsed<InteractionRecord> {
  const parsed = parseInteraction(value);
  if (!parsed.ok || parsed.record.timestamp !== undefined) return parsed;
  return { ok: false, faults: [{ path: '/timestamp', message: 'is required' }] };
}

const PAIR = ['user_id', 'target_user_id'];
const MEETING = ['user_id', 'item_id'];

const CSV: Readonly<Record<Exclude<Kind, 'users' | 'items'>, CsvSpec<Timed>>> = {
  follows: spec('follow', PAIR, ['timestamp', 'action'], parseFollow, (record) => ({
    kind: 'follows',
    record,
    time: record.timestamp,
  })),
  blocks: spec('block', PAIR, ['action'], parseBlock, (record) => ({
    kind: 'blocks',
    record,
    time: undefined,
  })),
  engagement: spec(
    'engagement',
    ['item_id', 'timestamp'],
    ['likes_count', 'comments_count', 'shares_count'],
    parseEngagement,
    (record) => ({ kind: 'engagement', record, time: record.timestamp }),
  ),
  interactions: spec(
    'interaction',
    [...MEETING, 'event_type', 'timestamp'],
    ['action', 'event_id'],
    parseDatedInteraction,
    (record) => ({ kind: 'interactions', record, time: record.timestamp }),
  ),
  impressions: spec('impression', [...MEETING, 'timestamp'], [], parseImpression, (record) => ({
    kind: 'impressions',
    record,
    time: record.timestamp,
  })),
};

/** What a line of each kind of file says. The first line of an item says more, see `missingOfNewItem`. */
export const LINE_FIELDS: Readonly<Record<Kind, FieldNames>> = {
  users: fieldNames(USER_SHAPE),
  items: fieldNames(ITEM_SHAPE, ['author_id', 'created_at']),
  ...CSV,
};

export class CsvFormat<T> implements Format<T> {
  /** Name of each column, '' for one that means nothing; undefined before the header. */
  private columns: string[] | undefined;

  constructor(private readonly csv: CsvSpec<T>) {}

  read(text: string): Reading<T> {
    const fields = csvFields(text);
    if (fields === undefined) return { type: 'open' };
    if (this.columns === undefined) return this.readHeader(fields);
    const { columns } = this;
    if (fields.length !== columns.length) {
      return {
        type: 'bad',
        reason: `expected ${columns.length} fields as in the header; got ${fields.length}`,
      };
    }
    const row: Record<string, string> = {};
    for (let index = 0; index < columns.length; index++) {
      if (columns[index] !== '') row[columns[index]] = fields[index];
    }
    return this.csv.read(row);
  }

  private readHeader(fields: readonly string[]): Reading<T> {
    const { required, optional } = this.csv;
    const names = fields.map((field) => field.trim());
    const fault = (reason: string): Reading<T> => ({ type: 'bad_header', reason: `header: ${reason}` });
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      return fault(`expected the columns ${required.join(', ')}; ${missing.join(', ')} missing`);
    }
    const known = names.filter((name) => required.includes(name) || optional.includes(name));
    const twice = known.find((name, index) => known.indexOf(name) !== index);
    if (twice !== undefined) return fault(`the column ${twice} is there twice`);
    this.columns = names.map((name) => (known.includes(name) ? name : ''));
    const unknown = names.filter((name) => !known.includes(name));
    return { type: 'header', warnings: unknown.map(unknownField) };
  }
}

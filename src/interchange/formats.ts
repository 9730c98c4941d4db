import { describeFaults } from '../ingest/outcome.ts';
import {
  type BlockRecord,
  type EngagementRecord,
  type EventRemoval,
  type FollowRecord,
  type ImpressionRecord,
  type InteractionRecord,
  type ItemRecord,
  parseAct,
  parseBlock,
  parseEngagement,
  parseFollow,
  parseImpression,
  parseItem,
  parseUser,
  type UserRecord,
} from '../model/records/index.ts';
import { INTERACTION } from '../model/records/interaction.ts';
import { ENGAGEMENT, IMPRESSION } from '../model/records/interchange.ts';
import { ITEM } from '../model/records/item.ts';
import { BLOCK, FOLLOW } from '../model/records/relation.ts';
import { USER } from '../model/records/user.ts';
import { type CellTypes, coerceCsv, isTrue } from '../model/values/cells.ts';
import {
  type FieldNames,
  fieldNames,
  IS_REQUIRED,
  type Parsed,
  type Shape,
  unknownField,
} from '../model/values/record.ts';
import { isPlainObject, type ReadOptions, type TimeUnit } from '../model/values/refusal.ts';
import { parseJson, TooNested } from '../plugin/index.ts';
import { type Columns, columnsOf, withOwnNames } from './columns.ts';
import { csvFields } from './csv.ts';
import { FILE_NAMES, type FileMap, type InterchangeFile, type Kind, plainName } from './files.ts';

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
  /** Lines of `follows.csv`, `blocks.csv` and `interactions.csv` that take back an event by its id alone. */
  event_removals: EventRemoval;
}

/** A record with its kind and the time (seconds) at which it is due; undefined means at once. */
export type Timed = {
  [K in keyof ImportedRecords]: { kind: K; record: ImportedRecords[K]; time: number | undefined };
}[keyof ImportedRecords];

export type Reading<T = Timed> =
  | { type: 'record'; timed: T; warnings: readonly string[] }
  | { type: 'header'; warnings: readonly string[] }
  /** The record continues in the next line. */
  | { type: 'open' }
  /** `fields`: the fields of a line that lacks one (`lacks_field`). */
  | { type: 'bad'; reason: string; lacks_field?: boolean; fields?: readonly string[] }
  /** A header without which no line can be understood. */
  | { type: 'bad_header'; reason: string };

/** Reads the records of one file in order. */
export interface Format<T = Timed> {
  read(text: string): Reading<T>;
  /**
   * What a bad line still decides, as far as it can be read: its item must not be described by acts, and its `hidden`
   * counts. Otherwise the import would publish what the line withholds.
   */
  rest?(text: string): T | undefined;
}

/** How a file is read, from its name and its map. */
export function formatOf({ name, kind, map, time_unit }: ContentFile): Format {
  const { cells, parse, required, optional } = KIND_SPECS[kind];
  const options = readOptions(time_unit);
  // A file with held-out acts may have any name.
  const is_csv = (map === undefined ? FILE_NAMES[kind] : plainName(name)).endsWith('.csv');
  if (!is_csv) {
    const own = (value: unknown) => (map === undefined ? value : withOwnNames(value, map, cells));
    return new JsonFormat(
      (value) => parse(own(value), options),
      (value) => restOf(kind, own(value)),
    );
  }
  const read = (row: Record<string, string>) => parse(coerceCsv(cells, row), options);
  const rest = (row: Record<string, string>) => restOf(kind, coerceCsv(cells, row));
  const advice = map === undefined ? adviceFor(name, kind, required) : RENAMING;
  return new CsvFormat({ required, optional, read, rest, advice }, map);
}

function restOf(kind: Kind, value: unknown): Timed | undefined {
  if (!isPlainObject(value)) return undefined;
  const { user_id, item_id } = value;
  const hidden = saysHidden(value) || undefined;
  const time = undefined;
  if (kind === 'items') {
    const item = parseItem({ item_id, hidden });
    return item.ok ? { kind, record: { ...item.record, completeness: 'rejected' }, time } : undefined;
  }
  if (kind !== 'users' || hidden === undefined) return undefined;
  const user = parseUser({ user_id, hidden });
  return user.ok ? { kind, record: user.record, time } : undefined;
}

/** Whether an object says in any form that it is hidden. */
export function saysHidden({ hidden }: Record<string, unknown>): boolean {
  return isTrue(String(hidden));
}

const RENAMING = '; feedloom import --map renames columns';

/** For a file with the name of an interchange file and columns of other software. */
function adviceFor(name: string, kind: Kind, required: readonly string[]): string {
  const fields = required.map((field) => `${field}=COLUMN`).join();
  return `; map it (--map "${name}=${kind}:${fields}"), or move it away`;
}

/** How values of files are read. */
export function readOptions(time_unit: TimeUnit | undefined): ReadOptions {
  return { time_unit, unit_advice: '; feedloom import --time-unit reads ms, us or ns' };
}

type ContentFile = Pick<InterchangeFile, 'name' | 'kind' | 'map' | 'time_unit'>;

/** A name and a text, an integer or true, in JSON that may be broken. */
const JSON_PAIR = /(?<name>"[^"\\\p{Cc}]+")\s*:\s*(?<value>"[^"\\\p{Cc}]*"|[1-9]\d*|true)(?=\s*[,}])/gu;

export class JsonFormat<T> implements Format<T> {
  /** @param restOf as `Format.rest`, for the value of a bad line */
  constructor(
    private readonly readValue: (value: unknown) => Reading<T>,
    private readonly restOf: (value: unknown) => T | undefined = () => undefined,
  ) {}

  rest(text: string): T | undefined {
    try {
      return this.restOf(JSON.parse(text));
    } catch {
      const pairs = [...text.matchAll(JSON_PAIR)].map(({ groups }) => [groups?.name, groups?.value]);
      // Of equal names the first counts, because later ones may lie deeper.
      return this.restOf(JSON.parse(`{${pairs.reverse().map((pair) => pair.join(':'))}}`));
    }
  }

  read(text: string): Reading<T> {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { type: 'bad', reason: error instanceof TooNested ? reason : `not valid JSON: ${reason}` };
    }
    const read = this.readValue(value);
    return lacksField(read) && isPlainObject(value) ? { ...read, fields: Object.keys(value) } : read;
  }
}

function lacksField<T>(read: Reading<T>): read is Extract<Reading<T>, { type: 'bad' }> {
  return read.type === 'bad' && read.lacks_field === true;
}

export function reading<R, T>(parsed: Parsed<R>, timed: (record: R) => T): Reading<T> {
  if (!parsed.ok) {
    const lacks_field = parsed.faults.some(({ message }) => message === IS_REQUIRED);
    return { type: 'bad', reason: describeFaults(parsed.faults), lacks_field };
  }
  return { type: 'record', timed: timed(parsed.record), warnings: parsed.warnings };
}

function readUser(value: unknown, options: ReadOptions): Reading {
  return reading(parseUser(value, options), (record) => ({
    kind: 'users',
    record,
    time: record.content.created_at,
  }));
}

function readItem(value: unknown, options: ReadOptions): Reading {
  return reading(parseItem(value, options), (item) => {
    const { author_id, created_at } = value as Record<string, unknown>;
    const undescribed = author_id === null && created_at === null;
    const completeness = undescribed ? 'undescribed' : author_id === null ? 'bare' : 'described';
    return { kind: 'items', record: { ...item, completeness }, time: item.content.created_at };
  });
}

/** How the rows of a kind of CSV file become records. */
export interface CsvSpec<T> extends FieldNames {
  read(row: Record<string, string>): Reading<T>;
  /** As `Format.rest`. */
  rest?(row: Record<string, string>): T | undefined;
  /** Advice if a header lacks columns. */
  advice?: string;
}

/** How a kind of file is read in any format. CSV without the `required` columns is refused. */
interface KindSpec extends FieldNames {
  cells: CellTypes;
  parse(value: unknown, options: ReadOptions): Reading;
}

/** @param required, further to those that every record has */
function spec<T>(
  type: { shape: Shape<never>; cells: CellTypes },
  parse: (value: unknown, options?: ReadOptions) => Parsed<T>,
  timed: (record: T) => Timed,
  required: readonly string[] = [],
): KindSpec {
  const { cells, shape } = type;
  return {
    cells,
    ...fieldNames(shape, required),
    parse: (value, options) => reading(parse(value, options), timed),
  };
}

/** An act needs a time in a file. Over HTTP the default is now, which would differ at each import. */
function parseDatedAct(value: unknown, options?: ReadOptions): Parsed<InteractionRecord | EventRemoval> {
  const parsed = parseAct(value, options);
  if (!parsed.ok || parsed.record.timestamp !== undefined) return parsed;
  return { ok: false, faults: [{ path: '/timestamp', message: IS_REQUIRED }] };
}

function removal(record: EventRemoval): Timed {
  return { kind: 'event_removals', record, time: record.timestamp };
}

const KIND_SPECS: Readonly<Record<Kind, KindSpec>> = {
  users: { cells: USER.cells, ...fieldNames(USER.shape), parse: readUser },
  items: { cells: ITEM.cells, ...fieldNames(ITEM.shape), parse: readItem },
  follows: spec(FOLLOW, parseFollow, (record) =>
    'space' in record ? removal(record) : { kind: 'follows', record, time: record.timestamp },
  ),
  blocks: spec(BLOCK, parseBlock, (record) =>
    'space' in record ? removal(record) : { kind: 'blocks', record, time: record.timestamp },
  ),
  engagement: spec(ENGAGEMENT, parseEngagement, (record) => ({
    kind: 'engagement',
    record,
    time: record.timestamp,
  })),
  interactions: spec(
    INTERACTION,
    parseDatedAct,
    (record) =>
      'space' in record ? removal(record) : { kind: 'interactions', record, time: record.timestamp },
    ['timestamp'],
  ),
  impressions: spec(IMPRESSION, parseImpression, (record) => ({
    kind: 'impressions',
    record,
    time: record.timestamp,
  })),
};

/** The fields of a line per kind of file. The first line of an item needs more, see `missingOfNewItem`. */
export const LINE_FIELDS: Readonly<Record<Kind, FieldNames>> = {
  ...KIND_SPECS,
  items: fieldNames(ITEM.shape, ['author_id', 'created_at']),
};

export class CsvFormat<T> implements Format<T> {
  /** The columns of the fields; undefined before the header. */
  private columns: Columns | undefined;

  constructor(
    private readonly csv: CsvSpec<T>,
    private readonly map?: FileMap,
  ) {}

  read(text: string): Reading<T> {
    const cells = csvFields(text);
    if (cells === undefined) return { type: 'open' };
    if (this.columns === undefined) return this.readHeader(cells);
    const { count, names, rowOf } = this.columns;
    if (cells.length !== count) {
      return { type: 'bad', reason: `expected ${count} fields as in the header; got ${cells.length}` };
    }
    const read = this.csv.read(rowOf(cells));
    return lacksField(read) ? { ...read, fields: names } : read;
  }

  rest(text: string): T | undefined {
    if (this.columns === undefined) return undefined;
    const { count, rowOf } = this.columns;
    const cells = csvFields(text) ?? text.split(',');
    return this.csv.rest?.(rowOf([...cells, ...Array<string>(count).fill('')]));
  }

  private readHeader(cells: readonly string[]): Reading<T> {
    const header = columnsOf(
      cells.map((cell) => cell.trim()),
      this.csv,
      this.map,
    );
    if ('fault' in header) {
      return { type: 'bad_header', reason: `header: ${header.fault}${this.csv.advice ?? ''}` };
    }
    this.columns = header;
    return { type: 'header', warnings: header.unknown.map(unknownField) };
  }
}

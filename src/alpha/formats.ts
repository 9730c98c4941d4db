import type { InterchangeFile, WalletKind } from '../interchange/files.ts';
import {
  CsvFormat,
  type Format,
  JsonFormat,
  reading,
  readOptions,
  saysHidden,
} from '../interchange/formats.ts';
import { coerceCsv } from '../model/values/cells.ts';
import { IS_REQUIRED, type Parsed, refused } from '../model/values/record.ts';
import { isPlainObject, type ReadOptions } from '../model/values/refusal.ts';
import { type CatalogRecord, catalogParser } from './catalog-record.ts';
import { eventParser, type WalletEvent, walletEvent } from './event.ts';

/** An event of a file. It needs a timestamp: the current time would differ at each import. */
export type DatedEvent = WalletEvent & { timestamp: number };

export const EVENT_COLUMNS = ['wallet_address', 'item_id', 'event_type', 'timestamp'] as const;

export type WalletRecord =
  | { kind: 'events'; record: DatedEvent; time?: number }
  | { kind: 'tokens'; record: CatalogRecord };

/** Makes the format of a kind of file for the items of one chain. */
export function walletFormat(
  { kind, time_unit }: Pick<InterchangeFile<WalletKind>, 'kind' | 'time_unit'>,
  chain: string,
): Format<WalletRecord> {
  return kind === 'events' ? eventFormat(chain, readOptions(time_unit)) : tokenFormat(chain);
}

function eventFormat(chain: string, options: ReadOptions): Format<WalletRecord> {
  const parse = eventParser(chain);
  const { cells } = walletEvent(chain);
  return new CsvFormat({
    required: EVENT_COLUMNS,
    optional: [],
    read: (row) =>
      reading(dated(parse(coerceCsv(cells, row), options)), (record) => ({
        kind: 'events',
        record,
        time: record.timestamp,
      })),
  });
}

function dated(parsed: Parsed<WalletEvent>): Parsed<DatedEvent> {
  if (!parsed.ok) return parsed;
  const { timestamp } = parsed.record;
  if (timestamp === undefined) return refused('/timestamp', IS_REQUIRED);
  return { ...parsed, record: { ...parsed.record, timestamp } };
}

function tokenFormat(chain: string): Format<WalletRecord> {
  const parse = catalogParser(chain);
  return new JsonFormat(
    (value) => reading(parse(value), (record) => ({ kind: 'tokens', record })),
    (value) => {
      if (!isPlainObject(value) || !saysHidden(value)) return undefined;
      const rest = parse({ item_id: value.item_id, hidden: true });
      return rest.ok ? { kind: 'tokens', record: rest.record } : undefined;
    },
  );
}

import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS, NO_TIME, PRESENT } from './wallet-world.ts';

export const WALLETS_FILE = 'feedloom-wallets.sqlite';

/** The wallet data in the tables of a stopped service. */
export interface StoredWallets {
  /** As in `WalletWorld`. */
  events: Map<string, number>;
  names: Map<string, string>;
  items: Set<string>;
  /** Partial transactions, which clients could not notice. */
  faults: string[];
}

/** Undefined if there is no community yet. */
export function storedWallets(data: string): StoredWallets | undefined {
  const file = join(data, WALLETS_FILE);
  if (!existsSync(file)) return undefined;
  // Writable, because only a writer may roll back the transactions of a killed service.
  const database = new Database(file, { readwrite: true });
  try {
    database.run('pragma busy_timeout = 5000');
    const tables = database.query("select name from sqlite_master where name = 'interactions'").values();
    return tables.length === 0 ? undefined : read(database);
  } finally {
    database.close();
  }
}

const EVENTS = `select w.id, i.id, event_type, timestamp from interactions
  join names w on w.space = 0 and w.key = user_key join names i on i.space = 1 and i.key = item_key`;
const ITEMS =
  'select i.id, content from items join names i on i.space = 1 and i.key = item_key order by items.seq';

function read(database: Database): StoredWallets {
  const stored: StoredWallets = { events: new Map(), names: new Map(), items: new Set(), faults: [] };
  const { events, names, items, faults } = stored;
  const created_at = new Map<string, number>();
  for (const [item_id, content] of database.query(ITEMS).values() as [string, string][]) {
    const { created_at: since, dated, metadata } = JSON.parse(content);
    // Only catalog records with a time change the age of an item.
    if (dated !== true && since !== (created_at.get(item_id) ?? since))
      faults.push(`${item_id} changed its age`);
    created_at.set(item_id, since);
    items.add(item_id);
    if (metadata?.name !== undefined) names.set(item_id, metadata.name);
  }
  const rows = database.query(EVENTS).values() as [string, string, number, number][];
  for (const [wallet, item_id, code, time] of rows) {
    const event = `${wallet} ${item_id} ${KINDS[code]} ${time < PRESENT ? time : NO_TIME}`;
    events.set(event, (events.get(event) ?? 0) + 1);
  }
  const moments = new Set(rows.map((row) => row.join(' ')));
  if (moments.size < rows.length) faults.push('an event is there twice');
  const count = (query: string) => Number(database.query(query).values()[0][0]);
  const all = count('select count(*) from interactions');
  if (all !== rows.length) faults.push(`${all - rows.length} events name no wallet`);
  const idle = count(
    'select count(*) from names where space = 0 and key not in (select user_key from interactions)',
  );
  if (idle > 0) faults.push(`${idle} wallets have a name and no event`);
  const bare = count(
    'select count(*) from names where space = 1 and key not in (select item_key from items)',
  );
  if (bare > 0) faults.push(`${bare} items have a name and no description`);
  return stored;
}

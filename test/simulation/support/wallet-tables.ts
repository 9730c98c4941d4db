import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS, nameOf, PRESENT } from './wallet-world.ts';

export const WALLETS_FILE = 'feedloom-wallets.sqlite';

/** The wallet data in the tables of a stopped service. */
export interface StoredWallets {
  /** As in `WalletWorld`. Without events that a later deletion or erasure removes, before the purge, too. */
  counts: Map<string, number>;
  names: Map<string, string>;
  /** Partial transactions, which clients could not notice. */
  faults: string[];
}

/**
 * Undefined if there is no community yet.
 * @param removes whether events were deleted and wallets erased, which leaves names and changes the age of items
 */
export function storedWallets(data: string, removes: boolean): StoredWallets | undefined {
  const file = join(data, WALLETS_FILE);
  if (!existsSync(file)) return undefined;
  // Writable, because only a writer may roll back the transactions of a killed service.
  const database = new Database(file, { readwrite: true });
  try {
    database.run('pragma busy_timeout = 5000');
    const tables = database.query("select name from sqlite_master where name = 'interactions'").values();
    return tables.length === 0 ? undefined : read(database, removes);
  } finally {
    database.close();
  }
}

const EVENTS = `select w.id, i.id, event_type, timestamp,
  exists (select 1 from erasures e where e.user_key = acts.user_key and e.seq > acts.seq)
  or exists (select 1 from act_deletions d where d.user_key = acts.user_key and d.item_key = acts.item_key
    and d.event_type = acts.event_type and d.seq > acts.seq
    and d.timestamp in (-1, acts.timestamp))
  from interactions acts
  join names w on w.space = 0 and w.key = user_key join names i on i.space = 1 and i.key = item_key`;
const ITEMS =
  'select i.id, content from items join names i on i.space = 1 and i.key = item_key order by items.seq';

type EventRow = [wallet_address: string, item_id: string, code: number, time: number, is_removed: number];

function read(database: Database, removes: boolean): StoredWallets {
  const stored: StoredWallets = { counts: new Map(), names: new Map(), faults: [] };
  const { counts, names, faults } = stored;
  const created_at = new Map<string, number>();
  for (const [item_id, content] of database.query(ITEMS).values() as [string, string][]) {
    const { created_at: since, dated, metadata } = JSON.parse(content);
    // Without removals, only catalog records with a time change the age of an item.
    if (!removes && dated !== true && since !== (created_at.get(item_id) ?? since))
      faults.push(`${item_id} changed its age`);
    created_at.set(item_id, since);
    if (metadata?.name !== undefined) names.set(item_id, metadata.name);
  }
  const rows = database.query(EVENTS).values() as EventRow[];
  const live = rows.filter(([, , , , is_removed]) => is_removed === 0);
  for (const [wallet_address, item_id, code, time] of live) {
    const event = { wallet_address, item_id, event_type: KINDS[code] };
    const name = nameOf(time < PRESENT ? { ...event, timestamp: time } : event);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (new Set(live.map((row) => row.join(' '))).size < live.length) faults.push('an event is there twice');
  if (removes) return stored;
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

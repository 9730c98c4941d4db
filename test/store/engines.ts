import { Database } from 'bun:sqlite';
import { test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { Change } from '../../src/model/change.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store, StoreOptions } from '../../src/store/store.ts';
import { freshDatabase } from '../support/postgres.ts';
import { emptyDatabase, putEmptyData } from '../support/prepared-data.ts';

/** The location of a test's data. `run` executes SQL directly and returns rows as lists. */
export interface Place {
  data: string;
  database_url?: string;
  run(text: string): Promise<unknown[][]>;
  remove(): Promise<void>;
}

export interface Engine {
  name: 'sqlite' | 'postgres';
  /** @param is_new without tables, as before the first start */
  place(is_new?: boolean): Promise<Place>;
}

function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'feedloom-store-'));
}

async function sqlitePlace(is_new = false): Promise<Place> {
  const folder = freshFolder();
  const data = join(folder, 'data');
  if (!is_new) putEmptyData(data);
  return {
    data,
    async run(text) {
      const database = new Database(join(data, 'feedloom.sqlite'));
      database.run('pragma busy_timeout = 5000');
      try {
        return database.prepare(text).values();
      } finally {
        database.close();
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgresPlace(is_new = false): Promise<Place> {
  const folder = freshFolder();
  const database_url = await (is_new ? freshDatabase() : emptyDatabase());
  return {
    data: join(folder, 'data'),
    database_url,
    async run(text) {
      const client = new SQL({ url: database_url, max: 1 });
      try {
        return [...(await client.unsafe(text).values())];
      } finally {
        await client.close();
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const ENGINES: readonly Engine[] = [
  { name: 'sqlite', place: sqlitePlace },
  { name: 'postgres', place: postgresPlace },
];

/** A store with a running writer, and the calls of its hooks. */
export interface Serving {
  store: Store;
  /** One entry per call of `onCommitted`. */
  messages: Change[][];
  failures: number;
  /** The reason why its writer stopped. */
  stopped?: string;
}

export function optionsFor(place: Place, overrides: Partial<StoreOptions> = {}): StoreOptions {
  const { data, database_url } = place;
  return { data, database_url, write_queue: 100_000, role: 'serve', command: 'serve', ...overrides };
}

/** Opens, replays and starts the writer, as the service does. */
export async function serve(place: Place, overrides: Partial<StoreOptions> = {}): Promise<Serving> {
  const store = await openStore(optionsFor(place, overrides));
  const serving: Serving = { store, messages: [], failures: 0 };
  const { highest_applied_at } = await store.replay(() => {});
  await store.startWriter({
    onCommitted: (changes) => serving.messages.push([...changes]),
    onFailed: () => {
      serving.failures += 1;
    },
    onStopped: ({ message }) => {
      serving.stopped = message;
    },
    last_applied_at: highest_applied_at,
  });
  return serving;
}

/** Reads every stored change. */
export async function stored(store: Store, after?: number): Promise<Change[]> {
  const changes: Change[] = [];
  await store.replay((change) => changes.push(change), { after, with_events: true });
  return changes;
}

async function within(making: Promise<Place>, work: (place: Place) => Promise<void>): Promise<void> {
  const place = await making;
  try {
    await work(place);
  } finally {
    await place.remove();
  }
}

/** Runs `work` with a place whose tables are empty, removed afterwards. */
export function withPlace(engine: Engine, work: (place: Place) => Promise<void>): Promise<void> {
  return within(engine.place(), work);
}

/** Like `withPlace`, but without tables, as before the first start. */
export function withNewPlace(engine: Engine, work: (place: Place) => Promise<void>): Promise<void> {
  return within(engine.place(true), work);
}

/** Runs `work` with a serving store in a fresh place, closes it and removes the place. */
export async function withServing(
  engine: Engine,
  work: (serving: Serving, place: Place) => Promise<void>,
  overrides: Partial<StoreOptions> = {},
): Promise<void> {
  await withPlace(engine, async (place) => {
    const serving = await serve(place, overrides);
    try {
      await work(serving, place);
    } finally {
      await serving.store.close();
    }
  });
}

/** Registers a test on each engine. */
export function testOn(name: string, work: (engine: Engine) => Promise<void>): void {
  for (const engine of ENGINES) test(`${name} on ${engine.name}`, () => work(engine));
}

/** A test on each engine, with a place whose tables are empty. Files import it as `it`, for the sake of short lines. */
export function testPlace(name: string, work: (place: Place & { engine: Engine }) => Promise<void>): void {
  testOn(name, (engine) => withPlace(engine, (place) => work({ ...place, engine })));
}

/** A test on each engine, with a place without tables. */
export function testNewPlace(name: string, work: (place: Place & { engine: Engine }) => Promise<void>): void {
  testOn(name, (engine) => withNewPlace(engine, (place) => work({ ...place, engine })));
}

/** A test on each engine, with a serving store in a fresh place. */
export function testServing(
  name: string,
  work: (serving: Serving & { place: Place; engine: Engine }) => Promise<void>,
  overrides?: Partial<StoreOptions>,
): void {
  testOn(name, (engine) =>
    withServing(engine, (serving, place) => work(Object.assign(serving, { place, engine })), overrides),
  );
}

/** The error that `promise` is rejected with. (`expect().rejects` would block this thread while it waits.) */
export async function refusal(promise: Promise<unknown>): Promise<{ code?: string; message: string }> {
  const [result] = await Promise.allSettled([promise]);
  if (result.status === 'fulfilled') throw new Error('expected a rejection');
  return result.reason;
}

/** A query of the advisory locks of this database. All tests of a run share a server. */
export const ADVISORY_LOCKS = `select 1 from pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`;

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { importFolder } from '../../src/cli/import.ts';
import { ManualClock } from '../../src/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { nft, wallet } from '../alpha/support.ts';
import { exportFrom, type Files, jsonl, readFiles, withFolder, writeFiles } from '../interchange/support.ts';
import { openTestService, START, type TestService } from '../support/service.ts';

const LATER = START + 3600;

/** One data folder, and imports into it by child processes. */
interface Place {
  data: string;
  /** Imports strictly. @returns the output */
  take(files: Files): Promise<string[]>;
  /** Imports files whose import fails half-way. */
  breakOff(files: Files): Promise<void>;
  /** Starts a service on it, and stops it after `work`. */
  serving<T>(work: (opened: TestService) => Promise<T>): Promise<T>;
}

function withPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  return withFolder({}, async (root) => {
    const data = join(root, 'data');
    let folders = 0;
    const take: Place['take'] = async (files) => {
      const folder = join(root, `files-${folders++}`);
      writeFiles(folder, files);
      const lines: string[] = [];
      const progress = { show: () => {}, print: (line: string) => lines.push(line), end: () => {} };
      const clock = new ManualClock(LATER);
      await importFolder({ ...readSettings({}), data }, folder, { strict: true, clock, progress });
      return lines;
    };
    const breakOff: Place['breakOff'] = async (files) => {
      await expect(take(files)).rejects.toMatchObject({ code: 'bad_line' });
    };
    const serving: Place['serving'] = async (work) => {
      await using opened = await openTestService({ data, clock: new ManualClock(LATER) });
      return await work(opened);
    };
    return work({ data, take, breakOff, serving });
  });
}

/** Files with a bad line among the acts. @param share share of the acts before it */
function broken(files: Files, name: string, share: number): Files {
  const lines = String(files[name]).trimEnd().split('\n');
  lines.splice(1 + Math.floor((lines.length - 1) * share), 0, 'x');
  return { ...files, [name]: `${lines.join('\n')}\n` };
}

describe('an interrupted import of content', () => {
  const USERS = 30;
  const ITEMS = 40;
  const items = Array.from({ length: ITEMS }, (_, item) => ({
    ...{ item_id: `item ${item}`, author_id: `user ${item % 7}` },
    created_at: START - 90_000 + item * 1_000,
  }));
  const likes = Array.from(
    { length: 600 },
    (_, at) => `user ${at % USERS},item ${(at * 7) % ITEMS},like,${START - 60_000 + at * 90}\n`,
  );
  const files = {
    'items.jsonl': jsonl(items),
    'interactions.csv': `user_id,item_id,event_type,timestamp\n${likes.join('')}`,
  };

  test.each([0.3, 1])(
    'an import interrupted after %d of the acts and repeated gives the same data as an uninterrupted one',
    async (share) => {
      const imported = (is_broken: boolean) =>
        withPlace(async ({ take, breakOff, serving }) => {
          if (is_broken) await breakOff(broken(files, 'interactions.csv', share));
          if (is_broken) await breakOff(broken(files, 'interactions.csv', share));
          expect(await take(files)).toEqual([]);
          return serving(exported);
        });
      expect(await imported(true)).toEqual(await imported(false));
    },
  );
});

const HEADER = 'wallet_address,item_id,event_type,timestamp\n';
const OLD = 1_600_000_000;

function events(count: number, from = OLD): string {
  const lines = Array.from(
    { length: count },
    (_, at) => `${wallet(at % 7)},${nft(1, at % 9)},buy,${from + at * 300}\n`,
  );
  return HEADER + lines.join('');
}

/** When the latest event of wallets was applied, and when their learned data was stored last. */
function times(data: string): { event: number; learnt: number | null } {
  const db = new Database(databaseFile(data, 'wallets'), { readonly: true });
  const latest = (table: string) => db.query(`select max(applied_at) from ${table}`).values()[0][0] as number;
  try {
    return { event: latest('interactions'), learnt: latest('trends') };
  } finally {
    db.close();
  }
}

describe('an interrupted import of wallets', () => {
  const last = (count: number, from = OLD) => from + (count - 1) * 300;
  const more = HEADER + events(40).slice(HEADER.length) + events(40, OLD + 100_000).slice(HEADER.length);

  test('an interrupted import of wallets leaves the time of its data', () =>
    withPlace(async ({ data, take, breakOff }) => {
      await breakOff({ 'events.csv': `${events(40)}bad\n` });
      expect(times(data).event).toBe(last(40));
      await take({ 'events.csv': more });
      expect(times(data)).toEqual({ event: last(40, OLD + 100_000), learnt: last(40, OLD + 100_000) });
    }));

  test('an import of content does not change an interrupted import of wallets', () =>
    withPlace(async ({ data, take }) => {
      await take({ 'events.csv': events(40) });
      await take({ 'users.jsonl': jsonl([{ user_id: 'a' }]) });
      expect(times(data)).toEqual({ event: last(40), learnt: last(40) });
      await take({ 'events.csv': more });
      expect(times(data)).toEqual({ event: last(40, OLD + 100_000), learnt: last(40, OLD + 100_000) });
    }));
});

function exported(opened: TestService): Promise<Files> {
  return withFolder({}, async (folder) => {
    await exportFrom(opened, folder);
    return readFiles(folder);
  });
}

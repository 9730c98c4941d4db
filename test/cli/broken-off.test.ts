import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { exportWallets } from '../../src/alpha/export.ts';
import { importFolder } from '../../src/cli/import.ts';
import { ManualClock } from '../../src/clock.ts';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { readSettings } from '../../src/settings.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { nft, wallet } from '../alpha/support.ts';
import { begin, exported, pages, trendsOf } from '../interchange/learnt-community.ts';
import { type Files, jsonl, readFiles, withFolder, withService, writeFiles } from '../interchange/support.ts';
import { openTestService, START, type TestService } from '../support/service.ts';

const LATER = START + 3600;
const IN_USE = 'the data was not empty before this import and has trends of its own';

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
      const opened = await openTestService({ data, clock: new ManualClock(LATER) });
      try {
        return await work(opened);
      } finally {
        await opened.close();
      }
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

const ignored = (name: string): string => `ignored: ${name} (${IN_USE})`;

describe('an interrupted import of content', () => {
  let files: Files;
  /** The pages of all users and the learned data, after one import of everything. */
  let whole: { pages: string[]; trends: ReturnType<typeof trendsOf> };

  beforeAll(async () => {
    files = await withService(async (opened) => {
      await begin(opened);
      return exported(opened);
    });
    whole = await withPlace(async ({ take, serving }) => {
      expect(await take(files)).toEqual([]);
      return serving(async (opened) => ({
        pages: await pages(opened),
        trends: trendsOf(await exported(opened)),
      }));
    });
  }, 60_000);

  test.each([0.3, 1])(
    'an import interrupted after %d of the acts and repeated equals an uninterrupted one',
    async (share) => {
      await withPlace(async ({ take, breakOff, serving }) => {
        await breakOff(broken(files, 'interactions.csv', share));
        await breakOff(broken(files, 'interactions.csv', share));
        expect(await take(files)).toEqual([]);
        await serving(async (opened) => {
          expect(trendsOf(await exported(opened))).toEqual(whole.trends);
          expect(await pages(opened)).toEqual(whole.pages);
        });
      });
    },
    60_000,
  );

  test('an import that lacks only its last step gives the same result when it is repeated', async () => {
    await withPlace(async ({ data, take, serving }) => {
      await take(files);
      const db = new Database(databaseFile(data, 'content'));
      db.run("insert into meta (name, value) values ('import_mark', ?)", [
        String(trendsOf(files).applied_at),
      ]);
      db.close();
      expect(await take(files)).toEqual([]);
      expect(await take(files)).toEqual([ignored('trends.jsonl')]);
      await serving(async (opened) => expect(await pages(opened)).toEqual(whole.pages));
    });
  }, 60_000);

  test('a repeated import keeps what a service learned in between', async () => {
    await withPlace(async ({ take, breakOff, serving }) => {
      await breakOff(broken(files, 'interactions.csv', 1));
      await serving(async () => {});
      expect(await take(files)).toEqual([ignored('trends.jsonl')]);
      await serving(async (opened) =>
        expect(trendsOf(await exported(opened)).learnt.learner).not.toEqual(trendsOf(files).learnt.learner),
      );
    });
  }, 60_000);

  test.each([
    [
      'something else was learnt',
      (line: string) => line.replace(/"applied_at":\d+/, `"applied_at":${START}`),
    ],
    ['nothing was learnt', () => ''],
  ])(
    'a repeated import keeps its learned data after another import of files of which %s',
    async (_what, change) => {
      await withPlace(async ({ take, breakOff }) => {
        await breakOff(broken(files, 'interactions.csv', 1));
        const trends = change(String(files['trends.jsonl']));
        expect(await take({ ...files, 'trends.jsonl': trends })).toEqual(
          trends === '' ? [] : [ignored('trends.jsonl')],
        );
        expect(await take(files)).toEqual([ignored('trends.jsonl')]);
      });
    },
    60_000,
  );

  test.each<[string, Files, string]>([
    ['a file that is no gzip', { 'items.jsonl.gz': new Uint8Array([1, 2, 3]) }, 'unreadable_file'],
    ['a bad first line', { 'users.jsonl': 'x\n' }, 'bad_line'],
    ['no line', { 'users.jsonl': '\n' }, 'nothing_accepted'],
  ])(
    'an interrupted import continues after another one that stored nothing, of %s',
    async (_what, other, code) => {
      await withPlace(async ({ take, breakOff, serving }) => {
        await breakOff(broken(files, 'interactions.csv', 0.5));
        expect(
          await take(other).then(
            () => undefined,
            (refused) => refused.code,
          ),
        ).toBe(code);
        expect(await take(files)).toEqual([]);
        await serving(async (opened) => {
          expect(trendsOf(await exported(opened))).toEqual(whole.trends);
          expect(await pages(opened)).toEqual(whole.pages);
        });
      });
    },
    60_000,
  );

  test('an interrupted import continues after a repeat with invalid trends, and after one of wallets alone', async () => {
    await withPlace(async ({ take, breakOff, serving }) => {
      await breakOff(broken(files, 'interactions.csv', 0.5));
      await breakOff({ ...files, 'trends.jsonl': '{}\n' });
      await take({ 'events.csv': events(1) });
      expect(await take(files)).toEqual([]);
      await serving(async (opened) => expect(await pages(opened)).toEqual(whole.pages));
    });
  }, 60_000);
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
      expect(times(data)).toEqual({ event: last(40), learnt: null });
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

  test('a repeated import of wallets has learned the same as an uninterrupted one, whatever failed in between', async () => {
    const files = await withPlace(async ({ take, serving }) => {
      await take({ 'events.csv': events(400) });
      return serving(async ({ service, clock }) => {
        for (const at of [1, 2, 3, 4, 5]) {
          clock.set(START + at * 600);
          await service.alpha.recordEvent({
            wallet_address: wallet(at),
            item_id: nft(1, at),
            event_type: 'buy',
            timestamp: OLD,
          });
        }
        return exportedWallets(service);
      });
    });
    const learnt: Files[] = [];
    for (const is_broken of [false, true]) {
      await withPlace(async ({ take, breakOff, serving }) => {
        if (is_broken) await breakOff(broken(files, 'events.csv', 0.5));
        if (is_broken) await take({ 'users.jsonl': jsonl([{ user_id: 'a' }]) });
        if (is_broken) await breakOff({ 'events.csv': `${HEADER}bad\n` });
        if (is_broken) await expect(take({ 'events.csv.gz': new Uint8Array([1]) })).rejects.toThrow('events');
        expect(await take(files)).toEqual([]);
        learnt.push(await serving(({ service }) => exportedWallets(service)));
      });
    }
    expect(learnt[0]['wallet_trends.jsonl']).toContain('"learner":');
    expect(learnt[1]).toEqual(learnt[0]);
  }, 60_000);
});

function exportedWallets({ alpha }: TestService['service']): Promise<Files> {
  return withFolder({}, async (folder) => {
    const target = new ExportFolder(folder, { force: false, gzip: false });
    await exportWallets(alpha.community!.store, target);
    target.finish();
    return readFiles(folder);
  });
}

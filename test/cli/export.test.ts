import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { signalKey } from '../../src/model/signal-key.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { token, wallet } from '../alpha/support.ts';
import { folderWith, readFiles, withFolder, withService, writeFiles } from '../interchange/support.ts';
import { editor } from '../support/edit.ts';
import { START, type TestService } from '../support/service.ts';
import { run } from './run.ts';

/** A running service with a little of everything, and a folder for its export. */
function withLittle(work: (opened: TestService, folder: string) => Promise<void>): Promise<void> {
  return withFolder({}, (folder) =>
    withService(async (opened) => {
      const { ingest } = opened.service;
      await ingest.ingest('users', [{ user_id: 'u', username: 'Ulla, "U"' }]);
      await ingest.ingest('items', [
        { item_id: 'a', author_id: 'w', created_at: 1000, likes_count: 3, updated_at: 2000 },
        { item_id: 'x,"y"', author_id: 'w', created_at: 1500, text: 'ok' },
      ]);
      await ingest.ingest('follows', [{ user_id: 'u', target_user_id: 'w', timestamp: 1200.5 }]);
      await work(opened, folder);
    }),
  );
}

describe('feedloom export', () => {
  test('an export while the service runs writes only files with content', async () => {
    await withLittle(async ({ dir, service }, folder) => {
      await service.ingest.ingest('interactions', [
        { user_id: 'u', item_id: 'x,"y"', event_type: 'like', timestamp: 2500 },
      ]);
      const { code, stdout } = await run('export', join(folder, 'new'), '--data', dir);
      expect(code).toBe(0);
      expect(stdout).toContain('items.jsonl          2 records\n');
      expect(readFiles(join(folder, 'new'))).toEqual({
        'follows.csv': 'user_id,target_user_id,timestamp\nu,w,1200.5\n',
        'interactions.csv': 'user_id,item_id,event_type,timestamp\nu,"x,""y""",like,2500\n',
        'items.jsonl': [
          '{"item_id":"a","author_id":"w","created_at":1000,"likes_count":3,"updated_at":2000}\n',
          '{"item_id":"x,\\"y\\"","author_id":"w","created_at":1500,"text":"ok","language":""}\n',
        ].join(''),
        'users.jsonl': '{"user_id":"u","username":"Ulla, \\"U\\""}\n',
      });
    });
  });

  test('an export names the signals of shown pages, as far as they are loaded', async () => {
    await withLittle(async ({ dir, service }, folder) => {
      const { shown } = service.ingest;
      shown.add(service.seen.viewerOf('u'), {
        ...{ time: START, feed: 0, feed_type: 'for-you', explored: undefined },
        ...{ items: Uint32Array.of(0), slots: Uint16Array.of(1), origins: Uint8Array.of(0) },
        ...{ signals: Uint32Array.of(signalKey('popular'), 5), signal_values: Uint8Array.of(255, 0) },
        learning: { window_seconds: 60, is_reported: false, is_control: false, is_learned: true },
      });
      await shown.flushed();
      const { stdout } = await run('export', folder, '--data', dir);
      expect(stdout).toContain('shown.jsonl          1 record\n');
      const line = JSON.parse(readFiles(folder)['shown.jsonl']);
      expect(line).toMatchObject({ signals: ['popular', 'signal_00000005'], items: [{ values: [1, 0] }] });
    });
  });

  test('an export writes counters with different times to a separate file', async () => {
    await withLittle(async ({ dir, service }, folder) => {
      await service.ingest.ingest('items', [
        { item_id: 'a', comments_count: 7, shares_count: 0, updated_at: 1900 },
        { item_id: 'x,"y"', comments_count: 2, likes_count: 1, updated_at: 1900 },
      ]);
      await run('export', folder, '--data', dir);
      const { 'engagement.csv': engagement, 'items.jsonl': items } = readFiles(folder);
      expect(engagement).toBe(
        'item_id,timestamp,likes_count,comments_count,shares_count\na,1900,,7,0\na,2000,3,,\n',
      );
      expect(items.split('\n')[0]).toBe(
        '{"item_id":"a","author_id":"w","created_at":1000,"updated_at":2000}',
      );
      expect(items).toContain('"likes_count":1,"comments_count":2,"updated_at":1900}');
    });
  });

  test('an export keeps the identifiers of comments, and leaves out what was taken back', async () => {
    await withLittle(async ({ dir, service }, folder) => {
      const act = { user_id: 'u', item_id: 'a', timestamp: 2500 };
      await service.ingest.ingest('interactions', [
        { ...act, event_type: 'comment', event_id: 'c1' },
        { ...act, event_type: 'comment', event_id: 'c2' },
        { ...act, event_type: 'comment', event_id: 'c1', timestamp: 2600 },
        { ...act, event_type: 'like' },
        { ...act, event_type: 'like', timestamp: 2700, action: 'remove' },
      ]);
      await run('export', folder, '--data', dir);
      expect(readFiles(folder)['interactions.csv']).toBe(
        'user_id,item_id,event_type,timestamp,event_id\nu,a,comment,2500,c2\nu,a,comment,2600,c1\n',
      );
    });
  });

  test('an export that fails half-way keeps the existing files', async () => {
    await withLittle(async ({ dir, service }, folder) => {
      const { stdout } = await run('export', folder, '--data', dir);
      expect(stdout).toContain('users.jsonl');
      const former = readFiles(folder);
      await service.ingest.ingest('users', [{ user_id: 'new' }]);
      await service.alpha.recordEvent({ wallet_address: wallet(1), item_id: token(1), event_type: 'mint' });
      const database = new Database(databaseFile(dir, 'wallets'));
      database.run('alter table interactions rename to hidden');
      expect((await run('export', folder, '--data', dir, '--force')).code).not.toBe(0);
      expect(readFiles(folder)).toEqual(former);
      database.run('alter table hidden rename to interactions');
      database.close();
      expect((await run('export', folder, '--data', dir, '--force', '--gzip')).code).toBe(0);
      const names = ['events.csv', 'follows.csv', 'items.jsonl', 'users.jsonl'];
      expect(readdirSync(folder).toSorted()).toEqual(names.map((name) => `${name}.gz`));
    });
  });

  test('an export contains no trace of deleted items and erased users', async () => {
    await withLittle(async ({ dir, service }, folder) => {
      const { ingest } = service;
      await ingest.ingest('items', [{ item_id: 'c', author_id: 'secret', created_at: 1000 }]);
      await ingest.ingest('interactions', [
        { user_id: 'secret', item_id: 'a', event_type: 'like', timestamp: 2500 },
        { user_id: 'u', item_id: 'c', event_type: 'hide', timestamp: 2500 },
        { user_id: 'u', item_id: 'a', event_type: 'view', timestamp: 2500 },
      ]);
      await ingest.ingest('follows', [{ user_id: 'u', target_user_id: 'secret' }]);
      await ingest.ingest('blocks', [{ user_id: 'secret', target_user_id: 'u' }]);
      await ingest.deleteUser('secret');
      await ingest.deleteItem('a');
      await run('export', folder, '--data', dir);
      const files = readFiles(folder);
      expect(Object.keys(files)).toEqual(['follows.csv', 'items.jsonl', 'users.jsonl']);
      expect(Object.values(files).join('')).not.toMatch(/secret|"[ac]"/);
    });
  });

  test('an export contains the saved feeds of all accounts, oldest first, without deleted ones', async () => {
    await withLittle(async ({ dir, service: { saved_feeds } }, folder) => {
      await saved_feeds.create(editor('acme'), { name: 'One', config: { top_k: 5, candidate_source: 'x' } });
      await saved_feeds.create(editor('acme'), { name: 'Secret' });
      await saved_feeds.create(editor('other'), { name: 'Two', visibility: 'template' });
      await saved_feeds.change(editor('acme'), 'feed_1', { status: 'inactive' }, () => true);
      await saved_feeds.remove(editor('acme'), 'feed_2', () => true);
      const { stdout } = await run('export', folder, '--data', dir);
      expect(stdout).toContain('feeds.jsonl          2 records\n');
      const times = { created_at: START, updated_at: START };
      const content = { description: '', endpoint: 'feeds/for-you' };
      const rest = { feed_image_url: '', short_name: null };
      const config = { top_k: 5, candidate_source: 'x' };
      const lines = readFiles(folder)['feeds.jsonl'].trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        {
          ...{ config_id: 'feed_1', account: 'acme', revision: 2, ...times, ...content, ...rest },
          ...{ name: 'One', status: 'inactive', visibility: 'private', config },
        },
        {
          ...{ config_id: 'feed_3', account: 'other', revision: 1, ...times, ...content, ...rest },
          ...{ name: 'Two', status: 'active', visibility: 'template', config: {} },
        },
      ]);
    });
  });

  test('an export refuses a folder with interchange files, and replaces all of them with --force', async () => {
    await withLittle(async ({ dir }, folder) => {
      writeFiles(folder, {
        'blocks.csv': 'old',
        'feeds.jsonl': 'old',
        'items.jsonl.gz': 'old',
        'note.txt': 'mine',
      });
      const refused = await run('export', folder, '--data', dir);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(
        'already has interchange files (blocks.csv, feeds.jsonl, items.jsonl.gz)',
      );
      const forced = await run('export', folder, '--data', dir, '--force');
      expect(forced.code).toBe(0);
      expect(readdirSync(folder).sort()).toEqual([
        ...['follows.csv', 'items.jsonl', 'note.txt', 'users.jsonl'],
      ]);
    });
  });

  test('an export with --gzip compresses its files', async () => {
    await withLittle(async ({ dir }, folder) => {
      await run('export', folder, '--data', dir, '--gzip');
      expect(readdirSync(folder).sort()).toEqual(['follows.csv.gz', 'items.jsonl.gz', 'users.jsonl.gz']);
      const imported = await run('import', folder, '--data', join(folder, 'data'));
      expect(imported.stdout).toContain('items.jsonl.gz  2 accepted (0 unchanged), 0 rejected\n');
    });
  });

  test('an export without data writes nothing', async () => {
    const folder = folderWith({});
    const data = ['--data', join(folder, 'data')];
    await run('keys', 'create', '--account', 'acme', ...data);
    const { code, stdout } = await run('export', join(folder, 'new'), ...data);
    expect([code, stdout]).toEqual([0, 'nothing is stored, and nothing was written\n']);
  });
});

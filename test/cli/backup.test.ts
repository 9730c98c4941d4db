import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '../../src/clock.ts';
import { purgeCommunity } from '../../src/community.ts';
import { audit } from '../simulation/support/audit.ts';
import { Client } from '../simulation/support/client.ts';
import { allPages, Contention } from '../simulation/support/contention.ts';
import { killAll, startService } from '../simulation/support/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase } from '../support/postgres.ts';
import { openTestService, START, type TestService } from '../support/service.ts';
import { run } from './run.ts';

let root: string;
let clock: ManualClock;
let opened: TestService[];
beforeEach(() => {
  root = temporaryFolder('backup');
  clock = new ManualClock(START);
  opened = [];
});
afterEach(async () => {
  for (const each of opened) await each.close();
  await killAll();
});

async function open(name: string): Promise<TestService> {
  const service = await openTestService({ data: join(root, name), clock });
  opened.push(service);
  return service;
}

const backup = (file: string, ...args: string[]) =>
  run('backup', file, '--data', join(root, 'data'), ...args);

describe('feedloom backup', () => {
  test('a backup while the service runs is a data folder with the same pages for the same seed', async () => {
    const { service } = await open('data');
    await new Contention(service, clock, seededRandom(1)).run(20);
    await service.checkpoints!.writeNow();
    await service.alpha.ingestItems([
      { item_id: 'base.0x00000000000000000000000000000000000d0000.0', name: 'A' },
    ]);
    const viewer = { user_id: 'a stranger', top_k: 3, impression_count: 3 };
    expect((await service.feeds.serve('popular', viewer)).items).toHaveLength(3);
    const seenBy = async ({ seen }: TestService['service']) =>
      (await seen.settle(seen.viewerOf(viewer.user_id))).inOrder();
    const seen = await seenBy(service);
    const pages = await allPages(service);
    const file = join(root, 'restored', 'feedloom.sqlite');
    const { code, stdout } = await backup(file);
    expect(code).toBe(0);
    expect(stdout).toContain(file);
    expect(readdirSync(join(root, 'restored')).sort()).toEqual([
      'feedloom-wallets.sqlite',
      'feedloom.sqlite',
    ]);
    const backed_up_at = clock.now();
    await new Contention(service, clock, seededRandom(2)).run(5);
    clock.set(backed_up_at);
    const restored = await open('restored');
    expect(await allPages(restored.service)).toEqual(pages);
    expect([await seenBy(restored.service), seen.length]).toEqual([seen, 3]);
    expect(restored.service.alpha.community?.state.items.size).toBe(1);
    await restored.service.ingest.ingest('users', [{ user_id: 'after' }]);
    expect(restored.service.state.users.names.find('after')).not.toBe(-1);
  });

  test('a backup is a snapshot of one moment while writes go on', async () => {
    const { service } = await open('data');
    const contention = new Contention(service, clock, seededRandom(3));
    await contention.run(10);
    const before = service.state.seq;
    let done = false;
    const writing = (async () => {
      while (!done) await contention.run(1);
    })();
    const { code } = await backup(join(root, 'restored', 'feedloom.sqlite'));
    done = true;
    await writing;
    expect(code).toBe(0);
    expect(
      audit(join(root, 'restored'), { purged_until: Number.POSITIVE_INFINITY, broken_off: true }),
    ).toEqual([]);
    const restored = await open('restored');
    expect(restored.service.state.seq).toBeGreaterThanOrEqual(before);
    expect(restored.service.state.seq).toBeLessThanOrEqual(service.state.seq);
  });

  test.each([
    ['as it was written', false],
    ['that has been served since', true],
  ])('%s can replace the data of a killed service, and the old log is not replayed', async (_, served) => {
    const data = join(root, 'data');
    const killed = await startService(data);
    const client = new Client(killed.address);
    const add = (user_id: string) => client.post('users', [{ user_id }]);
    await add('before');
    const file = join(root, 'backup.sqlite');
    expect((await backup(file)).code).toBe(0);
    if (served) {
      const folder = join(root, 'served');
      mkdirSync(folder);
      copyFileSync(file, join(folder, 'feedloom.sqlite'));
      const service = await startService(folder);
      await new Client(service.address).post('users', [{ user_id: 'of the copy' }]);
      expect(await service.stop()).toBe(0);
      expect(readdirSync(folder).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([]);
      copyFileSync(join(folder, 'feedloom.sqlite'), file);
    }
    await add('after');
    await killed.crash();
    expect(statSync(join(data, 'feedloom.sqlite-wal')).size).toBeGreaterThan(0);
    // The file may lie elsewhere, with its log.
    const elsewhere = join(root, 'disk');
    mkdirSync(elsewhere);
    for (const name of readdirSync(data)) renameSync(join(data, name), join(elsewhere, name));
    symlinkSync(join(elsewhere, 'feedloom.sqlite'), join(data, 'feedloom.sqlite'));
    copyFileSync(file, join(data, 'feedloom.sqlite'));
    const restored = await startService(data);
    const { address } = restored;
    const known = async (user_id: string) => (await new Client(address).get('users', user_id)).status;
    expect([await known('before'), await known('after')]).toEqual([200, 404]);
    expect(await known('of the copy')).toBe(served ? 200 : 404);
    await restored.stop();
  });

  test('a backup contains nothing that was erased and purged', async () => {
    const { service } = await open('data');
    await service.ingest.ingest('users', [{ user_id: 'erased-user' }, { user_id: 'kept' }]);
    await service.ingest.deleteUser('erased-user');
    await purgeCommunity(service);
    const file = join(root, 'file');
    await backup(file);
    const bytes = readFileSync(file);
    expect([bytes.includes('erased-user'), bytes.includes('kept')]).toEqual([false, true]);
    // The erasure itself is still remembered.
    mkdirSync(join(root, 'restored'));
    copyFileSync(file, join(root, 'restored', 'feedloom.sqlite'));
    const restored = await open('restored');
    const { warnings } = await restored.service.ingest.ingest('users', [{ user_id: 'erased-user' }]);
    expect(warnings).toEqual([expect.stringContaining("user 'erased-user' was erased")]);
  });

  test('a backup replaces no file, and leaves none if it fails', async () => {
    await open('data');
    const file = join(root, 'there');
    writeFileSync(file, 'precious');
    const { code, stderr } = await backup(file);
    expect([code, readFileSync(file, 'utf8')]).toEqual([2, 'precious']);
    expect(stderr).toContain('[backup_failed]');
    const below_a_file = await backup(join(file, 'file'));
    expect(below_a_file.code).toBe(2);
    expect(readdirSync(root).sort()).toEqual(['data', 'there']);
  });

  test('a backup includes the data of wallets, or fails completely', async () => {
    const { service } = await open('data');
    await service.alpha.ingestItems([
      { item_id: 'base.0x00000000000000000000000000000000000d0000.0', name: 'A' },
    ]);
    writeFileSync(join(root, 'there-wallets.sqlite'), 'precious');
    const { code, stderr } = await backup(join(root, 'there.sqlite'));
    expect([code, stderr.includes("there-wallets.sqlite': the file exists")]).toEqual([2, true]);
    expect(readdirSync(root).sort()).toEqual(['data', 'there-wallets.sqlite']);
    expect(readFileSync(join(root, 'there-wallets.sqlite'), 'utf8')).toBe('precious');
  });

  test('a backup refuses missing data, and names the tool for PostgreSQL', async () => {
    const nothing = await backup(join(root, 'file'));
    expect([nothing.code, nothing.stderr.includes('[no_data]')]).toEqual([2, true]);
    const database_url = await freshDatabase();
    const service = await openTestService({ data: join(root, 'pg'), settings: { database_url } });
    await service.close();
    const postgres = await backup(join(root, 'file'), '--database-url', database_url);
    expect(postgres.code).toBe(2);
    expect(postgres.stderr).toContain('pg_dump');
  });
});

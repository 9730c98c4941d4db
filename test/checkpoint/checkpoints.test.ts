import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Checkpoints } from '../../src/checkpoint/checkpoints.ts';
import { startCheckpoint } from '../../src/checkpoint/child.ts';
import { writeCheckpoint } from '../../src/checkpoint/file.ts';
import { imageOf } from '../../src/columns/image.ts';
import type { Read } from '../../src/plugin/index.ts';
import { State } from '../../src/state/state.ts';
import { allPages } from '../simulation/support/contention.ts';
import { longTest, times } from '../support/long.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { openTestService, START, type TestService } from '../support/service.ts';
import { checkpointsIn, foldedAfter, Place, write } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.end());

/** The name of a checkpoint in the name of its file. */
const nameOf = (file: string) => file.slice('content-'.length, -'.checkpoint'.length);

describe('a start from a checkpoint', () => {
  test('a start from a checkpoint applies newer changes and gives the same pages, byte for byte, repeatedly', async () => {
    let running = await place.open();
    for (let time = 0; time < times(1, 10); time++) {
      await place.contend(running, time);
      await write(running);
      await place.contend(running, time + 10, 4);
      const pages = await allPages(running.service);
      // The state of the files after a loss of power.
      const copied = join(place.root, `copy-${time}`);
      cpSync(place.data, copied, { recursive: true });
      await place.close(running);
      place.data = copied;
      running = await place.open();
      const { checkpoint_seq, changes } = running.service.loaded;
      expect(checkpoint_seq).toBeGreaterThan(0);
      expect(changes).toBeGreaterThan(0);
      expect(changes).toBe(await foldedAfter(running.service.store, checkpoint_seq));
      expect(await allPages(running.service)).toEqual(pages);
      expect(checkpointsIn(place.data)).toHaveLength(1);
    }
    expect(place.said('cannot be used')).toBe(0);
  });

  test('a start from a checkpoint without newer changes keeps the clock of changes', async () => {
    const running = await place.open();
    await running.service.ingest.ingest('users', [{ user_id: 'a' }]);
    await write(running);
    const { applied_at, seq } = running.service.state;
    await place.close(running);
    place.clock.set(START - 1_000);
    const again = await place.open();
    expect(again.service.loaded.changes).toBe(0);
    await again.service.ingest.ingest('users', [{ user_id: 'b' }]);
    expect(again.service.state.applied_at).toBe(applied_at);
    expect(again.service.state.seq).toBe(seq + 2);
  });

  test('a start from a checkpoint restores wallets as well', async () => {
    const running = await place.open({ settings: { checkpoint_changes: 1 } });
    await running.service.alpha.recordEvent({
      wallet_address: '0x00000000000000000000000000000000000a0000',
      item_id: 'base.0x00000000000000000000000000000000000d0000.0',
      event_type: 'mint',
      timestamp: START,
    } as never);
    const { alpha } = running.service;
    const community = alpha.community as unknown as TestService['service'];
    await community.checkpoints!.writeNow();
    const page = await alpha.popular(5);
    expect(page.items).toHaveLength(1);
    await place.close(running);
    const again = await place.open();
    // What the trend and the models learnt is stored at the end.
    expect((again.service.alpha.community as typeof community).loaded.changes).toBe(2);
    expect(await again.service.alpha.popular(5)).toEqual(page);
  });
});

describe('a checkpoint', () => {
  test('a checkpoint is written after the set number of changes and the set time, and not before', async () => {
    const timers = new ManualTimers();
    const running = await place.open({ settings: { checkpoint_changes: 10, checkpoint_seconds: 0 } }, timers);
    const { checkpoints, ingest } = running.service;
    await ingest.ingest('users', [{ user_id: 'a' }, { user_id: 'b' }]);
    await timers.pass(1_000);
    expect(checkpoints!.figures).toMatchObject({ written: 0, failed: 0 });
    await ingest.ingest(
      'users',
      Array.from({ length: 10 }, (_, index) => ({ user_id: `u${index}` })),
    );
    await timers.pass(1);
    // Operations that have begun end before this one.
    await checkpoints!.around(async () => {});
    expect(checkpoints!.figures).toMatchObject({ written: 1, failed: 0 });
    expect(checkpoints!.seq).toBe(running.service.state.seq);
  });

  test('a checkpoint is rejected and removed if the data is older', async () => {
    const running = await place.open();
    await place.contend(running, 1);
    await place.close(running);
    cpSync(join(place.data, 'feedloom.sqlite'), join(place.root, 'restored.sqlite'));
    const later = await place.open();
    await place.contend(later, 2);
    await write(later);
    const [file] = checkpointsIn(place.data);
    await place.close(later);
    for (const end of ['-wal', '-shm']) rmSync(join(place.data, `feedloom.sqlite${end}`), { force: true });
    cpSync(join(place.root, 'restored.sqlite'), join(place.data, 'feedloom.sqlite'));
    const restored = await place.open();
    expect(restored.service.loaded.checkpoint_seq).toBe(0);
    expect(checkpointsIn(place.data)).not.toContain(file);
  });

  for (const [what, reason, ofRun] of [
    ['of another community', 'other data', longTest],
    ['that is damaged', 'damaged', test],
    ['that is missing', 'ENOENT', longTest],
    ['of another version', 'another version', longTest],
  ] as const) {
    ofRun(`a start ignores a checkpoint ${what} and logs that once`, async () => {
      const running = await place.open();
      await place.contend(running, 3);
      await write(running);
      const pages = await allPages(running.service);
      const [name] = checkpointsIn(place.data);
      const file = join(place.data, name);
      await place.close(running);
      if (what === 'of another community') {
        await using other = await openTestService({ data: join(place.root, 'other'), clock: place.clock });
        await other.service.ingest.ingest('users', [{ user_id: 'x' }]);
        await other.service.checkpoints!.writeNow();
        renameSync(join(place.root, 'other', checkpointsIn(join(place.root, 'other'))[0]), file);
      } else if (what === 'that is damaged') writeFileSync(file, readFileSync(file).fill(1, 1_000, 1_001));
      else if (what === 'that is missing') rmSync(file);
      else
        await writeCheckpoint(
          file,
          { name: nameOf(name), seq: 1, make: 'other' },
          imageOf(new State()),
          async () => {},
        );
      const again = await place.open();
      expect(again.service.loaded.checkpoint_seq).toBe(0);
      expect(place.said('cannot be used')).toBe(1);
      expect(place.log.find((line) => line.includes('cannot be used'))).toContain(reason);
      expect(await allPages(again.service)).toEqual(pages);
      expect(checkpointsIn(place.data)).toEqual([]);
      await write(again);
      await place.close(again);
      expect((await place.open()).service.loaded.checkpoint_seq).toBeGreaterThan(0);
    });
  }

  test('a checkpoint written with other plugins is removed, and one with the same plugins is used', async () => {
    const plugins = join(import.meta.dir, '../plugins-external/keywords/keywords.ts');
    const running = await place.open();
    await place.contend(running, 4);
    await write(running);
    await place.close(running);
    const with_plugin = await place.open({ settings: { plugins } });
    expect(with_plugin.service.loaded.checkpoint_seq).toBe(0);
    expect(place.said('other plugins')).toBe(1);
    await write(with_plugin);
    await place.close(with_plugin);
    const again = await place.open({ settings: { plugins } });
    expect(again.service.loaded.checkpoint_seq).toBeGreaterThan(0);
    expect(again.service.loaded.changes).toBe(0);
  });

  test('a process that follows removes old files of former checkpoints every hour, and the current one stays', async () => {
    const running = await place.open();
    await running.service.ingest.ingest('users', [{ user_id: 'a' }]);
    await write(running);
    const [current] = checkpointsIn(place.data);
    const leaveFormer = (name: string, age_seconds: number) => {
      for (const each of [name, current]) {
        const file = join(place.data, each);
        if (each === name) writeFileSync(file, '');
        const at = Date.now() / 1000 - age_seconds;
        utimesSync(file, at, at);
      }
    };
    const checkpoints = new Checkpoints({
      place: { data: place.data },
      checkpoint_store: running.service.store.checkpoints!,
      reads: [],
      log: place.logger,
      changes: 1,
      every_seconds: 0,
    });
    const timers = new ManualTimers();
    checkpoints.follow(timers);
    leaveFormer('content-former.checkpoint', 7_200);
    leaveFormer('content-young.checkpoint.part', 60);
    await timers.pass(3_600);
    // Waits for what has begun.
    await checkpoints.pause();
    expect(checkpointsIn(place.data).toSorted()).toEqual(
      [current, 'content-young.checkpoint.part'].toSorted(),
    );
    expect(timers.count).toBe(0);
  });

  test('a checkpoint that cannot be written is logged and counted, and the previous one stays current', async () => {
    const running = await place.open();
    await running.service.ingest.ingest('users', [{ user_id: 'a' }]);
    const checkpoints = new Checkpoints({
      place: { data: place.data },
      checkpoint_store: running.service.store.checkpoints!,
      reads: ['no field' as Read],
      log: place.logger,
      changes: 1,
      every_seconds: 0,
    });
    await write(running);
    await checkpoints.writeNow();
    expect(checkpoints.figures).toMatchObject({ written: 0, failed: 1 });
    expect(place.said("'no field' is not a valid field")).toBe(1);
    expect(place.said('.ts')).toBe(0);
    expect(checkpointsIn(place.data)).toHaveLength(1);
    await place.close(running);
    expect((await place.open()).service.loaded.checkpoint_seq).toBeGreaterThan(0);
  });

  longTest('checkpoints of several PostgreSQL databases can share a folder', async () => {
    mkdirSync(place.data, { recursive: true });
    const places = [await emptyDatabase(), await emptyDatabase()].map((database_url) => ({
      settings: { database_url },
    }));
    for (const at of places) {
      const running = await place.open(at);
      await place.contend(running, 5, 4);
      await write(running);
      await place.close(running);
    }
    expect(checkpointsIn(place.data)).toHaveLength(2);
    for (const at of places) {
      const running = await place.open(at);
      expect(running.service.loaded.checkpoint_seq).toBeGreaterThan(0);
      await place.close(running);
    }
  });

  test.skipIf(process.platform !== 'linux')(
    'a process that writes checkpoints is killed before the service when memory is short',
    async () => {
      const adjusted = (process_id: number | string) =>
        Number(readFileSync(`/proc/${process_id}/oom_score_adj`, 'utf8'));
      const next = { name: 'next', file: '/nowhere/next.checkpoint' };
      const { written } = startCheckpoint({ data: '/nowhere', community: 'content', reads: [], next }, true);
      const isChild = (name: string) => {
        try {
          return (
            readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(process.pid)
          );
        } catch {
          return false;
        }
      };
      const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name));
      expect(children.map(adjusted)).toContain(1000);
      expect(adjusted('self')).toBeLessThan(1000);
      await expect(written).rejects.toThrow();
    },
  );

  // This device never has free space.
  test.skipIf(process.platform !== 'linux')('checkpoints without disk space report only that', async () => {
    const running = await place.open();
    const { data } = place;
    const next = { name: 'next', file: '/proc/next.checkpoint' };
    const { written } = startCheckpoint({ data, community: 'content', reads: [], next }, true);
    await expect(written).rejects.toThrow(
      /^a checkpoint needs \d+ bytes, and half of the 0 free bytes must stay free$/,
    );
    await place.close(running);
  });

  test('checkpoints are written if the password of PostgreSQL is in the environment instead of the URL', async () => {
    const url = new URL(await emptyDatabase());
    const running = await place.open({ settings: { database_url: url.href } });
    await place.contend(running, 5, 4);
    const PGPASSWORD = url.password;
    url.password = '';
    const { data } = place;
    mkdirSync(data, { recursive: true });
    const next = { name: 'next', file: join(data, 'next.checkpoint') };
    const job = { data, database_url: url.href, community: 'content', reads: [], next };
    // Only the environment that a process was started with counts.
    const module = JSON.stringify(join(import.meta.dir, '../../src/checkpoint/child.ts'));
    const code = `const { startCheckpoint } = await import(${module});
      console.log(JSON.stringify(await startCheckpoint(${JSON.stringify(job)}, true).written));`;
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, PGPASSWORD };
    const child = Bun.spawn([process.execPath, '-e', code], { env, stdout: 'pipe', stderr: 'inherit' });
    expect(await child.stdout.json()).toMatchObject({ seq: running.service.state.seq });
    await place.close(running);
  });
});

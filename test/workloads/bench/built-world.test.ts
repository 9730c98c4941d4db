import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, monotonicMs } from '../../../src/clock.ts';
import { openService, type Service } from '../../../src/service.ts';
import { readSettings } from '../../../src/settings.ts';
import { builtWorld, removeUnfinished } from '../../../workloads/bench/built-world.ts';
import { Children } from '../../../workloads/bench/children.ts';
import { Results } from '../../../workloads/bench/measures.ts';
import { Progress } from '../../../workloads/bench/progress.ts';
import { measureFirstFeed } from '../../../workloads/bench/start-up.ts';
import { type BuiltBy, WORLD_NOW, WORLDS, type WorldSize } from '../../../workloads/bench/worlds.ts';

/** World L with its import, in a size that a test can build. */
const SIZE: WorldSize = { users: 300, items: 1_000, follows: 4_000, interactions: 12_000 };

let folder: string;
let children: Children;
const services: Partial<Record<BuiltBy, Service>> = {};

/** Discards its lines. */
class Silent extends Progress {
  override begin(_step: string): void {}
}

function built(name: string, built_by: BuiltBy, size = SIZE): Promise<string> {
  return builtWorld(children, new Silent(), folder, { name, size, built_by });
}

/** The pages of viewers with interactions. */
async function pages(built_by: BuiltBy, feed_type: 'for-you' | 'popular'): Promise<Record<string, string[]>> {
  const { feeds, state } = services[built_by]!;
  const all: Record<string, string[]> = {};
  for (let user = 0; user < state.users.size; user++) {
    if (state.interactions.by_user.length(user) === 0) continue;
    const user_id = state.users.names.id(user);
    const { items } = await feeds.serve(feed_type, { user_id, seed: 1, impression_count: 0 });
    all[user_id] = items.map(({ item_id }) => item_id);
  }
  return all;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feedloom-built-world-test-'));
  children = new Children();
  for (const built_by of ['http', 'import'] as const) {
    const settings = readSettings({}, { data: await built(built_by, built_by), derived_lag_ms: '0' });
    const clock = new ManualClock(WORLD_NOW);
    services[built_by] = await openService(settings, { command: 'test', clock, monotonicMs });
  }
}, 60_000);
afterAll(async () => {
  for (const { store } of Object.values(services)) await store.close();
  await children.killAll();
  rmSync(folder, { recursive: true, force: true });
});

describe('a world built by the importer', () => {
  test('has the same data as a world built over HTTP', () => {
    const sizes = ({ state }: Service) => ({
      users: state.users.size,
      items: state.items.size,
      follows: state.follows.size,
      interactions: state.interactions.by_user.size,
    });
    expect(sizes(services.import!)).toEqual(SIZE);
    expect(sizes(services.http!)).toEqual(SIZE);
  });

  test('gives the same popular pages as a world built over HTTP', async () => {
    const by_import = await pages('import', 'popular');
    expect(Object.keys(by_import).length).toBeGreaterThan(100);
    expect(by_import).toEqual(await pages('http', 'popular'));
  });

  test('ranks for-you pages differently, because over HTTP all records have one moment and give no momentum', async () => {
    expect(await pages('import', 'for-you')).not.toEqual(await pages('http', 'for-you'));
    expect(services.import!.state.applied_at).toBeLessThanOrEqual(WORLD_NOW);
  });

  test('leaves no temporary files and is reused for the same size', async () => {
    const data = await built('again', 'import');
    expect(readdirSync(folder).filter((name) => name.startsWith('world-again'))).toEqual(['world-again']);
    expect(readdirSync(data)).not.toContain('files');
    const marker = join(data, 'bench-world.json');
    const written_ms = statSync(marker).mtimeMs;
    expect(statSync(join(await built('again', 'import'), 'bench-world.json')).mtimeMs).toBe(written_ms);
    await built('again', 'import', { ...SIZE, interactions: 100 });
    expect(await Bun.file(marker).json()).toMatchObject({ size: { interactions: 100 } });
  });

  test('does not exist if its import was interrupted', async () => {
    class Interrupting extends Silent {
      override begin(step: string): void {
        // The child process has been started by now.
        if (step.startsWith('importing')) queueMicrotask(() => children.killNow());
      }
    }
    const world = { name: 'broken', size: SIZE, built_by: 'import' } as const;
    await expect(builtWorld(children, new Interrupting(), folder, world)).rejects.toThrow(
      'bench-part import',
    );
    const left = () => readdirSync(folder).filter((name) => name.startsWith('world-broken'));
    expect(left()).toEqual(['world-broken.building']);
    removeUnfinished(folder);
    expect(left()).toEqual([]);
  });
});

test('a failed start on an empty folder leaves no files behind', async () => {
  class Failing extends Children {
    override service(): Promise<never> {
      return Promise.reject(new Error('it did not start'));
    }
  }
  const kept = mkdtempSync(join(folder, 'kept-'));
  const failing = new Failing();
  const run = { world: WORLDS.S, children: failing, progress: new Silent(), results: new Results('S') };
  await expect(measureFirstFeed(run, kept)).rejects.toThrow('it did not start');
  await failing.killAll();
  removeUnfinished(kept);
  expect(readdirSync(kept)).toEqual([]);
});

test('a failing part of the bench is reported', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  await expect(children.importWorld(new Silent(), empty, join(empty, 'data'))).rejects.toThrow(
    'bench-part import ended with 2',
  );
});

import { describe, expect, test } from 'bun:test';
import { ManualClock, monotonicMs } from '../../src/clock.ts';
import { Reenactment } from '../../src/evaluate/community.ts';
import { Lessons } from '../../src/evaluate/lessons.ts';
import { readTimeline, type Timeline } from '../../src/evaluate/timeline.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { closeService, openService, type Service } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { VolatileStore } from '../../src/store/volatile.ts';
import { importInto, jsonl, withFolder } from '../interchange/support.ts';
import { openTestService } from '../support/service.ts';
import { digest } from '../support/state-digest.ts';
import { plantedReplay } from './planted.ts';
import { actsCsv, countsCsv, START } from './support.ts';

const END = START + 100_000;

const FILES = {
  ...plantedReplay(),
  'follows.csv': `user_id,target_user_id,timestamp\nu1,u6,${START + 40}\nu2,u7,\n`,
  'engagement.csv': countsCsv([['g0-1', 500, 12]]),
  'blocks.csv': 'user_id,target_user_id\nu3,u4\n',
};

/** Runs `work` with an empty community in memory and the timeline of some files. */
function reenacting(
  files: Record<string, string | Uint8Array>,
  work: (replayed: Reenactment, service: Service, timeline: Timeline, folder: string) => Promise<void>,
  print?: (line: string) => void,
): Promise<void> {
  return withFolder(files, async (folder) => {
    const log = new ImportLog(print === undefined, print ?? (() => {}));
    const timeline = await readTimeline(readFolder(folder).files, log);
    const clock = new ManualClock(0);
    const settings = { ...readSettings({}), derived_lag_ms: 0, exploration_percent: 0 };
    const lessons = new Lessons();
    const options = { command: 'test', clock, monotonicMs, store: new VolatileStore(), shown: lessons };
    const service = await openService(settings, options);
    await work(new Reenactment({ ...service, clock, lessons }, timeline, log), service, timeline, folder);
    await closeService(service);
  });
}

describe('a reenactment', () => {
  test('a reenactment reaches the state of an import, and serves the same pages as a service', async () => {
    await reenacting(FILES, async (replayed, { state }, timeline, folder) => {
      await replayed.advance(timeline.at(END));
      await using imported = await openTestService({ clock: new ManualClock(END) });
      await importInto(imported, folder);
      const probes = { wallets: [], event_ids: [] };
      expect(digest(state, probes)).toEqual(digest(imported.service.state, probes));
      for (const user_id of ['u0', 'u1', 'u3', 'stranger']) {
        const asked = { user_id, top_k: 20, seed: 5 };
        const page = await replayed.ask('for-you', asked);
        const served = await imported.service.feeds.serve('for-you', { ...asked, impression_count: 0 });
        expect(page.map((item) => timeline.items.id(item))).toEqual(
          served.items.map(({ item_id }) => item_id),
        );
      }
    });
  });

  test('a reenactment reaches the state of an import with sparse lines too', async () => {
    const described = [
      { item_id: 'a', author_id: 'w', created_at: START + 5, text: 'first' },
      { item_id: 'b', created_at: START + 6, text: 'the author is unknown' },
      { item_id: 'c', author_id: 'w' },
      { item_id: 'd', author_id: null, created_at: START + 7 },
      { item_id: 'a', text: 'second' },
      { item_id: 'd', hidden: true },
      { item_id: 'late', created_at: START + 50 },
      { item_id: 'e', author_id: 'w', created_at: START + 8 },
      { item_id: 'e', created_at: START + 1, text: 'earlier than it said' },
    ];
    const users = [
      { user_id: 'u', username: 'once', created_at: START + 9 },
      { user_id: 'u', username: 'now' },
    ];
    const files = {
      'items.jsonl': jsonl(described),
      'users.jsonl': jsonl(users),
      'interactions.csv': actsCsv(['a', 'b', 'c', 'd', 'late'].map((item, at) => ['u', item, 10 + at])),
    };
    const bad: string[] = [];
    await reenacting(
      files,
      async (replayed, { state }, timeline, folder) => {
        await replayed.advance(timeline.at(END));
        await using imported = await openTestService({ clock: new ManualClock(END) });
        const { lines } = await importInto(imported, folder);
        const probes = { wallets: [], event_ids: [] };
        expect(bad).toEqual(lines);
        expect(bad.length).toBe(2);
        expect(digest(state, probes)).toEqual(digest(imported.service.state, probes));
      },
      (line) => bad.push(line),
    );
  });

  test('a reenactment never runs ahead of its clock, and stops before a given act', async () => {
    const files = {
      'interactions.csv': actsCsv([
        ['u', 'a', 10],
        ['v', 'a', 20],
        ['w', 'a', 20],
        ['x', 'b', 30],
      ]),
    };
    await reenacting(files, async (replayed, { state, clock }, timeline) => {
      await replayed.advance(timeline.before(2));
      expect(clock.now()).toBe(START + 20);
      const item = state.items.names.find('a');
      expect(state.items.likes_count(item)).toBe(2);
      expect(state.items.created_at(item)).toBe(START + 10);
      expect(state.items.names.find('b')).toBe(-1);
      await replayed.advance(timeline.at(START + 20));
      expect(state.items.likes_count(item)).toBe(3);
      expect(state.applied_at).toBe(START + 20);
    });
  });

  test('a reenactment records nothing about the pages that it serves', async () => {
    await reenacting(FILES, async (replayed, { state }, timeline) => {
      await replayed.advance(timeline.at(END));
      const { seq } = state;
      const once = await replayed.ask('for-you', { user_id: 'u5', top_k: 5, seed: 1 });
      const again = await replayed.ask('for-you', { user_id: 'u5', top_k: 5, seed: 1 });
      expect(once.length).toBe(5);
      expect(again).toEqual(once);
      expect(state.seq).toBe(seq);
    });
  });
});

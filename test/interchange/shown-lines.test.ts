import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { exportFiles } from '../../src/interchange/exporter.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { scoreByte, signalByte } from '../../src/learner/features.ts';
import { DEFAULT_SCORE_KEY, signalKey } from '../../src/model/signal-key.ts';
import { LoggedCommunity } from '../http/logged-community.ts';
import { KEY } from '../http/support.ts';
import { START } from '../support/service.ts';
import { readFiles, withFolder } from './support.ts';

const NAMES: Record<number, string> = { [DEFAULT_SCORE_KEY]: 'default', [signalKey('popular')]: 'popular' };

/** The lines of `shown.jsonl`, which may be missing. */
async function shownLines(community: LoggedCommunity) {
  await community.log();
  return withFolder({}, async (folder) => {
    const target = new ExportFolder(folder, { force: false, gzip: false });
    const helpers = { signalName: (key: number) => NAMES[key] ?? 'unknown' };
    await exportFiles(community.server.service.store, target, undefined, helpers, community.server.clock);
    target.finish();
    const text = readFiles(folder)['shown.jsonl'] ?? '';
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  });
}

const show = (community: LoggedCommunity, user_id: string, top_k = 2) =>
  community.answer({ user_id, top_k, impression_count: top_k });

describe('the shown pages of an export', () => {
  test('have items, slots, origins and the acts of a day, but no id of a user', async () => {
    await using community = await LoggedCommunity.filled();
    await show(community, 'stranger-1');
    await community.act('ann', 'like', 'a', { timestamp: START - 5 });
    await show(community, 'ann', 3);
    await community.log();
    community.server.clock.advance(100_000);
    await community.act('ann', 'share', 'd', { timestamp: START + 60 });
    await community.act('ann', 'comment', 'c', { timestamp: START + 70 });
    await community.act('ann', 'like', 'e', { timestamp: START + 90_000 });
    await community.act('bob', 'like', 'd', { timestamp: START + 61 });
    const lines = await shownLines(community);
    expect(JSON.stringify(lines)).not.toMatch(/stranger|ann|bob/);
    const by_length = lines.toSorted((one, other) => one.items.length - other.items.length);
    const item = (item_id: string, slot: number, acts: object[] = []) => ({
      ...{ item_id, slot, origin: 'scored', values: [], acts },
    });
    const page = { viewer: expect.stringMatching(/^[0-9a-f]{32}$/), timestamp: START, feed_type: 'popular' };
    expect(by_length).toEqual([
      { ...page, weight: 1, signals: [], items: [item('e', 1), item('d', 2)] },
      {
        ...{ ...page, weight: 1, signals: [] },
        items: [
          item('e', 1),
          item('d', 2, [{ event_type: 'share', after_seconds: 60 }]),
          item('c', 3, [{ event_type: 'comment', after_seconds: 70 }]),
        ],
      },
    ]);
  });

  test('have the logged signals by name, near their values, and how the page teaches', async () => {
    await using community = await LoggedCommunity.filled();
    const { service } = community.server;
    const names = service.state.items.names;
    const [first, second] = ['a', 'b'].map((id) => names.key(names.find(id)));
    const learning = { window_seconds: 60, is_reported: true, is_control: false, is_learned: true };
    service.ingest.shown.add(service.seen.viewerOf('ann'), {
      ...{ time: START, feed: 7, feed_type: 'for-you', explored: { drawn: 1, from: 40 }, learning },
      ...{ items: Uint32Array.of(second, first), slots: Uint16Array.of(2, 5), origins: Uint8Array.of(0, 1) },
      signals: Uint32Array.of(DEFAULT_SCORE_KEY, signalKey('popular'), 5),
      signal_values: Uint8Array.of(
        ...[scoreByte(2), signalByte(0.25), 0],
        ...[scoreByte(0.5), signalByte(0), 255],
      ),
    });
    const [line] = await shownLines(community);
    expect(line).toEqual({
      ...{ viewer: expect.any(String), timestamp: START, feed_type: 'for-you', feed_id: 'feed_7', weight: 1 },
      ...{ explored: { drawn: 1, from: 40 }, learning, signals: ['default', 'popular', 'unknown'] },
      items: [
        { item_id: 'b', slot: 2, origin: 'scored', values: expect.any(Array), acts: [] },
        { item_id: 'a', slot: 5, origin: 'explored', values: expect.any(Array), acts: [] },
      ],
    });
    const [values, others] = line.items.map((each: { values: number[] }) => each.values);
    expect(values[0] / 2).toBeCloseTo(1, 1);
    expect(values[1] / 0.25).toBeCloseTo(1, 1);
    expect(others[0] / 0.5).toBeCloseTo(1, 1);
    expect([values[2], others[1], others[2]]).toEqual([0, 0, 1]);
  });

  test('leave out erased viewers, viewers without personal pages, and deleted items', async () => {
    await using community = await LoggedCommunity.filled();
    for (const user_id of ['ann', 'bob', 'eve', 'stranger']) await show(community, user_id);
    for (const user_id of ['ann', 'bob', 'eve']) await community.add('users', { user_id });
    expect(await shownLines(community)).toHaveLength(4);
    await community.remove('users', 'ann');
    expect(await shownLines(community)).toHaveLength(3);
    const path = '/v2/farcaster/users/bob/preferences';
    const { status } = await community.server.call('PUT', path, { personalised: false }, KEY);
    expect(status).toBe(200);
    expect(await shownLines(community)).toHaveLength(2);
    await community.remove('items', 'e');
    const lines = await shownLines(community);
    expect(lines.map(({ items }) => items.map(({ item_id }: { item_id: string }) => item_id))).toEqual([
      ['d'],
      ['d'],
    ]);
    await community.remove('items', 'd');
    expect(await shownLines(community)).toEqual([]);
    // A viewer who comes back after the erasure has pages again.
    community.server.clock.advance(100);
    await show(community, 'ann');
    expect(await shownLines(community)).toHaveLength(1);
  });

  test('are named by an import, which does not read them', async () => {
    await withFolder({ 'shown.jsonl': '{}\n', 'users.jsonl': '{"user_id":"ann"}\n' }, async (folder) => {
      const { files, ignored } = readFolder(folder);
      expect(files.map(({ kind }) => kind)).toEqual(['users']);
      expect(ignored).toEqual([
        { name: 'shown.jsonl', reason: expect.stringContaining('no import reads it') },
      ]);
      rmSync(join(folder, 'users.jsonl'));
      expect(() => readFolder(folder)).toThrow('there is no interchange file');
    });
  });
});

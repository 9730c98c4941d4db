import { describe, expect, test } from 'bun:test';
import { sweepSeenOf } from '../../src/community.ts';
import { LIMITS } from '../../src/limits.ts';
import { EMPTY_HEAD_BYTES } from '../../src/seen/head.ts';
import type { ListedSeen, SeenRemoval, SeenRows } from '../../src/seen/seen-store.ts';
import { type SweepOptions, sweepSeen } from '../../src/seen/sweep.ts';
import { VolatileSeen } from '../../src/store/volatile-seen.ts';
import { type Community, KEY, openCommunity } from '../http/support.ts';
import { temporaryFolder } from '../support/folder.ts';

const NOW = 1_700_000_000;
const DAY = 86_400;
const hash = (number: number): string => number.toString(16).padStart(32, '0');

/** Rows of which only ages and lengths count. */
class Rows extends VolatileSeen implements SeenRows {
  readonly removals: (readonly SeenRemoval[])[] = [];

  constructor(private readonly listed: readonly ListedSeen[]) {
    super();
  }

  override async list(after?: Pick<ListedSeen, 'viewer' | 'part'>, most = 0): Promise<ListedSeen[]> {
    const start = this.listed.findIndex(
      ({ viewer, part }) => viewer === after?.viewer && part === after.part,
    );
    return this.listed.slice(start + 1, start + 1 + most);
  }

  override async remove(removals: readonly SeenRemoval[] = []): Promise<void> {
    this.removals.push(removals);
  }
}

function row(number: number, part: number, days_old: number, bytes = 100): ListedSeen {
  return { viewer: hash(number), part, updated_at: NOW - days_old * DAY, bytes };
}

async function swept(rows: ListedSeen[], options: Partial<SweepOptions> = {}) {
  const store = new Rows(rows);
  const forgotten: string[] = [];
  const isKnown = (viewer: string) => viewer === hash(0);
  const onRemoved = (viewer: string) => forgotten.push(viewer);
  await sweepSeen(store, { now: NOW, isKnown, onRemoved, ...options });
  return { removals: store.removals, forgotten };
}

describe('a sweep', () => {
  test('removes nothing but tombstones of 90 days unless settings say so', async () => {
    const empty = EMPTY_HEAD_BYTES;
    const rows = [row(0, 0, 9_999), row(0, 1, 9_999), row(1, 0, 91, empty), row(2, 0, 89, empty)];
    const removal = { before: NOW - 90 * DAY, viewers: [hash(1)], whole: true };
    expect(await swept(rows)).toEqual({ removals: [[removal]], forgotten: [hash(1)] });
    expect(await swept(rows.slice(3))).toEqual({ removals: [], forgotten: [] });
  });

  test('removes rows and parts that are too old, and rows of strangers earlier, but no tombstone', async () => {
    const rows = [
      row(0, 0, 40),
      row(0, 1, 61),
      row(1, 0, 31),
      row(2, 0, 29),
      row(3, 0, 61),
      row(3, 1, 70),
      row(4, 0, 61, EMPTY_HEAD_BYTES),
    ];
    const { removals, forgotten } = await swept(rows, { days_kept: 60, strangers_days_kept: 30 });
    expect(removals).toEqual([
      [
        { before: NOW - 60 * DAY, viewers: [hash(0), hash(3)], whole: false },
        { before: NOW - 30 * DAY, viewers: [hash(1)], whole: true },
        { before: NOW - 60 * DAY, viewers: [hash(3)], whole: true },
      ],
    ]);
    expect([...new Set(forgotten)].sort()).toEqual([0, 1, 3].map(hash));
  });

  test('goes on where the last rows that it read end', async () => {
    const rows = Array.from({ length: LIMITS.seen_listed_max + 5 }, (_, number) => row(number, 0, 2));
    const { removals } = await swept(rows, { days_kept: 1 });
    expect(removals.map(([{ viewers }]) => viewers.length)).toEqual([LIMITS.seen_listed_max, 5]);
  });

  test('of a community forgets strangers and what is old, and neither known users nor late tombstones', async () => {
    await using community = await openCommunity({ data: temporaryFolder() });
    const { service, clock } = community.server;
    const settings = { ...service.settings, seen_strangers_days: 30, seen_days: 100 };
    await community.add('users', { user_id: 'known', username: 'known' }, { user_id: 'gone', username: 'g' });
    await community.addItem('a');
    await community.addItem('b');
    const show = (user_id: string) => community.ids('popular', { user_id, top_k: 1, impression_count: 1 });
    for (const user_id of ['known', 'guest', 'gone', 'erased']) await show(user_id);
    for (const user_id of ['gone', 'erased']) await community.remove('users', user_id);
    const stored = async () => (await service.store.seen.list(undefined, 99)).length;
    expect(await stored()).toBe(4);
    await sweepSeenOf(service, settings);
    expect(await stored()).toBe(4);
    clock.advance(31 * DAY);
    await show('recent');
    await sweepSeenOf(service, settings);
    expect(await isThere(community, 'guest')).toBeFalse();
    expect(await isThere(community, 'recent')).toBeTrue();
    expect(await show('guest')).toHaveLength(1);
    expect(await show('known')).toHaveLength(1);
    clock.advance(70 * DAY);
    await sweepSeenOf(service, settings);
    // Both tombstones are gone, and so are the strangers.
    expect(await stored()).toBe(1);
    clock.advance(31 * DAY);
    await sweepSeenOf(service, settings);
    expect(await stored()).toBe(0);
    expect(await community.ids('popular', { user_id: 'known' })).toHaveLength(2);
  });
});

async function isThere({ server }: Community, user_id: string): Promise<boolean> {
  return (await server.call('GET', `/v2/farcaster/users/${user_id}`, undefined, KEY)).status === 200;
}

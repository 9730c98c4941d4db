import { describe, expect, test } from 'bun:test';
import { countSince, engagementSince, repeatedSince } from '../../src/state/engagement.ts';
import { Repeats } from '../../src/state/repeats.ts';
import { DAY, itemOf, NOW, Scene } from '../support/scene.ts';

/** Likes, comments and shares of item `a` in the last `days` days before NOW. */
function within(scene: Scene, days: number): number {
  return engagementSince(scene.state, itemOf(scene, 'a'), NOW - days * DAY);
}

/** An item `a` created ten days ago. */
function scene(): Scene {
  return new Scene().item('a', { created_at: NOW - 10 * DAY });
}

/** A source count of likes, some days ago. */
function counted(scene: Scene, likes: number, days_ago: number): Scene {
  scene.now = NOW - days_ago * DAY;
  scene.count('a', likes).now = NOW;
  return scene;
}

/** The number of stored former like counts. */
function storedCounts({ state }: Scene): number {
  const list = state.items.former_list(itemOf({ state } as Scene, 'a'), 'likes_count');
  return list < 0 ? 0 : state.items.former_counts.end(list) - state.items.former_counts.start(list);
}

describe('engagement in a window', () => {
  test('engagement in a window is the own acts of counted types after its start', () => {
    const own = scene();
    for (const event of ['like', 'comment', 'share', 'view', 'bookmark', 'hide'] as const) {
      own.act('one', event, 'a', NOW - 2 * DAY).act('two', event, 'a', NOW - DAY);
    }
    expect([0, 1, 2, 3].map((days) => within(own, days))).toEqual([0, 0, 3, 6]);
    expect(countSince(own.state, itemOf(own, 'a'), 'likes_count', NOW - 2 * DAY)).toBe(1);
  });

  test('the first count of an item lies at its creation, whenever that is known or changed', () => {
    const first = counted(scene(), 40, 1);
    expect([0.5, 2, 9, 10, 11].map((days) => within(first, days))).toEqual([0, 0, 0, 0, 40]);
    first.item('a', { created_at: NOW - 3 * DAY });
    expect([0.5, 2, 3, 4].map((days) => within(first, days))).toEqual([0, 0, 0, 40]);
    first.item('a', { created_at: NOW - 0.25 * DAY });
    expect([0.2, 0.5].map((days) => within(first, days))).toEqual([0, 40]);
    const unknown = counted(new Scene(), 40, 1);
    expect(within(unknown, 2)).toBe(0);
    unknown.item('a', { created_at: NOW - 1.5 * DAY });
    expect([1.25, 2].map((days) => within(unknown, days))).toEqual([0, 40]);
  });

  test("rises lie at the time of the source's count", () => {
    const rising = [
      [10, 8],
      [15, 6],
      [15, 5],
      [35, 4],
    ].reduce((scene, [likes, days]) => counted(scene, likes, days), scene());
    expect([3, 4.5, 5.5, 6.5, 9, 11].map((days) => within(rising, days))).toEqual([0, 20, 20, 25, 25, 35]);
  });

  test('engagement does not include counts that the source lowered later', () => {
    const falling = counted(counted(counted(scene(), 10, 8), 500, 6), 12, 4);
    expect([5, 7, 11].map((days) => within(falling, days))).toEqual([0, 2, 12]);
    expect([5, 7, 11].map((days) => within(counted(falling, 20, 2), days))).toEqual([8, 10, 20]);
  });

  test('an own act counts once at its own time, whichever count includes it', () => {
    const both = counted(scene(), 10, 8);
    both.act('one', 'like', 'a', NOW - 7 * DAY).act('two', 'like', 'a', NOW - 6 * DAY);
    expect([6.5, 7.5].map((days) => within(both, days))).toEqual([1, 2]);
    counted(both, 15, 4);
    expect([3, 5, 6.5, 7.5, 11].map((days) => within(both, days))).toEqual([0, 3, 4, 5, 15]);
    both.act('three', 'like', 'a', NOW - DAY);
    expect([0.5, 2, 5, 11].map((days) => within(both, days))).toEqual([0, 1, 4, 16]);
    // A late act: the rise is the same, but more of it has its own time.
    both.act('four', 'like', 'a', NOW - 5 * DAY);
    expect([2, 4.5, 5.5, 11].map((days) => within(both, days))).toEqual([1, 3, 4, 16]);
    both.unact('two', 'like', 'a', NOW);
    expect([2, 4.5, 6.5, 11].map((days) => within(both, days))).toEqual([1, 4, 5, 16]);
  });

  test('own acts before the first count lie at their own times, and the rest at the creation', () => {
    const early = scene()
      .act('one', 'like', 'a', NOW - 5 * DAY)
      .act('two', 'like', 'a', NOW - 3 * DAY);
    counted(early, 12, 1);
    expect([2, 4, 6, 9, 11].map((days) => within(early, days))).toEqual([0, 1, 2, 2, 12]);
    // The source knows only one of them.
    expect([2, 4, 6, 11].map((days) => within(counted(early, 1, 1), days))).toEqual([0, 0, 1, 1]);
  });

  test('engagement restarts for an item that is deleted and posted again', () => {
    const again = counted(counted(scene(), 10, 8), 30, 6)
      .delete('a')
      .item('a', { created_at: NOW - 10 * DAY });
    expect([within(again, 7), storedCounts(again)]).toEqual([0, 0]);
    expect([5, 7, 11].map((days) => within(counted(again, 5, 4), days))).toEqual([0, 0, 5]);
  });

  test('engagement is correct for counters of any size', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const huge = counted(counted(scene(), most - 7, 2), most, 1);
    expect([1.5, 11].map((days) => within(huge, days))).toEqual([7, most]);
  });
});

describe('former counts', () => {
  test('former counts are stored from the first rise on, without duplicates', () => {
    const same = scene();
    for (let days = 9; days > 5; days--) counted(same, 4, days);
    expect(storedCounts(same)).toBe(0);
    for (let days = 4; days > 0; days -= 0.1) counted(same, 5, days);
    expect(storedCounts(same)).toBe(2);
    counted(same, 2, 0);
    expect(storedCounts(same)).toBe(0);
  });

  test('former counts are exact for 31 days and no longer', () => {
    const old = new Scene().item('a', { created_at: NOW - 500 * DAY });
    for (let day = 200; day >= 0; day--) counted(old, 1000 - day, day);
    expect([0.5, 1.5, 7.5, 30.5, 600].map((days) => within(old, days))).toEqual([1, 2, 8, 31, 1000]);
    expect(storedCounts(old)).toBeLessThan(35);
  });
});

describe('repeated engagement in a window', () => {
  const repeated = (scene: Scene, days: number) => {
    const repeats = new Repeats([scene.state.vocabulary.counted_by_any]);
    return repeatedSince(scene.state, repeats, itemOf(scene, 'a'), NOW - days * DAY);
  };

  test('repeated engagement is all counted acts of a user except their last one', () => {
    const own = scene();
    for (const days of [1, 3, 5]) {
      for (const event of ['like', 'comment', 'share', 'view', 'bookmark'] as const) {
        own.act(`u${days}`, event, 'a', NOW - days * DAY);
      }
      own.act('all day', 'comment', 'a', NOW - days * DAY);
    }
    expect([0.5, 2, 4, 6].map((days) => repeated(own, days))).toEqual([0, 2, 5, 8]);
    const users = [0.5, 2, 4, 6].map((days) => within(own, days) - repeated(own, days));
    expect(users).toEqual([0, 2, 3, 4]);
  });

  test('repeated engagement ignores acts that a source counted', () => {
    const own = scene();
    for (const hours of [50, 49, 48]) own.act('one', 'comment', 'a', NOW - hours * 3600);
    counted(own, 9, 1);
    expect(repeated(own, 5)).toBe(0);
    for (const hours of [3, 2, 1]) own.act('one', 'comment', 'a', NOW - hours * 3600);
    expect(repeated(own, 5)).toBe(2);
  });

  test('repeated engagement is searched for the first 256 users', () => {
    const own = scene();
    for (let time = 1; time < 10; time++) own.act('early', 'comment', 'a', NOW - 2 * DAY - time);
    for (let user = 0; user < 255; user++) own.act(`u${user}`, 'like', 'a', NOW - DAY);
    expect(repeated(own, 5)).toBe(0);
    const fewer = scene();
    for (let time = 1; time < 10; time++) fewer.act('early', 'comment', 'a', NOW - 2 * DAY - time);
    for (let user = 0; user < 254; user++) fewer.act(`u${user}`, 'like', 'a', NOW - DAY);
    expect(repeated(fewer, 5)).toBe(8);
  });
});

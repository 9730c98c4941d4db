import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { FeedDays } from '../../src/state/feed-days.ts';

const DAY = 86_400;
const listed = (days: FeedDays, time: number) => [...days.until(time)];

test('feeds of a day beyond the limit are counted together, and the limit is that of each day', () => {
  const days = new FeedDays();
  for (let feed = 1; feed <= LIMITS.feeds_counted_of_day + 2; feed++) days.countPage(DAY, feed, 1, 10);
  const first = listed(days, DAY);
  expect(first).toHaveLength(LIMITS.feeds_counted_of_day + 1);
  expect(first.at(-1)).toEqual({ day: 1, feed: 0, pages: 2, shown: 20, acts: 0 });
  days.countPage(DAY, 1, 1, 10);
  expect(listed(days, DAY)[0]).toEqual({ day: 1, feed: 1, pages: 2, shown: 20, acts: 0 });
  days.countAct(2 * DAY, LIMITS.feeds_counted_of_day + 2);
  expect(listed(days, 2 * DAY).at(-1)?.feed).toBe(LIMITS.feeds_counted_of_day + 2);
});

test('days beyond the kept ones are dropped when a new day begins, and restored counts go on', () => {
  const days = new FeedDays();
  for (let day = 1; day <= 40; day++) days.countPage(day * DAY, 7, 4, 3);
  const kept = Array.from({ length: LIMITS.feed_days_kept }, (_, at) => 41 - LIMITS.feed_days_kept + at);
  expect(listed(days, 0).map(({ day }) => day)).toEqual(kept);
  const restored = new FeedDays();
  restored.countAct(50 * DAY, 1);
  restored.restore(days.numbers());
  expect(restored.is_unsaved).toBe(false);
  restored.countAct(40 * DAY, 7);
  expect(restored.is_unsaved).toBe(true);
  expect(listed(restored, 40 * DAY).at(-1)).toEqual({ day: 40, feed: 7, pages: 4, shown: 12, acts: 1 });
});

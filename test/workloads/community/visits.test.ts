import { describe, expect, test } from 'bun:test';
import { DAY_SECONDS } from '../../../src/clock.ts';
import { createCommunity, DEMO_COMMUNITY } from '../../../workloads/community/community.ts';
import { PAGE_ITEMS, Readers, TABS, type Traffic, type Visit } from '../../../workloads/community/visits.ts';

const NOW = 1_764_865_269.5;
const UNTIL = NOW - 3 * DAY_SECONDS;
const TRAFFIC: Traffic = { share: 0.5, tabs: [0.2, 0.2, 0.2, 0.2, 0.2] };

const community = createCommunity({ ...DEMO_COMMUNITY, now: NOW });
const records = {
  users: [...community.users()],
  items: [...community.items()],
  follows: [...community.follows()],
  interactions: [...community.interactions()],
};
const posted = new Map(records.items.map(({ item_id, created_at }) => [item_id, created_at]));

function day(readers = new Readers(7, records)): { visits: Visit[]; pages: string[][] } {
  const visits = readers.visits(UNTIL - DAY_SECONDS, UNTIL, TRAFFIC, 3);
  return { visits, pages: visits.map((visit) => readers.page(visit)) };
}

describe('the readers of the demo', () => {
  test('visit every tab, at most once a day, and see the same at every run', () => {
    const { visits, pages } = day();
    expect(day()).toEqual({ visits, pages });
    expect(new Set(visits.map(({ tab }) => tab))).toEqual(new Set(TABS));
    expect(new Set(visits.map(({ user_id }) => user_id)).size).toBe(visits.length);
    expect(visits.length).toBeGreaterThan(100);
    for (const { timestamp } of visits) {
      expect(timestamp).toBeGreaterThanOrEqual(UNTIL - DAY_SECONDS);
      expect(timestamp).toBeLessThanOrEqual(UNTIL);
    }
  });

  test('see each post once on a page, and none that is not posted yet', () => {
    const { visits, pages } = day();
    for (const [at, page] of pages.entries()) {
      expect(page.length).toBeLessThanOrEqual(PAGE_ITEMS);
      expect(new Set(page).size).toBe(page.length);
      for (const item_id of page) expect(posted.get(item_id)).toBeLessThanOrEqual(visits[at].timestamp);
    }
  });

  test('find more of what they like in the next hours on personal pages than among the newest posts', () => {
    const readers = new Readers(7, records);
    const liked = new Set(records.interactions.map(({ user_id, item_id }) => `${user_id} ${item_id}`));
    const { visits } = day(readers);
    const countOn = (tab: Visit['tab']) =>
      visits.flatMap((visit) =>
        readers.page({ ...visit, tab }).filter((item_id) => liked.has(`${visit.user_id} ${item_id}`)),
      ).length;
    expect(countOn('for-you')).toBeGreaterThan(1.3 * countOn('latest'));
  });
});

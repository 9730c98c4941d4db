import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { apiOf, expectFits, forAll, openConsole, READY, untilHolds } from './console.ts';
import { MISSING, openStage, type Stage } from './support.ts';

/** Any days: the charts show what the service answers. */
const DAYS = Array.from({ length: 30 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')}`);
const NAMES = ['For you', 'Latest', 'Following', 'Music', 'Newcomers'];

function daysOf(feed_ids: readonly string[]): object[] {
  return DAYS.flatMap((day, at) =>
    [...feed_ids, null].map((feed_id, nth) => {
      const pages = 400 - nth * 60 + (at % 7) * 30;
      return { day, feed_id, pages, shown: pages * 25, acts: Math.round(pages * (1 - nth / 10)) };
    }),
  );
}

describe.skipIf(MISSING !== '')(`the first page of the console${MISSING}`, () => {
  let stage: Stage;
  let feed_ids: string[];
  forAll(async () => {
    stage = await openStage();
    const api = apiOf(stage);
    feed_ids = [];
    for (const name of NAMES) {
      const { data } = await api.createFeed({ name, endpoint: 'feeds/popular', config: {} });
      feed_ids.push(data.config_id);
    }
    const [one, other] = feed_ids;
    const variants = [
      { name: 'now', feed_id: one, percent: 50 },
      { name: 'new', feed_id: other, percent: 50 },
    ];
    const body = { name: 'Newest first', feed_id: one, variants, metric: 'like' as const };
    await api.call('POST', '/api/experiments', { body });
    // The service needs a month for these.
    await stage.context.route('**/api/totals', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ json: { data: { ...data, days: daysOf(feed_ids) } } });
    });
    return stage;
  });

  async function open(): Promise<Page> {
    const page = await openConsole(stage);
    await page.getByRole('heading', { name: 'Acts per thousand shown posts' }).waitFor();
    await untilHolds(page, READY);
    return page;
  }

  test('shows totals, the newest feeds, running experiments and the status', async () => {
    await using page = await open();
    const posts = page.locator('.facts > div', { hasText: 'Posts' });
    expect(await posts.locator('dd').textContent()).toBe('3,000');
    await page.getByRole('link', { name: 'Newcomers' }).waitFor();
    await page.getByRole('link', { name: 'Newest first' }).waitFor();
    await page.getByText('Ready').waitFor();
  });

  test('warns of plugins that were not loaded, stalled connectors, and feeds that fell back', async () => {
    await stage.context.route('**/readyz', async (route) => {
      const response = await route.fetch();
      const refused_plugins = [{ plugin: 'mine', code: 'plugin_rejected' }];
      const answer = { ...(await response.json()), status: 'degraded', refused_plugins };
      await route.fulfill({
        json: { ...answer, stalled_connectors: ['forum'], fallen_back_feeds: ['feed_1'] },
      });
    });
    await using page = await open();
    await page.getByText('mine was not loaded').waitFor();
    await page.getByText('The connector forum brings nothing in').waitFor();
    const fallen = page.getByText('The feed feed_1 fell back to the default order').getByRole('link');
    expect(await fallen.getAttribute('href')).toBe('#/feeds/feed_1?tab=learning');
    await stage.context.unroute('**/readyz');
  });

  test('draws acts per thousand shown posts by feed and day, with figures in a table', async () => {
    await using page = await open();
    const chart = page.locator('figure', {
      has: page.getByRole('heading', { name: 'Acts per thousand shown posts' }),
    });
    await chart.getByText('As a table').click();
    for (const name of ['For you', 'Latest', 'Following', 'all other pages'])
      await chart.getByRole('columnheader', { name, exact: true }).waitFor();
    const row = chart.getByRole('row', { name: '1 Jun', exact: false }).first();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['40', '36', '32', '25']);
  });

  test('is accessible in light and dark colours, and fits a phone', async () => {
    await using page = await open();
    await expectFits(page);
  });
});

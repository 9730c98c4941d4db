import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { CommunityHealth, FeedloomClient } from '../../openapi/client/src/index.ts';
import { apiOf, expectFits, forAll, openConsole, READY, untilHolds } from './console.ts';
import { MISSING, openStage, type Stage } from './support.ts';

/** Any days: the charts show what the service answers. */
const DAYS = Array.from({ length: 7 }, (_, at) => `2026-06-0${at + 1}`);

type Feed = CommunityHealth['feeds'][number];

/** Measures that change from day to day. @param nth of the feed */
function feedOf(feed_id: string | null, nth: number): Feed {
  const measures = (at: number) => ({
    ...{ pages: 2_000 - nth * 400, viewers: 240, shown: 50_000 - nth * 10_000 },
    ...{ newcomers_share: 0.04 + nth * 0.05 + at / 200, small_authors_share: 0.31 + nth / 20 - at / 300 },
    ...{ exposure_gini: 0.82 - nth * 0.1 - at / 150, coverage: 0.24 - nth / 20, new_coverage: 0.8 - nth / 9 },
    ...{ repetition: nth === 2 ? null : 0.08 + at / 400, distance: nth === 1 ? 0 : 0.87 - at / 100 },
  });
  return { feed_id, total: measures(3), days: DAYS.map((day, at) => ({ day, ...measures(at) })) };
}

describe.skipIf(MISSING !== '')(`the page about the community${MISSING}`, () => {
  let stage: Stage;
  let api: FeedloomClient;
  let feed_ids: string[];
  forAll(async () => {
    stage = await openStage();
    api = apiOf(stage);
    feed_ids = [];
    for (const name of [
      'For you',
      'Latest',
      'Music in English',
      'Newcomers of this week and their first posts',
    ]) {
      const { data } = await api.createFeed({ name, endpoint: 'feeds/popular', config: {} });
      feed_ids.push(data.config_id);
    }
    return stage;
  });

  async function open(where = '#/community'): Promise<Page> {
    const page = await openConsole(stage, where);
    await page.getByRole('heading', { name: 'Community', level: 1 }).waitFor();
    await untilHolds(page, READY);
    return page;
  }

  /** What it takes days to measure. */
  async function withDays(): Promise<void> {
    await stage.context.route('**/api/community-health?*', async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: CommunityHealth };
      const feeds = [null, ...feed_ids].map(feedOf);
      const sample = { pages: 2_000, viewers: 240, viewers_share: 0.124 };
      await route.fulfill({ json: { data: { ...data, sample, feeds } } });
    });
  }

  test('says that nothing was shown, then shows measures of the pages that viewers got', async () => {
    await using page = await open('#/community?days=1');
    await page.getByRole('heading', { name: 'Nothing was shown yet' }).waitFor();
    const posts = page.locator('.facts > div', { hasText: 'Posts there are' });
    expect(await posts.locator('dd').textContent()).toBe('3,000');
    for (const user_id of ['1393', '1394', '1393'])
      await api.popular({ user_id, feed_id: feed_ids[0], top_k: 5 });
    // Pages are logged within a second.
    const logged = async () => (await api.call('GET', '/api/totals')).data.days.at(0)?.pages ?? 0;
    while ((await logged()) < 3);
    await page.getByRole('button', { name: '7 days' }).click();
    const repetition = page.getByRole('region', { name: 'Repetition' });
    await repetition.getByText('All pages').waitFor();
    const rows = await repetition.getByRole('listitem').allInnerTexts();
    expect(rows.map((row) => row.split(/\s*\n\s*/))).toEqual([
      ['All pages', '33.3%'],
      ['For you', '33.3%'],
    ]);
    expect(page.url()).toEndWith('#/community');
  });

  test('draws each measure by feed and day, with one sentence on what it means', async () => {
    await withDays();
    await using page = await open();
    await page.getByText('A random sample: all pages of 12.4% of the viewers.').waitFor();
    const newcomers = page.getByRole('region', { name: 'Newcomers', exact: true });
    await newcomers.getByText('They wrote').waitFor();
    const chart = newcomers.locator('figure');
    await chart.getByText('As a table').click();
    const row = chart.getByRole('row', { name: '1 Jun' }).first();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['4 %', '9 %', '14 %', '19 %']);
    const distance = page.getByRole('region', { name: 'Difference between viewers' });
    expect(await distance.getByRole('listitem').filter({ hasText: 'For you' }).first().textContent()).toMatch(
      /0\.00$/,
    );
    const repetition = page.getByRole('region', { name: 'Repetition' });
    expect(
      await repetition.getByRole('listitem').filter({ hasText: 'Latest' }).first().textContent(),
    ).toMatch(/–$/);
    await stage.context.unroute('**/api/community-health?*');
  });

  test('opens by keyboard, is accessible in light and dark colours, and fits a phone', async () => {
    await withDays();
    await using page = await openConsole(stage);
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Repetition by day' }).waitFor();
    await untilHolds(page, READY);
    await expectFits(page);
    await stage.context.unroute('**/api/community-health?*');
  });
});

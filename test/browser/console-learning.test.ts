import { describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { FeedloomClient } from '../../openapi/client/src/index.ts';
import { consoleForAll, expectFits, SIZES } from './console.ts';
import { threeDaysOfLearning } from './learning-fixture.ts';
import { MISSING, type Stage } from './support.ts';

/** Any time: the charts show what the service answers. */
const END = 1_767_225_600;

describe.skipIf(MISSING !== '')(`the learning of a feed in the console${MISSING}`, () => {
  let stage: Stage;
  let api: FeedloomClient;
  let page: Page;
  consoleForAll('#/feeds', {}, (opened) => {
    ({ stage, api, page } = opened);
  });

  const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

  /** Opens the learning of a new feed. */
  async function show(config: object, endpoint: 'feeds/popular' | 'feeds/for-you' = 'feeds/for-you') {
    const { data } = await api.createFeed({ name: 'Home', endpoint, config });
    await page.setViewportSize(SIZES.laptop);
    await page.goto(`${stage.running.address}/console#/feeds/${data.config_id}?tab=learning`);
    await page.reload();
    await page.getByText(data.config_id, { exact: true }).waitFor();
    return data.config_id;
  }

  /** The service would need three days for this. @param given differs from it */
  async function withLearning(given: object, work: () => Promise<void>): Promise<void> {
    await page.route('**/api/learning?feed_id=*', (route) => {
      const feed_id = new URL(route.request().url()).searchParams.get('feed_id') ?? '';
      return route.fulfill({ json: { data: { ...threeDaysOfLearning(feed_id, END), ...given } } });
    });
    await work();
    await page.unroute('**/api/learning?feed_id=*');
  }

  test('shows the weights, those that moved most first, and their history', () =>
    withLearning({}, async () => {
      await show({ scoring: 'learned_v0.0.1' });
      await region('State').getByText('It learns from the pages that it shows').waitFor();
      await region('State').getByText('1,234', { exact: true }).waitFor();
      const names = await region('Weights now').getByRole('rowheader').locator('code').allInnerTexts();
      expect(names[0]).toBe('author_affinity');
      expect(names.at(-1)).toBe('default');
      const history = region('Weights over time');
      expect(await history.getByRole('figure').count()).toBe(1);
      await history.getByRole('button', { name: 'Show more' }).click();
      expect(await history.getByRole('figure').count()).toBe(2);
      await history.getByText('As a table').first().click();
      await history.getByRole('columnheader', { name: 'author_affinity' }).waitFor();
      await expectFits(page);
    }));

  test('says what is not known yet of a feed that has just begun', async () => {
    await show({ scoring: 'learned_v0.0.1' });
    await page.getByText('No page has taught this feed yet.').waitFor();
    expect(await region('Weights now').count()).toBe(0);
    expect(await region('Against the control').getByRole('cell', { name: '–' }).count()).toBe(4);
    await withLearning({ history: [] }, async () => {
      await page.reload();
      await region('Weights over time').getByText('The first weights are stored within an hour.').waitFor();
      expect(await region('Weights over time').getByRole('button').count()).toBe(0);
    });
  });

  test('shows the learnt order beside the control, with intervals', () =>
    withLearning({}, async () => {
      await show({ scoring: 'learned_v0.0.1' });
      const rows = region('Against the control').getByRole('row');
      await rows.filter({ hasText: 'Learnt order' }).getByText('0.35 to 0.37').waitFor();
      await rows.filter({ hasText: 'Control' }).getByText('0.28 to 0.34').waitFor();
    }));

  test('freezes, thaws and resets after a question', async () => {
    const feed_id = await show({ scoring: 'learned_v0.0.1' });
    const answer = async (action: string, window: string): Promise<void> => {
      await button(action).click();
      const dialog = page.getByRole('dialog', { name: window });
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const statusNow = async () =>
      (await api.call('GET', '/api/learning', { query: { feed_id } })).data.status;
    await button('Freeze').click();
    await button('Cancel').click();
    expect(await statusNow()).toBe('learning');
    await answer('Freeze', 'Freeze the weights');
    await region('State').getByText('Frozen: it learns no more, and keeps its order').waitFor();
    expect(await statusNow()).toBe('frozen');
    await answer('Thaw', 'Thaw the weights');
    await region('State').getByText('It learns from the pages that it shows').waitFor();
    expect(await statusNow()).toBe('learning');
    await answer('Reset', 'Reset the weights');
    await page.getByText('The weights are reset').waitFor();
    await page.goto(`${stage.running.address}/console#/health`);
    const log = page.getByRole('region', { name: 'Changes of feeds, experiments and keys' });
    for (const verb of ['froze', 'thawed', 'reset'])
      await log.getByText(`${verb} the learnt order of ${feed_id}`).waitFor();
    await log.getByRole('link', { name: feed_id }).first().click();
    await region('State').waitFor();
  });

  test('says since when a feed has fallen back, and what to do', () =>
    withLearning({ status: 'fell_back', fell_back_at: END }, async () => {
      await show({ scoring: 'learned_v0.0.1' });
      await region('State').getByText('It fell back to the default order').waitFor();
      await region('State').getByText('Find the cause, then reset the weights').waitFor();
      await region('State').locator('time').waitFor();
      await button('Reset').waitFor();
    }));

  test('starts an experiment against a copy that learns in one click, and opens it', async () => {
    const config = { scoring: 'newest_v0.0.1', filters: { languages: ['en'] } };
    const feed_id = await show(config);
    await button('Compare in an experiment').click();
    await page.getByRole('heading', { name: 'Experiments / Learned order' }).waitFor();
    const { data } = await api.call('GET', '/api/experiments', {});
    const experiment = data.find((one) => one.feed_id === feed_id);
    expect(experiment).toMatchObject({ status: 'running', variants: [{ percent: 50 }, { percent: 50 }] });
    const [control, learned] = experiment?.variants ?? [];
    expect(control.feed_id).toBe(feed_id);
    const { data: copy } = await api.readFeed(learned.feed_id);
    expect(copy).toMatchObject({
      ...{ name: 'Home (learned)', visibility: 'private', endpoint: 'feeds/for-you' },
      config: { ...config, scoring: 'learned_v0.0.1' },
    });
    expect((await api.readFeed(feed_id)).data.config).toEqual(config);
  });

  test('leaves no copy behind when the feed has an experiment already', async () => {
    const feed_id = await show({});
    const variants = ['control', 'other'].map((name) => ({ name, feed_id, percent: 50 }));
    await api.call('POST', '/api/experiments', {
      body: { name: 'First', feed_id, variants, metric: 'like' },
    });
    const before = (await api.listFeeds()).data.length;
    await button('Compare in an experiment').click();
    await page.locator('.toast.failed').waitFor();
    expect((await api.listFeeds()).data.length).toBe(before);
  });

  test('is not offered for popular feeds', async () => {
    await show({}, 'feeds/popular');
    await page.getByRole('link', { name: 'Revisions', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Learning', exact: true }).count()).toBe(0);
  });
});

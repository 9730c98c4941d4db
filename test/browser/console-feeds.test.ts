import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { FeedloomClient } from '../../openapi/client/src/index.ts';
import { consoleForAll, expectAccessible, expectFits, SIZES } from './console.ts';
import { MISSING, type Stage } from './support.ts';

const PLUGIN = join(import.meta.dir, '..', 'http', 'acme-plugin.ts');

describe.skipIf(MISSING !== '')(`the feeds of the console${MISSING}`, () => {
  let stage: Stage;
  let api: FeedloomClient;
  let page: Page;
  consoleForAll('#/feeds', { plugins: PLUGIN }, (opened) => {
    ({ stage, api, page } = opened);
  });

  const show = (where: string) => page.goto(`${stage.running.address}/console#/${where}`);
  const said = (text: string): Locator => page.locator('.toast > span').getByText(text, { exact: true });
  const field = (name: string): Locator => page.getByLabel(name, { exact: true });

  /** Opens the editor of a new feed. */
  async function edit(config: object = {}, endpoint: 'feeds/popular' | 'feeds/for-you' = 'feeds/popular') {
    const { data } = await api.createFeed({ name: 'Edited', endpoint, config });
    await show(`feeds/${data.config_id}`);
    // Nothing is left of what was done before.
    await page.reload();
    await page.getByText(data.config_id, { exact: true }).waitFor();
    return data.config_id;
  }

  /** Saves by the keyboard, and gives what is saved then. */
  async function save(config_id: string) {
    await page.keyboard.press('Control+Enter');
    await page
      .locator('.toast')
      .filter({ hasText: /^Saved/ })
      .getByRole('button', { name: 'Dismiss' })
      .click();
    return (await api.readFeed(config_id)).data;
  }

  /** Adds by typing the start of a name, as in every list of choices. */
  async function choose(into: Locator, typed: string, choice: string): Promise<void> {
    await into.fill(typed);
    await page.locator('.look-up').getByRole('option', { name: choice, selected: true }).waitFor();
    await page.keyboard.press('Enter');
  }

  test('makes a feed of English music videos of the last week without spam from a template and filters', async () => {
    await show('feeds');
    await page.getByRole('link', { name: 'New feed' }).first().click();
    await page.getByRole('heading', { name: 'New feed' }).waitFor();
    await page.keyboard.type('Music videos');
    await page.getByRole('radio', { name: /^Video only/ }).check();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Music videos/ }).waitFor();
    const add = field('Add a filter');
    await choose(add, 'week', 'Posted since');
    await choose(add, 'language', 'Languages');
    await choose(field('Languages'), 'engl', 'English');
    await choose(add, 'labels', 'Labels');
    await choose(field('Labels'), 'mus', 'music');
    await choose(add, 'drops', 'Without authors');
    await page.getByRole('button', { name: 'Remove the filter Without authors' }).click();
    await choose(add, 'spam', 'Without labels');
    await choose(field('Without labels'), 'spa', 'spam');
    const id = /feed_\d+/.exec(page.url())?.[0] ?? '';
    const { name, endpoint, config } = await save(id);
    expect({ name, endpoint, filters: config.filters }).toEqual({
      name: 'Music videos',
      endpoint: 'feeds/for-you',
      filters: {
        publication_types: ['video'],
        start_timestamp: 'days_ago:7',
        languages: ['en'],
        ai_labels: ['music'],
        remove_ai_labels: ['spam'],
      },
    });
    expect(stage.errors).toEqual([]);
  });

  test('sets what happens to posts that the viewer has seen', async () => {
    const id = await edit();
    await field('What happens to them').selectOption('Show them after all other posts, longest ago first');
    await page.locator('summary', { hasText: 'Times' }).click();
    await field('Hours before a seen post returns').fill('12');
    expect((await save(id)).config.seen).toEqual({ mode: 'last', rest_hours: 12 });
  });

  test('pins an item to slot 2, and takes it away again by Undo', async () => {
    const id = await edit();
    const [{ item_id }] = (await api.popular({ top_k: 1 })).body;
    await field('Promotion').selectOption({ label: 'Pin hand-picked posts' });
    await choose(field('Post 1'), item_id.slice(0, 8), item_id);
    // The slot has the focus now.
    await page.keyboard.type('2');
    await page.keyboard.press('Control+Enter');
    await said('Saved').waitFor();
    const { body } = await api.popular({ feed_id: id, top_k: 3 });
    expect(body[1]).toMatchObject({ item_id, promotion_name: 'promoted' });
    await field('Name').fill('Typed meanwhile');
    await page.getByRole('button', { name: 'Undo' }).click();
    await said('The feed is as it was before').waitFor();
    expect((await api.readFeed(id)).data.config).toEqual({});
    expect(await field('Promotion').inputValue()).toBe('');
    expect(await field('Name').inputValue()).toBe('Typed meanwhile');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await field('Name').inputValue()).toBe('Edited');
  });

  test('folds away what few feeds need, and opens it by keyboard', async () => {
    await edit({}, 'feeds/for-you');
    const limit = field('Candidates that are scored');
    await page.getByText('Effort').waitFor();
    expect(await limit.isVisible()).toBe(false);
    expect(await page.locator('details.folded[open]').count()).toBe(0);
    for (const [title, why] of [
      ['Effort', 'take too long'],
      ['Times', 'come back'],
      ['Finer diversity', 'say the same'],
      ['Other networks', 'Bluesky app'],
    ])
      await page.locator('summary', { hasText: title }).getByText(why).waitFor();
    await page.locator('summary', { hasText: 'Effort' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('700');
    expect(await limit.inputValue()).toBe('700');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('summary', { hasText: 'Finer diversity' }).click();
    await expectAccessible(page);
  });

  test('opens what is folded away where a value in it is set or refused', async () => {
    const config = { candidate_limit: 700, feed_diversity_config: { semantic: { lambda: 0.5 } } };
    await edit({ ...config, cold_start: { feed_id: await edit() } }, 'feeds/for-you');
    const open = page.locator('details.folded[open] > summary');
    expect((await open.allTextContents()).map((text) => text.split(' If ')[0])).toEqual([
      'Effort',
      'Finer diversity',
    ]);
    const newcomers = page.locator('details.folded', { hasText: 'Who is a newcomer' });
    await newcomers.locator('summary').click();
    await field('Newcomers have fewer interactions than').fill('-1');
    await newcomers.locator('summary').click();
    expect(await field('Newcomers have fewer interactions than').isVisible()).toBe(false);
    await page.keyboard.press('Control+Enter');
    await field('Newcomers have fewer interactions than').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('shows errors at their fields, and the first of them has the focus', async () => {
    const id = await edit();
    await field('Name').fill(' ');
    await field('Posts on a page').fill('0');
    await page.keyboard.press('Control+Enter');
    await page.getByText('2 values are not allowed').waitFor();
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Name');
    const error = page.locator('.field', { has: field('Posts on a page') }).getByRole('alert');
    expect(await error.textContent()).toBe('must be an integer from 1 to 1000');
    await field('Posts on a page').fill('10');
    await field('Name').fill('Ten');
    const { name, config } = await save(id);
    expect({ name, config }).toEqual({ name: 'Ten', config: { top_k: 10 } });
    expect(await page.locator('.field .error').count()).toBe(0);
  });

  test('edits what a third-party plugin adds, from the schema of its options', async () => {
    const id = await edit();
    await choose(field('Add a filter'), 'acme/in', 'acme/in_channel');
    await page.keyboard.type('https://example.community/channel/music');
    await field('Order by').selectOption({ label: 'The oldest first (acme/oldest_v1.0.0)' });
    await field('Scale').fill('2.5');
    const { config } = await save(id);
    expect(config).toEqual({
      filters: { 'acme/in_channel': { channel: 'https://example.community/channel/music' } },
      scoring: { name: 'acme/oldest_v1.0.0', options: { scale: 2.5 } },
    });
  });

  test('has a slider for the threshold of each label, and names authors', async () => {
    const id = await edit({ filters: { ai_labels: ['music'], author_ids: ['1000'] } });
    const threshold = page.getByLabel('Least score of music');
    await threshold.fill('0.8');
    await choose(field('Authors'), '1001', '1001');
    await field('Which authors').waitFor();
    const { config } = await save(id);
    expect(config.filters).toEqual({
      ai_labels: [{ label: 'music', threshold: 0.8 }],
      author_ids: ['1000', '1001'],
    });
    await field('Which authors').selectOption({ label: 'Authors whom the viewer follows' });
    expect((await save(id)).config).toMatchObject({ filters: { author_ids: 'following' } });
  });

  test('sets the feed of newcomers, a rule of a plugin, a promotion and what follows', async () => {
    const { data: other } = await api.createFeed({ name: 'Other feed', endpoint: 'feeds/popular' });
    const id = await edit({ cold_start_feed: other.config_id });
    expect(await field('Newcomers get').inputValue()).toBe(other.config_id);
    await page.locator('summary', { hasText: 'Who is a newcomer' }).click();
    await field('Newcomers have fewer interactions than').fill('3');
    await choose(field('Add a rule'), 'mute', 'acme/mute_v1.0.0');
    await page.keyboard.type('1000, 1001');
    await page.keyboard.press('Tab');
    await field('Promotion').selectOption({ label: 'Mix in posts of another feed' });
    await field('Percent of the page').fill('40');
    await field('From the feed').selectOption(other.config_id);
    await choose(field('When the feed runs out, continue with'), 'other', 'Other feed');
    await page.getByText('Then show popular posts of the whole network').click();
    expect((await save(id)).config).toEqual({
      cold_start: { feed_id: other.config_id, min_interactions: 3 },
      visibility_rules: { 'acme/mute_v1.0.0': { authors: ['1000', '1001'] } },
      promotion_filters: [
        { promotion_type: 'feed', promotion_name: 'promoted', percent: 40, feed_id: other.config_id },
      ],
      fallback_feeds: [{ feed_id: other.config_id }],
      return_global_fallback: true,
    });
  });

  test('has the config as JSON, both ways', async () => {
    const id = await edit({ top_k: 5 });
    await page.getByRole('link', { name: 'JSON' }).click();
    const json = field('Config as JSON');
    expect(JSON.parse(await json.inputValue())).toEqual({ top_k: 5 });
    await json.fill('{"top_k": 7,');
    await page.getByText('The JSON is not valid').waitFor();
    const error_id = await json.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${error_id}"]`).textContent()).toContain('JSON');
    await page.keyboard.press('Control+Enter');
    expect((await api.readFeed(id)).data.revision).toBe(1);
    await json.fill('{"top_k": 7, "filters": {"languages": ["en", "de"]}}');
    await page.getByRole('link', { name: 'Settings' }).click();
    expect(await field('Posts on a page').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Remove German (de)' }).click();
    expect((await save(id)).config).toEqual({ top_k: 7, filters: { languages: ['en'] } });
  });

  test('shows what somebody else changed meanwhile, and keeps the changes of both', async () => {
    const id = await edit({ top_k: 5 });
    await field('Name').fill('Mine');
    await api.changeFeed({ config_id: id, config: { top_k: 9 } });
    await page.keyboard.press('Control+Enter');
    const window = page.getByRole('dialog', { name: 'Somebody else changed this feed' });
    await window.getByText('top_k: 5 → 9').waitFor();
    await window.getByText('name: Edited → Mine').waitFor();
    await window.getByText('by FEEDLOOM_API_KEY').waitFor();
    await expectAccessible(page);
    await window.getByRole('button', { name: 'Keep both and save' }).click();
    await said('Saved').waitFor();
    const { name, config } = (await api.readFeed(id)).data;
    expect({ name, config }).toEqual({ name: 'Mine', config: { top_k: 9 } });
  });

  test('lists revisions with what they changed, and restores one', async () => {
    const id = await edit({ filters: { languages: ['en'] } });
    await api.changeFeed({ config_id: id, config: { filters: { languages: ['en', 'de'] } } });
    await page.reload();
    await page.getByRole('link', { name: 'Revisions' }).click();
    await page.getByText('filters.languages: en → en, de').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore revision 1' }).click();
    await page.getByText('filters.languages: en, de → en').waitFor();
    expect((await api.readFeed(id)).data.config).toEqual({ filters: { languages: ['en'] } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Revision 4' }).waitFor();
    expect((await api.readFeed(id)).data.config).toEqual({ filters: { languages: ['en', 'de'] } });
  });

  test('asks before unsaved changes are left', async () => {
    const id = await edit();
    await field('Name').fill('Left');
    await page.getByRole('link', { name: 'JSON' }).click();
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByRole('link', { name: 'Feeds' }).click();
    const window = page.getByRole('dialog', { name: 'Leave without saving?' });
    await window.getByRole('button', { name: 'Stay' }).click();
    expect(page.url()).toContain(id);
    await page.getByRole('navigation').getByRole('link', { name: 'Feeds' }).click();
    await window.getByRole('button', { name: 'Save and leave' }).click();
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor();
    expect((await api.readFeed(id)).data.name).toBe('Left');
  });

  test('finds, copies, deactivates and deletes feeds, and undoes it', async () => {
    const { data } = await api.createFeed({ name: 'Rare name', endpoint: 'feeds/trending' });
    await show('feeds');
    await page.reload();
    await page.getByRole('link', { name: 'Rare name' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('rare TREND');
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    await page.getByRole('link', { name: 'Edited' }).first().waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
    const act = async (action: string): Promise<void> => {
      await page.getByLabel('Actions for Rare name', { exact: true }).click();
      await page.getByRole('button', { name: action, exact: true }).click();
    };
    await act('Deactivate');
    await page.getByRole('cell', { name: 'inactive', exact: true }).waitFor();
    await act('Delete');
    await page.getByText('No feed matches').waitFor();
    await page.getByText('Deleted feeds (1)').waitFor();
    await page.locator('.toast', { hasText: 'Deleted' }).getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Rare name' }).waitFor();
    await page.getByText('Deleted feeds').waitFor({ state: 'detached' });
    await act('Delete');
    await page.reload();
    await page.getByText('Deleted feeds (1)').click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Bring back Rare name' }).click();
    await page.getByRole('link', { name: 'Rare name' }).waitFor();
    await act('Duplicate');
    await page.getByRole('heading', { name: 'Rare name (copy)' }).waitFor();
    const { data: feeds } = await api.listFeeds();
    expect(feeds[0]).toMatchObject({ name: 'Rare name (copy)', endpoint: 'feeds/trending' });
    expect(feeds.some(({ config_id }) => config_id === data.config_id)).toBe(true);
  });

  test('offers templates that all make a feed, which shows seen posts last unless it is chronological', async () => {
    await show('feeds/new');
    const radios = page.getByRole('radio');
    await radios.first().waitFor();
    const count = await radios.count();
    for (let at = 0; at < count; at++) {
      await show('feeds/new');
      await radios.nth(at).check();
      const asked = page.getByRole('combobox');
      if ((await asked.count()) > 0) {
        const label = await page.locator('.field').last().locator('label').textContent();
        if (label?.startsWith('Places') === true) {
          await asked.fill('34.05, -118.24');
          await page.keyboard.press('Enter');
        } else {
          await asked.click();
          await page.getByRole('option').first().click();
        }
      }
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('link', { name: 'Revisions' }).waitFor();
    }
    expect(count).toBeGreaterThanOrEqual(9);
    const { data } = await api.listFeeds();
    const made = data.slice(0, count);
    const chronological = made.filter(({ config }) => config.scoring === 'newest_v0.0.1');
    expect(chronological.map(({ name }) => name).sort()).toEqual(['Following, newest first', 'Latest']);
    for (const feed of made) {
      const is_chronological = chronological.includes(feed);
      const seen = { mode: is_chronological ? 'show' : 'last' };
      expect(feed.config).toMatchObject(is_chronological ? { seen, show_interacted_items: true } : { seen });
    }
    expect(stage.errors).toEqual([]);
  });

  test('says what is wrong with the choice that a template asks for', async () => {
    await show('feeds/new');
    await page.getByRole('radio', { name: /^Near a place/ }).check();
    await page.getByRole('combobox').fill('nowhere');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('geo_locations').waitFor();
  });

  test('fits a phone, and has no serious fault of accessibility', async () => {
    const filters = { ai_labels: ['music'], engagement: {}, languages: ['en'], author_ids: 'following' };
    const promotion_filters = [
      { promotion_type: 'items', promotion_name: 'p', promoted_items: [{ item_id: '1', rank: 2 }] },
    ];
    const id = await edit({ filters, promotion_filters });
    for (const where of ['feeds', 'feeds/new', `feeds/${id}`, `feeds/${id}?tab=json`]) {
      await show(where);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectFits(page);
      await page.setViewportSize(SIZES.laptop);
    }
  });
});

import { describe, expect, test } from 'bun:test';
import type { FeedloomClient } from '../../openapi/client/src/index.ts';
import { apiOf, fillAndSaveAtOnce, forAll, holdBack, untilHolds } from './console.ts';
import { openShared, type Shared } from './people.ts';
import { MISSING } from './support.ts';

describe.skipIf(MISSING !== '')(`keys that come before an answer of the service${MISSING}`, () => {
  let shared: Shared;
  let api: FeedloomClient;
  forAll(async () => {
    shared = await openShared();
    api = apiOf(shared.stage);
    return shared.stage;
  });

  /** Opens the editor of a new feed. */
  async function edit(config: object = {}): Promise<string> {
    const { page, go } = shared;
    const { data } = await api.createFeed({ name: 'Edited', endpoint: 'feeds/popular', config });
    await go(`#/feeds/${data.config_id}`);
    await page.getByText(data.config_id, { exact: true }).waitFor();
    return data.config_id;
  }

  const field = (name: string) => shared.page.getByLabel(name, { exact: true });
  const saved = () => shared.page.locator('.toast > span').getByText('Saved', { exact: true }).waitFor();

  test('Enter takes the first choice for what was typed, when its answer arrives', async () => {
    const { page, go } = shared;
    await go('#/posts?by=channel');
    const channel = page.getByRole('combobox', { name: 'Channel' });
    for (const next_key of ['Enter', 'Tab']) {
      await channel.fill('');
      const held = await holdBack(page, /\/channels\?.*search=ca/);
      await page.keyboard.type('ca');
      await page.keyboard.press('Enter');
      await held.asked;
      await page.keyboard.press(next_key);
      expect(await channel.inputValue()).toBe('ca');
      held.release();
      await untilHolds(
        page,
        'document.querySelector("main [role=combobox]").value.endsWith("/channel/cats")',
      );
    }
  });

  test('typing more, or Escape, takes Enter back', async () => {
    const { page, go } = shared;
    await go('#/posts?by=channel');
    const channel = page.getByRole('combobox', { name: 'Channel' });
    await channel.focus();
    const held = await holdBack(page, /\/channels\?.*search=ca/);
    await page.keyboard.type('ca');
    await page.keyboard.press('Enter');
    await held.asked;
    await page.keyboard.press('Escape');
    held.release();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'cats' }).waitFor();
    expect(await channel.inputValue()).toBe('ca');
  });

  test('saving waits for a choice, and loses nothing that was changed meanwhile', async () => {
    const { page } = shared;
    const id = await edit({ filters: { ai_labels: [], languages: ['de'] } });
    const held = await holdBack(page, '**/values?*');
    await field('Labels').fill('mus');
    await page.keyboard.press('Enter');
    await held.asked;
    await page.getByRole('button', { name: 'Remove German (de)' }).click();
    await field('Name').fill('Changed meanwhile');
    await page.keyboard.press('Control+Enter');
    held.release();
    await saved();
    const { name, config, revision } = (await api.readFeed(id)).data;
    expect({ name, config, revision }).toEqual({
      name: 'Changed meanwhile',
      config: { filters: { ai_labels: ['music'], languages: [] } },
      revision: 2,
    });
  });

  test('what is typed while a save is running is saved by the next Ctrl Enter', async () => {
    const { page } = shared;
    const id = await edit();
    const held = await holdBack(page, '**/api/feed/config');
    await field('Name').fill('One');
    await page.keyboard.press('Control+Enter');
    await held.asked;
    await field('Name').fill('Two');
    await page.keyboard.press('Control+Enter');
    held.release();
    await page.getByRole('heading', { name: 'Feeds / Two' }).waitFor();
    const { name, revision } = (await api.readFeed(id)).data;
    expect({ name, revision }).toEqual({ name: 'Two', revision: 3 });
  });

  test('fields that change before the page is drawn are all saved', async () => {
    const { page } = shared;
    const id = await edit();
    await fillAndSaveAtOnce(page, { Name: 'At once', 'Posts on a page': '7' });
    await saved();
    const { name, config } = (await api.readFeed(id)).data;
    expect({ name, config }).toEqual({ name: 'At once', config: { top_k: 7 } });
  });

  test('a text that is no JSON is not saved as what it was before', async () => {
    const { page } = shared;
    const id = await edit({ top_k: 5 });
    await page.getByRole('link', { name: 'JSON' }).click();
    await field('Config as JSON').fill('{"top_k": 6}');
    await fillAndSaveAtOnce(page, { 'Config as JSON': '{"top_k": 66' });
    await page.getByText('The JSON is not valid').waitFor();
    await fillAndSaveAtOnce(page, { 'Config as JSON': '{"top_k": 666}' });
    await saved();
    const { config, revision } = (await api.readFeed(id)).data;
    expect({ config, revision }).toEqual({ config: { top_k: 666 }, revision: 2 });
  });

  test('a new feed waits for the choice that its template asks for', async () => {
    const { page, go } = shared;
    await go('#/feeds/new');
    await page.getByRole('radio', { name: /^One channel/ }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('Choose at least one.').waitFor();
    const held = await holdBack(page, '**/values?*');
    await page.getByRole('combobox').fill('https://example.community/channel/mu');
    await page.keyboard.press('Enter');
    await held.asked;
    await page.getByRole('button', { name: 'Create' }).click();
    held.release();
    await page.getByRole('link', { name: 'Revisions' }).waitFor();
    const [{ config }] = (await api.listFeeds()).data;
    expect(config).toMatchObject({ filters: { channels: ['https://example.community/channel/music'] } });
  });

  test('a new feed does not ask any more for a choice that was made', async () => {
    const { page, go } = shared;
    await go('#/feeds/new');
    await page.getByRole('radio', { name: /^One channel/ }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    const alert = page.getByRole('alert').getByText('Choose at least one.');
    await alert.waitFor();
    await page.getByRole('combobox').fill('https://example.community/channel/music');
    await page.keyboard.press('Enter');
    await alert.waitFor({ state: 'detached' });
  });

  test('Enter opens the feed that is found, although the feeds are not loaded yet', async () => {
    const { page, go } = shared;
    await api.createFeed({ name: 'Quokka', endpoint: 'feeds/popular' });
    await go('#/health');
    const held = await holdBack(page, '**/api/feed/configs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('quok');
    await held.asked;
    await page.keyboard.press('Enter');
    held.release();
    await page.getByRole('heading', { name: 'Feeds / Quokka' }).waitFor();
  });

  test('Enter in a list opens the first that fits what was typed, not what was shown', async () => {
    const { page, go } = shared;
    for (const [where, search, opened] of [
      ['posts', 'cats', 'posts/cats-1'],
      ['viewers', 'cle', 'viewers/u-cleo'],
    ]) {
      await go(`#/${where}`);
      const held = await holdBack(page, new RegExp(`/${where === 'posts' ? 'items' : 'users'}\\?`));
      await page.keyboard.press('/');
      await page.keyboard.type(search);
      await page.keyboard.press('Enter');
      held.release();
      await page.waitForURL(`**/console#/${opened}`);
    }
  });

  test('a moderator takes back what is not stored yet', async () => {
    const { page, go } = shared;
    await go('#/reports');
    await page.getByRole('group').first().waitFor();
    const held = await holdBack(page, '**/v2/community/items');
    await page.keyboard.press('j');
    await page.keyboard.press('h');
    await held.asked;
    await page.keyboard.press('u');
    held.release();
    await page.getByText('The post is shown again.').waitFor();
    expect((await shared.ask('GET', '/v2/community/items/cats-1')).answer).not.toMatchObject({
      hidden: true,
    });
  });
});

import { describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { FeedloomClient } from '../../openapi/client/src/index.ts';
import { editAt } from '../support/edit.ts';
import { apiOf, expectFits, forAll } from './console.ts';
import { openShared } from './people.ts';
import { MISSING, type Stage } from './support.ts';

describe.skipIf(MISSING !== '')(`the lists of the console${MISSING}`, () => {
  let stage: Stage;
  let api: FeedloomClient;
  let page: Page;
  forAll(async () => {
    ({ stage, page } = await openShared());
    api = apiOf(stage);
    return stage;
    // The browser reports that the preview refuses a list without an identifier.
  }, /^Failed to load resource/);

  const show = async (where: string): Promise<void> => {
    await page.goto(`${stage.running.address}/console#/${where}`);
    await page.reload();
  };
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const rows = (): Locator => page.locator('tbody tr');

  test('makes a list, adds and removes users, and deletes it after a question', async () => {
    await show('lists');
    await page.getByText('There are no lists yet').waitFor();
    await button('New list').click();
    // The window begins in its first field.
    await page.keyboard.type('at://a/list');
    await page.getByLabel('Name').fill('Editors <b>');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Editors <b>' }).waitFor();
    await page.getByText('No one is on the list.').waitFor();
    const field = page.getByLabel('Add users');
    await field.fill('ben');
    await page.getByRole('option', { name: 'Ben Kiln', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 user added.').waitFor();
    await field.fill('u-bea, unknown');
    await page.getByText('2 users added.').waitFor();
    await rows().nth(2).waitFor();
    await page.getByRole('row').filter({ hasText: 'unknown' }).getByRole('button').click();
    await page.getByText('unknown is removed.').waitFor();
    expect((await api.getList('at://a/list')).user_ids.toSorted()).toEqual(['u-bea', 'u-ben']);
    await button('Undo').click();
    await page.getByText('3 users. Feeds name the list as').waitFor();
    await button('Delete…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There are no lists yet').waitFor();
    expect((await api.listLists()).lists).toEqual([]);
  });

  test('renames a list, and removes its name', async () => {
    await api.putList('named', { user_ids: ['u-ben'], name: 'Before' });
    await show('lists/named');
    const rename = async (heading: string, to: string): Promise<void> => {
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await button('Rename…').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type(to);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await rename('Before', 'After');
    await rename('After', '');
    await page.getByRole('heading', { name: 'named', exact: true }).waitFor();
    expect(await api.getList('named')).toMatchObject({ list_id: 'named', user_ids: ['u-ben'] });
    expect((await api.getList('named')).name).toBeUndefined();
    await api.deleteList('named');
  });

  test('tells what the service changed of a name', async () => {
    await api.putList('long-name', { user_ids: [] });
    await show('lists/long-name');
    await button('Rename…').click();
    await page.keyboard.insertText('n'.repeat(257));
    await page.keyboard.press('Enter');
    await page.getByText(/^The list is renamed\. .*256/).waitFor();
    expect((await api.getList('long-name')).name).toHaveLength(256);
    await api.deleteList('long-name');
  });

  test('does not make a list that is there', async () => {
    await api.putList('there', { user_ids: ['u-ben'] });
    await show('lists');
    await button('New list').click();
    await page.getByLabel('Identifier').fill('there');
    await page.keyboard.press('Enter');
    await page.getByText('There is a list there already.').waitFor();
    expect((await api.getList('there')).size).toBe(1);
    await api.deleteList('there');
  });

  test('shows the users of a list in parts, also after some were removed, and finds lists', async () => {
    const user_ids = Array.from({ length: 110 }, (_, at) => `member-${at}`);
    await api.putList('long', { user_ids, name: 'A long list' });
    await api.putList('empty', { user_ids: [] });
    await show('lists');
    await rows().nth(1).waitFor();
    expect(await rows().allInnerTexts()).toEqual(['empty\t0', 'A long list long\t110']);
    await expectFits(page);
    await page.getByLabel('Find lists').fill('A LONG');
    await page.keyboard.press('Enter');
    await rows().nth(49).waitFor();
    expect(await rows().count()).toBe(50);
    await button('Remove member-3').click();
    await page.getByText('109 users.').waitFor();
    await button('Show more').click();
    await rows().nth(98).waitFor();
    await button('Show more').click();
    await rows().nth(108).waitFor();
    await button('Show more').waitFor({ state: 'detached' });
    const shown = await rows().getByRole('link').allInnerTexts();
    expect(shown).toEqual(user_ids.filter((id) => id !== 'member-3'));
    await expectFits(page);
    await button('Delete…').click();
    await page.getByRole('dialog').waitFor();
    await expectFits(page);
  });

  test('are offered by the filters on authors', async () => {
    await api.putList('at://b/list', { user_ids: ['u-ben'], name: 'Friends' });
    const config = { filters: { author_ids: ['u-ada'] } };
    const { data } = await api.createFeed({ name: 'Of friends', endpoint: 'feeds/popular', config });
    await show(`feeds/${data.config_id}`);
    await page.getByLabel('Which authors').selectOption({ label: 'Authors on a list' });
    await page.getByPlaceholder('Find a list').fill('frie');
    await page.getByRole('option', { name: 'Friends' }).waitFor();
    await page.keyboard.press('Enter');
    await button('Remove at://b/list').waitFor();
    const saving = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.keyboard.press('Control+Enter');
    await saving;
    const saved = await api.readFeed(data.config_id);
    expect(saved.data.config).toMatchObject({ filters: { author_ids: 'list:at://b/list' } });
    await page.reload();
    await button('Remove at://b/list').waitFor();
  });

  test('have no buttons for a key that may not change them', async () => {
    await api.putList('read', { user_ids: ['u-ben'] });
    const { service } = stage.running;
    const { key } = await service.store.keys.create('default', ['config:write'], editAt(service.clock.now()));
    await show('lists');
    await button('Sign out').click();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'read' }).click();
    await rows().getByRole('link', { name: 'Ben Kiln' }).waitFor();
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
    expect(await page.getByLabel('Add users').count()).toBe(0);
  });
});

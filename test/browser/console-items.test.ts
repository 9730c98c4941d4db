import { describe, expect, test } from 'bun:test';
import { expectAccessible, expectFits, forAll, untilHolds } from './console.ts';
import { openShared, type Shared } from './people.ts';
import { MISSING } from './support.ts';

describe.skipIf(MISSING !== '')(`the items of the console${MISSING}`, () => {
  let shared: Shared;
  forAll(async () => {
    shared = await openShared();
    return shared.stage;
  });

  test('finds items by the start of their identifier', async () => {
    const { page, go } = shared;
    await go('#/posts');
    await page.getByText('The first song').waitFor();
    await page.getByRole('article').getByText('constructor', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('cats');
    await page.getByText('The first song').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console#/posts/cats-1');
  });

  test('finds items by words of their text, and goes on to older ones', async () => {
    const { page, go, stage } = shared;
    const now = stage.running.service.clock.now();
    const older = Array.from({ length: 30 }, (_, at) => ({
      ...{
        item_id: `old-${at}`,
        author_id: 'u-ben',
        created_at: now - 86_400 - at,
        text: `Kiln firing ${at}`,
      },
    }));
    await stage.running.service.ingest.ingest('items', older);
    await go('#/posts');
    await page.getByLabel('Find by').selectOption('Words');
    await page.getByText('The first song').waitFor();
    const field = page.getByLabel('Words of the text');
    await field.fill('SONG fi');
    await page.getByText('All posts were searched: 2 have these words.').waitFor();
    const posts = page.getByRole('list', { name: 'Posts found' }).getByRole('article');
    expect(await posts.count()).toBe(2);
    await field.fill('kiln');
    await page.getByRole('button', { name: 'Search older posts' }).click();
    await page.getByText('All posts were searched: 30 have these words.').waitFor();
    expect(await posts.count()).toBe(30);
    await field.fill('song kiln');
    await page.getByText('No post has all of these words.').waitFor();
    expect(page.url()).toEndWith('#/posts?by=words&q=song+kiln');
    await field.fill('w '.repeat(11));
    await page.getByRole('alert').getByText('expected 1 to 10 words').waitFor();
    for (const { item_id } of older) await stage.running.service.ingest.deleteItem(item_id, { account: 'a' });
    // The browser reports the answer 400 itself.
    stage.errors.length = 0;
  });

  test('shows similar posts, and who liked a post or acted on it in another way', async () => {
    const { page, go } = shared;
    await go('#/posts/song-1');
    const similar = page.getByRole('region', { name: 'Similar posts' });
    await similar.getByRole('listitem').first().waitFor();
    expect(await similar.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^The second song\s+acts 100%$/),
    ]);
    const who = page.getByRole('region', { name: 'Who acted on it' });
    await who.getByRole('link', { name: 'Ada Heron' }).waitFor();
    expect(await who.getByRole('link').allInnerTexts()).toEqual(['Bea Otter', 'Ada Heron']);
    await who.getByLabel('Act').selectOption('Shared');
    await who.getByText('No one so far.').waitFor();
    await similar.getByRole('link', { name: 'The second song' }).click();
    await page.waitForURL('**#/posts/song-2');
    await who.getByRole('link', { name: 'Ada Heron' }).waitFor({ state: 'detached' });
    await who.getByLabel('Act').selectOption('Shared');
    await who.getByRole('link', { name: 'Ada Heron' }).waitFor();
  });

  test('shows hashtags, titles of links and descriptions of pictures of an item', async () => {
    const { page, go, stage } = shared;
    const words = { tags: ['Vinyl', '<b>x'], link_titles: ['A page', 'w'.repeat(300)], alt_texts: ['A cat'] };
    await stage.running.service.ingest.ingest('items', [{ item_id: 'song-2', ...words }]);
    await go('#/posts/song-2');
    const about = page.getByRole('region', { name: 'About it' });
    await about.getByText('#Vinyl #<b>x').waitFor();
    await about.getByText('A page · www').waitFor();
    await about.getByText('A cat').waitFor();
    await expectFits(page);
  });

  test('finds items by author and by channel, which are looked up while typing', async () => {
    const { page, go } = shared;
    await go('#/posts?by=author');
    const author = page.getByRole('combobox', { name: 'Author' });
    await author.focus();
    await page.keyboard.type('be');
    const options = page.getByRole('listbox', { name: 'Found' }).getByRole('option');
    await options.filter({ hasText: 'as typed' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await author.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.type('n');
    await options.filter({ hasText: 'Bea Otter' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByText('<img src=x').waitFor({ state: 'detached' });
    expect(await author.inputValue()).toBe('u-ben');
    expect(await page.getByRole('list', { name: 'Posts found' }).getByRole('article').count()).toBe(5);
    await page.getByLabel('Find by').selectOption('Channel');
    const channel = page.getByRole('combobox', { name: 'Channel' });
    await channel.focus();
    await page.keyboard.press('ArrowDown');
    await options.filter({ hasText: 'music' }).waitFor();
    await options.filter({ hasText: 'cats' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('ca');
    await page.keyboard.press('Enter');
    await untilHolds(page, 'document.querySelector("main [role=combobox]").value.endsWith("/channel/cats")');
    await page.getByText('The first song').waitFor({ state: 'detached' });
    await page.getByText('<img src=x').waitFor();
  });

  test('lists channels, not people, after the way to find items changed from author to channel', async () => {
    const { page, go } = shared;
    await go('#/posts?by=author');
    const options = page.getByRole('listbox', { name: 'Found' }).getByRole('option');
    await page.getByRole('combobox', { name: 'Author' }).click();
    await options.filter({ hasText: 'Ada Heron' }).waitFor();
    await page.getByLabel('Find by').selectOption('Channel');
    await page.getByRole('combobox', { name: 'Channel' }).click();
    await options.first().waitFor();
    expect(await options.filter({ hasText: 'Ada Heron' }).count()).toBe(0);
    await options.filter({ hasText: 'music' }).waitFor();
  });

  test('leaves an unknown author as typed, and says so', async () => {
    const { page, go } = shared;
    await go('#/posts?by=author');
    await page.getByRole('combobox', { name: 'Author' }).fill('u-nobody');
    await page.keyboard.press('Tab');
    await page.getByText('The service has not seen this user yet.').waitFor();
    await page.getByRole('alert').getByText("there is no user 'u-nobody'").waitFor();
    // The browser reports the answer 404 itself.
    shared.stage.errors.length = 0;
  });

  test('shows hostile text as text, and loads pictures after a click', async () => {
    const { page, go, stage } = shared;
    await go('#/posts/cats-1');
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await page.getByText('<b>Cleo</b>').waitFor();
    const outside = page.locator('main a[href^=http]');
    const attributes = async (name: string) =>
      Promise.all((await outside.all()).map((link) => link.getAttribute(name)));
    expect(await attributes('href')).toEqual(['https://example.com/cats', 'https://example.com/page']);
    expect(await attributes('rel')).toEqual(['noreferrer noopener', 'noreferrer noopener']);
    expect(stage.elsewhere).toEqual([]);
    await page.getByRole('button', { name: /Show the picture/ }).click();
    await page.getByText('The picture could not be loaded').waitFor();
    expect(stage.elsewhere.splice(0)).toEqual(['https://pictures.example/cat.jpg']);
    stage.errors.length = 0;
  });

  test('shows labels, and counts over time as a drawing and in a table', async () => {
    const { page, go } = shared;
    await go('#/posts/song-1');
    const time = page.getByRole('region', { name: 'Over time' });
    // The likes may be in one hour or in two, and in this one or the last.
    await time.getByRole('img', { name: /Interactions\. .*Likes: last [012], highest [12]/ }).waitFor();
    await time.getByText('As a table').click();
    const rows = time.getByRole('row');
    await rows.nth(24).waitFor();
    const sums = [0, 0, 0, 0];
    for (const text of await rows.filter({ has: page.getByRole('cell') }).all()) {
      const cells = await text.getByRole('cell').allTextContents();
      for (const [at, cell] of cells.entries()) sums[at] += Number(cell);
    }
    expect(sums).toEqual([0, 2, 0, 0]);
    // Days are those of UTC, wherever the browser is.
    const tools = await page.context().newCDPSession(page);
    await tools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Los_Angeles' });
    await time.getByLabel('Counts').selectOption('Per day, last month');
    await rows.nth(30).waitFor();
    await time.getByRole('columnheader', { name: 'Day (UTC)' }).waitFor();
    const days = await time.getByRole('rowheader').allTextContents();
    expect(days.filter((day) => !/^\d{1,2} [A-Z][a-z]{2,3}$/.test(day))).toEqual([]);
    const shown = await time.locator('.when').first().textContent();
    expect(shown).toMatch(/^\d{1,2} [A-Z][a-z]{2,3} UTC$/);
    await tools.send('Emulation.setTimezoneOverride', { timezoneId: '' });
    expect(await page.getByRole('link', { name: 'Why on a page?' }).getAttribute('href')).toBe(
      '#/why?item=song-1',
    );
    const label = page.getByRole('region', { name: 'Labels' }).getByRole('listitem');
    expect(await label.allTextContents()).toEqual(['music0.90', 'joy0.25']);
  });

  test('shows an item whose identifier a path cannot carry, with its counts', async () => {
    const { page, go, ask } = shared;
    await ask('POST', '/v2/community/items', {
      item_id: '..',
      author_id: 'u-ben',
      created_at: 1_700_000_000,
    });
    await go('#/posts/..');
    const time = page.getByRole('region', { name: 'Over time' });
    await time.getByRole('img').first().waitFor();
    expect((await ask('DELETE', '/v2/community/items?item_id=..')).status).toBe(200);
  });

  test('hides an item, and deletes it after a question', async () => {
    const { page, go, ask } = shared;
    await go('#/posts/song-2');
    await page.getByRole('switch', { name: 'Hide from all feeds' }).check();
    await page.getByText('The post is hidden from all feeds.').waitFor();
    expect((await ask('GET', '/v2/community/items/song-2')).answer).toMatchObject({ hidden: true });
    await page.getByRole('button', { name: 'Delete…' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this post' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect((await ask('GET', '/v2/community/items/song-2')).status).toBe(200);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The post is deleted.').waitFor();
    expect((await ask('GET', '/v2/community/items/song-2')).status).toBe(404);
    await go('#/posts/song-2');
    await page.getByRole('heading', { name: 'There is no such post' }).waitFor();
  });

  test('says that an item is hidden with its author', async () => {
    const { page, go, ask } = shared;
    await ask('POST', '/v2/community/users', { user_id: 'u-cleo', hidden: true });
    await go('#/posts/cats-1');
    await page.getByText('Hidden with its author').waitFor();
    expect(await page.getByRole('switch', { name: 'Hide from all feeds' }).isChecked()).toBe(false);
    await ask('POST', '/v2/community/users', { user_id: 'u-cleo', hidden: false });
  });

  test('says whether a network, a moderator or both hide an item and a user', async () => {
    const { page, go, ask } = shared;
    const item = (fields: object) => ask('POST', '/v2/community/items', { item_id: 'cats-1', ...fields });
    const user = (fields: object) => ask('POST', '/v2/community/users', { user_id: 'u-cleo', ...fields });
    await item({ hidden_by_network: true });
    await user({ hidden_by_network: true });
    await go('#/posts/cats-1');
    await page.getByText('Hidden by its network').waitFor();
    const hides = page.getByRole('switch', { name: 'Hide from all feeds' });
    expect(await hides.isChecked()).toBe(false);
    await hides.check();
    await page.getByText('Hidden, also by its network').waitFor();
    await go('#/viewers/u-cleo');
    await page.getByText('Hidden by its network').waitFor();
    await item({ hidden: false, hidden_by_network: false });
    await user({ hidden_by_network: false });
  });

  test('is accessible, fits a phone and asks no other host', async () => {
    const { page, go } = shared;
    const places = {
      '#/posts': 'The fifth song',
      '#/posts?by=words&q=song': 'All posts were searched',
      '#/posts/song-1': 'Ada Heron',
      '#/posts/cats-1': 'As a table',
    };
    for (const [where, text] of Object.entries(places)) {
      await go(where);
      await page.getByText(text).waitFor();
      await expectFits(page);
    }
    await page.getByText('As a table').click();
    await page.getByRole('table').waitFor();
    await expectAccessible(page);
    await go('#/posts?by=author');
    await page.getByRole('combobox', { name: 'Author' }).fill('be');
    await page.getByRole('option', { name: 'Ben Kiln' }).waitFor();
    await expectAccessible(page);
  });
});

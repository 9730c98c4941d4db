import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FeedloomClient } from 'feedloom-client';
import type { Page, ViewportSize } from 'playwright-core';
import type { Running } from '../../src/cli/run-service.ts';
import { EXAMPLES, type RunningExample, startExample } from '../support/example.ts';
import { apiOf, expectAccessible, SIZES } from './console.ts';
import { KEY, MISSING, openStage, type Stage } from './support.ts';

const TOPICS = ['cats', 'dogs'] as const;
const POSTS = 30;
const PAGE = 20;
const EVERYTHING = 'You have reached the end.';

/** Posts about two topics, each with its own authors and its own readers. The topic liked most is not the newest. */
async function fill({ address, service }: Running): Promise<void> {
  const client = new FeedloomClient({ url: address, key: KEY });
  const now = service.clock.now();
  const posts = TOPICS.flatMap((topic) =>
    Array.from({ length: POSTS }, (_, nth) => ({
      item_id: `${topic}-${nth}`,
      author_id: `${topic}-author-${nth % 3}`,
      created_at: now - 60 * (nth + 1),
      text: `${topic} number ${nth}`,
    })),
  );
  await client.ingest('items', posts);
  const likes = posts.flatMap(({ item_id }, index) =>
    [0, 1, 2, 3, 4]
      .filter((reader) => (index + reader) % 5 !== 0)
      .map((reader) => ({
        user_id: `${item_id.split('-')[0]}-reader-${reader}`,
        item_id,
        event_type: 'like' as const,
      })),
  );
  await client.ingest('interactions', likes);
}

const posts = (page: Page) => page.locator('article');
const texts = (page: Page) => page.locator('article .text').allTextContents();
const minutesOf = (shown: string[]) => shown.map((text) => Number(text.split(' ').at(-1)));

function pageIsFull(page: Page): Promise<void> {
  return posts(page)
    .nth(PAGE - 1)
    .waitFor();
}

async function scrollToEnd(page: Page): Promise<void> {
  while ((await page.getByText(EVERYTHING).count()) === 0) {
    const count = await posts(page).count();
    await page.locator('#end').scrollIntoViewIfNeeded();
    const more = posts(page).nth(count).or(page.getByText(EVERYTHING));
    await more.first().waitFor();
  }
}

describe.skipIf(MISSING !== '').each(EXAMPLES)(`the example %s${MISSING}`, (example) => {
  let stage: Stage;
  let server: RunningExample;
  beforeAll(async () => {
    stage = await openStage({ derived_lag_ms: 0, exploration_percent: 0 }, fill);
    server = await startExample(example, { url: stage.running.address, key: KEY });
    stage.reachable.push(server.address);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await stage?.[Symbol.asyncDispose]();
  });

  /** A page where somebody has just signed in. Other pages are signed out by that, so they are closed. */
  async function signIn(name: string, size: ViewportSize = SIZES.laptop): Promise<Page> {
    await stage.context.clearCookies();
    const page = await stage.open(server.address);
    await page.setViewportSize(size);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await pageIsFull(page);
    return page;
  }

  async function openTab(page: Page, name: string): Promise<void> {
    const loaded = page.waitForResponse((answer) => answer.url().endsWith('/api/page'));
    await page.getByRole('link', { name, exact: true }).click();
    await loaded;
    await posts(page).first().waitFor();
  }

  test('keeps its reader signed in and the tab open when it is loaded again, until they sign out', async () => {
    const page = await signIn('ann');
    await openTab(page, 'Latest');
    await page.reload();
    await pageIsFull(page);
    expect(await page.locator('[aria-current=page]').textContent()).toBe('Latest');
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Name').waitFor();
    await page.reload();
    await page.getByLabel('Name').waitFor();
    expect(await posts(page).count()).toBe(0);
    await page.close();
  });

  test('has tabs with other orders: by taste, of followed authors, and newest first', async () => {
    const page = await signIn('dogs-reader-0');
    const for_you = await texts(page);
    expect(for_you.slice(0, 3).every((text) => text.startsWith('dogs'))).toBe(true);
    await page.getByRole('link', { name: 'Following', exact: true }).click();
    await page.getByText('Nobody whom you follow has posted.').waitFor();
    await openTab(page, 'Latest');
    await pageIsFull(page);
    const latest = await texts(page);
    expect(minutesOf(latest)).toEqual(minutesOf(latest).toSorted((one, other) => one - other));
    expect(latest).not.toEqual(for_you.slice(0, latest.length));
    const author = await page.locator('.author').first().textContent();
    await page.getByRole('button', { name: 'Follow', exact: true }).first().click();
    await page.getByRole('button', { name: 'Following', exact: true }).first().waitFor();
    await openTab(page, 'Following');
    await scrollToEnd(page);
    expect(new Set(await page.locator('article .author').allTextContents())).toEqual(new Set([author!]));
    const following = minutesOf(await texts(page));
    expect(following).toEqual(following.toSorted((one, other) => one - other));
    expect(following).toHaveLength(POSTS / 3);
    expect(stage.errors).toEqual([]);
    await page.close();
  });

  test('counts a like, shows it after a reload, and takes it back', async () => {
    const page = await signIn('liker');
    await openTab(page, 'Latest');
    const post = posts(page).filter({ hasText: 'cats number 3' });
    const like = post.getByRole('button', { name: 'Like' });
    const countOf = async () => Number(await like.locator('b').textContent());
    const client = apiOf(stage);
    const stored = async () => {
      const { body } = await client.popular({ top_k: 2 * POSTS, return_metadata: true });
      return body.find(({ item_id }) => item_id === 'cats-3')!.metadata!.likes_count;
    };
    const before = await countOf();
    expect(before).toBe(await stored());
    await like.click();
    await post.locator('.like[aria-pressed=true]').waitFor();
    expect(await countOf()).toBe(before + 1);
    expect(await stored()).toBe(before + 1);
    await page.reload();
    await post.locator('.like[aria-pressed=true]').waitFor();
    expect(await countOf()).toBe(before + 1);
    await like.click();
    await post.locator('.like[aria-pressed=false]').waitFor();
    expect(await countOf()).toBe(before);
    expect(await stored()).toBe(before);
    await page.close();
  });

  test('does not begin For you with what was on the screen, and shows it behind everything else', async () => {
    const page = await signIn('tab-reader', SIZES.phone);
    const reported = await page.waitForRequest((request) => request.url().endsWith('/api/seen'));
    const seen: string[] = reported
      .postDataJSON()
      .flatMap(({ item_ids }: { item_ids: string[] }) => item_ids);
    // Of twenty posts that were loaded, a phone shows a few.
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(PAGE / 2);
    await (await reported.response())!.finished();
    const seen_texts = seen.map((item_id) => item_id.replace('-', ' number '));
    await page.reload();
    await pageIsFull(page);
    expect((await texts(page)).filter((text) => seen_texts.includes(text))).toEqual([]);
    await scrollToEnd(page);
    const shown = await texts(page);
    expect(shown).toHaveLength(new Set(shown).size);
    expect(shown.slice(-seen.length).toSorted()).toEqual(seen_texts.toSorted());
    expect(await page.locator('.seen-before ~ article').count()).toBe(seen.length);
    await page.close();
  });

  test('reports a post before a like or a follow on it, so that the act counts for the feed', async () => {
    const page = await signIn('quick-reader');
    await openTab(page, 'Latest');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(`${request.url().split('/api/')[1]} ${request.postData()}`));
    const last = posts(page).nth(PAGE - 1);
    const shown = (await last.locator('.text').textContent())!.replace(' number ', '-');
    const act = async (action: string, button: string) => {
      // Without scrolling there: nobody could have looked at it for a second.
      await last.locator(button).dispatchEvent('click');
      await last.locator(`${button}[aria-pressed=true]`).waitFor();
      const at = calls.findIndex((call) => call.startsWith(action));
      const report = calls.findIndex((call) => call.startsWith('seen') && call.includes(`"${shown}"`));
      return report >= 0 && report < at;
    };
    expect(await act('like', '.like')).toBe(true);
    expect(await act('follow', '.follow')).toBe(true);
    const reports = calls.filter((call) => call.startsWith('seen') && call.includes(`"${shown}"`));
    expect(reports).toHaveLength(1);
    await page.close();
  });

  test('shows the member by name, and what a reply replies to, its channel and comments', async () => {
    const client = apiOf(stage);
    const created_at = stage.running.service.clock.now();
    await client.ingest('users', { user_id: 'named', display_name: 'Nora N.' });
    const thread = { item_id: 'thread', author_id: 'named', created_at: created_at - 1, text: 'a thread' };
    const channel = 'https://forum.example/channel/bread';
    const reply = {
      item_id: 'reply',
      author_id: 'x',
      created_at,
      channel,
      parent_item_id: 'thread',
      text: 'yes',
    };
    await client.ingest('items', [thread, reply]);
    await client.ingest('interactions', { user_id: 'x', item_id: 'thread', event_type: 'comment' });
    const page = await signIn('named');
    expect(await page.locator('#name').textContent()).toBe('Nora N.');
    await openTab(page, 'Latest');
    const part = (nth: number, selector: string) => posts(page).nth(nth).locator(selector).textContent();
    expect(await part(0, '.reply-to')).toBe('A reply to Nora N.');
    expect(await part(0, '.channel')).toBe('bread');
    expect(await part(1, '.comments')).toBe('1 comment');
    await page.getByLabel('What is new?').fill('mine');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByText('mine', { exact: true }).waitFor();
    expect(await part(0, '.author')).toBe('Nora N.');
    await page.close();
    for (const item_id of ['thread', 'reply']) await client.deleteItem(item_id);
  });

  test('shows pictures without broken ones, and sends a view when one is enlarged', async () => {
    const client = apiOf(stage);
    const created_at = stage.running.service.clock.now();
    const embed_items = ['sea', 'gone'].map((name) => `https://pictures.example/${name}`);
    const publication_types = ['image'];
    await client.ingest('items', {
      item_id: 'photo',
      author_id: 'eva',
      created_at,
      embed_items,
      publication_types,
    });
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const pictures = 'https://pictures.example/**';
    await stage.context.route(pictures, (route) =>
      route.request().url().endsWith('sea')
        ? route.fulfill({ body, contentType: 'image/svg+xml' })
        : route.fulfill({ status: 404 }),
    );
    const page = await signIn(`looker-${example}`);
    await page.getByText('Nobody has this user_id yet: you begin as a new member.').waitFor();
    await openTab(page, 'Latest');
    const photo = posts(page).first();
    await photo.locator('img').nth(1).waitFor({ state: 'detached' });
    const picture = photo.getByRole('button', { name: 'Picture by eva' });
    const viewed = page.waitForResponse((answer) => answer.url().endsWith('/api/view'));
    await picture.click();
    expect((await viewed).request().postDataJSON()).toEqual({ item_id: 'photo' });
    expect((await viewed).status()).toBe(200);
    expect(await picture.getAttribute('aria-expanded')).toBe('true');
    expect(await page.evaluate("document.querySelector('.enlarge img').naturalWidth")).toBe(9);
    // The browser writes an error for the picture that is not there.
    stage.errors.length = 0;
    await page.close();
    await stage.context.unroute(pictures);
    await client.deleteItem('photo');
  });

  test('reports what was on the screen when the page is left', async () => {
    const user_id = `leaver-${example}`;
    const client = apiOf(stage);
    await client.ingest('users', { user_id });
    await stage.context.clearCookies();
    const page = await stage.open('about:blank');
    await page.clock.install();
    await page.goto(server.address);
    await page.getByLabel('Name').fill(user_id);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await pageIsFull(page);
    // Observers of the page are called with its frames.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    // Long enough to have looked, and too short for the next report.
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 200);
    await page.clock.runFor(1_000);
    const shown = async () => {
      const query = { user_id };
      return (await client.call('GET', '/v2/{network}/users/insight', { query })).shown_items;
    };
    expect(await shown()).toBe(0);
    await page.goto('about:blank');
    while ((await shown()) === 0);
    // All pages have this clock.
    await page.clock.resume();
    await page.close();
  });

  test('shows a new post at once and to others, as text, whatever it contains', async () => {
    const text = `birds <img src=x onerror="document.title='run'"> ${example}`;
    const author = await signIn('author');
    await author.getByLabel('What is new?').fill(text);
    await author.getByRole('button', { name: 'Post', exact: true }).click();
    await author.getByText(text).waitFor();
    await author.close();
    const client = apiOf(stage);
    const created_at = stage.running.service.clock.now();
    const html = { item_id: 'html', author_id: 'x', created_at, text: `<p>one</p><p>two ${text}</p>` };
    await client.ingest('items', { ...html, text_format: 'html' });
    const reader = await signIn('reader');
    await openTab(reader, 'Latest');
    expect((await texts(reader)).slice(0, 2)).toEqual([`one\ntwo birds  ${example}`, text]);
    expect(await reader.title()).toBe('Community');
    await client.deleteItem('html');
    await reader.close();
  });

  test('says when something fails, and goes on when it is tried again', async () => {
    const message = 'no feeds today';
    const page = await signIn('unlucky');
    await page.route('**/api/page', (route) => route.fulfill({ status: 503, json: { message } }));
    await page.getByRole('link', { name: 'Latest', exact: true }).click();
    await page.getByRole('alert').getByText(message).waitFor();
    // The browser writes an error for every refused request.
    stage.errors.length = 0;
    await page.unroute('**/api/page');
    await page.getByRole('button', { name: 'Try again' }).click();
    await pageIsFull(page);
    expect(await page.getByRole('alert').isVisible()).toBe(false);
    await page.close();
  });

  test('begins a tab again when its cursor has expired, and when the tab is chosen again', async () => {
    const page = await signIn('night-reader');
    await openTab(page, 'Latest');
    const before = await texts(page);
    let expired = false;
    await page.route('**/api/page', (route) => {
      if (expired || route.request().postDataJSON().cursor === undefined) return route.continue();
      expired = true;
      return route.fulfill({ status: 400, json: { message: 'too old' } });
    });
    const begun = page.waitForRequest((request) => expired && request.url().endsWith('/api/page'));
    await page.locator('#end').scrollIntoViewIfNeeded();
    expect((await begun).postDataJSON().cursor).toBeUndefined();
    await pageIsFull(page);
    expect((await texts(page)).slice(0, PAGE)).toEqual(before.slice(0, PAGE));
    expect(await page.getByRole('alert').isVisible()).toBe(false);
    stage.errors.length = 0;
    await openTab(page, 'Latest');
    await page.close();
  });

  test('counts a post that is longer than the screen as seen', async () => {
    const client = apiOf(stage);
    const created_at = stage.running.service.clock.now();
    const text = 'a line\n'.repeat(200);
    await client.ingest('items', { item_id: 'long', author_id: 'x', created_at, text });
    const page = await signIn('patient', SIZES.phone);
    const reported = page.waitForRequest(
      (request) => request.url().endsWith('/api/seen') && request.postData()!.includes('"long"'),
    );
    await openTab(page, 'Latest');
    await posts(page).first().locator('.text').scrollIntoViewIfNeeded();
    await reported;
    await client.deleteItem('long');
    await page.close();
  });

  test.each(Object.entries(SIZES))('is accessible and fits a %s', async (_, size) => {
    await stage.context.clearCookies();
    const page = await stage.open(server.address);
    await page.setViewportSize(size);
    await page.getByLabel('Name').waitFor();
    await expectAccessible(page);
    await page.close();
    const signed_in = await signIn('ann', size);
    await expectAccessible(signed_in);
    expect(await signed_in.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(stage.elsewhere).toEqual([]);
    expect(stage.errors).toEqual([]);
    await signed_in.close();
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FeedloomClient } from 'feedloom-client';
import type { Page } from 'playwright-core';
import { startExample } from '../../deploy/example/server.ts';
import type { Running } from '../../src/cli/run-service.ts';
import { KEY, MISSING, openStage, type Stage } from './support.ts';

const TOPICS = ['cats', 'dogs'] as const;
const POSTS = 30;
const PAGE = 10;

/** Posts about two topics, each with its own authors and its own readers. */
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

describe.skipIf(MISSING !== '')(`the example app${MISSING}`, () => {
  let stage: Stage;
  let example: Bun.Server<undefined>;
  beforeAll(async () => {
    const settings = { cors_origins: ['*'], derived_lag_ms: 0, exploration_percent: 0 };
    stage = await openStage(settings, fill);
    example = startExample({ port: 0, url: stage.running.address, key: KEY });
    stage.reachable.push(example.url.origin);
  }, 120_000);
  afterAll(async () => {
    await example?.stop(true);
    await stage?.[Symbol.asyncDispose]();
  });

  async function signIn(name: string): Promise<Page> {
    const page = await stage.open(example.url.href);
    await page.setViewportSize({ width: 800, height: 600 });
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .locator('article')
      .nth(PAGE - 1)
      .waitFor();
    return page;
  }

  async function scrollToEnd(page: Page): Promise<void> {
    while ((await page.getByText('You have seen everything.').count()) === 0) {
      const count = await page.locator('article').count();
      await page.locator('#end').scrollIntoViewIfNeeded();
      await page
        .locator(`article:nth-of-type(${count + 1}), #end:not(:empty)`)
        .first()
        .waitFor();
    }
  }

  function texts(page: Page): Promise<string[]> {
    return page.locator('article .text').allTextContents();
  }

  test('shows the whole feed by scrolling, each post once, and says where it ends', async () => {
    const page = await signIn('scroller');
    await scrollToEnd(page);
    const shown = await texts(page);
    expect(shown.length).toBe(TOPICS.length * POSTS);
    expect(new Set(shown).size).toBe(shown.length);
    expect(stage.elsewhere).toEqual([]);
    expect(stage.errors).toEqual([]);
  }, 120_000);

  test('shows more of what the reader likes on the next page', async () => {
    const page = await signIn('cat-person');
    const post = page.locator('article', { hasText: 'cats' }).first();
    await post.getByRole('button', { name: 'Like' }).click();
    await post.locator('.like[aria-pressed="true"]').waitFor();
    await page.locator('#end').scrollIntoViewIfNeeded();
    await page
      .locator('article')
      .nth(2 * PAGE - 1)
      .waitFor();
    const next = (await texts(page)).slice(PAGE, 2 * PAGE);
    expect(next.filter((text) => text.startsWith('cats')).length).toBe(PAGE);
    expect(stage.errors).toEqual([]);
  }, 120_000);

  test('has tabs: what was seen comes last in For you, and Following and Latest are newest first', async () => {
    let page = await signIn('tab-reader');
    const [first] = await texts(page);
    // The report of what is on the screen may still be under way.
    do page = await signIn('tab-reader');
    while ((await texts(page))[0] === first);
    const reported = page.waitForResponse((answer) => answer.url().endsWith('/impressions'));
    await page.getByRole('button', { name: 'Latest' }).click();
    expect((await reported).status()).toBe(200);
    const minutesOf = (shown: string[]) => shown.map((text) => Number(text.split(' ').at(-1)));
    await page
      .locator('article')
      .nth(PAGE - 1)
      .waitFor();
    const latest = minutesOf(await texts(page));
    expect(latest).toEqual(latest.toSorted((one, other) => one - other));
    const post = page.locator('article').first();
    const author = await post.locator('.author').textContent();
    await post.getByRole('button', { name: 'Follow' }).click();
    await post.locator('.follow:disabled').waitFor();
    await page.getByRole('button', { name: 'Following' }).click();
    await scrollToEnd(page);
    expect(new Set(await page.locator('article .author').allTextContents())).toEqual(new Set([author!]));
    const following = minutesOf(await texts(page));
    expect(following).toEqual(following.toSorted((one, other) => one - other));
    expect(following).toHaveLength(POSTS / 3);
    expect(await page.getByRole('button', { name: 'Follow', exact: true }).count()).toBe(0);
    expect(stage.errors).toEqual([]);
  }, 120_000);

  test('shows a new post to others, as text', async () => {
    const author = await signIn('author');
    await author.getByLabel('What is new?').fill('birds <b>are new</b>');
    const posted = author.waitForResponse((answer) => answer.url().endsWith('/posts'));
    await author.getByRole('button', { name: 'Post', exact: true }).click();
    expect((await posted).status()).toBe(200);
    const reader = await signIn('reader');
    await scrollToEnd(reader);
    expect(await texts(reader)).toContain('birds <b>are new</b>');
  }, 120_000);

  test('says when something fails, and goes on when it is tried again', async () => {
    let fails = true;
    const reason = 'no token today';
    await stage.context.route('**/token', (route) =>
      fails ? route.fulfill({ status: 502, body: reason }) : route.fallback(),
    );
    const page = await stage.open(example.url.href);
    await page.getByLabel('Name').fill('unlucky');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText(reason).waitFor();
    // The browser tells of every refused request.
    stage.errors.length = 0;
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('article').first().waitFor();
    expect(await page.getByRole('alert').isVisible()).toBe(false);
    await stage.context.unroute('**/token');
  }, 120_000);

  test('answers 502 when Feedloom does not answer', async () => {
    const lonely = startExample({ port: 0, url: 'http://127.0.0.1:1', key: KEY });
    const { headers } = await fetch(`${lonely.url}sign-in`, { method: 'POST', body: '{"name":"ann"}' });
    const cookie = headers.get('set-cookie') ?? '';
    const { status } = await fetch(`${lonely.url}token`, { method: 'POST', body: '{}', headers: { cookie } });
    expect(status).toBe(502);
    await lonely.stop(true);
  }, 120_000);

  test('refuses tokens, posts, likes and follows without a session', async () => {
    for (const path of ['token', 'posts', 'likes', 'follows']) {
      const { status } = await fetch(`${example.url}${path}`, { method: 'POST', body: '{}' });
      expect([path, status]).toEqual([path, 401]);
    }
  });
});

import { describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { FeedloomClient } from '../../openapi/client/src/index.ts';
import { consoleForAll, expectAccessible, holdBack, SIZES } from './console.ts';
import { LANGUAGES, run } from './programs.ts';
import { KEY, MISSING, type Stage } from './support.ts';

const PREFIX = '/tools/feedloom';
/** A user of the demo's community. */
const VIEWER = '1393';
/** No user has it. Every character would end a literal that is not escaped. */
const QUOTES = `o'neil "\\x" $HOME`;
const ENDPOINTS = ['feeds/for-you', 'feeds/trending', 'casts/feed/popular'] as const;

describe.skipIf(MISSING !== '')(`what the editor offers for a saved feed${MISSING}`, () => {
  let stage: Stage;
  let api: FeedloomClient;
  let page: Page;
  consoleForAll('#/feeds', { base_path: PREFIX }, (opened) => {
    ({ stage, api, page } = opened);
  });

  const field = (name: string): Locator => page.getByLabel(name, { exact: true });
  const said = (text: string): Locator => page.locator('.toast > span').getByText(text, { exact: true });
  const window = (): Locator => page.getByRole('dialog', { name: 'Use this feed' });
  const back = (): Locator => page.getByRole('button', { name: /^Back to revision/ });

  async function open(config_id: string): Promise<void> {
    await page.goto(`${stage.running.address}/console#/feeds/${config_id}`);
    // Nothing is left of what was done before.
    await page.reload();
    await page.getByText(config_id, { exact: true }).waitFor({ state: 'attached' });
  }

  async function create(
    endpoint: (typeof ENDPOINTS)[number] | 'feeds/popular',
    config: object = { top_k: 3 },
  ) {
    const { data } = await api.createFeed({ name: 'Used', endpoint, config });
    await open(data.config_id);
    return data.config_id;
  }

  async function preview(user_id: string): Promise<void> {
    await field('Viewer').fill(user_id);
    await page.keyboard.press('Enter');
  }

  /** The snippet in a language, from the opened window. */
  async function snippet(language: string): Promise<string> {
    await window().getByRole('button', { name: language, exact: true }).click();
    return (
      (await window()
        .getByRole('region', { name: `Request in ${language}` })
        .textContent()) ?? ''
    );
  }

  const use = () => page.getByRole('button', { name: 'Use this feed' }).click();

  for (const { language, is_missing, why } of LANGUAGES) {
    test.skipIf(is_missing)(
      `the snippet for ${language} returns a page of the saved feed of every type${why}`,
      async () => {
        for (const endpoint of ENDPOINTS) {
          const id = await create(endpoint);
          await use();
          const shown = await snippet(language);
          expect(shown).toContain(id);
          expect(shown).toContain('FEEDLOOM_KEY');
          expect(shown).not.toContain(KEY);
          expect(shown.includes('USER_ID')).toBe(endpoint === 'feeds/for-you');
          const printed = await run(language, shown);
          const type = endpoint.split('/').at(-1) as 'for-you' | 'trending' | 'popular';
          const { body } = await api.feed(type, { feed_id: id, user_id: 'USER_ID' });
          expect(body.length).toBe(3);
          for (const { item_id } of body) expect(printed).toContain(item_id);
        }
      },
    );

    test.skipIf(is_missing)(
      `the snippet for ${language} names the viewer of the preview, whatever the id${why}`,
      async () => {
        await create('feeds/for-you');
        for (const viewer of [VIEWER, QUOTES]) {
          await preview(viewer);
          await use();
          await window().getByText('is the viewer of the preview').waitFor();
          const shown = await snippet(language);
          const asked = Promise.withResolvers<unknown>();
          await using service = Bun.serve({
            port: 0,
            hostname: '127.0.0.1',
            fetch: async (request) => {
              asked.resolve(await request.json());
              return Response.json({ body: [] });
            },
          });
          await run(language, shown.replace(stage.running.address, service.url.origin));
          expect(await asked.promise).toMatchObject({ user_id: viewer });
          await page.keyboard.press('Escape');
        }
      },
    );
  }

  test('the window names the scope of the key, and links to viewer tokens and clients', async () => {
    await create('feeds/popular');
    await use();
    await window().getByText('with the scope feed:read').waitFor();
    await window().getByText('This feed needs no viewer.').waitFor();
    for (const name of ['viewer tokens', 'Clients']) {
      const link = window().getByRole('link', { name, exact: true });
      const { href } = await link.evaluate<{ href: string }, { href: string }>(({ href }) => ({ href }));
      const answer = await fetch(href);
      expect(answer.status).toBe(200);
      const { hash } = new URL(href);
      if (hash !== '') expect(await answer.text()).toContain(`id="${hash.slice(1)}"`);
    }
  });

  test('the window says when the feed is inactive or has changes that are not saved', async () => {
    const id = await create('feeds/for-you');
    await api.changeFeed({ config_id: id, status: 'inactive' });
    await open(id);
    await use();
    await window().getByText('This feed is inactive.').waitFor();
    expect(await window().getByText('as it was saved last').count()).toBe(0);
    await page.keyboard.press('Escape');
    await field('Name').fill('Not saved');
    await use();
    await window().getByText('as it was saved last').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('snippets have the path prefix behind which the console is open', async () => {
    const id = await create('feeds/trending');
    await page.goto(`${stage.running.address}${PREFIX}/console#/feeds/${id}`);
    await use();
    const shown = await snippet('curl');
    expect(shown).toContain(`'${stage.running.address}${PREFIX}/v2/community/feeds/trending'`);
    if (Bun.which('curl') === null) return;
    expect(await run('curl', shown)).toContain(`"main:${id}"`);
  });

  test('copies a snippet with the keyboard', async () => {
    await stage.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const id = await create('feeds/trending');
    await use();
    await window().getByRole('button', { name: 'Copy: Request in curl' }).focus();
    await page.keyboard.press('Enter');
    const toast = window().locator('.toast', { hasText: 'Copied' });
    await toast.waitFor();
    const top = `document.elementFromPoint(...((r) => [r.x + 2, r.y + 2])(document.querySelector('dialog .toast').getBoundingClientRect())).closest('.toast') !== null`;
    expect(await page.evaluate(top)).toBe(true);
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await toast.waitFor({ state: 'detached' });
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`'${stage.running.address}/v2/community/feeds/trending'`);
    expect(copied).toContain(`{"feed_id": "${id}"}`);
  });

  test('going back saves the revision before, and Undo takes it back', async () => {
    const id = await create('feeds/popular', { filters: { languages: ['en'] } });
    expect(await back().count()).toBe(0);
    await field('Posts on a page').fill('7');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Back to revision 1' }).click();
    await said('The feed is as of revision 1').waitFor();
    expect((await api.readFeed(id)).data).toMatchObject({
      revision: 3,
      config: { filters: { languages: ['en'] } },
    });
    expect(await field('Posts on a page').inputValue()).toBe('');
    await page
      .locator('.toast', { hasText: 'as of revision 1' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await said('The feed is as it was before').waitFor();
    expect((await api.readFeed(id)).data.config).toEqual({ filters: { languages: ['en'] }, top_k: 7 });
    expect(await field('Posts on a page').inputValue()).toBe('7');
  });

  test('going back waits for unsaved changes, and keeps what is typed meanwhile', async () => {
    const id = await create('feeds/popular');
    await api.changeFeed({ config_id: id, config: { top_k: 9 } });
    await open(id);
    await field('Name').fill('Typed');
    await back().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard' }).click();
    const held = await holdBack(page, '**/api/feed/config/revisions/*');
    await back().click();
    await held.asked;
    await field('Name').fill('Typed meanwhile');
    held.release();
    await said('The feed is as of revision 1').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    expect((await api.readFeed(id)).data).toMatchObject({ name: 'Used', config: { top_k: 3 } });
    expect(await field('Name').inputValue()).toBe('Typed meanwhile');
    expect(await field('Posts on a page').inputValue()).toBe('3');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('going back does not overwrite what somebody else saved', async () => {
    const id = await create('feeds/popular');
    await api.changeFeed({ config_id: id, config: { top_k: 9 } });
    await open(id);
    await api.changeFeed({ config_id: id, config: { top_k: 11 } });
    await back().click();
    const conflict = page.getByRole('dialog', { name: 'Somebody else changed this feed' });
    await conflict.getByText('top_k: 9 → 11').waitFor();
    await conflict.getByRole('button', { name: 'Discard my changes' }).click();
    expect(await field('Posts on a page').inputValue()).toBe('11');
    expect((await api.readFeed(id)).data).toMatchObject({ revision: 3, config: { top_k: 11 } });
  });

  test('going back to values that are not allowed any more says why, and changes nothing', async () => {
    const id = await create('feeds/popular');
    await api.changeFeed({ config_id: id, config: { top_k: 9 } });
    await open(id);
    await page.route('**/api/feed/config/revisions/*', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, config: { scoring: 'gone_v1.0.0' } } } });
    });
    await back().click();
    await page.locator('.toast.failed').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    expect(await page.locator('.note.bad').count()).toBe(0);
    expect((await api.readFeed(id)).data).toMatchObject({ revision: 2, config: { top_k: 9 } });
  });

  test('both fit a phone, and have no serious fault of accessibility', async () => {
    const id = await create('feeds/for-you');
    await api.changeFeed({ config_id: id, config: { top_k: 9 } });
    await open(id);
    for (const size of ['laptop', 'phone'] as const) {
      await page.setViewportSize(SIZES[size]);
      const openMenu = async (): Promise<void> => {
        if (size === 'phone') await page.getByLabel('Actions for Used', { exact: true }).click();
      };
      await openMenu();
      await back().waitFor();
      await expectAccessible(page);
      await use();
      for (const { language } of LANGUAGES) {
        await snippet(language);
        await expectAccessible(page);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          SIZES[size].width,
        );
        const { scrollWidth, clientWidth } = await window().evaluate<
          { scrollWidth: number; clientWidth: number },
          { scrollWidth: number; clientWidth: number }
        >(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
        expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
      }
      await page.keyboard.press('Escape');
      await window().waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.matches("button, summary")')).toBe(true);
    }
  });
});

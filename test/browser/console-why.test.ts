import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFits, forAll, openConsole, SIZES } from './console.ts';
import { KEY, MISSING, openStage, type Stage } from './support.ts';

const VIEWER = '1393';
const HOSTILE = 'hostile-1';

describe.skipIf(MISSING !== '')(`the page that explains pages${MISSING}`, () => {
  let stage: Stage;
  forAll(async () => {
    stage = await openStage();
    const { ingest, clock } = stage.running.service;
    await ingest.ingest('items', [
      {
        item_id: HOSTILE,
        author_id: '1000',
        created_at: clock.now() - 60,
        text: '<p>First <b>line</b></p><script>alert(1)</script><p>See https://safe.example/a.</p>',
        text_format: 'html',
        embed_items: ['https://pictures.example/one.png', 'https://safe.example/b'],
      },
    ]);
    return stage;
  });

  /** The identifiers on the page of the viewer. */
  async function onPage(): Promise<string[]> {
    const response = await fetch(`${stage.running.address}/v2/community/feeds/for-you`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: VIEWER, seed: 1 }),
    });
    const { body } = (await response.json()) as { body: { item_id: string }[] };
    return body.map(({ item_id }) => item_id);
  }

  /** All that is known of the viewer. */
  async function known(): Promise<string> {
    const path = `/v2/community/users/${VIEWER}/export`;
    const headers = { authorization: `Bearer ${KEY}` };
    return (await fetch(`${stage.running.address}${path}`, { headers })).text();
  }

  /** Types into a field that searches, and takes what is found first. */
  async function find(page: Page, label: string, text: string): Promise<void> {
    await page.getByRole('combobox', { name: label, exact: true }).fill(text);
    await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  }

  test('tells by keyboard alone which rule keeps a post from a viewer', async () => {
    const [item_id] = await onPage();
    await stage.running.service.ingest.ingest('interactions', [
      { user_id: VIEWER, item_id, event_type: 'view', timestamp: stage.running.service.clock.now() },
    ]);
    const page = await openConsole(stage);
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.getByRole('heading', { name: 'Why', exact: true }).waitFor();
    await find(page, 'Viewer', VIEWER);
    await page.keyboard.press('Tab');
    await page.keyboard.type(item_id);
    await page.keyboard.press('Enter');
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('It is not on the page. A rule keeps it from this viewer.').waitFor();
    await answer.getByText('Drops posts that the viewer has seen.').waitFor();
    expect(await answer.locator('[aria-current=step]').textContent()).toBe('Visibility: dropped here');
    expect(page.url()).toContain(`user=${VIEWER}&item=${item_id}`);
  });

  test('finds the post by words of its text', async () => {
    const page = await openConsole(stage, '#/why?feed=popular');
    await page.getByRole('combobox', { name: 'Post', exact: true }).fill('first LINE');
    const options = page.getByRole('listbox', { name: 'Found' }).getByRole('option');
    await options.filter({ hasText: 'First line' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Answer' }).waitFor();
    expect(page.url()).toContain(`item=${HOSTILE}`);
  });

  test('explains a post of the page, and records nothing', async () => {
    const before = await known();
    expect(before).toContain('"kind":"interaction"');
    const page = await openConsole(stage, `#/why?feed=for-you&user=${VIEWER}`);
    const posts = page.getByRole('list', { name: 'Posts of the page' });
    await posts.getByRole('button', { name: 'Why is it here?' }).first().click();
    const window = page.getByRole('dialog', { name: 'Why is it here?' });
    await window.getByText('Place 1, from: This feed.').waitFor();
    const parts = window.getByRole('table', { name: 'Parts of the score' });
    await parts.getByRole('row', { name: 'momentum' }).waitFor();
    await window.getByRole('table', { name: 'Signals' }).getByRole('row', { name: 'interest_all' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByText('How the page was built').click();
    await page.getByRole('row', { name: 'Drops posts that the viewer has seen.' }).waitFor();
    await expectAccessible(page);
    expect(await known()).toEqual(before);
  });

  test('gives the reasons that the viewer may be told, on the page, in its window and in the answer', async () => {
    const page = await openConsole(stage, `#/why?feed=popular&user=${VIEWER}`);
    const first = page.getByRole('list', { name: 'Posts of the page' }).getByRole('listitem').first();
    const item_id = await first.locator('.id').getAttribute('title');
    await first.getByRole('list', { name: 'Reasons' }).getByText('It has many reactions.').waitFor();
    await first.getByRole('button', { name: 'Why is it here?' }).click();
    const window = page.getByRole('dialog', { name: 'Why is it here?' });
    await window.getByRole('list', { name: 'Reasons' }).getByText('It has many reactions.').waitFor();
    await expectAccessible(page);
    await page.goto(page.url().replace(/#.*/, `#/why?feed=popular&user=${VIEWER}&item=${item_id}`));
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('It is on the page, at place 1.').waitFor();
    expect(await answer.getByRole('list', { name: 'Reasons' }).textContent()).toBe('It has many reactions.');
    await expectFits(page);
  });

  test('shows a newcomer while no viewer is chosen, and says when nothing is known of a post', async () => {
    const page = await openConsole(stage, '#/why');
    await page.getByText('this is the page of a newcomer').waitFor();
    await page.getByRole('list', { name: 'Posts of the page' }).getByRole('article').first().waitFor();
    await find(page, 'Post', 'no-such-post');
    stage.errors.length = 0;
    await page.getByText("There is no post 'no-such-post'.").waitFor();
    stage.errors.length = 0;
  });

  test('finds posts by the name of their author', async () => {
    const page = await openConsole(stage, `#/why?feed=popular&user=${VIEWER}`);
    await page.getByRole('combobox', { name: 'Post' }).fill('ada moth');
    const found = page.getByRole('listbox', { name: 'Found' });
    await found.getByText('Ada Moth ·').first().click();
    await page.getByRole('region', { name: 'Answer' }).getByText('Ada Moth').first().waitFor();
  });

  test('shows posts as text, and loads pictures after a click', async () => {
    const page = await openConsole(stage, `#/why?feed=popular&item=${HOSTILE}`);
    const answer = page.getByRole('region', { name: 'Answer' });
    const post = answer.getByRole('article');
    await post.waitFor();
    expect(await post.locator('.text').textContent()).toBe('First line\nSee https://safe.example/a.');
    const link = post.getByRole('link', { name: 'https://safe.example/a' });
    expect(await link.getAttribute('href')).toBe('https://safe.example/a');
    expect(await link.getAttribute('rel')).toBe('noreferrer noopener');
    expect(stage.elsewhere).toEqual([]);
    await post.getByRole('button', { name: 'Show the picture from pictures.example' }).click();
    await post.getByText('The picture could not be loaded').waitFor();
    expect(stage.elsewhere).toEqual(['https://pictures.example/one.png']);
    stage.elsewhere.length = 0;
    stage.errors.length = 0;
  });

  test('fits a phone', async () => {
    const page = await openConsole(stage, `#/why?user=${VIEWER}&item=${HOSTILE}`);
    await page.setViewportSize(SIZES.phone);
    await page.getByRole('region', { name: 'Answer' }).getByRole('article').waitFor();
    await page.getByText('How the page was built').click();
    await expectFits(page);
  });
});

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible, forAll, openConsole } from './console.ts';
import { KEY, MISSING, openStage, type Stage } from './support.ts';

describe.skipIf(MISSING !== '')(`the preview beside the editor${MISSING}`, () => {
  let stage: Stage;
  forAll(async () => {
    stage = await openStage();
    const response = await fetch(`${stage.running.address}/api/feed/config`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Previewed', endpoint: 'feeds/popular', config: {} }),
    });
    expect(response.status).toBe(201);
    return stage;
  });

  const previewOf = (page: Page) => page.getByRole('region', { name: 'Preview' });
  const write = (page: Page, config: object) =>
    page.locator('main textarea').first().fill(JSON.stringify(config));

  test('follows the form, names what is unused, and keeps the last page while something is wrong', async () => {
    const page = await openConsole(stage, '#/feeds/feed_1?tab=json');
    const preview = previewOf(page);
    await preview.getByRole('article').nth(24).waitFor();
    await write(page, { top_k: 3, unused: 1 });
    await preview.getByText("unknown field 'config.unused'").waitFor();
    expect(await preview.getByRole('article').count()).toBe(3);
    await write(page, { top_k: 3, filters: { langages: ['en'] } });
    await preview.getByRole('alert').getByText('filters/langages: is not a known filter').waitFor();
    expect(await preview.getByRole('article').count()).toBe(3);
    stage.errors.length = 0;
    await write(page, { filters: { languages: ['xx'] } });
    await preview.getByRole('heading', { name: 'The page is empty' }).waitFor();
    await expectAccessible(page);
  });

  test('asks for the latest feed only, and saves nothing', async () => {
    const page = await openConsole(stage, '#/feeds/feed_1?tab=json');
    await previewOf(page).getByRole('article').first().waitFor();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname);
    });
    for (const top_k of [1, 2, 3, 4]) await write(page, { top_k });
    await previewOf(page).locator('.posts > li:nth-child(4):last-child').waitFor();
    expect(new Set(sent)).toEqual(new Set(['/api/feed/preview']));
  });

  test('explains a post that the feed being edited drops, for a viewer by name', async () => {
    const page = await openConsole(stage, '#/feeds/feed_1?tab=json');
    const preview = previewOf(page);
    const first = preview.getByRole('article').first();
    const item_id = await first.locator('.id').getAttribute('title');
    await preview.getByRole('combobox', { name: 'Viewer' }).click();
    await page.getByRole('option', { name: 'A newcomer' }).click();
    await write(page, { filters: { languages: ['xx'] } });
    await preview.getByRole('heading', { name: 'The page is empty' }).waitFor();
    await preview.getByRole('button', { name: 'Why is a post missing?' }).click();
    const window = page.getByRole('dialog', { name: 'Why is a post missing?' });
    expect(await window.getByRole('combobox', { name: 'Viewer' }).inputValue()).toBe('A newcomer');
    const post = window.getByRole('combobox', { name: 'Post' });
    await post.fill(item_id ?? '');
    await page.keyboard.press('Enter');
    await window.getByText('the filter languages drops it', { exact: false }).waitFor();
    await expectAccessible(page);
    await post.click();
    await page.keyboard.press('Escape');
    expect(await window.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await window.waitFor({ state: 'detached' });
  });

  test('says that the parts of a learnt score are terms of the logarithm of its odds', async () => {
    const page = await openConsole(stage, '#/feeds');
    // The service would have to learn first.
    await page.route('**/api/feed/preview', async (route) => {
      const answer = await (await route.fetch()).json();
      for (const { explain } of answer.body)
        explain.score_parts = { intercept: -2.5, default: 0.5, click_rate: 0.25 };
      await route.fulfill({ json: answer });
    });
    await page.goto(`${stage.running.address}/console#/feeds/feed_1`);
    const first = previewOf(page).getByRole('listitem').first();
    await first.getByRole('button', { name: 'Why is it here?' }).click();
    const window = page.getByRole('dialog', { name: 'Why is it here?' });
    await window.getByText('Together they are −1.75, the logarithm of the odds').waitFor();
    const parts = window.getByRole('table', { name: 'Parts of the score' });
    await parts
      .getByRole('row', { name: 'intercept What every post starts with, as learnt. −2.50' })
      .waitFor();
    await parts.getByRole('row', { name: /^click_rate Acts on a post .* 0\.25$/ }).waitFor();
  });
});

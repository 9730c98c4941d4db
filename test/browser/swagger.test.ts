import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { authorise, execute, MISSING, openStage, operation, type Stage } from './support.ts';

const FOR_YOU = '/v2/community/casts/feed/for-you';

/** In the page: how wide it is, and what is cut off at the right or would have to be scrolled. */
const WIDER_THAN_WINDOW = `[
  document.documentElement.scrollWidth,
  [...document.querySelectorAll('.swagger-ui *')]
    .filter((element) =>
      element.getBoundingClientRect().right > innerWidth + 1 ||
      (element.tagName === 'PRE' && element.scrollWidth > element.clientWidth + 1))
    .map(({ tagName, className }) => [tagName, className]),
]`;

describe.skipIf(MISSING !== '')(`Swagger UI in a browser without internet${MISSING}`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage?.[Symbol.asyncDispose]());

  /** The page with every operation listed. */
  async function open(): Promise<Page> {
    const page = await stage.open(`${stage.running.address}/swagger`);
    await operation(page, FOR_YOU).waitFor();
    return page;
  }

  test('authorises with a key, runs a for-you request and shows its items', async () => {
    const page = await open();
    await authorise(page, 'bearer');
    const block = operation(page, FOR_YOU);
    const { status, body } = await execute(block);
    expect(status).toStartWith('200');
    expect(body).toContain('"item_id": "0x');
    expect(body).toContain('"source_feed": "main:for-you"');
    const shot = join(tmpdir(), 'feedloom-swagger.png');
    await page.screenshot({ path: shot, fullPage: true });
    console.log(`screenshot: ${shot}`);
  }, 120_000);

  for (const scheme of ['api_key', 'basic'] as const) {
    test(`sends the key as ${scheme}`, async () => {
      const page = await open();
      await authorise(page, scheme);
      const { status } = await execute(operation(page, '/v2/community/casts/feed/popular'));
      expect(status).toStartWith('200');
    }, 120_000);
  }

  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`asks for the key as bearer first, at ${viewport.width} × ${viewport.height}`, async () => {
      const page = await open();
      await page.setViewportSize(viewport);
      await page.locator('.btn.authorize').click();
      const form = page.locator('.auth-container', { has: page.locator('code:text-is("bearer")') });
      const dialog = await page.locator('.modal-ux-content').boundingBox();
      for (const part of [
        form.locator('code').first(),
        form.locator('input'),
        form.locator('button').first(),
      ]) {
        await part.waitFor();
        const box = await part.boundingBox();
        expect(box!.y).toBeGreaterThanOrEqual(dialog!.y);
        expect(box!.y + box!.height).toBeLessThanOrEqual(dialog!.y + dialog!.height);
      }
      expect(await form.locator('input:focus').count()).toBe(1);
    }, 120_000);
  }

  test('fits the width of a phone, also with operations open, and wraps what is wide', async () => {
    const page = await open();
    await page.setViewportSize({ width: 390, height: 844 });
    await authorise(page, 'bearer');
    const block = operation(page, FOR_YOU);
    expect((await execute(block)).status).toStartWith('200');
    for (const path of ['/api/feed/config', '/v2/community/items', '/api/plugins'])
      await operation(page, path).first().locator('.opblock-summary-control').click();
    await operation(page, '/api/plugins').locator('.responses-table').waitFor();
    const wide = await page.evaluate(WIDER_THAN_WINDOW);
    expect(wide).toEqual([390, []]);
    const status = await block.locator('.response-col_status').last().boundingBox();
    const description = await block.locator('.response-col_description').last().boundingBox();
    expect(description!.y).toBeGreaterThan(status!.y);
    expect(description!.width).toBeGreaterThan(300);
    await block.scrollIntoViewIfNeeded();
    const shot = join(tmpdir(), 'feedloom-swagger-phone.png');
    await page.screenshot({ path: shot });
    console.log(`screenshot: ${shot}`);
  }, 120_000);

  test('without a key shows the 401', async () => {
    const page = await open();
    const { status, body } = await execute(operation(page, FOR_YOU));
    expect(status).toStartWith('401');
    expect(body).toContain('"code": "unauthorized"');
  }, 120_000);

  test('sends requests to the service alone, and logs no error', () => {
    expect(stage.elsewhere).toEqual([]);
    // The browser tells of the 401 that was asked for, and of nothing else.
    expect(stage.errors.filter((error) => !error.includes('401'))).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { type Running, runService } from '../../src/cli/run-service.ts';
import { readSettings } from '../../src/settings.ts';
import { fillWithDemo } from '../support/demo.ts';

/** Debian's package unless `CHROMIUM` names another. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const MISSING = existsSync(CHROMIUM) ? '' : ` (skipped: there is no Chromium at ${CHROMIUM})`;
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const KEY = 'browser-test-key';
const FOR_YOU = '/v2/farcaster/casts/feed/for-you';
/** Pages and steps may be slow on a busy machine, but not this slow. */
const PATIENCE_MS = 60_000;

describe.skipIf(MISSING !== '')(`Swagger UI in a browser without internet${MISSING}`, () => {
  let folder: string;
  let running: Running;
  let context: BrowserContext;
  /** What the pages asked for that is not the service. */
  const elsewhere: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'feedloom-browser-'));
    const settings = { ...readSettings({}), port: 0, data: join(folder, 'data'), api_key: KEY };
    running = await runService(settings, 'test', pino({ level: 'silent' }));
    await fillWithDemo(running.service);
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      args: FLAGS,
      viewport: { width: 1280, height: 1600 },
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.route('**/*', (route) => {
      const address = route.request().url();
      if (address.startsWith(`${running.address}/`)) return route.continue();
      elsewhere.push(address);
      return route.abort();
    });
  }, 120_000);

  afterAll(async () => {
    await context?.close();
    await running?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** The page with every operation listed. */
  async function open(): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${running.address}/swagger`);
    await operation(page, FOR_YOU).waitFor();
    return page;
  }

  function operation(page: Page, path: string): Locator {
    return page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
  }

  /** Fills in the form of one way of sending the key. */
  async function authorise(page: Page, scheme: 'bearer' | 'api_key' | 'basic'): Promise<void> {
    await page.locator('.btn.authorize').click();
    const form = page.locator('.auth-container', { has: page.locator(`code:text-is("${scheme}")`) });
    if (scheme === 'basic') await form.locator('input').first().fill('anybody');
    await form.locator('input').last().fill(KEY);
    await form.locator('button[type=submit]').click();
    await form.getByText('Logout').waitFor();
    await page.locator('.btn-done').first().click();
  }

  /** Runs an operation with its example, as it stands. */
  async function run(block: Locator): Promise<{ status: string; body: string }> {
    await block.locator('.opblock-summary-control').click();
    await block.locator('button.execute').click();
    const live = block.locator('.live-responses-table');
    await live.waitFor();
    const text = async (column: string) => (await live.locator(column).last().textContent()) ?? '';
    return { status: await text('.response-col_status'), body: await text('.response-col_description') };
  }

  test('authorises with a key, runs a for-you request and shows its items', async () => {
    const page = await open();
    await authorise(page, 'bearer');
    const block = operation(page, FOR_YOU);
    const { status, body } = await run(block);
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
      const { status } = await run(operation(page, '/v2/farcaster/casts/feed/popular'));
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

  test('without a key shows the 401', async () => {
    const page = await open();
    const { status, body } = await run(operation(page, FOR_YOU));
    expect(status).toStartWith('401');
    expect(body).toContain('"code": "unauthorized"');
  }, 120_000);

  test('asked nobody but the service, and broke nowhere', () => {
    expect(elsewhere).toEqual([]);
    // The browser tells of the 401 that was asked for, and of nothing else.
    expect(errors.filter((error) => !error.includes('401'))).toEqual([]);
  });
});

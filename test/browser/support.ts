import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { type Running, runService } from '../../src/cli/run-service.ts';
import type { Clock } from '../../src/clock.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { fillWithDemo } from '../support/demo.ts';

/** Debian's package unless `CHROMIUM` names another. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Why browser tests cannot run; empty: they can. */
export const MISSING = existsSync(CHROMIUM) ? '' : ` (skipped: there is no Chromium at ${CHROMIUM})`;
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
export const KEY = 'browser-test-key';
/** Pages and steps may be slow on a busy machine, but not this slow. */
const PATIENCE_MS = 60_000;

/** The service with content, and a browser that reaches it and what stands before it, and nothing else. */
export interface Stage extends AsyncDisposable {
  running: Running;
  context: BrowserContext;
  /** Origins that pages may ask. */
  reachable: string[];
  /** What pages asked for beside these. */
  elsewhere: string[];
  /** What pages told of errors. */
  errors: string[];
  /** A new page at an address. */
  open(address: string): Promise<Page>;
}

/**
 * @param fill gives the service its content. By default, the demo's community
 * @param clock of the service; by default, the machine's
 */
export async function openStage(
  given: Partial<Settings> = {},
  fill: (running: Running, data: string) => Promise<void> = ({ service }) => fillWithDemo(service),
  clock?: Clock,
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-browser-'));
  const settings = { ...readSettings({}), port: 0, data: join(folder, 'data'), api_key: KEY, ...given };
  const running = await runService(settings, 'test', pino({ level: 'silent' }), { clock });
  await fill(running, settings.data);
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: CHROMIUM,
    args: FLAGS,
    viewport: { width: 1280, height: 1600 },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const reachable = [running.address];
  const elsewhere: string[] = [];
  const errors: string[] = [];
  await context.route('**/*', (route) => {
    const address = route.request().url();
    if (reachable.some((origin) => address.startsWith(`${origin}/`))) return route.continue();
    elsewhere.push(address);
    return route.abort();
  });
  const open = async (address: string) => {
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(address);
    return page;
  };
  return {
    ...{ running, context, reachable, elsewhere, errors, open },
    async [Symbol.asyncDispose]() {
      await context.close();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An operation of Swagger UI. */
export function operation(page: Page, path: string): Locator {
  return page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
}

/** Fills in the form of one way of sending the key. */
export async function authorise(page: Page, scheme: 'bearer' | 'api_key' | 'basic'): Promise<void> {
  await page.locator('.btn.authorize').click();
  const form = page.locator('.auth-container', { has: page.locator(`code:text-is("${scheme}")`) });
  if (scheme === 'basic') await form.locator('input').first().fill('anybody');
  await form.locator('input').last().fill(KEY);
  await form.locator('button[type=submit]').click();
  await form.getByText('Logout').waitFor();
  await page.locator('.btn-done').first().click();
}

/** Runs an operation with its example, as it stands. */
export async function execute(block: Locator): Promise<{ status: string; body: string }> {
  await block.locator('.opblock-summary-control').click();
  await block.locator('button.execute').click();
  const live = block.locator('.live-responses-table');
  await live.waitFor();
  const text = async (column: string) => (await live.locator(column).last().textContent()) ?? '';
  return { status: await text('.response-col_status'), body: await text('.response-col_description') };
}

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expectAccessible, SIZES, untilHolds } from './console.ts';
import { MISSING, openStage, type Stage } from './support.ts';

const PREFIX = '/tools/feedloom';

/** Writes what the window shows to a file for people to look at. */
async function shoot(page: Page, name: string): Promise<void> {
  const path = join(tmpdir(), `feedloom-docs-${name}.png`);
  await page.screenshot({ path });
  console.log(`screenshot: ${path}`);
}

describe.skipIf(MISSING !== '')(`the documents${MISSING}`, () => {
  let stage: Stage;
  let proxy: Bun.Server<undefined>;

  beforeAll(async () => {
    stage = await openStage({}, async () => {});
    proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => {
        const { pathname } = new URL(url);
        if (!pathname.startsWith(`${PREFIX}/`)) return new Response('not here', { status: 404 });
        return fetch(stage.running.address + pathname.slice(PREFIX.length));
      },
    });
    stage.reachable.push(proxy.url.origin);
  }, 120_000);
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    await proxy?.stop(true);
  });

  /** @param where such as `/docs/api`; @param origin with the prefix of a proxy */
  async function open(where: string, size: keyof typeof SIZES = 'laptop', origin = stage.running.address) {
    const page = await stage.open(`${origin}${where}`);
    await page.setViewportSize(SIZES[size]);
    await page.getByRole('button', { name: 'Search' }).waitFor();
    return page;
  }

  const behindProxy = () => `${proxy.url.origin}${PREFIX}`;
  const field = (page: Page) => page.getByRole('combobox', { name: 'Words to find' });
  const chosen = (page: Page) => page.getByRole('option', { selected: true });

  test('fit the width of a phone', async () => {
    const page = await open('/docs', 'phone');
    const addresses = await page
      .locator('main li a')
      .evaluateAll<string[], { href: string }>((links) => links.map(({ href }) => href));
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) {
      await page.goto(address);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([address, width]).toEqual([address, 390]);
    }
  }, 120_000);

  test('are linked with each other behind a proxy that serves them below a path', async () => {
    const page = await open('/docs', 'laptop', behindProxy());
    await page.getByRole('main').getByRole('link', { name: 'Feedloom', exact: true }).click();
    await page.locator('img').first().waitFor();
    await page.waitForLoadState('load');
    const widths = await page.evaluate<number[]>('[...document.images].map((image) => image.naturalWidth)');
    expect(widths.length).toBe(2);
    for (const width of widths) expect(width).toBeGreaterThan(0);
    await page.getByRole('main').getByRole('link', { name: 'Performance', exact: true }).first().click();
    await page.waitForURL(`${behindProxy()}/docs/performance#sizing`);
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.waitForURL(`${behindProxy()}/docs`);
    await page.getByRole('link', { name: 'Swagger UI' }).click();
    await page.waitForURL(`${behindProxy()}/swagger`);
  }, 120_000);

  test('are searched with the keyboard: a slash opens, arrows choose, Enter goes to the section', async () => {
    const page = await open('/docs/api', 'laptop', behindProxy());
    await page.keyboard.press('/');
    await field(page).waitFor();
    await page.keyboard.type('state_full');
    await chosen(page).waitFor();
    const first = await chosen(page).textContent();
    await page.keyboard.press('ArrowDown');
    expect(await chosen(page).textContent()).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await chosen(page).textContent()).toBe(first);
    await page.keyboard.press('ArrowUp');
    const last = page.getByRole('option').last();
    expect(await last.getAttribute('aria-selected')).toBe('true');
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(await last.getAttribute('id'));
    // The row says where it leads and shows what was found.
    await field(page).fill('how to restore a backup');
    const hit = page.getByRole('option', { name: /^Backup and restore Operate › Maintenance.*backup/s });
    await hit.waitFor();
    expect(await hit.locator('mark').first().textContent()).toMatch(/backup/i);
    await shoot(page, 'search');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${behindProxy()}/docs/maintenance#backup-and-restore`);
  }, 120_000);

  test('are searched by a click, and a hit on the same page closes the window', async () => {
    const page = await open('/docs/keys');
    await page.getByRole('button', { name: 'Search' }).click();
    // Symbols that patterns know are searched as they are.
    await field(page).fill('$URL');
    await page.getByRole('option').locator('mark', { hasText: '$URL' }).first().waitFor();
    await field(page).fill('viewer tokens');
    await page.getByRole('option', { name: /^Viewer tokens Operate › Keys/ }).click();
    await page.waitForURL(`${stage.running.address}/docs/keys#viewer-tokens`);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }, 120_000);

  test('are searched at once by Enter that comes before the index has loaded', async () => {
    const page = await open('/docs');
    await page.keyboard.press('Control+k');
    await field(page).fill('jetstream versions');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stage.running.address}/docs/networks#versions-of-jetstream`);
  }, 120_000);

  test('say so when nothing is found, and Escape closes the search', async () => {
    const page = await open('/docs');
    await page.keyboard.press('/');
    await field(page).fill('zyzzyva');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }, 120_000);

  test('say so when the search does not load, and try again', async () => {
    const page = await open('/docs');
    const route = '**/docs/sections.json';
    await page.route(route, (one) => one.fulfill({ status: 503, body: '' }));
    await page.keyboard.press('/');
    await page.getByText('The search did not load: Error: HTTP status 503').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.unroute(route);
    await page.keyboard.press('/');
    await field(page).fill('webhook');
    await chosen(page).waitFor();
    stage.errors.splice(0, stage.errors.length, ...stage.errors.filter((error) => !error.includes('503')));
  }, 120_000);

  test('are read one after another by the links at the foot', async () => {
    const page = await open('/docs/feeds');
    expect(await page.locator('nav [aria-current]').textContent()).toBe('Feeds');
    await page.getByRole('link', { name: /^Next/ }).click();
    await page.getByRole('heading', { name: 'Labels of others', level: 1 }).waitFor();
    await page.getByRole('link', { name: /^Previous/ }).click();
    await page.getByRole('heading', { name: 'Feeds', level: 1 }).waitFor();
  }, 120_000);

  test('have the list of documents and the contents of the page behind buttons on a phone', async () => {
    const page = await open('/docs/keys', 'phone');
    await shoot(page, 'phone');
    const nav = page.getByRole('navigation', { name: 'Documents' });
    const contents = page.getByRole('complementary', { name: 'On this page' });
    expect([await nav.isVisible(), await contents.isVisible()]).toEqual([false, false]);
    await page.getByRole('button', { name: 'On this page' }).click();
    await contents.getByRole('link', { name: 'Viewer tokens' }).click();
    await contents.waitFor({ state: 'hidden' });
    expect(page.url()).toEndWith('/docs/keys#viewer-tokens');
    await page.getByRole('button', { name: 'Menu' }).click();
    await nav.waitFor();
    await shoot(page, 'phone-menu');
    await expectAccessible(page);
    await nav.getByRole('link', { name: 'Monitoring' }).click();
    await page.getByRole('heading', { name: 'Monitoring', level: 1 }).waitFor();
    expect(await nav.isVisible()).toBe(false);
  }, 120_000);

  test('copy code, and select it where the browser refuses', async () => {
    const page = await open('/docs/install');
    await stage.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = page.locator('.code-block').first();
    const code = await block.locator('pre').textContent();
    await block.hover();
    await block.getByRole('button', { name: 'Copy the code' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(code!);
    await stage.context.clearPermissions();
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await block.getByRole('button', { name: 'Copied' }).click();
    await block.getByRole('button', { name: 'Selected: press Ctrl C' }).waitFor();
    expect(await page.evaluate<string>('String(getSelection())')).toBe(code!.trimEnd());
  }, 120_000);

  test('are accessible, and have the colours that were chosen in the console', async () => {
    const page = await open('/docs');
    await expectAccessible(page);
    await page.goto(`${stage.running.address}/docs/feeds`);
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Colours: system' }).click();
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await page.goto(`${stage.running.address}/console`);
    await untilHolds(page, "document.documentElement.dataset.theme === 'dark'");
    await page.goto(`${stage.running.address}/docs/feeds`);
    const colours = 'getComputedStyle(document.documentElement).colorScheme';
    expect(await page.evaluate<string>(colours)).toBe('dark');
    await shoot(page, 'dark');
  }, 120_000);

  test('load nothing from elsewhere and log no error', () => {
    expect(stage.elsewhere).toEqual([]);
    expect(stage.errors).toEqual([]);
  });
});

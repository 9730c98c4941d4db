import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MISSING, openStage, type Stage } from './support.ts';

const PREFIX = '/tools/feedloom';

describe.skipIf(MISSING !== '')(`the documents${MISSING}`, () => {
  let stage: Stage;
  let proxy: Bun.Server<undefined>;

  beforeAll(async () => {
    stage = await openStage();
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

  test('fit the width of a phone', async () => {
    const page = await stage.open(`${stage.running.address}/docs`);
    await page.setViewportSize({ width: 390, height: 844 });
    const addresses = await page
      .locator('li a')
      .evaluateAll<string[], { href: string }>((links) => links.map(({ href }) => href));
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) {
      await page.goto(address);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([address, width]).toEqual([address, 390]);
      if (!address.endsWith('/operations')) continue;
      const shot = join(tmpdir(), 'feedloom-docs-phone.png');
      await page.screenshot({ path: shot });
      console.log(`screenshot: ${shot}`);
    }
  }, 120_000);

  test('are linked with each other behind a proxy that serves them below a path', async () => {
    const page = await stage.open(`${proxy.url.origin}${PREFIX}/docs`);
    await page.getByRole('link', { name: 'Feedloom', exact: true }).click();
    await page.locator('img').first().waitFor();
    await page.waitForLoadState('load');
    const widths = await page.evaluate<number[]>('[...document.images].map((image) => image.naturalWidth)');
    expect(widths.length).toBe(2);
    for (const width of widths) expect(width).toBeGreaterThan(0);
    const shot = join(tmpdir(), 'feedloom-docs.png');
    await page.screenshot({ path: shot });
    console.log(`screenshot: ${shot}`);
    await page.getByRole('link', { name: 'docs/performance.md' }).first().click();
    expect(page.url()).toBe(`${proxy.url.origin}${PREFIX}/docs/performance#sizing`);
    await page.getByRole('link', { name: 'All documents' }).click();
    expect(page.url()).toBe(`${proxy.url.origin}${PREFIX}/docs`);
    expect(stage.elsewhere).toEqual([]);
    expect(stage.errors).toEqual([]);
  }, 120_000);
});

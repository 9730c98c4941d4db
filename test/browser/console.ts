import { expect } from 'bun:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { KEY, openStage, type Stage } from './support.ts';

/** Pages of the console, signed in. */

/** Window sizes that pages are looked at. */
export const SIZES = {
  laptop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** Opens the console and signs in. @param where such as `#/feeds` */
export async function openConsole(stage: Stage, where = ''): Promise<Page> {
  const page = await stage.open(`${stage.running.address}/console${where}`);
  await page.getByLabel('API key').fill(KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  return page;
}

/** Runs `work` with a console, and checks afterwards that no page asked another host or had an error. */
export async function withConsole(
  where: string,
  work: (page: Page, stage: Stage) => Promise<void>,
): Promise<void> {
  await using stage = await openStage();
  const page = await openConsole(stage, where);
  await page.setViewportSize(SIZES.laptop);
  await work(page, stage);
  expect(stage.elsewhere).toEqual([]);
  expect(stage.errors).toEqual([]);
}

/** Fails if the page has a serious fault of accessibility, in light or in dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The page's policy allows no script but its own, so it is run by the browser's tools.
    // The browser's tools may run it, although the page's policy allows no script but its own.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
    const found = violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      where: nodes.map(({ html }) => html),
    }));
    const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect({ colorScheme, serious }).toEqual({ colorScheme, serious: [] });
  }
}

/** Resolves when an expression holds in the page. The page's policy forbids what `waitForFunction` does with texts. */
export async function untilHolds(page: Page, expression: string): Promise<void> {
  let holds = false;
  while (!holds) holds = Boolean(await page.evaluate(expression));
}

/** Resolves when the page shows what was typed. Keys may come faster than it is drawn, which fingers do not. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

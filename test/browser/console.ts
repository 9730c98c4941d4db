import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { FeedloomClient } from '../../openapi/client/src/index.ts';
import type { Settings } from '../../src/settings.ts';
import { KEY, openStage, type Stage } from './support.ts';

/** Pages of the console, signed in. */

/** Window sizes that pages are looked at. */
export const SIZES = { laptop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/** Opens the console and signs in. @param where such as `#/feeds` */
export async function openConsole(stage: Stage, where = ''): Promise<Page> {
  const page = await stage.open(`${stage.running.address}/console${where}`);
  await page.getByLabel('API key').fill(KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  return page;
}

/** Holds when a page can be used: nothing of it is loading any more. */
export const READY = `(() => {
  const main = document.querySelector('main');
  if (main === null || main.querySelector('h1') === null) return false;
  return main.querySelector('.loading, [aria-busy=true]') === null;
})()`;

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

/**
 * Opens a service before the tests of a `describe`, and closes it after them. After each test, no page may have had an
 * error or asked another host.
 * @param ignored errors that tests may cause
 */
export function forAll(open: () => Promise<Stage>, ignored = /^$/): void {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await open();
  });
  afterEach(() => {
    const { errors = [], elsewhere = [] } = stage ?? {};
    expect(errors.splice(0).filter((error) => !ignored.test(error))).toEqual([]);
    expect(elsewhere.splice(0)).toEqual([]);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());
}

/** A console that the tests of a `describe` share. */
export interface OfAll {
  stage: Stage;
  api: FeedloomClient;
  page: Page;
}

/** Opens a console before the tests of a `describe`. */
export function consoleForAll(
  where: string,
  given: Partial<Settings>,
  onOpened: (opened: OfAll) => void,
): void {
  forAll(
    async () => {
      const stage = await openStage(given);
      const page = await openConsole(stage, where);
      await page.setViewportSize(SIZES.laptop);
      onOpened({ stage, page, api: apiOf(stage) });
      return stage;
    },
    // The browser reports each answer with an error, which some tests want.
    /^Failed to load resource/,
  );
}

/** A client of the service. */
export function apiOf({ running }: Stage): FeedloomClient {
  return new FeedloomClient({ url: running.address, key: KEY });
}

/** Fails if the page has a serious fault of accessibility, in light or in dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
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

/** Fails if the page has a serious fault of accessibility or is wider than its window, on a laptop or on a phone. */
export async function expectFits(page: Page): Promise<void> {
  for (const size of [SIZES.laptop, SIZES.phone]) {
    await page.setViewportSize(size);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
  }
}

/** Resolves when an expression holds in the page. The page's policy forbids what `waitForFunction` does with texts. */
export async function untilHolds(page: Page, expression: string): Promise<void> {
  let holds = false;
  while (!holds) holds = Boolean(await page.evaluate(expression));
}

/** Holds back the answers to some requests. */
export async function holdBack(page: Page, url: string | RegExp) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    asked.resolve();
    await released.promise;
    await route.fallback();
  });
  return {
    /** Resolves when the first request has been sent. */
    asked: asked.promise,
    /** Lets all requests go on, these and later ones. */
    release: released.resolve,
  };
}

/**
 * Fills fields and then presses Ctrl Enter, all before the page can draw anything. No person is so fast, but a person
 * with a busy computer is.
 * @param values by the label of each field
 */
export async function fillAndSaveAtOnce(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(`(() => {
    const fields = [...document.querySelectorAll('input, textarea')];
    for (const [label, value] of Object.entries(${JSON.stringify(values)})) {
      const field = fields.find((one) => [...one.labels].some(({ textContent }) => textContent === label));
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
      set.call(field, value);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const key = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent('keydown', key));
  })()`);
}

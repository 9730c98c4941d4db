import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { apiOf, openConsole, READY, SIZES } from './console.ts';
import { MISSING, openStage, type Stage } from './support.ts';

/** Measurements take time and need a quiet machine. `bun run bench:console` asks for them. */
const is_wanted = process.env.FEEDLOOM_BENCH === '1' && MISSING === '';
const ROUNDS = 7;
/** A user of the demo's community. */
const VIEWER = '1393';

/** The middle of some durations. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function report(what: string, values_ms: readonly number[]): void {
  const [middle, worst] = [median(values_ms), Math.max(...values_ms)].map((ms) => Math.round(ms));
  console.log(`${what}: median ${middle} ms, worst of ${values_ms.length} ${worst} ms`);
}

/** Resolves with the time at which an expression holds after a frame, in milliseconds since the page was opened. */
function timeOf(expression: string): string {
  return `new Promise((done) => {
    const look = () => (${expression} ? done(performance.now()) : requestAnimationFrame(look));
    look();
  })`;
}

describe.skipIf(!is_wanted)('the speed of the console (bun run bench:console)', () => {
  let stage: Stage;
  let page: Page;
  let feed_id: string;
  let experiment_id: string;
  beforeAll(async () => {
    stage = await openStage();
    const api = apiOf(stage);
    feed_id = (await api.createFeed({ name: 'Measured', endpoint: 'feeds/for-you', config: {} })).data
      .config_id;
    const variants = ['control', 'treatment'].map((name) => ({ name, feed_id, percent: 50 }));
    const body = { name: 'Measured', feed_id, variants };
    experiment_id = (await api.call('POST', '/api/experiments', { body })).data.experiment_id;
    page = await openConsole(stage, `#/why?user=${VIEWER}`);
    await page.setViewportSize(SIZES.laptop);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test('every page is ready within a second', async () => {
    const places = ['feeds', `feeds/${feed_id}`, 'compare', 'why', 'viewers', `viewers/${VIEWER}`, 'posts'];
    places.push('experiments', `experiments/${experiment_id}`, 'reports', 'wallets', 'health', 'data');
    const ids = new RegExp(`${feed_id}|${VIEWER}|${experiment_id}`);
    for (const where of places) {
      const painted_ms: number[] = [];
      const ready_ms: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        await page.goto(`${stage.running.address}/console#/${where}`);
        await page.reload({ waitUntil: 'commit' });
        ready_ms.push(await page.evaluate<number>(timeOf(READY)));
        painted_ms.push(
          await page.evaluate<number>(
            `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()`,
          ),
        );
      }
      report(`#/${where.replace(ids, ':id')} first paint`, painted_ms);
      report(`#/${where.replace(ids, ':id')} ready`, ready_ms);
      expect(median(ready_ms)).toBeLessThanOrEqual(1_000);
    }
  }, 120_000);

  test('the preview follows a change within 150 ms', async () => {
    await page.goto(`${stage.running.address}/console#/feeds/${feed_id}`);
    await page.reload();
    await page.locator('.preview .posts > li').nth(5).waitFor();
    const waited_ms: number[] = [];
    for (let round = 0; round < 3 * ROUNDS; round++) {
      const count = 3 + (round % 2);
      const started_ms = await page.evaluate<number>(`(() => {
        const field = [...document.querySelectorAll('input')]
          .find((one) => [...one.labels].some(({ textContent }) => textContent === 'Posts on a page'));
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
        set.call(field, '${count}');
        field.dispatchEvent(new Event('input', { bubbles: true }));
        return performance.now();
      })()`);
      const shown = `document.querySelectorAll('.preview .posts > li').length === ${count}`;
      waited_ms.push((await page.evaluate<number>(timeOf(shown))) - started_ms);
    }
    report('preview after a change', waited_ms);
    expect(median(waited_ms)).toBeLessThanOrEqual(150);
  }, 120_000);
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fillDemo } from '../../src/cli/demo.ts';
import type { Running } from '../../src/cli/run-service.ts';
import { PastClock, systemClock } from '../../src/clock.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { apiOf, openConsole, READY, SIZES, untilHolds } from './console.ts';
import { MISSING, openStage, type Stage } from './support.ts';

/** Where the documents have their pictures. */
const FOLDER = join(REPOSITORY, 'docs', 'images');
const BYTES_MAX = 120 * 1024;
/** Of WebP, in percent. */
const QUALITY = 80;
/** A user of the demo's community. */
const VIEWER = '1393';

/** `bun run screenshots` writes the pictures of the documents; other runs leave them as they are. */
const is_wanted = process.env.FEEDLOOM_SCREENSHOTS === '1' && MISSING === '';

describe.skipIf(!is_wanted)('the screenshots of the documents (bun run screenshots)', () => {
  let stage: Stage;
  let page: Page;
  let places: Record<'overview' | 'experiment' | 'editor' | 'why' | 'compare' | 'viewer', string>;
  beforeAll(async () => {
    // A busy machine must not make the pages smaller, which they would say.
    const clock = new PastClock(systemClock);
    const fill = async ({ service }: Running, data: string): Promise<void> => {
      await fillDemo({ service, clock }, data, new AbortController().signal);
      clock.release();
    };
    stage = await openStage({ lag_ms: 0 }, fill, clock);
    const api = apiOf(stage);
    const { data: newer } = await api.createFeed({
      name: 'Popular, newer first',
      endpoint: 'feeds/popular',
      config: { time_decay: { half_life_hours: 400 } },
    });
    const { data: feed } = await api.createFeed({
      name: 'Music videos',
      endpoint: 'feeds/for-you',
      config: {
        filters: {
          publication_types: ['video'],
          languages: ['en'],
          ai_labels: ['music'],
          remove_ai_labels: ['spam'],
        },
      },
    });
    const [{ item_id }] = (await api.popular({ top_k: 1, user_id: VIEWER })).body;
    await api.ingest('interactions', [{ user_id: VIEWER, item_id, event_type: 'hide' }]);
    places = {
      overview: '#/overview',
      experiment: '#/experiments/exp_1',
      editor: `#/feeds/${feed.config_id}`,
      why: `#/why?feed=popular&user=${VIEWER}&item=${encodeURIComponent(item_id)}`,
      compare: `#/compare?left=popular&right=${newer.config_id}&user=${VIEWER}`,
      viewer: `#/viewers/${VIEWER}`,
    };
    page = await openConsole(stage, places.why);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.each([
    ['overview', 'laptop', 'light'],
    ['experiment', 'laptop', 'light'],
    ['editor', 'laptop', 'light'],
    ['editor', 'laptop', 'dark'],
    ['why', 'laptop', 'light'],
    ['compare', 'laptop', 'dark'],
    ['viewer', 'phone', 'light'],
    ['why', 'phone', 'dark'],
  ] as const)('%s on a %s in %s colours', async (name, size, colorScheme) => {
    await page.setViewportSize(SIZES[size]);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${stage.running.address}/console${places[name]}`);
    await page.reload();
    await untilHolds(page, READY);
    if (name === 'editor') {
      // A personal page shows more than that of a newcomer.
      await page.getByLabel('Viewer', { exact: true }).fill(VIEWER);
      await page.keyboard.press('Enter');
      await page.getByText('Until then, this is the page of a newcomer.').waitFor({ state: 'detached' });
      await page.locator('h1').click();
    }
    await page.waitForLoadState('networkidle');
    await untilHolds(page, READY);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    const picture = Buffer.from(data, 'base64');
    expect(picture.byteLength).toBeLessThanOrEqual(BYTES_MAX);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, `console-${name}-${size}-${colorScheme}.webp`), picture);
    expect(stage.elsewhere).toEqual([]);
  });
});

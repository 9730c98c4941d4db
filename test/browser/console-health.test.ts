import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import pkg from '../../package.json' with { type: 'json' };
import { expectAccessible, expectFits, forAll, openConsole, untilHolds } from './console.ts';
import { hourOfMetrics } from './history-fixture.ts';
import { KEY, MISSING, openStage, type Stage } from './support.ts';

/** Any time: the charts show what the service answers. */
const END = 1_767_225_600;

describe.skipIf(MISSING !== '')(`the health page of the console${MISSING}`, () => {
  let stage: Stage;
  forAll(async () => {
    stage = await openStage();
    // The service needs an hour for these.
    await stage.context.route('**/api/metrics/history?window=1h', (route) =>
      route.fulfill({ json: hourOfMetrics(END) }),
    );
    return stage;
  });

  async function open(): Promise<Page> {
    const page = await openConsole(stage, '#/health');
    await page.getByRole('heading', { name: 'Latency of pages' }).waitFor();
    return page;
  }

  function send(path: string, body: object): Promise<Response> {
    return fetch(`${stage.running.address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  test('shows the readiness, the version, and charts that can be read as tables', async () => {
    await using page = await open();
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByText(pkg.version, { exact: true }).waitFor();
    await page.getByText('Failed requests: rate_limited 7, invalid_value 2.').waitFor();
    const latency = page.locator('figure', { has: page.getByRole('heading', { name: 'Latency of pages' }) });
    await latency.getByText('As a table').click();
    await latency.getByRole('cell', { name: '61.5 ms' }).waitFor();
    const charts = await page.getByRole('figure').count();
    expect(charts).toBe(8);
  });

  test('labels no two places of the time axis alike, also of the first minutes', async () => {
    await using page = await openConsole(stage, '#/feeds');
    await page.route('**/api/metrics/history?window=1h', (route) => {
      const { points, ...rest } = hourOfMetrics(END);
      return route.fulfill({ json: { ...rest, points: points.slice(-2) } });
    });
    // What a drawing has: all texts since it was cleared.
    await page.evaluate(`(() => {
      const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
      Object.assign(CanvasRenderingContext2D.prototype, {
        clearRect(...place) { this.canvas.texts = []; clearRect.apply(this, place); },
        fillText(text, ...place) { this.canvas.texts?.push(text); fillText.call(this, text, ...place); },
      });
    })()`);
    await page.goto(`${stage.running.address}/console#/health`);
    await page.getByRole('heading', { name: 'Latency of pages' }).waitFor();
    await untilHolds(page, "document.querySelector('canvas')?.texts?.length > 0");
    const drawn = await page.evaluate<string[][]>(
      "[...document.querySelectorAll('canvas')].map(({ texts = [] }) => texts)",
    );
    const times = drawn.map((texts) => texts.filter((text) => /^(\d\d:\d\d|\d+ \w+)$/.test(text)));
    expect(times[0].length).toBeGreaterThan(1);
    for (const labels of times) expect(labels).toEqual([...new Set(labels)]);
  });

  test('shows connectors, and which of them have a problem', async () => {
    const connector = {
      ...{
        connector: 'bluesky',
        state: 'stalled',
        cursor: '17',
        records_per_second: 12.25,
        records_count: 1234,
      },
      ...{ rejected_count: 3, restarts_count: 5, last_error: 'the connection was closed (code 1006)' },
      ...{ last_error_at: END, last_stored_at: null, warnings: ['the slot is far behind'] },
    };
    await using page = await open();
    await page.getByText('No connector is set up.').waitFor();
    await page.route('**/api/connectors', (route) => route.fulfill({ json: { data: [connector] } }));
    await page.route('**/readyz', async (route) => {
      const ready = await (await route.fetch()).json();
      await route.fulfill({ json: { ...ready, status: 'degraded', stalled_connectors: ['bluesky'] } });
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Degraded: feeds are served, but not all new records arrive').waitFor();
    await page.getByText('The connector bluesky brings nothing in.').waitFor();
    const card = page.getByRole('article', { name: 'bluesky' });
    await card.getByText('stalled').waitFor();
    await card.getByText('the connection was closed (code 1006)').waitFor();
    const facts = await card.getByRole('definition').allTextContents();
    expect(facts).toEqual(['12.3', 'never', '1,234', '3', '5']);
    await expectAccessible(page);
  });

  test('shows the nodes of a cluster, and which of them was not seen lately', async () => {
    const node = { release: '0.1.0', applied_seq: 772_438, lag_changes: 0, silent_seconds: 0.4 };
    const data = [
      { ...node, node_id: 'a', url: 'http://10.0.0.5:3000', role: 'leader' },
      {
        ...node,
        node_id: 'b',
        url: 'http://10.0.0.6:3000',
        role: 'follower',
        lag_changes: 1_200,
        silent_seconds: 9,
      },
      { ...node, node_id: 'c', url: null, role: 'follower' },
    ];
    await using page = await open();
    await page.getByText('One process serves these data.').waitFor();
    await page.route('**/api/nodes', (route) => route.fulfill({ json: { data } }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('article', { name: 'http://10.0.0.5:3000' }).getByText('leader').waitFor();
    const follower = page.getByRole('article', { name: 'http://10.0.0.6:3000' });
    await follower.getByText('silent for 9 s').waitFor();
    await page.getByRole('article', { name: 'c', exact: true }).getByText('follower').waitFor();
    expect(await follower.getByRole('definition').allTextContents()).toEqual(['1,200', '772,438', '0.1.0']);
    await expectAccessible(page);
  });

  test('shows the last day after a press, and keeps it in the address', async () => {
    await using page = await open();
    await page.getByRole('button', { name: 'Last day' }).click();
    await page.getByText('The first figures appear five minutes after the start').waitFor();
    expect(page.url()).toContain('window=24h');
    await page.reload();
    await page.getByRole('heading', { name: 'Last day' }).waitFor();
  });

  test('lists plugins with their pages, and changes of feeds with a link', async () => {
    await send('/v2/community/feeds/popular', {});
    await send('/v2/community/feeds/for-you', { user_id: '1393' });
    await send('/api/feed/config', { name: 'Mine', endpoint: 'feeds/popular', config: {} });
    await using page = await open();
    const row = page.getByRole('row', { name: /popular_v0\.0\.1 scoring functions built-in 1/ });
    await row.waitFor();
    await page
      .getByRole('row', { name: /signals built-in \d/ })
      .first()
      .waitFor();
    await page.getByText(/\d+ more are loaded/).click();
    await page.getByText('publication_types').waitFor();
    await page.getByText('FEEDLOOM_API_KEY created the feed').waitFor();
    await page.getByRole('link', { name: 'feed_1' }).click();
    expect(page.url()).toContain('#/feeds/feed_1');
  });

  test('keeps what it shows while the service does not answer, and recovers', async () => {
    await using page = await open();
    await page.getByText('Ready', { exact: true }).waitFor();
    await stage.context.setOffline(true);
    await page.getByText('There is no connection.').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Last known state').waitFor();
    await page.getByRole('heading', { name: 'Latency of pages' }).waitFor();
    await stage.context.setOffline(false);
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    stage.errors.length = 0;
  });

  test('loads by itself when the network is back', async () => {
    await using page = await openConsole(stage, '#/feeds');
    await page.getByText('default').first().waitFor();
    await stage.context.setOffline(true);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('alert').first().waitFor();
    await stage.context.setOffline(false);
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Latency of pages' }).waitFor();
    await page.getByText(/\d+ more are loaded/).waitFor();
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    stage.errors.length = 0;
  });

  test('fits a phone, and has no serious fault of accessibility', async () => {
    await using page = await open();
    await page.getByText('Ready', { exact: true }).waitFor();
    await expectFits(page);
  });
});

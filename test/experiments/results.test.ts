import { describe, expect, test } from 'bun:test';
import { testsWith } from '../support/fixture.ts';
import { type Lab, openLab, totalsOf } from './support.ts';

const it = testsWith(openCounting);

const DAY = 86_400;
const HOUR = 3_600;

/** All viewers in one variant. */
const all = (left: string, right: string) => ({
  variants: [
    { name: 'control', feed_id: left, percent: 100 },
    { name: 'other', feed_id: right, percent: 0 },
  ],
});

async function openCounting(): Promise<{ lab: Lab; id: string; feed_id: string } & AsyncDisposable> {
  const lab = await openLab();
  await lab.items(6);
  const { left, right } = await lab.feeds();
  const id = await lab.start(left, right, all(left, right));
  return { lab, id, feed_id: left, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

describe('results', () => {
  it('impressions and pages are those recorded as seen', async (counting) => {
    const { lab, id, feed_id } = counting;
    await lab.page('popular', { feed_id, user_id: 'a', top_k: 4, impression_count: 3 });
    await lab.page('popular', { feed_id, user_id: 'a', top_k: 4, impression_count: 9 });
    await lab.page('popular', { feed_id, user_id: 'b', top_k: 4 });
    expect((await lab.totals(id)).control).toMatchObject({
      ...{ viewers: 1, impressions: 6, pages: 2, short_pages: 0.5 },
      ...{ interactions: 0, interactions_per_impression: 0 },
    });
    expect((await lab.totals(id)).other).toMatchObject({ viewers: 0, impressions: 0 });
  });

  it('pages that were reported count with what was seen of them, and those that were not do not count', async (counting) => {
    const { lab, id, feed_id } = counting;
    const pageOf = async (user_id: string, top_k: number) => {
      const fields = { feed_id, user_id, top_k, impression_count: 9, mark_seen: false };
      return (await lab.server.post('/v2/farcaster/feeds/popular', fields)).body.page_id;
    };
    await pageOf('a', 3);
    const [page_id, short] = [await pageOf('a', 3), await pageOf('b', 9)];
    expect((await lab.totals(id)).control).toMatchObject({ viewers: 0, impressions: 0, pages: 0 });
    const reports = [
      { user_id: 'a', item_ids: ['left-0'], page_id },
      { user_id: 'a', item_ids: ['left-2'], page_id },
      { user_id: 'b', item_ids: ['left-1'], page_id: short },
    ];
    for (let times = 0; times < 2; times++) await lab.server.post('/v2/farcaster/impressions', reports);
    await lab.act('a', 'like', 'left-2');
    await lab.act('a', 'like', 'left-1');
    expect((await lab.totals(id)).control).toMatchObject({
      ...{ viewers: 2, impressions: 3, pages: 2, short_pages: 0.5, like: 0.5 },
    });
  });

  it('acts count on shown items alone, once of each kind, and within the attribution window', async (counting) => {
    const { lab, id, feed_id } = counting;
    const like = async () => (await lab.totals(id)).control.like;
    await lab.act('a', 'like', 'left-0');
    lab.server.clock.advance(1);
    await lab.page('popular', { feed_id, user_id: 'a', top_k: 5, impression_count: 5 });
    await lab.page('popular', { feed_id, user_id: 'b', top_k: 1, impression_count: 1 });
    expect(await like()).toBe(0);
    await lab.act('a', 'like', 'left-1');
    await lab.act('a', 'like', 'left-1');
    await lab.act('a', 'like', 'left-1', { action: 'remove' });
    lab.server.clock.advance(1);
    await lab.act('a', 'like', 'left-1');
    await lab.act('a', 'like', 'right-0');
    await lab.act('a', 'like', 'left-0');
    expect(await like()).toBe(0.5);
    await lab.act('a', 'comment', 'left-1', { event_id: 'one' });
    await lab.act('a', 'comment', 'left-1', { event_id: 'two' });
    await lab.act('a', 'hide', 'left-2');
    await lab.act('b', 'report', 'left-0');
    expect((await lab.totals(id)).control).toMatchObject({
      comment: 1,
      hide: 0.5,
      report: 0.5,
      interactions: 1.5,
    });
    lab.server.clock.advance(24 * HOUR - 2);
    await lab.act('a', 'like', 'left-3');
    expect(await like()).toBe(1);
    lab.server.clock.advance(5);
    await lab.act('a', 'like', 'left-4');
    expect(await like()).toBe(1);
  });

  it('an act before the item was shown does not count, even if it arrives later', async (counting) => {
    const { lab, id, feed_id } = counting;
    lab.server.clock.advance(100);
    await lab.page('popular', { feed_id, user_id: 'a', impression_count: 6 });
    await lab.act('a', 'like', 'left-0', { timestamp: lab.now - 50 });
    await lab.act('a', 'share', 'left-0', { timestamp: lab.now });
    expect((await lab.totals(id)).control).toMatchObject({ like: 0, share: 1 });
  });

  it('acts that name their event count, and acts of viewers who were strangers until then', async (counting) => {
    const { lab, id, feed_id } = counting;
    await lab.page('popular', { feed_id, user_id: 'stranger', impression_count: 6 });
    await lab.act('stranger', 'like', 'left-0', { event_id: 'event-1' });
    await lab.act('stranger', 'like', 'left-0', { event_id: 'event-1', action: 'remove' });
    await lab.act('stranger', 'like', 'left-0', { event_id: 'event-2' });
    await lab.act('stranger', 'bookmark', 'left-1', { event_id: 'event-3' });
    expect((await lab.totals(id)).control).toMatchObject({ viewers: 1, like: 1, bookmark: 1 });
  });

  it('a viewer returns on the next day if they are shown items then', async (counting) => {
    const { lab, id, feed_id } = counting;
    const show = (user_id: string) =>
      lab.page('popular', { feed_id, user_id, top_k: 1, impression_count: 1 });
    const returned = async () => (await lab.totals(id)).control.next_day_return;
    await show('a');
    await show('b');
    expect(await returned()).toBeNull();
    lab.server.clock.advance(DAY);
    await show('a');
    expect(await returned()).toBeNull();
    lab.server.clock.advance(DAY);
    await show('b');
    expect(await returned()).toBe(0.5);
  });

  it('erased viewers leave the results, and hidden ones while they are hidden', async (counting) => {
    const { lab, id, feed_id } = counting;
    for (const user_id of ['a', 'b', 'c']) {
      await lab.page('popular', { feed_id, user_id, impression_count: 6 });
      await lab.act(user_id, 'like', 'left-0');
    }
    await lab.add('users', { user_id: 'a', hidden: true });
    await lab.remove('users', 'b');
    expect((await lab.totals(id)).control).toMatchObject({ viewers: 1, impressions: 6, like: 1 });
    expect((await lab.viewers(id)).map((line) => line.split(',')[0])).toEqual(['c']);
    await lab.add('users', { user_id: 'a', hidden: false });
    expect((await lab.totals(id)).control).toMatchObject({ viewers: 2, impressions: 12, like: 1 });
  });

  it('viewers.csv has a line per known viewer with all counts, and one with the sums of all others', async (counting) => {
    const { lab, id, feed_id } = counting;
    await lab.page('popular', { feed_id, user_id: 'a, "b"', top_k: 4, impression_count: 4 });
    await lab.act('a, "b"', 'like', 'left-0');
    await lab.act('a, "b"', 'view', 'left-1');
    for (const user_id of ['c', 'd']) await lab.page('popular', { feed_id, user_id, impression_count: 6 });
    const { headers, body } = await lab.call('GET', `/${id}/viewers.csv`);
    expect(headers.get('content-type')).toContain('text/csv');
    expect(body.split('\n')).toEqual([
      'user_id,variant,impressions,pages,short_pages,first_day,returned_next_day,view,like,comment,share,bookmark,hide,report',
      '"a, ""b""",control,4,1,0,2026-01-01,0,1,1,0,0,0,0,0',
      '2 without a user record,,12,2,2,,0,0,0,0,0,0,0,0',
      '',
    ]);
  });

  it('the export of a person names the variant that decided what they were shown', async (counting) => {
    const { lab, id, feed_id } = counting;
    await lab.page('popular', { feed_id, user_id: 'a', top_k: 1, impression_count: 1 });
    const exported = async () => {
      const path = '/v2/farcaster/users/a/export';
      const { body } = await lab.server.call('GET', path, undefined, { authorization: 'Bearer test-key' });
      const lines = String(body).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'impression');
    };
    const shown = { kind: 'impression', item_id: 'left-0', timestamp: lab.now };
    expect(await exported()).toEqual([{ ...shown, experiment: { id, variant: 'control' } }]);
    await lab.change(id, { status: 'stopped' });
    expect(await exported()).toEqual([{ ...shown, experiment: { id, variant: 'control' } }]);
    await lab.call('DELETE', `/${id}`);
    expect(await exported()).toEqual([shown]);
  });

  it('the results of a stopped experiment never change, whatever happens later', async (counting) => {
    const { lab, id, feed_id } = counting;
    for (const user_id of ['a', 'b']) {
      await lab.page('popular', { feed_id, user_id, impression_count: 6 });
      await lab.act(user_id, 'like', 'left-0');
    }
    const running = await lab.totals(id);
    await lab.change(id, { status: 'stopped' });
    const stopped = (await lab.data(id)).results;
    expect(totalsOf(stopped)).toEqual(running);
    expect(stopped.ended_at).toBe(lab.now);
    await lab.act('a', 'like', 'left-1');
    await lab.page('popular', { feed_id, user_id: 'c', impression_count: 6 });
    await lab.remove('users', 'a');
    await lab.remove('items', 'left-0');
    lab.server.clock.advance(DAY);
    expect((await lab.data(id)).results).toEqual(stopped);
    expect(await lab.viewers(id)).toEqual([]);
  });

  it('other percents go on with the period, and repinning begins one from nothing', async (counting) => {
    const { lab, id, feed_id } = counting;
    await lab.page('popular', { feed_id, user_id: 'a', impression_count: 6 });
    lab.server.clock.advance(60);
    await lab.change(id, { variants: [{ name: 'control', percent: 90 }] });
    await lab.change(id, { variants: [{ name: 'control', percent: 100 }] });
    await lab.act('a', 'like', 'left-0');
    expect((await lab.data(id)).period).toBe(1);
    expect((await lab.totals(id)).control).toMatchObject({ viewers: 1, impressions: 6, like: 1 });
    await lab.change(id, { repin: true });
    await lab.act('a', 'like', 'left-1');
    const { period, period_started_at, results, ended_periods } = await lab.data(id);
    expect({ period, period_started_at }).toEqual({ period: 2, period_started_at: lab.now });
    expect(totalsOf(results).control).toMatchObject({ viewers: 0, impressions: 0, like: null });
    expect(ended_periods.map((each: { period: number }) => each.period)).toEqual([1]);
    expect(totalsOf(ended_periods[0]).control).toMatchObject({ viewers: 1, impressions: 6, like: 1 });
  });

  it('the time of pages is null until a node has built one', async (counting) => {
    const { lab, id, feed_id } = counting;
    const latency = async () =>
      (await lab.data(id)).results.variants.map((variant: { latency: unknown }) => variant.latency);
    expect(await latency()).toEqual([null, null]);
    await lab.page('popular', { feed_id, user_id: 'a', impression_count: 6 });
    expect(await latency()).toEqual([{ pages: 1, mean_ms: expect.any(Number) }, null]);
  });

  test('each variant is compared with the control in each metric', async () => {
    await using lab = await openLab();
    await lab.items(2);
    const { left, right } = await lab.feeds();
    const id = await lab.start(left, right, { metric: 'share' });
    for (let at = 0; at < 20; at++)
      await lab.page('popular', { feed_id: left, user_id: `viewer-${at}`, impression_count: 2 });
    const { results } = await lab.data(id);
    const metrics = results.variants[0].rates.map(({ metric }: { metric: string }) => metric);
    expect(results.comparison.map(({ metric }: { metric: string }) => metric)).toEqual(metrics);
    expect(results.comparison[0]).toMatchObject({ variant: 'other', lift: null, decided: false });
    expect(results.sample_ratio.ok).toBe(true);
    expect(results).toMatchObject({ metric: 'share', guardrails: ['hide', 'report', 'short_pages'] });
    const latency = results.variants.map((variant: { latency: { pages: number } }) => variant.latency.pages);
    expect(latency[0] + latency[1]).toBe(20);
  });
});

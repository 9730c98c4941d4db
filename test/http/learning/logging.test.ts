import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { signalKey } from '../../../src/model/signal-key.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import { newAccount } from '../config-support.ts';
import { feedPath, KEY } from '../support.ts';
import { bytesOf, Lab, LEARNED, WINDOW } from './support.ts';

const CHEAP = ['trending', 'click_rate', 'fatigue', 'popular'];

describe('pages of a feed that learns', () => {
  test('are logged with the signals that it learns, and the score of the default', async () => {
    await using lab = await Lab.open();
    await lab.ask('v');
    const [page] = await lab.logged();
    expect([...page.signals]).toEqual(['default', ...CHEAP].map(signalKey));
    expect(page.learning).toEqual({
      ...{ window_seconds: WINDOW, is_reported: false, is_control: false, is_learned: false },
    });
    for (const signal of ['default', 'trending', 'popular']) {
      const bytes = bytesOf(page, signal);
      expect([signal, bytes.length, bytes.toSorted((one, other) => other - one)]).toEqual([
        signal,
        12,
        bytes,
      ]);
      expect(bytes[0]).toBeGreaterThan(bytes[6]);
    }
  });

  test('are logged so for "learn": true as well, and for no other feeds, previews or viewers', async () => {
    await using lab = await Lab.open();
    const plain = await lab.save({});
    const signalsOf = async (user_id: string, fields: object, feed_type?: FeedType) => {
      const before = (await lab.logged()).length;
      await lab.ask(user_id, { feed_id: undefined, ...fields }, feed_type);
      return (await lab.logged()).slice(before).map(({ signals, learning }) => [signals.length, !!learning]);
    };
    expect(await signalsOf('v', { learn: true })).toEqual([[5, true]]);
    expect(await signalsOf('v', { feed_id: await lab.save({ learn: true }) })).toEqual([[5, true]]);
    expect(await signalsOf('v', { scoring: LEARNED })).toEqual([[5, true]]);
    expect(await signalsOf('v', {})).toEqual([[0, false]]);
    expect(await signalsOf('v', { learn: true }, 'popular')).toEqual([[0, false]]);
    expect(await signalsOf('v', { feed_id: plain })).toEqual([[0, false]]);
    const { server } = lab.community;
    const asked = { feed_type: 'trending', config: { scoring: LEARNED }, user_id: 'v' };
    const before = (await lab.logged()).length;
    expect((await server.post('/api/feed/preview', asked)).status).toBe(200);
    const path = '/v2/farcaster/users/shy/preferences';
    const preferences = await server.call('PUT', path, { personalised: false }, KEY);
    expect(preferences.status).toBe(200);
    await lab.ask('shy');
    expect((await lab.logged()).length).toBe(before);
  });

  test('are logged so for all viewers of an experiment of which one variant learns', async () => {
    await using lab = await Lab.open();
    const control = await lab.save({});
    const { server } = lab.community;
    const experiment = {
      ...{ name: 'Learned', feed_id: control },
      variants: [
        { name: 'control', feed_id: control, percent: 50 },
        { name: 'learned', feed_id: lab.feed_id, percent: 50 },
      ],
    };
    expect((await server.post('/api/experiments', experiment)).status).toBe(201);
    for (let at = 0; at < 8; at++) await lab.ask(`v${at}`, { feed_id: control });
    const pages = await lab.logged();
    expect(pages.map(({ feed, signals }) => [feed, signals.length])).toEqual(Array(8).fill([2, 5]));
  });

  test('are logged without signals for newcomers whose cold start feed is of another type', async () => {
    await using lab = await Lab.open();
    for (const cold_start_feed of [lab.feed_id, undefined]) {
      const feed_id = await lab.save({ scoring: LEARNED, cold_start_feed }, 'feeds/for-you');
      await lab.ask('newcomer', { feed_id }, 'for-you');
    }
    const pages = await lab.logged();
    expect(pages.map(({ feed_type, signals }) => [feed_type, signals.length])).toEqual([
      ['for-you', 0],
      ['for-you', 10],
    ]);
  });

  test('are logged without signals for keys of other accounts, which could make up viewers', async () => {
    await using lab = await Lab.open();
    const { server } = lab.community;
    const { headers } = await newAccount(server, 'other', 'feed:read');
    const body = { config_id: lab.feed_id, visibility: 'public' };
    expect((await server.call('PATCH', '/api/feed/config', body, KEY)).status).toBe(200);
    const request = { user_id: 'v', feed_id: lab.feed_id };
    for (const key of [headers, KEY])
      expect((await server.call('POST', feedPath('trending'), request, key)).status).toBe(200);
    expect((await lab.logged()).map(({ feed, signals }) => [feed, signals.length])).toEqual([
      [1, 0],
      [1, 5],
    ]);
  });

  test('teach when they are reported, with the signals that the page_id has', async () => {
    await using lab = await Lab.open();
    const { body, page_id } = await lab.ask('v', { mark_seen: false });
    expect(await lab.logged()).toEqual([]);
    expect((await lab.ask('w')).page_id.length).toBeLessThan(page_id.length - 40);
    const item_ids = [body[6].item_id, body[1].item_id];
    const report = { user_id: 'v', page_id, item_ids };
    expect((await lab.community.server.post('/v2/farcaster/impressions', report)).status).toBe(200);
    const [whole, part] = await lab.logged();
    expect([...part.slots]).toEqual([2, 7]);
    expect(part.learning).toEqual({ ...whole.learning!, is_reported: true });
    for (const signal of ['default', 'popular'])
      expect(bytesOf(part, signal)).toEqual([1, 6].map((at) => bytesOf(whole, signal)[at]));
  });

  test('keep a page_id within its limit: a long page is reported without signals', async () => {
    await using lab = await Lab.open();
    const signals = ['interest_all', 'interest_recent', 'affinity_all', 'profile', 'newest', 'momentum'];
    const scoring = { name: LEARNED, options: { signals } };
    for (let at = 0; at < 500; at++) await lab.community.addItem(`more ${at}`);
    const { page_id, body } = await lab.ask('v', { mark_seen: false, top_k: 500, scoring });
    expect(page_id.length).toBeLessThanOrEqual(6_000);
    const item_ids = [body[499].item_id];
    await lab.community.server.post('/v2/farcaster/impressions', { user_id: 'v', page_id, item_ids });
    const [page] = await lab.logged();
    expect([page.slots[0], page.signals.length]).toEqual([500, 0]);
  });
});

test("a third party's scoring function learns a signal of its own through the contract alone", async () => {
  const plugins = join(import.meta.dir, 'learning-plugin.ts');
  await using lab = await Lab.open({ settings: { plugins } }, { scoring: 'acme/learned_v1.0.0' });
  for (let item = 0; item < 6; item++)
    for (let viewer = 0; viewer < 30; viewer++) await lab.show(`v${viewer}`, `q${item}`);
  await lab.pass();
  const { weights, pages } = await lab.learning();
  expect(pages).toBe(180);
  expect(weights.map(({ signal }: { signal: string }) => signal)).toEqual(['default', 'acme/first_letter']);
  expect((await lab.weight('acme/first_letter')).used).toBeGreaterThan(0.3);
  const { body } = await lab.ask('somebody', { explain: true });
  expect(body[0].item_id).toStartWith('q');
  expect(body[0].explain.score_parts['acme/first_letter']).toBeGreaterThan(0.3);
});

import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { ModelHistory } from '../../../src/ingest/model-history.ts';
import { LIMITS } from '../../../src/limits.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { newAccount } from '../config-support.ts';
import { Lab, LEARNED, WINDOW } from './support.ts';

const VIEWERS = Array.from({ length: 30 }, (_, at) => `viewer${at}`);
const DEFAULT = ['p5', 'p4', 'p3', 'p2', 'p1', 'p0', 'q0', 'q1', 'q2', 'q3', 'q4', 'q5'];

/** Viewers bookmark what the default shows last. */
async function teach(lab: Lab, viewers = VIEWERS): Promise<void> {
  for (let item = 0; item < 6; item++) for (const viewer of viewers) await lab.show(viewer, `q${item}`);
}

async function taught(): Promise<Lab> {
  const lab = await Lab.open();
  await teach(lab);
  await lab.pass();
  return lab;
}

/** Viewers who get what was learnt, and viewers who get the default as its control. */
async function byMode(lab: Lab, count: number): Promise<Record<'learned' | 'control', string[]>> {
  const found: Record<string, string[]> = { learned: [], control: [] };
  for (let at = 0; at < count; at++) found[(await lab.mode(`new${at}`)) ?? ''].push(`new${at}`);
  return found as Record<'learned' | 'control', string[]>;
}

describe('a feed that learns', () => {
  test('has the order of the default, until the window of acts has passed', async () => {
    await using lab = await Lab.open();
    expect([await lab.order('somebody'), await lab.mode('somebody')]).toEqual([DEFAULT, 'untaught']);
    await teach(lab);
    await lab.pass(WINDOW - 1);
    expect([await lab.order('somebody'), (await lab.learning()).pages]).toEqual([DEFAULT, 0]);
    await lab.pass(2);
    expect((await lab.learning()).pages).toBeGreaterThan(100);
    expect(await lab.mode('somebody')).toBe('learned');
    expect((await lab.order('somebody')).slice(0, 6).toSorted()).toEqual(DEFAULT.slice(6));
    expect((await lab.weight('popular')).used).toBeLessThan(-0.2);
  });

  test('explains scores by the terms of their logits', async () => {
    await using lab = await taught();
    const { body } = await lab.ask('somebody', { explain: true });
    for (const { score, explain } of body) {
      const sum = Object.values<number>(explain.score_parts).reduce((one, other) => one + other, 0);
      expect(score).toBeCloseTo(1 / (1 + Math.exp(-sum)), 12);
      expect(Object.keys(explain.score_parts)).toEqual(
        expect.arrayContaining(['intercept', 'default', 'popular']),
      );
      expect(explain.signals.click_rate).toBeGreaterThan(0);
    }
  });

  test('learns nothing while it is frozen, goes on when it is thawed, and returns to its prior by a reset', async () => {
    await using lab = await taught();
    expect(await lab.change('freeze')).toBe(200);
    const frozen = await lab.learning();
    expect(frozen.status).toBe('frozen');
    await lab.pass(86_400);
    await teach(lab, ['later']);
    await lab.pass();
    const used = (learning: typeof frozen, key: string) =>
      learning.weights.map((weight: Record<string, number>) => weight[key]);
    expect([(await lab.learning()).pages, used(await lab.learning(), 'used')]).toEqual([
      frozen.pages,
      used(frozen, 'used'),
    ]);
    expect(await lab.change('thaw')).toBe(200);
    await teach(lab, ['last']);
    await lab.pass();
    expect((await lab.learning()).pages).toBeGreaterThan(frozen.pages);
    expect(await lab.change('reset')).toBe(200);
    const fresh = await lab.learning();
    expect([fresh.status, fresh.pages]).toEqual(['learning', 0]);
    // The common weights, which all feeds of the type learnt.
    expect(fresh.weights.map(({ signal }: { signal: string }) => signal)).toContain('popular');
    expect(used(fresh, 'used')).toEqual(used(fresh, 'prior'));
    const { body } = await lab.community.server.get('/api/audit');
    expect(
      body.data.map(({ action, object }: Record<string, string>) => [action, object]).slice(0, 3),
    ).toEqual([
      ['learning.reset', lab.feed_id],
      ['learning.thaw', lab.feed_id],
      ['learning.freeze', lab.feed_id],
    ]);
  });

  test('is known to its own account alone', async () => {
    await using lab = await taught();
    const { headers } = await newAccount(lab.community.server, 'other', 'config:write');
    const { server } = lab.community;
    const path = `/api/learning?feed_id=${lab.feed_id}`;
    expect((await server.call('GET', path, undefined, headers)).status).toBe(404);
    const body = { feed_id: lab.feed_id, action: 'reset' };
    expect((await server.call('PATCH', '/api/learning', body, headers)).status).toBe(404);
    expect((await lab.learning()).pages).toBeGreaterThan(100);
    expect(await lab.change('forget')).toBe(400);
    expect(await lab.change('reset', 'feed_99')).toBe(404);
  });

  test('is forgotten when it was deleted and can no longer be restored', async () => {
    await using lab = await taught();
    const { server } = lab.community;
    const { state, store, saved_feeds } = server.service;
    const timers = new ManualTimers();
    const history = new ModelHistory(state, store, timers, pino({ enabled: false }));
    const feedsKnownAfter = async (seconds: number) => {
      server.clock.advance(seconds);
      await saved_feeds.forgetDeleted();
      await timers.pass(LIMITS.model_history_every_seconds);
      await lab.pass();
      return [...state.learning.models.names()].map(({ feed }) => feed).toSorted();
    };
    expect((await server.remove(`/api/feed/config?config_id=${lab.feed_id}`)).status).toBe(200);
    expect(await feedsKnownAfter(LIMITS.feed_restore_seconds - 3_600)).toEqual([0, 1]);
    expect(await feedsKnownAfter(3_600)).toEqual([0]);
    history.stop();
  });

  test('keeps the history of its weights', async () => {
    await using lab = await taught();
    const { state, store } = lab.community.server.service;
    const timers = new ManualTimers();
    const history = new ModelHistory(state, store, timers, pino({ enabled: false }));
    const { applied_at } = state;
    await timers.pass(LIMITS.model_history_every_seconds);
    history.stop();
    await lab.pass();
    const { pages, history: former, weights } = await lab.learning();
    const now = Object.fromEntries(
      weights.map(({ signal, used }: Record<string, unknown>) => [signal, used]),
    );
    expect(former).toEqual([{ at: Math.floor(applied_at), pages, weights: now }]);
  });
});

describe('the control', () => {
  test('is one of twenty viewers, always the same ones, who get the default', async () => {
    await using lab = await taught();
    const { learned, control } = await byMode(lab, 400);
    expect(control.length).toBeGreaterThan(8);
    expect(control.length).toBeLessThan(36);
    const by_default = await lab.order('somebody', { scoring: 'all' });
    for (const viewer of control.slice(0, 3)) expect(await lab.order(viewer)).toEqual(by_default);
    expect(await lab.order(learned[0])).not.toEqual(by_default);
    const before = (await lab.logged()).length;
    for (const viewer of [control[0], learned[0]]) await lab.order(viewer);
    const flags = (await lab.logged()).slice(before).map(({ learning }) => learning);
    expect(flags.map((flag) => [flag?.is_control, flag?.is_learned])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('ends a harm: the feed falls back to the default for all viewers, says so, and begins anew by a reset', async () => {
    await using lab = await taught();
    const { learned, control } = await byMode(lab, 500);
    for (let round = 0; round < 15; round++)
      for (let at = 0; at < control.length; at++) {
        await lab.show(control[at], DEFAULT[round % 12]);
        const other = learned[(round * control.length + at) % learned.length];
        await lab.show(other, at % 5 === 0 ? DEFAULT[round % 12] : undefined);
      }
    expect((await lab.learning()).status).toBe('learning');
    await lab.pass();
    const { status, fell_back_at, control: of_control, learned: of_learned } = await lab.learning();
    expect(status).toBe('fell_back');
    expect(fell_back_at).toBe(Math.floor(lab.community.now));
    expect(of_control.ci_low).toBeLessThan(of_control.acts_per_page);
    expect(of_learned.acts_per_page).toBeLessThan(0.3);
    const by_default = await lab.order(learned[0], { scoring: 'all' });
    expect([await lab.mode(learned[0]), await lab.order(learned[0])]).toEqual(['fell_back', by_default]);
    const ready = await lab.community.server.call('GET', '/readyz');
    expect([ready.status, ready.body.fallen_back_feeds]).toEqual([200, [lab.feed_id]]);
    const { state, store } = lab.community.server.service;
    const timers = new ManualTimers();
    const history = new ModelHistory(state, store, timers, pino({ enabled: false }));
    for (const _ of [1, 2]) {
      await timers.pass(LIMITS.fall_backs_every_seconds);
      await lab.pass();
    }
    history.stop();
    const { body } = await lab.community.server.get('/api/audit');
    const falls = body.data.filter(({ action }: { action: string }) => action === 'learning.fall_back');
    expect(falls).toMatchObject([{ actor: 'service', object: lab.feed_id, count: 1 }]);
    const path = `config_id=${lab.feed_id}`;
    const fallen = async () => (await lab.community.server.call('GET', '/readyz')).body.fallen_back_feeds;
    // A deleted feed cannot be reset, but it may be restored.
    expect((await lab.community.server.remove(`/api/feed/config?${path}`)).status).toBe(200);
    expect(await fallen()).toEqual([]);
    expect((await lab.community.server.post(`/api/feed/config/restore?${path}`, undefined)).status).toBe(200);
    expect(await fallen()).toEqual([lab.feed_id]);
    expect(await lab.change('reset')).toBe(200);
    expect((await lab.community.server.call('GET', '/readyz')).body.fallen_back_feeds).toEqual([]);
    expect((await lab.learning()).status).toBe('learning');
  });
});

test('a feed cannot learn signals that are not known, or too many', async () => {
  await using lab = await Lab.open();
  const faultsOf = async (signals: string[]) => {
    const config = { scoring: { name: LEARNED, options: { signals } } };
    const object = { name: 'Feed', endpoint: 'feeds/for-you', config };
    const { status, body } = await lab.community.server.post('/api/feed/config', object);
    return [status, body.errors?.[0].message];
  };
  expect(await faultsOf(['no_such_signal'])).toEqual([400, expect.stringContaining('is not a known signal')]);
  expect(await faultsOf(['interest_recent', 'affinity_closest'])).toEqual([201, undefined]);
});

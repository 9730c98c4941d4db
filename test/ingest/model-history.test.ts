import { expect, test } from 'bun:test';
import pino from 'pino';
import { ModelHistory } from '../../src/ingest/model-history.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Change } from '../../src/model/change.ts';
import { type StoredModel, storedModel } from '../../src/model/changes/model.ts';
import { signalKey } from '../../src/model/signal-key.ts';
import { State } from '../../src/state/state.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { viewerOf } from '../support/random-history.ts';
import { Scene } from '../support/scene.ts';

const TASTE = signalKey('taste');
/** Of feeds 1 to 9, a revision is kept. */
const FEEDS = {
  revisions: async (feed_id: string) =>
    Number(feed_id.slice(5)) < 10 ? [{ revision: 1, at: 0, actor: '', key_name: null }] : [],
};
const LEARNING = { window_seconds: 60, is_reported: false, is_control: false, is_learned: true };

test('the weights of models that learnt are stored every hour, until that is stopped', async () => {
  const scene = new Scene(new State({ viewerOf })).item('a').item('b');
  const timers = new ManualTimers();
  const stored: (StoredModel & { name: string })[] = [];
  let fails = false;
  const submit = async (changes: readonly Change[]) => {
    if (fails) throw new Error('the store does not answer');
    for (const change of changes)
      if (change.kind === 'model')
        stored.push({ name: `${change.feed_type} ${change.feed}`, ...storedModel(change.numbers) });
  };
  const history = new ModelHistory(scene.state, { submit, feeds: FEEDS }, timers, pino({ enabled: false }));
  const learn = (user: string, feed: number) => {
    const page = { signals: Uint32Array.of(TASTE), signal_values: Uint8Array.of(0, 250), learning: LEARNING };
    scene.log(user, ['a', 'b'], { ...page, feed }).act(user, 'like', 'b');
    scene.now += 60;
    scene.user('passer-by');
  };
  const hour = () => timers.pass(LIMITS.model_history_every_seconds);
  await hour();
  expect(stored).toEqual([]);
  learn('u', 7);
  await hour();
  await hour();
  expect(stored.map(({ name, pages }) => [name, pages])).toEqual([
    ['for-you 7', 1],
    ['for-you 0', 1],
  ]);
  const { learning } = scene.state;
  expect(stored[1].weights).toEqual([[TASTE, learning.modelOf('for-you', 0)?.weightOf(TASTE) ?? 0]]);
  learn('v', 0);
  await hour();
  expect(stored.slice(2)).toMatchObject([{ name: 'for-you 0', pages: 2 }]);
  learn('w', 0);
  fails = true;
  await hour();
  fails = false;
  await hour();
  expect(stored.slice(3)).toMatchObject([{ name: 'for-you 0', pages: 3 }]);
  history.stop();
  learn('x', 0);
  await hour();
  expect(stored.length).toBe(4);
});

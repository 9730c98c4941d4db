import { expect, test } from 'bun:test';
import { applyChange, applyErasure } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { Scene } from '../support/scene.ts';
import { digest } from '../support/state-digest.ts';

const PROBES = { wallets: [], event_ids: [] };

/** A user with many followers, items and acts, of which some are on one item, and who follows many. */
function scene(state: State): Scene {
  const made = new Scene(state);
  for (let at = 0; at < 1_200; at++)
    made.item(`own-${at}`, { author: 'star', language: 'en', channel: `c${at % 3}` });
  for (let at = 0; at < 2_500; at++) {
    made.item(`item-${at}`, { author: `author-${at % 50}`, channel: `c${at % 3}` });
    made.act('star', 'like', `item-${at}`).act('star', at % 2 ? 'hide' : 'view', `item-${at}`);
    made.follow(`fan-${at}`, 'star').follow('star', `fan-${at}`);
    made.act(`fan-${at}`, 'like', `own-${at % 1_200}`).act(`fan-${at}`, 'report', `item-${at % 7}`);
  }
  for (let at = 0; at < 3_000; at++) made.act('star', 'comment', 'item-0', made.now - at, `comment-${at}`);
  for (let at = 0; at < 30; at++) made.delete(`own-${at}`);
  made.user('fan-1', { hidden: true });
  return made;
}

const erasureOf = ({ state }: Scene) => ({
  kind: 'erasure' as const,
  user: state.users.names.key(state.users.names.find('star')),
  viewer: '',
  seq: state.seq + 1,
  applied_at: state.applied_at,
});

test('the erasure of a user with very many items, acts and followers takes small steps, to the same state', () => {
  const [one, other] = [scene(new State()), scene(new State())];
  applyChange(one.state, erasureOf(one));

  const { state } = other;
  const erasure = erasureOf(other);
  const star = state.users.names.find('star');
  const sizes = () => ({
    items: state.by_time.length(0),
    acts: state.interactions.by_user.size,
    follows: state.follows.size,
  });
  let before = sizes();
  let steps = 0;
  for (const _ of applyErasure(state, erasure)) {
    steps++;
    const now = sizes();
    expect(before.items - now.items).toBeLessThanOrEqual(64);
    expect(before.acts - now.acts).toBeLessThanOrEqual(5_000);
    expect(before.follows - now.follows).toBeLessThanOrEqual(2_000);
    before = now;
    // What derives from the state meanwhile counts as older.
    expect(state.seq).toBe(erasure.seq - 1);
    expect(state.follows.followers(star)).toHaveLength(state.follows.audience(star));
    state.settle(10);
  }
  expect(steps).toBeGreaterThan(20);
  while (state.settle(10_000));
  while (one.state.settle(10_000));
  expect(digest(state, PROBES)).toEqual(digest(one.state, PROBES));
  expect([state.seq, state.erasures, state.users.names.find('star')]).toEqual([erasure.seq, 1, -1]);
  for (const { state } of [one, other])
    expect([state.follows.size, state.interactions.by_user.length(star)]).toEqual([0, 0]);
});

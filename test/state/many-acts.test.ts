import { describe, expect, spyOn, test } from 'bun:test';
import { State } from '../../src/state/state.ts';
import { WALLETS } from '../../src/state/vocabulary.ts';
import { NOW, Scene } from '../support/scene.ts';
import { digest } from '../support/state-digest.ts';

const ACTS = 100;
const PROBES = { wallets: [], event_ids: ['0', '99'] };

/** What is left must be what a scene has that never had the removed acts. */
function expectSame(scene: Scene, expected: Scene): void {
  expect(digest(scene.state, PROBES)).toEqual(digest(expected.state, PROBES));
}

/** Wallets that act on one token in turns. `types` are those of wallet 1. */
function trade(...types: string[]): Scene {
  const scene = new Scene(new State({ vocabulary: WALLETS })).item('token', { created_at: NOW - 10_000 });
  scene.act('wallet-1', 'buy', 'other', NOW - 1);
  for (let n = 0; n < ACTS; n++) {
    for (const type of types) scene.act('wallet-1', type, 'token', NOW - 5_000 + n);
    scene.act('wallet-2', 'like', 'token', NOW - 5_000 + n).act('wallet-3', 'mint', 'token', NOW - 6_000 + n);
  }
  return scene;
}

/** Users who comment on one post in turns. */
function discuss(with_bot: boolean): Scene {
  const scene = new Scene().item('post', { author: 'author' }).user('bot', {});
  for (let n = 0; n < ACTS; n++) {
    const time = NOW - 5_000 + n;
    if (with_bot) scene.act('bot', 'comment', 'post', time, String(n));
    if (with_bot && n % 3 === 0) scene.unact('bot', 'comment', 'post', time + 1, String(n));
    scene.act('reader', 'comment', 'post', time, `reader-${n}`);
  }
  if (with_bot) scene.act('bot', 'like', 'post').act('bot', 'report', 'post').act('bot', 'like', 'elsewhere');
  return scene.act('reader', 'like', 'elsewhere');
}

describe('many acts of a user on one item', () => {
  test('can be deleted by type', () => {
    const scene = trade('mint', 'like', 'sell');
    scene.forget('wallet-1', 'mint', 'token');
    expectSame(scene, trade('like', 'sell'));
    scene.forget('wallet-1', 'sell', 'token');
    expectSame(scene, trade('like'));
  });

  test('leave no pair of user and item behind once all are deleted', () => {
    const scene = trade('mint', 'sell');
    const { items, interactions } = scene.state;
    const pairs = () => [interactions.touched.size, interactions.usersBeyondLog(items.names.find('token'))];
    expect(pairs()).toEqual([4, 1]);
    scene.forget('wallet-1', 'sell', 'token');
    expect(pairs()).toEqual([4, 0]);
    scene.forget('wallet-1', 'mint', 'token');
    expect(pairs()).toEqual([3, 0]);
  });

  test('are erased with the user', () => {
    const scene = trade('mint', 'like', 'sell').erase('wallet-1');
    expectSame(scene, trade().erase('wallet-1'));
    expectSame(discuss(true).erase('bot'), discuss(false).erase('bot'));
  });

  test.each([0, 40, 1_000])('are erased with a hidden user after %d of them were suspended', (acts) => {
    const scene = discuss(true).user('bot', { hidden: true });
    scene.state.settle(acts);
    scene.erase('bot');
    while (scene.state.settle(ACTS));
    expectSame(scene, discuss(false).erase('bot'));
  });

  test('are deleted with the item without being removed one by one from the log of the user', () => {
    const scene = new Scene(new State({ vocabulary: WALLETS })).item('token', { created_at: NOW - 10_000 });
    for (let n = 0; n < 700; n++) {
      scene.act('trader', 'mint', 'token', NOW - 5_000 + n).act('trader', 'sell', 'other', NOW - 4_000 + n);
      if (n % 10 === 0) scene.act(`wallet-${n}`, 'like', 'token', NOW - 5_000 + n);
    }
    const { by_user, by_item, touched } = scene.state.interactions;
    const moved = spyOn(by_user, 'removeAt');
    scene.delete('token');
    const token = scene.state.items.names.find('token');
    const { names } = scene.state.users;
    const [trader, other] = [names.find('trader'), names.find('wallet-10')];
    expect([by_item.length(token), by_user.length(trader), by_user.length(other)]).toEqual([0, 700, 0]);
    expect([touched.flags(trader, token), touched.flags(other, token)]).toEqual([0, 0]);
    expect(moved.mock.calls.filter(([user]) => user === trader)).toEqual([]);
  });

  test.each(['erase', 'forget'] as const)(
    'are not removed one by one from the log of the item: %s',
    (how) => {
      const scene = trade('mint');
      const { by_user, by_item } = scene.state.interactions;
      const moved = [spyOn(by_user, 'removeAt'), spyOn(by_item, 'removeAt')];
      if (how === 'erase') scene.erase('wallet-1');
      else scene.forget('wallet-1', 'mint', 'token');
      expect(by_item.length(scene.state.items.names.find('token'))).toBe(2 * ACTS);
      expect(moved.map(({ mock }) => mock.calls.length)).toEqual([0, how === 'erase' ? 1 : 0]);
    },
  );
});

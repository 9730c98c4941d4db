import { describe, expect, test } from 'bun:test';
import { defaultAccount, expectRefused } from '../../http/config-support.ts';
import { openCommunity } from '../../http/support.ts';
import { faults, refusedOptions, scores, signalValues } from '../../support/extensions.ts';
import { forYouScene, partsOf, VIEWER } from '../../support/for-you.ts';
import { builtIn, requestIn } from '../../support/scene.ts';

const ID = 'weighted_v0.0.1';

/** The score of every described item for the given weights. */
function weighted(weights: Record<string, number>): Record<string, number> {
  const scene = forYouScene();
  const score = builtIn().get('scoring_functions', ID)!.extension.compile({ weights })(
    requestIn(scene, VIEWER),
  );
  const items = Array.from({ length: scene.state.items.size }, (_, item) => item);
  return Object.fromEntries(items.map((item) => [scene.state.items.names.id(item), score(item)]));
}

describe('weighted_v0.0.1', () => {
  test('is the sum of the named signals, each times its weight', () => {
    const scene = forYouScene();
    const values = (signal: string) => signalValues(scene, signal, VIEWER);
    const [interest, author, dislike] = ['interest_all', 'author_affinity', 'dislike'].map(values);
    const all = weighted({ interest_all: 2, author_affinity: 0.25, dislike: 0 });
    expect(Object.keys(all)).toEqual(Object.keys(interest));
    for (const [id, score] of Object.entries(all)) {
      expect(score).toBeCloseTo(2 * interest[id] + 0.25 * author[id] + 0 * dislike[id], 12);
    }
  });

  test('uses interest_all, and affinity_all and momentum at half weight, by default', () => {
    expect(scores(forYouScene(), ID, VIEWER)).toEqual(
      weighted({ interest_all: 1, affinity_all: 0.5, momentum: 0.5 }),
    );
  });

  test('explains the part that each signal adds', () => {
    const parts = partsOf(ID, VIEWER, { weights: { affinity_closest: 3, momentum: 2, popular: 0 } });
    expect(Object.keys(parts['of the closest'])).toEqual(['affinity_closest', 'momentum', 'popular']);
    expect(parts['of the closest'].affinity_closest).toBe(3);
    expect(parts['of the crowd']).toMatchObject({ affinity_closest: 0, momentum: 2, popular: 0 });
    partsOf(ID);
  });

  test('is for all feeds and accepts 1 to 32 weights from 0 to a million', () => {
    for (const feed_type of ['for-you', 'trending', 'popular'] as const)
      expect(faults({ scoring: ID }, feed_type)).toEqual([]);
    const bad = [-1, 1e6 + 1, Number.NaN, Infinity, '1', null];
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`signal ${index}`, 1]));
    refusedOptions('scoring_functions', ID, [
      ...bad.map((weight) => ({ weights: { popular: weight } })),
      ...[{}, many, [], 1, 'popular'].map((weights) => ({ weights })),
      { signals: {} },
    ]);
  });

  test('rejects weights without a signal with a message that says to name one', () => {
    expect(faults({ scoring: { name: ID, options: { weights: {} } } })).toEqual([
      expect.stringContaining('name at least one signal'),
    ]);
  });

  test('rejects an unregistered signal and names the registered ones', () => {
    const [fault, ...more] = faults({
      scoring: { name: ID, options: { weights: { popular: 1, popularity: 1 } } },
    });
    expect(more).toEqual([]);
    expect(fault).toStartWith("/scoring/options: 'popularity' is not a known signal; known are ");
    for (const signal of builtIn().ids('signals')) expect(fault).toContain(signal);
  });

  test('rejects an unregistered signal with 400, in saved feeds and in requests', async () => {
    await using community = await openCommunity();
    const account = defaultAccount(community.server);
    const scoring = { name: ID, options: { weights: { vibes: 1 } } };
    const saved = await account.create({ name: 'A feed', config: { scoring } });
    expectRefused(saved, 400, 'invalid_value');
    const asked = await community.ask('for-you', { user_id: 'viewer', scoring });
    expectRefused(asked, 400, 'invalid_value');
    for (const { body } of [saved, asked]) {
      expect(body.errors).toHaveLength(1);
      expect(body.errors[0].detail ?? body.errors[0].message).toContain('known are interest_all, ');
    }
    expect(await account.ids()).toEqual([]);
  });

  test('orders the page of a saved feed', async () => {
    await using community = await openCommunity();
    await community.addItem('old', { created_at: community.now - 86_400 });
    await community.addItem('liked', { author_id: 'other' });
    await community.act('somebody', 'like', 'liked');
    await community.act('viewer', 'comment', 'old');
    await community.addItem('new of the author');
    const account = defaultAccount(community.server);
    const scoring = { name: ID, options: { weights: { author_affinity: 1, popular: 0.1 } } };
    const feed_id = await account.add({ config: { scoring } });
    const request = { user_id: 'viewer', feed_id };
    expect(await community.ids('for-you', request)).toEqual(['new of the author', 'liked']);
    const crowd = { name: ID, options: { weights: { popular: 1 } } };
    expect(await community.ids('for-you', { ...request, scoring: crowd })).toEqual([
      'liked',
      'new of the author',
    ]);
  });
});

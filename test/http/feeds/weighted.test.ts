import { describe, expect, test } from 'bun:test';
import { defaultAccount, expectRefused } from '../config-support.ts';
import { openCommunity } from '../support.ts';

const ID = 'weighted_v0.0.1';

describe('weighted_v0.0.1', () => {
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

import { describe, expect, test } from 'bun:test';
import { START } from '../../support/service.ts';
import { type Community, FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const EVENTS = ['like', 'comment', 'share'];

/** A viewer who follows `friend-1` to `friend-<count>`, and an item. */
async function openFriends(count: number): Promise<Community> {
  const community = await openCommunity();
  await community.addItem('item');
  const friends = Array.from({ length: count }, (_, at) => `friend-${at + 1}`);
  await community.add(
    'follows',
    ...friends.map((target_user_id) => ({ user_id: 'viewer', target_user_id, timestamp: START - 9999 })),
  );
  return community;
}

/** What the viewer is told of an item. */
async function proofOf(community: Community, request: Fields = {}) {
  const { social_proof, following_engagement } = await community.shown('item', {
    user_id: 'viewer',
    ...request,
  });
  return { users: social_proof.map(({ user_id }) => user_id), social_proof, following_engagement };
}

describe('social_proof', () => {
  test('social_proof lists the three followed users who acted last, latest first, in whole seconds', async () => {
    await using community = await openFriends(5);
    for (const [at, event_type] of ['like', 'comment', 'share', 'like', 'comment'].entries()) {
      await community.act(`friend-${at + 1}`, event_type, 'item', { timestamp: START - 100.5 + at * 10 });
    }
    const { social_proof, following_engagement } = await proofOf(community);
    expect(social_proof).toEqual([
      { user_id: 'friend-5', timestamp: START - 61, interaction: 'comment' },
      { user_id: 'friend-4', timestamp: START - 71, interaction: 'like' },
      { user_id: 'friend-3', timestamp: START - 81, interaction: 'share' },
    ]);
    expect(following_engagement).toEqual({ like: 2, comment: 2, share: 1 });
  });

  test('social_proof is part of every feed type, and empty for another viewer or none', async () => {
    await using community = await openFriends(1);
    await community.act('friend-1', 'like', 'item', { timestamp: START - 1 });
    for (const feed_type of FEED_TYPES) {
      const [item] = await community.page(feed_type, { user_id: 'viewer' });
      expect(item.social_proof).toEqual([{ user_id: 'friend-1', timestamp: START - 1, interaction: 'like' }]);
      const [other] = await community.page(feed_type, { user_id: 'other' });
      expect([other.social_proof, other.following_engagement.like]).toEqual([[], 0]);
    }
    const [item] = await community.page('popular');
    expect(item.social_proof).toEqual([]);
  });

  test('social_proof counts likes, comments and shares only', async () => {
    await using community = await openFriends(7);
    for (const [at, event_type] of [...EVENTS, 'bookmark', 'view', 'hide', 'report'].entries()) {
      await community.act(`friend-${at + 1}`, event_type, 'item', { timestamp: START - 50 + at });
    }
    const proof = await proofOf(community);
    expect(proof.users).toEqual(['friend-3', 'friend-2', 'friend-1']);
    expect(proof.following_engagement).toEqual({ like: 1, comment: 1, share: 1 });
  });

  test('social_proof shows the latest act of a user once, and counts each kind once', async () => {
    await using community = await openFriends(2);
    await community.act('friend-1', 'like', 'item', { timestamp: START - 30 });
    await community.act('friend-1', 'comment', 'item', { timestamp: START - 20 });
    await community.act('friend-1', 'comment', 'item', { timestamp: START - 10 });
    await community.act('friend-2', 'like', 'item', { timestamp: START - 40 });
    const { social_proof, following_engagement } = await proofOf(community);
    expect(social_proof).toEqual([
      { user_id: 'friend-1', timestamp: START - 10, interaction: 'comment' },
      { user_id: 'friend-2', timestamp: START - 40, interaction: 'like' },
    ]);
    expect(following_engagement).toEqual({ like: 2, comment: 1, share: 0 });
  });

  test('social_proof orders acts of the same time by user', async () => {
    await using community = await openFriends(4);
    for (const friend of ['friend-4', 'friend-2', 'friend-3', 'friend-1']) {
      await community.act(friend, 'like', 'item', { timestamp: START - 5 });
    }
    expect((await proofOf(community)).users).toEqual(['friend-1', 'friend-2', 'friend-3']);
  });

  test('social_proof omits removed acts and users who are no longer followed', async () => {
    await using community = await openFriends(3);
    for (let at = 1; at <= 3; at++) {
      await community.act(`friend-${at}`, 'like', 'item', { timestamp: START - 50 + at });
    }
    await community.act('friend-3', 'like', 'item', { action: 'remove', timestamp: START - 1 });
    expect((await proofOf(community)).users).toEqual(['friend-2', 'friend-1']);
    await community.follow('viewer', 'friend-2', { action: 'unfollow' });
    const proof = await proofOf(community);
    expect(proof.users).toEqual(['friend-1']);
    expect(proof.following_engagement).toEqual({ like: 1, comment: 0, share: 0 });
  });

  test('social_proof omits users in a block with the viewer, in either direction', async () => {
    await using community = await openFriends(3);
    for (let at = 1; at <= 3; at++) {
      await community.act(`friend-${at}`, 'like', 'item', { timestamp: START - 50 + at });
    }
    await community.block('viewer', 'friend-1');
    await community.block('friend-2', 'viewer');
    const proof = await proofOf(community);
    expect(proof.users).toEqual(['friend-3']);
    expect(proof.following_engagement.like).toBe(1);
    await community.block('friend-2', 'viewer', { action: 'unblock' });
    expect((await proofOf(community)).users).toEqual(['friend-3', 'friend-2']);
  });

  test('social_proof is the same whether an item has more or fewer acts than the viewer follows', async () => {
    await using community = await openFriends(4);
    for (let at = 1; at <= 4; at++) {
      await community.act(`friend-${at}`, EVENTS[at % 3], 'item', { timestamp: START - 50 + at });
    }
    await community.act('friend-1', 'bookmark', 'item', { timestamp: START - 1 });
    const few = await proofOf(community);
    const crowd = Array.from({ length: 50 }, (_, at) => ({
      user_id: `stranger-${at}`,
      item_id: 'item',
      event_type: 'like',
      timestamp: START - 20 + at / 10,
    }));
    await community.add('interactions', ...crowd);
    expect(await proofOf(community)).toEqual(few);
    const more = Array.from({ length: 100 }, (_, at) => `quiet-${at}`);
    await community.add('follows', ...more.map((target_user_id) => ({ user_id: 'viewer', target_user_id })));
    expect(await proofOf(community)).toEqual(few);
    expect(few.users).toEqual(['friend-4', 'friend-3', 'friend-2']);
  });

  test('social_proof does not include the viewer', async () => {
    await using community = await openFriends(1);
    await community.act('viewer', 'like', 'item');
    expect((await proofOf(community, { show_interacted_items: true })).users).toEqual([]);
  });

  test('social_proof omits an erased user immediately', async () => {
    await using community = await openFriends(2);
    await community.act('friend-1', 'like', 'item', { timestamp: START - 2 });
    await community.act('friend-2', 'comment', 'item', { timestamp: START - 1 });
    await community.remove('users', 'friend-2');
    const proof = await proofOf(community);
    expect(proof.users).toEqual(['friend-1']);
    expect(proof.following_engagement).toEqual({ like: 1, comment: 0, share: 0 });
  });
});

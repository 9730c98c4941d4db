import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/clock.ts';
import { check } from '../support/long.ts';
import { itemOf, NOW } from '../support/scene.ts';
import {
  acts,
  anybody,
  anything,
  COUNTED,
  Community,
  EVERYBODY,
  FRIENDS,
  IDLE,
  ITEMS,
  OTHERS,
  page,
  pair,
  STRANGERS,
} from './social-proof-support.ts';

/** Changes between some pages. Most make either the logs of items or those of users shorter. */
const happenings = fc
  .oneof(
    acts(fc.constantFrom(...FRIENDS, ...EVERYBODY), anything, 60),
    fc.tuple(acts(fc.constantFrom('b', '10'), fc.constantFrom(...OTHERS), 120), acts(anybody, anything, 12)),
    fc.tuple(
      acts(fc.constantFrom(...STRANGERS), fc.constantFrom(...ITEMS), 120),
      acts(anybody, anything, 12),
    ),
  )
  .map((drawn) => drawn.flat())
  .chain((drawn) => fc.shuffledSubarray(drawn, { minLength: drawn.length }));

/** Retires items for good, makes their ordinals be reused, and posts them again. */
function recycled(community: Community, items: readonly string[]): void {
  community.retire(items).scene.recycle();
  for (const item of items) community.post(item);
}

describe('what followed users did with the items of a page', () => {
  test('social proof equals that of a full scan, page after page', () => {
    const follows = fc.tuple(
      fc.shuffledSubarray(FRIENDS, { minLength: 2 }),
      fc.array(pair, { maxLength: 8 }),
    );
    const blocks = fc.array(pair, { maxLength: 2 });
    const rounds = fc.array(fc.tuple(happenings, fc.array(page, { minLength: 1, maxLength: 4 })), {
      maxLength: 3,
      size: 'max',
    });
    check(150, [follows, blocks, rounds], ([friends, more], blocked, drawn) => {
      const community = new Community();
      for (const friend of friends) community.follow('viewer', friend);
      for (const [user, target] of more) community.follow(user, target);
      for (const [user, target] of blocked) community.block(user, target);
      for (const [happened, pages] of drawn) {
        for (const act of happened) community.act(act);
        for (const { viewer, items } of pages)
          expect(community.read(viewer, items)).toEqual(community.expected(viewer, items));
      }
    });
  });

  test('social proof follows blocks, erasures, deletions and new posts between pages', () => {
    const friendship = fc.constantFrom(...FRIENDS).map((friend): [string, string] => ['viewer', friend]);
    const some_items = fc.shuffledSubarray([...ITEMS, ...OTHERS], { minLength: 1, maxLength: 4 });
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: happenings.map((drawn) => (to: Community) => drawn.forEach((act) => void to.act(act))),
      },
      {
        weight: 3,
        arbitrary: fc.oneof(friendship, pair).map((drawn) => (to: Community) => to.follow(...drawn)),
      },
      { weight: 1, arbitrary: pair.map((drawn) => (to: Community) => to.block(...drawn)) },
      { weight: 2, arbitrary: anybody.map((user) => (to: Community) => to.erase(user)) },
      { weight: 2, arbitrary: anything.map((item) => (to: Community) => to.delete(item)) },
      { weight: 2, arbitrary: anything.map((item) => (to: Community) => to.delete(item).post(item)) },
      { weight: 2, arbitrary: some_items.map((items) => (to: Community) => recycled(to, items)) },
    );
    const steps = fc.array(fc.tuple(step, page), { maxLength: 20, size: 'max' });
    let proven = 0;
    check(100, [steps], (drawn) => {
      const community = new Community();
      for (const friend of FRIENDS) community.follow('viewer', friend);
      for (const [happen, { viewer, items }] of drawn) {
        happen(community);
        const known = items.filter((item) => community.knows(item));
        const said = community.read(viewer, known);
        expect(said).toEqual(community.expected(viewer, known));
        proven += said.filter(({ social_proof }) => social_proof.length > 0).length;
      }
    });
    expect(proven).toBeGreaterThan(100);
  });

  test('social proof of a new item excludes acts on the earlier item whose ordinal it reuses', () => {
    const community = new Community().follow('viewer', 'a').follow('viewer', 'b');
    const like = (user: string, item: string) =>
      community.act({ user, type: 'like', item, time: NOW - 1, add: true });
    like('a', 'i0');
    const before = itemOf(community.scene, 'i0');
    expect(community.read('viewer', ['i0'])[0].following_engagement.like).toBe(1);
    community.retire(['i0']).scene.recycle();
    community.post('another');
    like('b', 'another');
    expect(itemOf(community.scene, 'another')).toBe(before);
    expect(community.read('viewer', ['another'])).toEqual([
      {
        social_proof: [{ user_id: 'b', timestamp: NOW - 1, interaction: 'like' }],
        following_engagement: { like: 1, comment: 0, share: 0 },
      },
    ]);
  });

  test('social proof is correct for more items and followed users than the initial buffers hold', () => {
    const friends = Array.from({ length: 80 }, (_, number) => `f${number}`);
    const items = Array.from({ length: 90 }, (_, number) => `n${number}`);
    const pages = [[items[0]], items.slice(1), items.slice(80), IDLE, items.toReversed(), items];
    for (const order of [pages, pages.toReversed()]) {
      const community = new Community();
      const random = seededRandom(5);
      const some = (count: number) => Math.floor(random() * count);
      for (const friend of friends) community.follow('viewer', friend);
      const act = (user: string, item: string) =>
        community.act({ user, type: COUNTED[some(3)], item, time: NOW - some(5), add: true });
      for (let count = 0; count < 400; count++) act(friends[some(80)], items[some(90)]);
      // Many acts of many users on one item, and of one user on many items.
      for (let count = 0; count < 240; count++) act(friends[count % 80], items[0]);
      for (let count = 0; count < 270; count++) act(friends[79], items[count % 90]);
      for (let count = 0; count < 800; count++) act(`stranger ${count}`, items[1 + some(89)]);
      for (const page of order)
        expect(community.read('viewer', page)).toEqual(community.expected('viewer', page));
    }
  });

  test('social proof of some items leaves out acts on any of thousands of others', () => {
    const community = new Community().follow('viewer', 'a');
    const items = Array.from({ length: 2_100 }, (_, at) => `#${at}`);
    for (const item of items) {
      community.post(item);
      // Items have more acts than the followed user, so those of the user are read.
      for (const stranger of STRANGERS)
        community.act({ user: stranger, type: 'view', item, time: NOW - 9, add: true });
    }
    const liked = items.slice(1_000, 1_050);
    for (const item of liked) community.act({ user: 'a', type: 'like', item, time: NOW - 1, add: true });
    const likes = (page: readonly string[]) =>
      community.read('viewer', page).map(({ following_engagement }) => following_engagement.like);
    expect(likes(items.slice(0, 500))).toEqual(Array(500).fill(0));
    expect(likes(items.slice(1_050, 2_100))).toEqual(Array(1_050).fill(0));
    expect(likes(items.slice(900, 1_100))).toEqual(
      items.slice(900, 1_100).map((item) => Number(liked.includes(item))),
    );
  });

  test('social proof is read back to the first act on the page, whatever came before', () => {
    const community = new Community().follow('viewer', 'a').follow('viewer', 'b');
    const act = (user: string, type: string, item: string, ago: number) =>
      community.act({ user, type, item, time: NOW - ago, add: true });
    for (let ago = 100; ago > 0; ago--) act('a', 'comment', 'o0', ago);
    // The first second of the page, and times around it.
    for (const ago of [50, 50.5, 51, 51.5]) act('a', 'comment', 'i0', ago);
    act('b', 'like', 'i0', 51.75);
    for (const stranger of STRANGERS) for (let ago = 1; ago < 40; ago++) act(stranger, 'comment', 'i1', ago);
    const [said] = community.read('viewer', ['i0', 'i1']);
    expect(said).toEqual({
      social_proof: [
        { user_id: 'a', timestamp: NOW - 50, interaction: 'comment' },
        { user_id: 'b', timestamp: NOW - 52, interaction: 'like' },
      ],
      following_engagement: { like: 1, comment: 1, share: 0 },
    });
    for (const page of [['i0'], ['i1'], ['i0', 'i1', 'o0'], ['o1', 'i0']])
      expect(community.read('viewer', page)).toEqual(community.expected('viewer', page));
  });
});

import { TEST_NOW, testVisibilityRule } from 'feedloom/plugin/testing';
import { acts, builtIn, sentences } from '../built-in.ts';

const EVENTS = ['like', 'comment', 'share', 'bookmark', 'view', 'hide', 'report'] as const;
const events = Object.fromEntries(EVENTS.map((event) => [event, {}]));
const eachEvent = (user: string) => EVENTS.flatMap((event) => acts(user, event, event));

/** What others see: a user without acts, an unknown user, and a request without a viewer. */
const forOthers = (expect: string[]) =>
  ['stranger', 'unknown', undefined].map((viewer) => ({
    name: `shows ${expect.length} items to ${viewer ?? 'no viewer'}`,
    viewer,
    expect,
  }));

const blocks = {
  'by blocked': { author_id: 'blocked' },
  'by blocker': { author_id: 'blocker' },
  'by friend': { author_id: 'friend' },
  'by an unknown author': {},
  own: { author_id: 'viewer' },
};
testVisibilityRule(builtIn, 'blocked', {
  viewer: 'viewer',
  items: blocks,
  users: {
    stranger: {},
    viewer: { blocks: ['blocked'] },
    blocker: { blocks: ['viewer'] },
    friend: { blocks: ['blocked'] },
  },
  cases: [
    {
      name: 'drops the items of both sides of a block',
      expect: ['by friend', 'by an unknown author', 'own'],
    },
    {
      name: 'drops the items of both sides for the blocked user, too',
      viewer: 'blocked',
      expect: ['by blocked', 'by blocker', 'by an unknown author'],
    },
    ...forOthers(Object.keys(blocks)),
  ],
});

const reposted = ['shown', 'viewed'].flatMap((item_id) => [
  { kind: 'item_deletion', record: { item_id } } as const,
  { kind: 'item', record: { item_id, created_at: TEST_NOW, revive: true } } as const,
]);
testVisibilityRule(builtIn, 'seen', {
  viewer: 'viewer',
  items: { shown: {}, viewed: {}, liked: {}, new: {} },
  users: { stranger: {}, viewer: { seen: ['shown'] } },
  interactions: [...acts('viewer', 'view', 'viewed'), ...acts('viewer', 'like', 'liked')],
  cases: [
    { name: 'drops items that the viewer was shown or viewed', expect: ['liked', 'new'] },
    {
      name: 'still drops a shown item after it was deleted and posted again',
      records: reposted,
      expect: ['viewed', 'liked', 'new'],
    },
    ...forOthers(['shown', 'viewed', 'liked', 'new']),
  ],
});

const undone = (...undone: ('like' | 'share')[]) => ({
  items: { a: {} },
  interactions: [
    ...acts('viewer', 'like', 'a'),
    ...acts('viewer', 'share', 'a'),
    ...undone.flatMap((event) => acts('viewer', event, 'a', { action: 'remove' })),
  ],
});
testVisibilityRule(builtIn, 'interacted', {
  viewer: 'viewer',
  items: events,
  interactions: eachEvent('viewer'),
  cases: [
    {
      name: 'drops items that the viewer liked, commented, shared or bookmarked',
      expect: ['view', 'hide', 'report'],
    },
    ...sentences({
      'shows an item again after its last interaction was undone': [
        [{}, [], undone('like')],
        [{}, ['a'], undone('like', 'share')],
      ],
    }),
    ...forOthers(Object.keys(events)),
  ],
});

testVisibilityRule(builtIn, 'own_posts', {
  viewer: 'viewer',
  items: { own: { author_id: 'viewer' }, other: { author_id: 'other' }, 'by an unknown author': {} },
  cases: [
    { name: "drops the viewer's own items", expect: ['other', 'by an unknown author'] },
    ...forOthers(['own', 'other', 'by an unknown author']),
  ],
});

testVisibilityRule(builtIn, 'social_proof', {
  viewer: 'viewer',
  items: {
    ...events,
    'by friend': { author_id: 'friend' },
    'of foe': {},
    'of stranger': {},
    'taken back': {},
  },
  users: { viewer: { follows: ['friend', 'foe'] }, foe: { blocks: ['viewer'] } },
  interactions: [
    ...eachEvent('friend'),
    ...acts('foe', 'like', 'of foe'),
    ...acts('stranger', 'like', 'of stranger'),
    ...acts('friend', 'like', 'taken back'),
    ...acts('friend', 'like', 'taken back', { action: 'remove' }),
  ],
  cases: [
    {
      name: 'keeps items that followed users liked, commented or shared, except across blocks',
      expect: ['like', 'comment', 'share'],
    },
    ...forOthers([]),
  ],
});

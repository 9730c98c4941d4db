import { testWebhook } from 'feedloom/plugin/testing';
import { builtIn } from '../built-in.ts';

const [CAST, PARENT, ROOT] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}`);
const SENT_AT = 1_708_025_006;
const TIME = '2024-02-15T19:23:22.000Z';
const SECONDS = 1_708_025_002;
const ANN = {
  object: 'user',
  fid: 234_506,
  username: 'ann',
  display_name: 'Ann',
  pfp_url: 'https://i.example/a',
};
const BEN = { object: 'user_dehydrated', fid: 9, username: 'ben' };

const delivery = (type: string, data: object) => ({ created_at: SENT_AT, type, data });
const cast = {
  object: 'cast',
  hash: CAST,
  thread_hash: ROOT,
  parent_hash: PARENT,
  parent_url: null,
  root_parent_url: 'https://example.com/channel/cats',
  parent_author: { fid: 9 },
  author: ANN,
  app: { object: 'app', fid: 9152 },
  text: 'Hi @ben',
  timestamp: TIME,
  embeds: [
    { url: 'https://imagedelivery.net/x/original', metadata: { html: { ogTitle: 'A cat' } } },
    { cast: { hash: ROOT } },
    { url: 7, metadata: { html: { ogTitle: '' } } },
  ],
  mentioned_profiles: [BEN],
};
const reaction = {
  object: 'reaction',
  event_timestamp: TIME,
  timestamp: TIME,
  user: BEN,
  cast: { hash: CAST },
};
const follow = { object: 'follow', event_timestamp: TIME, timestamp: TIME, user: BEN, target_user: ANN };
const item = {
  item_id: CAST,
  author_id: '234506',
  text: 'Hi @ben',
  embed_items: ['https://imagedelivery.net/x/original'],
  link_titles: ['A cat'],
  publication_types: ['image'],
  mentioned_profiles: ['9'],
  channel: 'https://example.com/channel/cats',
  root_item_id: ROOT,
  app_fid: '9152',
  metadata: { quotes: [ROOT] },
};
const comment = { user_id: '234506', item_id: PARENT, event_type: 'comment', event_id: CAST };
const like = { user_id: '9', item_id: CAST, event_type: 'like', timestamp: SECONDS };
const profile = { user_id: '234506', username: 'ann', display_name: 'Ann', pfp_url: 'https://i.example/a' };
const pair = { user_id: '9', target_user_id: '234506', timestamp: SECONDS };

testWebhook(builtIn, 'neynar', {
  cases: [
    {
      name: 'stores a reply with its author',
      delivery: delivery('cast.created', cast),
      expect: [
        { kind: 'user', record: profile },
        { kind: 'item', record: { ...item, created_at: SECONDS, parent_item_id: PARENT } },
        { kind: 'interaction', record: { ...comment, timestamp: SECONDS } },
      ],
    },
    {
      name: 'dates a cast from the future by its delivery',
      delivery: delivery('cast.created', {
        ...cast,
        parent_hash: null,
        timestamp: '2099-02-15T19:23:22.000Z',
      }),
      expect: [
        { kind: 'user', record: profile },
        { kind: 'item', record: { ...item, created_at: SENT_AT } },
      ],
    },
    {
      name: 'deletes a reply, and its comment',
      delivery: delivery('cast.deleted', cast),
      expect: [
        { kind: 'interaction', record: { ...comment, timestamp: SENT_AT, action: 'remove' } },
        { kind: 'item_deletion', record: { item_id: CAST, timestamp: SENT_AT } },
      ],
    },
    {
      name: 'stores a like',
      delivery: delivery('reaction.created', { ...reaction, reaction_type: 1 }),
      expect: [{ kind: 'interaction', record: { ...like, action: 'add' } }],
    },
    {
      name: 'takes a recast back',
      delivery: delivery('reaction.deleted', { ...reaction, reaction_type: 2 }),
      expect: [{ kind: 'interaction', record: { ...like, event_type: 'share', action: 'remove' } }],
    },
    {
      name: 'stores a follow',
      delivery: delivery('follow.created', follow),
      expect: [{ kind: 'follow', record: { ...pair, action: 'follow' } }],
    },
    {
      name: 'ends a follow',
      delivery: delivery('follow.deleted', { ...follow, object: 'unfollow' }),
      expect: [{ kind: 'follow', record: { ...pair, action: 'unfollow' } }],
    },
    {
      name: 'stores a profile',
      delivery: delivery('user.updated', {
        ...ANN,
        profile: { bio: { text: 'Cats' }, location: { latitude: 25.76, longitude: -80.19 } },
      }),
      expect: [
        {
          kind: 'user',
          record: {
            ...profile,
            metadata: { description: 'Cats' },
            geo_location: '25.76,-80.19',
            updated_at: SENT_AT,
          },
        },
      ],
    },
    { name: 'stores nothing of other events', delivery: delivery('trade.created', {}), expect: [] },
    {
      name: 'names a missing type',
      delivery: { created_at: 1, data: {} },
      expect: { error: "it has no 'type'" },
    },
    { name: 'names missing data', delivery: { type: 'cast.created' }, expect: { error: "it has no 'data'" } },
    {
      name: 'names a missing time',
      delivery: { type: 'a', data: {} },
      expect: { error: "it has no 'created_at'" },
    },
    {
      name: 'names a bad hash',
      delivery: delivery('cast.deleted', { hash: '1' }),
      expect: { error: 'data.hash is no cast' },
    },
    {
      name: 'names a bad user',
      delivery: delivery('follow.created', { ...follow, user: { fid: '9' } }),
      expect: { error: 'data.user has no valid fid' },
    },
    {
      name: 'names an unknown reaction',
      delivery: delivery('reaction.created', reaction),
      expect: { error: "data has no known 'reaction_type'" },
    },
  ],
  refuses: [{ url: 'https://example.com' }],
});

import { describe, expect, test } from 'bun:test';
import { START } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { type Community, FEED_TYPES, type Fields, KEY, openCommunity } from '../support.ts';

const V2 = '/v2/farcaster';
const CHANNEL = 'https://example.community/music';
const MUTED = [
  'by muted',
  'in channel',
  'about politics',
  'with a word',
  'with a tag',
  'with alt text',
  'with a title',
];
const SHOWN = ['hardly politics', 'own', 'plain'];

/** Items of every kind of mute, liked by a user whom the viewer follows and mutes, and by one whom they only follow. */
async function world(): Promise<Community> {
  const community = await openCommunity();
  await community.addItem('plain');
  await community.addItem('by muted', { author_id: 'muted' });
  await community.addItem('in channel', { channel: CHANNEL });
  await community.addItem('about politics', { ai_labels: { politics: 0.9 } });
  await community.addItem('with a word', { text: 'All that JAZZ' });
  await community.addItem('with a tag', { tags: ['Jazz'] });
  await community.addItem('with alt text', { alt_texts: ['A jazz band'] });
  await community.addItem('with a title', { link_titles: ['What is jazz?'] });
  await community.addItem('hardly politics', { ai_labels: { politics: 0.6 } });
  await community.addItem('own', { author_id: 'viewer', channel: CHANNEL, text: 'jazz' });
  for (const user_id of ['muted', 'friend']) {
    await community.follow('viewer', user_id);
    for (const item_id of [...MUTED, ...SHOWN]) await community.act(user_id, 'like', item_id);
  }
  return community;
}

const WHOLE: Fields = {
  authors: ['muted', 'viewer'],
  channels: [CHANNEL],
  labels: ['politics'],
  words: ['jazz', '#jazz'],
};

async function mute({ server }: Community, muted: Fields | null = WHOLE): Promise<void> {
  const answer = await server.call('PATCH', `${V2}/users/viewer/preferences`, { muted }, KEY);
  expect(answer.status).toBe(200);
}

const request = { user_id: 'viewer', remove_user_posts_from_feed: false, top_k: 50 };
const sorted = (ids: readonly string[]) => ids.toSorted();

describe('mutes', () => {
  test('of authors, channels and labels hold on the next page of every feed, until they are removed', async () => {
    await using community = await world();
    const chronological = { scoring: 'newest_v0.0.1' };
    for (const further of [{}, chronological, { seen: { mode: 'last' } }])
      for (const feed_type of FEED_TYPES) {
        const wanted = { ...request, ...further };
        const before = sorted(await community.ids(feed_type, wanted));
        expect([feed_type, further, before]).toEqual([feed_type, further, sorted([...MUTED, ...SHOWN])]);
        await mute(community);
        expect(sorted(await community.ids(feed_type, wanted))).toEqual(SHOWN);
        expect(await community.ids(feed_type, { ...wanted, user_id: 'other' })).toContain('by muted');
        await mute(community, null);
        expect(sorted(await community.ids(feed_type, wanted))).toEqual(before);
      }
  });

  test('hold in fallback feeds and promotions', async () => {
    await using community = await world();
    const feed_id = await defaultAccount(community.server).add({
      endpoint: 'casts/feed/popular',
      config: { filters: {} },
    });
    const fallback = { filters: { author_ids: ['nobody'] }, fallback_feeds: [{ feed_id }] };
    const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 50, filters: {} };
    const requests = [fallback, { promotion_filters: [promotion] }].map((further) => ({
      ...request,
      ...further,
    }));
    for (const wanted of requests) expect(await community.ids('for-you', wanted)).toContain('by muted');
    await mute(community);
    for (const wanted of requests) expect(sorted(await community.ids('for-you', wanted))).toEqual(SHOWN);
  });

  test('hold on the page of a cursor that is older than the mute', async () => {
    await using community = await world();
    const first = (await community.ask('popular', { ...request, top_k: 1 })).body;
    await mute(community);
    const seen = first.body.map(({ item_id }: { item_id: string }) => item_id);
    const next = await community.ids('popular', { ...request, cursor: first.cursor });
    expect(sorted(next)).toEqual(SHOWN.filter((id) => !seen.includes(id)));
  });

  test('hold for a request that is repeated with its request_id', async () => {
    await using community = await world();
    const repeated = { ...request, request_id: 'again' };
    expect(await community.ids('popular', repeated)).toContain('by muted');
    expect(await community.ids('popular', repeated)).toContain('by muted');
    await mute(community);
    expect(sorted(await community.ids('popular', repeated))).toEqual(SHOWN);
  });

  test('hold for a repeated request if an item has got a muted word, channel or label since', async () => {
    await using community = await world();
    await mute(community);
    for (const [request_id, change] of Object.entries({
      word: { text: 'Now about jazz' },
      channel: { channel: CHANNEL },
      label: { ai_labels: { politics: 0.9 } },
    })) {
      await community.addItem(request_id, { text: 'Plain' });
      const repeated = { ...request, request_id };
      expect(await community.ids('popular', repeated)).toContain(request_id);
      await community.addItem(request_id, change);
      expect(await community.ids('popular', repeated)).not.toContain(request_id);
    }
  });

  test('end at their time, by the clock of the page', async () => {
    await using community = await world();
    await mute(community, { authors: [{ value: 'muted', until: START + 60 }] });
    expect(await community.ids('popular', request)).not.toContain('by muted');
    community.server.clock.advance(59);
    expect(await community.ids('popular', request)).not.toContain('by muted');
    community.server.clock.advance(1);
    expect(await community.ids('popular', request)).toContain('by muted');
  });

  test('are named by the explanation of a dropped item', async () => {
    await using community = await world();
    await mute(community);
    const { body } = await community.ask('popular/explain', { ...request, item_id: 'in channel' });
    expect(JSON.stringify(body)).toContain('"muted"');
  });

  test('take items out of similar items', async () => {
    await using community = await world();
    const similar = async () => {
      const { body } = await community.server.get(
        `${V2}/items/plain/similar?viewer_id=viewer&user_id=viewer`,
      );
      return sorted(body.items.map(({ item_id }: { item_id: string }) => item_id));
    };
    expect(await similar()).toContain('by muted');
    await mute(community);
    expect(await similar()).toEqual(['hardly politics', 'own']);
  });

  test('leave muted users out of social proof, and of items that have social proof', async () => {
    await using community = await world();
    await community.addItem('liked by muted only');
    await community.act('muted', 'like', 'liked by muted only');
    const proofs = async () => {
      const { body } = await community.ask('for-you', {
        ...request,
        return_only_posts_with_social_proof: true,
      });
      return body.body as { item_id: string; social_proof: { user_id: string }[] }[];
    };
    expect((await proofs()).map(({ item_id }) => item_id)).toContain('liked by muted only');
    await mute(community, { authors: ['muted'] });
    const left = await proofs();
    expect(left.map(({ item_id }) => item_id)).not.toContain('liked by muted only');
    expect(new Set(left.flatMap(({ social_proof }) => social_proof.map(({ user_id }) => user_id)))).toEqual(
      new Set(['friend']),
    );
  });

  test('leave muted items out of the reasons of recommended and of similar users', async () => {
    await using community = await world();
    const named = ['in channel', 'about politics', 'with a tag', 'plain'];
    for (const user_id of ['candidate', 'other', 'viewer'])
      for (const item_id of named) await community.act(user_id, 'like', item_id);
    const namedBy = async () => {
      const answers = [
        await community.server.post(`${V2}/users/recommended`, { user_id: 'viewer' }),
        await community.server.get(`${V2}/users/other/similar?viewer_id=viewer`),
      ];
      return answers.map(({ body }) => named.filter((id) => JSON.stringify(body.body).includes(`"${id}"`)));
    };
    for (const found of await namedBy()) expect(found.length).toBeGreaterThan(1);
    await mute(community);
    // A page waits until the words are known.
    await community.ids('popular', request);
    for (const found of await namedBy()) expect(found).toEqual(['plain']);
  });

  test('leave muted users out of recommended and of similar users', async () => {
    await using community = await world();
    await community.follow('friend', 'candidate');
    await community.follow('other', 'candidate');
    for (const user_id of ['candidate', 'other', 'viewer']) await community.act(user_id, 'like', 'plain');
    const answers = async () => [
      (await community.server.post(`${V2}/users/recommended`, { user_id: 'viewer' })).body.body,
      (await community.server.get(`${V2}/users/other/similar?viewer_id=viewer`)).body.body,
    ];
    for (const answer of await answers()) expect(JSON.stringify(answer)).toContain('"candidate"');
    await mute(community, { authors: ['candidate'] });
    for (const answer of await answers()) expect(JSON.stringify(answer)).not.toContain('"candidate"');
  });
});

import { expect, test } from 'bun:test';
import { temporaryFolder } from '../../support/folder.ts';
import { START } from '../../support/service.ts';
import { type Community, FEED_TYPES, type Fields, KEY, openCommunity } from '../support.ts';

const PATH = '/v2/farcaster/users/viewer/preferences';

const mute = (community: Community, words: unknown[]) =>
  community.server.call('PUT', PATH, { muted: { words } }, KEY);

/** Items with `jazz` in each kind of text, one of the viewer, and others. */
async function fill(community: Community): Promise<void> {
  await community.addItem('text', { text: 'About Jazz' });
  await community.addItem('tag', { text: 'Music', tags: ['jazz'] });
  await community.addItem('alt', { text: 'A picture', alt_texts: ['a jazz band'] });
  await community.addItem('link', { text: 'Read this', link_titles: ['The history of jazz'] });
  await community.addItem('own', { text: 'My jazz', author_id: 'viewer' });
  await community.addItem('other', { text: 'Jazzy things' });
  for (const item_id of ['text', 'other', 'link']) await community.act('fan', 'like', item_id);
}

async function openFilled(data?: string): Promise<Community> {
  const community = await openCommunity({ data });
  await fill(community);
  return community;
}

const REQUESTS: Fields[] = [
  {},
  { scoring: 'newest_v0.0.1' },
  { filters: { channels: ['empty'] }, return_global_fallback: true },
];

test('no item of another user with a muted word in any text is on a page, in a fallback or similar', async () => {
  await using community = await openFilled();
  expect((await mute(community, ['jazz'])).status).toBe(200);
  for (const feed_type of FEED_TYPES)
    for (const request of REQUESTS) {
      const shown = await community.ids(feed_type, { user_id: 'viewer', ...request });
      expect(shown.toSorted()).toEqual(['other', 'own']);
    }
  expect(await community.ids('popular', { user_id: 'fan', show_interacted_items: true })).toHaveLength(6);
  const path = '/v2/farcaster/items/other/similar?viewer_id=viewer&user_id=viewer';
  const similar = await community.server.get(path);
  expect([similar.status, similar.body.items]).toEqual([200, []]);
  const { body } = await community.server.post('/v2/farcaster/feeds/popular/explain', {
    user_id: 'viewer',
    item_id: 'alt',
  });
  expect(body.body.dropped_by).toMatchObject({ stage: 'visibility', plugin: 'muted' });
});

test('phrases, beginnings of words and hashtags are muted until they end, also after a restart', async () => {
  const data = temporaryFolder('muted-words');
  const shown = async (community: Community) =>
    (await community.ids('popular', { user_id: 'viewer' })).toSorted();
  await (async () => {
    await using community = await openFilled(data);
    await mute(community, ['jazz band', { value: '#jazz', until: START + 60 }]);
    expect(await shown(community)).toEqual(['link', 'other', 'own', 'text']);
    community.server.clock.advance(60);
    expect(await shown(community)).toEqual(['link', 'other', 'own', 'tag', 'text']);
    await mute(community, ['jaz*']);
    expect(await shown(community)).toEqual(['own']);
  })();
  await using community = await openCommunity({ data });
  expect(await shown(community)).toEqual(['own']);
  await community.addItem('later', { text: 'All that JAZZ' });
  await community.addItem('fine', { text: 'Blues' });
  expect(await shown(community)).toEqual(['fine', 'own']);
});

test('words that no filter would take are refused with their place', async () => {
  await using community = await openFilled();
  for (const word of ['ja*', '!', '#', 'late night*']) {
    const { status, body } = await mute(community, ['jazz', word]);
    expect([status, body.errors[0].path]).toEqual([400, '/muted/words/1']);
    const more = [{ kind: 'word', value: word }];
    const of_more = await community.server.call('PUT', PATH, { more }, KEY);
    expect([of_more.status, of_more.body.errors[0].path]).toEqual([400, '/more/0/value']);
  }
});

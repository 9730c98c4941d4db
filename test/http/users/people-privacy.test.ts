import { describe, expect, test } from 'bun:test';
import { START } from '../../support/service.ts';
import { type Community, openCommunity } from '../support.ts';

const V2 = '/v2/farcaster/users';
/** More than the public acts that a page reads of a user or an item. */
const VIEWS = 500;

/** `viewer` and `fan` like `song`; `fan` published nothing. */
async function fans(): Promise<Community> {
  const community = await openCommunity();
  for (const item_id of ['song', 'dance'])
    await community.addItem(item_id, { author_id: 'band', channel: 'https://example.community/music' });
  for (const user_id of ['viewer', 'fan']) await community.act(user_id, 'like', 'song');
  return community;
}

async function answers(community: Community): Promise<object[]> {
  const { server } = community;
  const recommended = await server.post(`${V2}/recommended`, { user_id: 'viewer', explain: true });
  const path = `${V2}/viewer/similar?explain=true`;
  const similar = await server.get(path);
  return [recommended, similar].map(({ status, body }) => ({ status, users: body.body }));
}

describe('people', () => {
  test('do not change with views, bookmarks, hides and reports, however many', async () => {
    await using community = await fans();
    const before = await answers(community);
    expect(JSON.stringify(before)).toContain('"fan"');
    const private_acts = (user_id: string, item_id: string) =>
      ['view', 'bookmark', 'hide', 'report'].map((event_type) => ({ user_id, item_id, event_type }));
    const items = Array.from({ length: VIEWS }, (_, at) => ({
      ...{ item_id: `seen ${at}`, author_id: 'nobody', created_at: START },
      hidden: true,
    }));
    await community.add('items', ...items);
    for (const user_id of ['viewer', 'fan'])
      await community.add('interactions', ...items.flatMap(({ item_id }) => private_acts(user_id, item_id)));
    await community.add('interactions', ...private_acts('fan', 'song'));
    const watchers = Array.from({ length: VIEWS }, (_, at) => private_acts(`watcher ${at}`, 'song'));
    await community.add('interactions', ...watchers.flat());
    expect(await answers(community)).toEqual(before);
  });

  test('are not explained with items that the viewer hid', async () => {
    await using community = await fans();
    await community.act('viewer', 'hide', 'song');
    const [recommended] = await answers(community);
    expect(JSON.stringify(recommended)).not.toContain('song');
    const path = `${V2}/fan/similar?viewer_id=viewer`;
    const { body } = await community.server.get(path);
    expect(JSON.stringify(body)).not.toContain('song');
  });
});

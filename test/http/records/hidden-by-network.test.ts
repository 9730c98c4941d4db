import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { exportFrom, importInto, readFiles, withFolder, withService } from '../../interchange/support.ts';
import { testsWith } from '../../support/fixture.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { START, type TestServiceOptions } from '../../support/service.ts';
import { type Community, type Fields, KEY, openCommunity } from '../support.ts';

const it = testsWith(openNetwork);

/** Moderators hide by HTTP, networks by the records of a webhook or a connector. */

const SECRET = 'a-secret-of-the-sender';
const SETTINGS = {
  plugins: join(import.meta.dir, '..', 'announcing-plugin.ts'),
  webhook: [`acme/announcing_v1.0.0?secret=${SECRET}`],
};
const KINDS = [
  ['user', 'users', { user_id: 'author' }],
  ['item', 'items', { item_id: 'post' }],
] as const;

async function openNetwork(options: TestServiceOptions = {}): Promise<Community> {
  const community = await openCommunity({ ...options, settings: SETTINGS });
  await community.add('users', { user_id: 'author', username: 'ann' });
  await community.addItem('post');
  await community.addItem('other', { author_id: 'other' });
  return community;
}

/** A delivery of the network, which must be accepted. @param at seconds after the start */
async function announce({ server }: Community, kind: string, record: Fields, at: number): Promise<void> {
  const body = JSON.stringify({ records: [{ kind, record: { ...record, updated_at: START + at } }] });
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('base64')}`;
  const headers = { 'x-acme-signature': signature };
  const answer = await server.call('POST', '/v2/farcaster/hooks/announcing', body, headers);
  expect(answer).toMatchObject({ status: 200, body: { accepted: 1 } });
}

const isShown = async (community: Community): Promise<boolean> =>
  (await community.ids('popular')).includes('post');

describe.each(KINDS)('what moderators and networks decide about one %s', (kind, kinds, named) => {
  const stored = (community: Community) => community.stored(kinds, Object.values(named)[0]);

  it('a message of the network does not undo the decision of a moderator, and both are read', async (community) => {
    await community.add(kinds, { ...named, hidden: true });
    await announce(community, kind, { ...named, hidden: false }, 1);
    expect(await isShown(community)).toBe(false);
    expect(await stored(community)).toMatchObject({ hidden: true, hidden_by_network: false });
    await community.add(kinds, { ...named, hidden: false });
    expect(await isShown(community)).toBe(true);
  });

  it('a moderator does not undo what the network decided, but the network does', async (community) => {
    await announce(community, kind, { ...named, hidden: true }, 1);
    await community.add(kinds, { ...named, hidden: false });
    expect(await isShown(community)).toBe(false);
    expect(await stored(community)).toMatchObject({ hidden: false, hidden_by_network: true });
    await announce(community, kind, { ...named, hidden: false }, 2);
    expect(await isShown(community)).toBe(true);
  });

  it('an older message of the network changes nothing, also when it is repeated', async (community) => {
    await announce(community, kind, { ...named, hidden: false }, 5);
    await announce(community, kind, { ...named, hidden: true }, 10);
    const { seq } = community;
    for (const at of [5, 9.999]) await announce(community, kind, { ...named, hidden: false }, at);
    expect(community.seq).toBe(seq);
    expect(await isShown(community)).toBe(false);
    await announce(community, kind, { ...named, hidden: false }, 10);
    expect(await isShown(community)).toBe(true);
  });

  it('other fields of an older message still count', async (community) => {
    await announce(community, kind, { ...named, hidden: true }, 10);
    await announce(community, kind, { ...named, hidden: false, metadata: { a: 1 } }, 5);
    expect(await isShown(community)).toBe(false);
    expect(await stored(community)).toMatchObject({ hidden_by_network: true, metadata: { a: 1 } });
  });

  test('both decisions survive a restart, an export and an import', async () => {
    const data = temporaryFolder('hidden');
    {
      await using community = await openNetwork({ data });
      await announce(community, kind, { ...named, hidden: true }, 10);
      await community.add(kinds, { ...named, hidden: true });
    }
    await using community = await openCommunity({ data, settings: SETTINGS });
    await announce(community, kind, { ...named, hidden: false }, 9);
    await community.add(kinds, { ...named, hidden: false });
    expect(await isShown(community)).toBe(false);
    await withFolder({}, async (folder) => {
      await exportFrom(community.server, folder);
      const exported = { hidden: false, hidden_by_network: true, hidden_by_network_at: START + 10 };
      const line = readFiles(folder)
        [`${kinds}.jsonl`].split('\n')
        .find((text) => text.includes('network'));
      expect(JSON.parse(line!)).toMatchObject({ ...named, ...exported });
      await withService(async (other) => {
        await importInto(other, folder, true);
        const { state } = other.service;
        expect(state.live(state.items.names.find('post'))).toBe(false);
        expect(state.live(state.items.names.find('other'))).toBe(true);
      });
    });
  });
});

it('the lists of moderators say that the network hid a user or an item', async (community) => {
  for (const [kind, , named] of KINDS) await announce(community, kind, { ...named, hidden: true }, 1);
  const body = { users: ['author'], items: ['post'] };
  const { users, items } = (await community.server.call('POST', '/v2/farcaster/records/read', body, KEY))
    .body;
  expect(users).toMatchObject([{ user_id: 'author', hidden: true, hidden_by_network: true }]);
  expect(items).toMatchObject([{ hidden: true, item: { hidden_by_network: true } }]);
});

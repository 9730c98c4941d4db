import { describe, expect, test } from 'bun:test';
import type { TestAnswer } from '../../support/service.ts';
import { forFile } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { KEY, openCommunity } from '../support.ts';

const V2 = '/v2/farcaster';
/** Identifiers that a path cannot carry everywhere, or that are names of reads. */
const ODD_IDS = ['at://did:plc:abc/app.bsky.feed.post/1', '..', '.', 'a?b#c', 'a%2Fb', 'ü ☃+'];
const READS = [
  { kind: 'items', name: 'similar', parameter: 'item_id' },
  { kind: 'items', name: 'counts', parameter: 'item_id' },
  { kind: 'items', name: 'interactions', parameter: 'item_id' },
  { kind: 'users', name: 'insight', parameter: 'user_id' },
  { kind: 'users', name: 'similar', parameter: 'user_id' },
  { kind: 'users', name: 'export', parameter: 'user_id' },
] as const;
const community = await forFile(openCommunity());
const names = READS.map(({ name }) => name);
const ids = [...ODD_IDS, ...names, 'plain'];
for (const id of new Set(ids)) {
  await community.addItem(id, { author_id: id });
  await community.add('users', { user_id: id, username: 'known' });
  await community.act('ann', 'like', id);
  await community.follow('ann', id);
}

const get = (path: string, headers: Record<string, string> = KEY): Promise<TestAnswer> =>
  community.server.call('GET', `${V2}/${path}`, undefined, headers);

for (const { kind, name, parameter } of READS) {
  const byQuery = (id: string) => get(`${kind}/${name}?${parameter}=${encodeURIComponent(id)}`);
  const byPath = (id: string) => get(`${kind}/${encodeURIComponent(id)}/${name}`);

  describe(`GET ${kind}/${name} with ${parameter} in the query`, () => {
    test('answers as the path does', async () => {
      const answer = await byQuery('plain');
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual((await byPath('plain')).body);
    });

    test('reads records with identifiers that a path cannot carry', async () => {
      for (const id of ODD_IDS) {
        const { status, body } = await byQuery(id);
        expect([id, status]).toEqual([id, 200]);
        const own_id = body[parameter];
        if (own_id !== undefined) expect(own_id).toBe(id);
        else expect(JSON.stringify(body)).not.toContain('not_found');
      }
    });

    test('reads the record that has the same name as the read', async () => {
      const answer = await byQuery(name);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual((await byPath(name)).body);
    });

    test('does not find an unknown identifier', async () => {
      const { status, body } = await byQuery('unknown');
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect(body.detail).toBe((await byPath('unknown')).body.detail);
    });
  });

  test(`GET ${kind}/${name} without ${parameter} is the record of that name`, async () => {
    const { status, body } = await get(`${kind}/${name}`);
    expect([status, body[parameter]]).toEqual([200, name]);
    expect(body).toEqual(await community.stored(kind, name));
  });

  test(`GET ${kind}/${name} without ${parameter} names the parameter in its errors`, async () => {
    const { headers } = await newAccount(community.server, 'acme', 'feed:read');
    const refused = await get(`${kind}/${name}`, headers);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const what = kind.slice(0, -1);
    const hint = `without ${parameter}, this path is that of the ${what} '${name}'`;
    expect(refused.body.detail).toBe(`this key lacks the scope ingest:write; ${hint}`);
    await using other = await openCommunity();
    const missing = await other.server.get(`${V2}/${kind}/${name}`);
    expect(missing.status).toBe(404);
    expect(missing.body.detail).toBe(`there is no ${what} '${name}'; ${hint}`);
  });
}

import { describe, expect, test } from 'bun:test';
import { ENGINES, withPlace } from '../../store/engines.ts';
import { testsWith } from '../../support/fixture.ts';
import { START } from '../../support/service.ts';
import { type Community, ingestPath, KEY, openCommunity, whileReading } from '../support.ts';

const it = testsWith(openWithItems);

const ITEMS = ['a', 'b', 'c', 'd'];

async function openWithItems(options?: Parameters<typeof openCommunity>[0]): Promise<Community> {
  const community = await openCommunity(options);
  for (const [age, item_id] of ITEMS.entries()) await community.addItem(item_id, { created_at: START - age });
  return community;
}

/** The items of a page that is recorded. */
function shown(community: Community, user_id: string, impression_count: number): Promise<string[]> {
  return community.ids('popular', { user_id, top_k: impression_count, impression_count });
}

function call(community: Community, method: string, user_id: string, rest = '') {
  return community.server.call(method, `${ingestPath('users')}/${user_id}${rest}`, undefined, KEY);
}

/** The lines of an export. */
async function exported(community: Community, user_id: string): Promise<unknown[]> {
  const { status, body } = await call(community, 'GET', user_id, '/export');
  expect(status).toBe(200);
  return String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const STRANGER = {
  user_id: 'guest',
  counts: { items: 0, following: 0, followers: 0, interactions: 0 },
  follows: [],
  interactions: [],
};

describe('a viewer without a user record', () => {
  for (const engine of ENGINES)
    test(`can be read, exported and erased once a page was recorded, on ${engine.name}`, () =>
      withPlace(engine, async ({ data, database_url }) => {
        await using community = await openWithItems({ data, settings: { database_url } });
        for (const rest of ['', '/export'])
          expect((await call(community, 'GET', 'guest', rest)).status).toBe(404);
        expect((await call(community, 'DELETE', 'guest')).status).toBe(404);
        const first = await shown(community, 'guest', 2);
        community.server.clock.advance(60);
        const second = await shown(community, 'guest', 2);
        expect([...first, ...second].sort()).toEqual(ITEMS);
        await shown(community, 'other', 1);
        expect((await call(community, 'GET', 'guest')).body).toEqual(STRANGER);
        const impression = (timestamp: number) => (item_id: string) => {
          return { kind: 'impression', item_id, timestamp };
        };
        expect(await exported(community, 'guest')).toEqual([
          { kind: 'profile', user_id: 'guest' },
          ...first.map(impression(START)),
          ...second.map(impression(START + 60)),
          { kind: 'end', lines: 6 },
        ]);
        const { erasures } = community.server.service.state;
        expect((await call(community, 'DELETE', 'guest')).body.message).toBe("user 'guest' erased");
        expect(community.server.service.state.erasures).toBe(erasures + 1);
        for (const rest of ['', '/export'])
          expect((await call(community, 'GET', 'guest', rest)).status).toBe(404);
        expect((await call(community, 'DELETE', 'guest')).status).toBe(404);
        expect(await shown(community, 'guest', 4)).toHaveLength(4);
        // What others saw stays.
        expect(await exported(community, 'other')).toHaveLength(3);
        expect(await shown(community, 'other', 4)).toHaveLength(3);
      }));

  it('gets a page that was requested before their erasure, and nothing of it is recorded', async (community) => {
    await shown(community, 'guest', 1);
    const request = { user_id: 'guest', top_k: 2, impression_count: 2, return_metadata: true };
    const page = await whileReading(
      community,
      () => community.ids('popular', request),
      async () => void (await call(community, 'DELETE', 'guest')),
    );
    expect(page).toHaveLength(2);
    expect((await call(community, 'GET', 'guest')).status).toBe(404);
    // A page that is requested afterwards is recorded.
    await community.ids('popular', request);
    expect(await exported(community, 'guest')).toHaveLength(4);
  });

  it('is remembered as erased, so that an erasure that is delivered again erases nothing', async (community) => {
    await shown(community, 'guest', 2);
    const timestamp = START + 1;
    community.server.clock.advance(10);
    const erase = () => call(community, 'DELETE', 'guest', `?timestamp=${timestamp}`);
    expect((await erase()).body).toEqual({ status: 'success', message: "user 'guest' erased" });
    // Nothing is stored of them.
    expect((await erase()).body.message).toBe("user 'guest' not erased: see warnings");
    await shown(community, 'guest', 1);
    const again = await erase();
    expect(again.body.warnings).toEqual(["user 'guest' came back after this deletion: nothing was deleted"]);
    expect(await exported(community, 'guest')).toHaveLength(3);
  });

  it('can be erased by a network, of which the other erasures of a batch are of known users', async (community) => {
    await community.add('users', { user_id: 'known', username: 'known' });
    for (const user_id of ['guest', 'known', 'other']) await shown(community, user_id, 2);
    const records = ['guest', 'known', 'nobody'].map((user_id) => ({
      kind: 'user_deletion' as const,
      record: { user_id },
    }));
    const { accepted, warnings } = await community.server.service.ingest.ordered(records);
    expect(accepted).toBe(3);
    expect(warnings).toEqual([expect.stringContaining("there is no user 'nobody'")]);
    for (const user_id of ['guest', 'known'])
      expect((await call(community, 'GET', user_id)).status).toBe(404);
    expect(await exported(community, 'other')).toHaveLength(4);
  });
});

it('an erasure of a user leaves nothing of what they saw, also when they come back', async (community) => {
  await community.add('users', { user_id: 'person', username: 'name' });
  await shown(community, 'person', 3);
  expect(await exported(community, 'person')).toHaveLength(5);
  await community.remove('users', 'person');
  await community.add('users', { user_id: 'person', username: 'again', revive: true });
  expect(await exported(community, 'person')).toHaveLength(2);
  expect(await shown(community, 'person', 4)).toHaveLength(4);
});

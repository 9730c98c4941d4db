import { expect, test } from 'bun:test';
import { defaultAccount, newAccount } from '../http/config-support.ts';
import { type Fields, feedPath, KEY, openCommunity } from '../http/support.ts';
import { forFile } from '../support/service.ts';

/** Requests that might show values of other accounts' feeds, beside the same requests with a key of the owner. */

const VALUE = /private-\w+|4242|slot 777/g;
const PROMOTED = [
  {
    promotion_type: 'items',
    promotion_name: 'p',
    promoted_items: [{ item_id: 'private-item' }, { item_id: 'picked', rank: 777 }],
  },
];
/** The headers of each kind of caller. */
const callers: Record<string, Record<string, string>> = {};
const community = await forFile(openCommunity());
const { server } = community;
await community.addItem('shown');
await community.addItem('picked');
const owner = defaultAccount(server);
const other = await newAccount(server, 'other');
const { body } = await server.post('/api/tokens', { user_id: 'author', ttl_seconds: 600 });
callers.owner = owner.headers;
callers.other = other.headers;
callers.token = { authorization: `Bearer ${body.token}` };

/** A feed that other accounts may build but not read the parts of. */
const add = (config: Fields, visibility = 'public') =>
  owner.add({ endpoint: 'casts/feed/popular', visibility, config });

const secret = () =>
  add({ filters: { channels: ['private-channel'] }, promotion_filters: PROMOTED }, 'private');

/** A feed of the owner, and the values of private feeds that a request for it meets. */
const FEEDS: [string, () => Promise<string>, string[]][] = [
  [
    'the variant of an experiment',
    async () => {
      const [feed_id, variant] = [await add({}), await secret()];
      const variants = [
        { name: 'control', feed_id, percent: 0.01 },
        { name: 'other', feed_id: variant, percent: 99.99 },
      ];
      const body = { name: 'x', feed_id, variants };
      expect((await community.server.call('POST', '/api/experiments', body, KEY)).status).toBe(201);
      return feed_id;
    },
    ['private-channel', 'private-item', 'slot 777'],
  ],
  [
    'a cold start feed and its rule',
    async () => add({ cold_start: { feed_id: await secret(), min_interactions: 4242 } }),
    ['4242', 'private-channel', 'private-item', 'slot 777'],
  ],
  [
    'filters and a promotion',
    () => add({ filters: { channels: ['private-channel'] }, promotion_filters: PROMOTED }),
    ['private-channel', 'private-item', 'slot 777'],
  ],
  [
    'the filters of a promotion',
    () =>
      add({
        promotion_filters: [
          {
            promotion_type: 'feed',
            promotion_name: 'p',
            percent: 10,
            filters: { channels: ['private-promoted'] },
          },
        ],
      }),
    ['private-promoted'],
  ],
];

test.each(FEEDS)('values of %s are shown to keys of the owner alone', async (_, open, values) => {
  const feed_id = await open();
  const request = { feed_id, user_id: 'author', explain: true };
  for (const [caller, headers] of Object.entries(callers)) {
    const ask = (path: string, body: Fields) => community.server.call('POST', path, body, headers);
    const page = await ask(feedPath('popular'), request);
    const { explain: _, ...question } = request;
    const explained = await ask(`${feedPath('popular')}/explain`, { ...question, item_id: 'picked' });
    expect([caller, page.status, explained.status]).toEqual([caller, 200, 200]);
    const found = new Set(JSON.stringify([page.body, explained.body]).match(VALUE));
    expect([caller, [...found].sort()]).toEqual([caller, caller === 'owner' ? values : []]);
  }
});

test('values that a request gives for the feed of another account are still named', async () => {
  const feed_id = await add({ filters: { channels: ['private-channel'] } });
  const sent = { feed_id, filters: { languages: ['da'] } };
  const { body } = await other.ask('popular', sent);
  expect(body.warnings).toEqual(["filters.languages: no item has 'da' so far"]);
});

test('a skipped feed is named to keys of the owner alone', async () => {
  const gone = await secret();
  const feed_id = await add({ fallback_feeds: [{ feed_id: gone }] });
  await owner.remove(gone);
  const said = `fallback_feeds: there is no feed '${gone}'; it was skipped`;
  expect((await owner.ask('popular', { feed_id })).body.warnings).toEqual([said]);
  expect((await other.ask('popular', { feed_id })).body.warnings).toBeUndefined();
});

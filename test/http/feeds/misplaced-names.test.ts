import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { FEED_TYPES, type Fields, feedPath, KEY, openCommunity, smallestBody } from '../support.ts';

const community = await forFile(
  openCommunity({ settings: { plugins: join(import.meta.dir, '..', 'acme-plugin.ts') } }),
);
const account = defaultAccount(community.server);

const preview = (body: Fields) =>
  community.server.call('POST', '/api/feed/preview', { user_id: 'viewer', ...body }, KEY);

/** A filter with a value that fits it. */
const FILTERS: [string, unknown][] = [
  ['channels', ['music']],
  ['author_ids', 'following'],
  ['start_timestamp', 'days_ago:7'],
  ['engagement', { min_likes_count: 3 }],
  ['languages', []],
  ['acme/since', { seconds: 5 }],
];

describe.each(FILTERS)('the filter %s', (name, value) => {
  const path = `/${name.replace('/', '~1')}`;

  test('a filter outside of filters is refused with the right place in feed requests and explanations', async () => {
    const fault = { path, message: `belongs in filters: {"filters":{"${name}":…}}` };
    for (const feed_type of FEED_TYPES) {
      const body = { ...smallestBody(feed_type), [name]: value };
      const answer = await community.ask(feed_type, body);
      expect([answer.status, answer.body.errors]).toEqual([400, [fault]]);
      const explain = `${feedPath(feed_type)}/explain`;
      const explained = await community.server.post(explain, { ...body, item_id: 'x' });
      expect([explained.status, explained.body.errors]).toEqual([400, [fault]]);
    }
  });

  test('a filter in a config outside of filters is refused with the right place', async () => {
    const fault = { path: `/config${path}`, message: `belongs in filters: {"filters":{"${name}":…}}` };
    const config = { filters: { channels: ['a'] }, [name]: value };
    for (const answer of [await account.create({ name: 'Home', config }), await preview({ config })])
      expect([answer.status, answer.body.errors]).toEqual([400, [fault]]);
  });

  test('a filter outside of config is refused with the right place', async () => {
    const fault = { path, message: `belongs in config.filters: {"config":{"filters":{"${name}":…}}}` };
    const config = { filters: { channels: ['a'] } };
    for (const answer of [
      await account.create({ name: 'Home', config, [name]: value }),
      await preview({ config, [name]: value }),
    ])
      expect([answer.status, answer.body.errors]).toEqual([400, [fault]]);
  });
});

const PARAMETERS: Fields = {
  filters: { channels: ['a'] },
  scoring: 'all',
  time_decay: 'low',
  show_interacted_items: true,
  feed_diversity_config: { max_posts_per_author: 1 },
  fallback_feeds: [],
  page_size: 5,
};

test.each(Object.entries(PARAMETERS))(
  '%s outside of config is refused with the right place',
  async (name, value) => {
    const fault = { path: `/${name}`, message: `belongs in config: {"config":{"${name}":…}}` };
    const saved = await account.create({ name: 'Home', config: {} });
    const { config_id } = saved.body.data;
    for (const answer of [
      await account.create({ name: 'Home', [name]: value }),
      await account.patch({ config_id, [name]: value }),
      await preview({ config: {}, [name]: value }),
    ])
      expect([answer.status, answer.body.errors]).toEqual([400, [fault]]);
    expect((await account.get(config_id)).body.data).toMatchObject({ revision: 1, config: {} });
  },
);

test('a misplaced name with the value null is ignored', async () => {
  expect((await community.ask('popular', { channels: null })).status).toBe(200);
  expect((await account.create({ name: 'Home', filters: null, config: { channels: null } })).status).toBe(
    201,
  );
});

test('unknown names are still ignored with a warning', async () => {
  const { status, body } = await community.ask('popular', { candidate_source: 'x', chanels: ['a'] });
  expect([status, body.warnings]).toEqual([
    200,
    ["unknown field 'candidate_source' was ignored", "unknown field 'chanels' was ignored"],
  ]);
});

describe('a name that was meant for a known one is refused with the right one', () => {
  const meant = (known: string, example: string) => `is not known; ${known} was probably meant: ${example}`;
  const filters = meant('filters', '{"filters":…}');
  const REFUSED: [string, Fields, string, string][] = [
    ['in another number', { filter: { languages: ['de'] } }, '/filter', filters],
    ['in another case', { Filters: { languages: ['de'] } }, '/Filters', filters],
    ['with a letter too few', { filtrs: { languages: ['de'] } }, '/filtrs', filters],
    ['with two letters exchanged', { fliters: { languages: ['de'] } }, '/fliters', filters],
    ['of a parameter', { timeDecay: 'low' }, '/timeDecay', meant('time_decay', '{"time_decay":…}')],
    ['of a request', { FEED_ID: 'feed_1' }, '/FEED_ID', meant('feed_id', '{"feed_id":…}')],
    ['of a filter', { Languages: ['de'] }, '/Languages', meant('languages', '{"filters":{"languages":…}}')],
    [
      'of a filter of a plugin',
      { 'acme-since': {} },
      '/acme-since',
      meant('acme/since', '{"filters":{"acme/since":…}}'),
    ],
    [
      'one level too deep',
      { config: { filters: { languages: ['de'] } } },
      '/config/filters',
      'belongs beside config, not within it: {"filters":…}',
    ],
    [
      'of another parameter one level too deep',
      { params: { top_k: 5 } },
      '/params/top_k',
      'belongs beside params, not within it: {"top_k":…}',
    ],
  ];

  test.each(REFUSED)('%s', async (_, fields, path, message) => {
    for (const feed_type of FEED_TYPES) {
      const { status, body } = await community.ask(feed_type, { ...smallestBody(feed_type), ...fields });
      expect([status, body.errors]).toEqual([400, [{ path, message }]]);
    }
  });

  test('in a saved feed, and beside its config', async () => {
    const errorsOf = async (feed: Fields) => (await account.create({ name: 'Home', ...feed })).body.errors;
    expect(await errorsOf({ config: { filter: {} } })).toEqual([
      { path: '/config/filter', message: filters },
    ]);
    expect(await errorsOf({ config: { config: { filters: {} } } })).toEqual([
      { path: '/config/config/filters', message: 'belongs beside config, not within it: {"filters":…}' },
    ]);
    expect(await errorsOf({ filter: {} })).toEqual([
      { path: '/filter', message: meant('filters', '{"config":{"filters":…}}') },
    ]);
    expect(await errorsOf({ Config: {} })).toEqual([
      { path: '/Config', message: meant('config', '{"config":…}') },
    ]);
  });

  test('but not for null, for short names, for other identifiers, and for objects with other names', async () => {
    const fields = {
      ...{ filter: null, Top_K: 3, seeds: 1, user_fid: 7, user_ip: '10.0.0.1', feed_uid: 'x' },
      client: { filter: 1, name: 'app', user_id: 'x' },
    };
    const { status, body } = await community.ask('popular', fields);
    expect(status).toBe(200);
    expect(body.warnings).toEqual(Object.keys(fields).map((name) => `unknown field '${name}' was ignored`));
  });
});

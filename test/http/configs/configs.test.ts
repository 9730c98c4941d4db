import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { temporaryFolder } from '../../support/folder.ts';
import { openTestServer, START, type TestServer } from '../../support/service.ts';
import { type Account, defaultAccount, expectRefused, newAccount, WHOLE } from '../config-support.ts';

let server: TestServer;
let account: Account;
beforeEach(async () => {
  server = await openTestServer();
  account = defaultAccount(server);
});
afterEach(() => server.close());

describe('POST /api/feed/config', () => {
  test('creating a feed answers 201 with the sent object, its id, revision and times', async () => {
    const { status, headers, body } = await account.create(WHOLE);
    expect(status).toBe(201);
    expect(headers.get('etag')).toBe('"1"');
    const given = { config_id: 'feed_1', revision: 1, created_at: START, updated_at: START };
    expect(body).toEqual({ message: "feed 'feed_1' created", data: { ...WHOLE, ...given } });
  });

  test('a new feed needs only a name, and the rest has defaults', async () => {
    const { status, body } = await account.create({ name: 'x' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      config_id: 'feed_1',
      name: 'x',
      description: '',
      endpoint: 'feeds/for-you',
      status: 'active',
      visibility: 'private',
      config: {},
      feed_image_url: '',
      short_name: null,
      revision: 1,
      created_at: START,
      updated_at: START,
    });
  });

  test('null in a new feed is an absent field', async () => {
    const nothing = { description: null, endpoint: null, status: null, visibility: null, config: null };
    const { status, body } = await account.create({ name: 'x', ...nothing, feed_image_url: null });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ description: '', endpoint: 'feeds/for-you', config: {} });
    expect(body.warnings).toBeUndefined();
  });

  test('unused keys of config are kept unchanged and named in warnings', async () => {
    const config = { candidate_source: 'farcaster-items', candidate_source_type: 'posts' };
    const { status, body } = await account.create({ name: 'x', config });
    expect(status).toBe(201);
    expect(body.data.config).toEqual(config);
    expect(body.warnings).toEqual([
      "unknown field 'config.candidate_source' was kept, unused",
      "unknown field 'config.candidate_source_type' was kept, unused",
    ]);
    expect((await account.get('feed_1')).body.data.config).toEqual(config);
    expect(await account.page('for-you', { user_id: 'v', feed_id: 'feed_1' })).toEqual([]);
  });

  test('unknown fields of a new feed are ignored and named in warnings', async () => {
    const { body } = await account.create({ name: 'x', Name: 'y', __v: 3, account: 'other' });
    const named = ["unknown field 'Name' was ignored", "unknown field '__v' was ignored"];
    expect(body.warnings).toEqual([...named, "unknown field 'account' was ignored"]);
    expect(body.data).not.toHaveProperty('account');
  });

  test('warnings after the first hundred are only counted', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, at]));
    const { body } = await account.create({ name: 'x', config: many });
    expect(body.warnings).toHaveLength(101);
    expect(body.warnings.at(-1)).toBe('50 more unknown fields were kept, unused');
    expect(body.data.config).toEqual(many);
  });

  test('the service assigns the id, and warns about an id that was sent', async () => {
    const { body } = await account.create({ name: 'x', config_id: 'feed_77', revision: 9, created_at: 1 });
    expect(body.data).toMatchObject({ config_id: 'feed_1', revision: 1, created_at: START });
    expect(body.warnings).toEqual([
      "config_id was ignored: the service gives the ids, this feed's is 'feed_1'",
    ]);
  });

  test('ids of feeds ascend over all accounts', async () => {
    const other = await newAccount(server, 'acme');
    expect([await account.add(), await other.add(), await account.add()]).toEqual([
      'feed_1',
      'feed_2',
      'feed_3',
    ]);
    const at_once = await Promise.all(Array.from({ length: 10 }, () => other.add()));
    expect(at_once).toEqual(Array.from({ length: 10 }, (_, at) => `feed_${at + 4}`));
  });
});

describe('GET /api/feed/config', () => {
  test('reading a feed answers it with its revision as ETag', async () => {
    const { data } = (await account.create(WHOLE)).body;
    const { status, headers, body } = await account.get('feed_1');
    expect([status, headers.get('etag'), body]).toEqual([200, '"1"', { data }]);
    await account.set('feed_1', { name: 'y' });
    expect((await account.get('feed_1')).headers.get('etag')).toBe('"2"');
  });
});

describe('POST /api/feed/configs', () => {
  test('a list contains the feeds of the account, newest first', async () => {
    for (const name of ['a', 'b', 'c']) await account.add({ name });
    await (await newAccount(server, 'acme')).add();
    for (const body of [undefined, {}, null, { visibility: null }, { visibility: '' }]) {
      expect(await account.ids(body)).toEqual(['feed_3', 'feed_2', 'feed_1']);
    }
    const { data } = (await account.list()).body;
    expect(data[0]).toEqual((await account.get('feed_3')).body.data);
  });

  test('a list can be limited to one visibility', async () => {
    for (const visibility of ['private', 'public', 'template', 'private']) await account.add({ visibility });
    expect(await account.ids({ visibility: 'private' })).toEqual(['feed_4', 'feed_1']);
    expect(await account.ids({ visibility: 'public' })).toEqual(['feed_2']);
    expect(await account.ids({ visibility: 'template' })).toEqual(['feed_3']);
  });

  test('a list of templates contains those of all accounts and nothing else of other accounts', async () => {
    const other = await newAccount(server, 'acme');
    for (const visibility of ['private', 'public', 'template']) await other.add({ visibility });
    expect(await account.ids()).toEqual([]);
    expect(await account.ids({ visibility: 'public' })).toEqual([]);
    expect(await account.ids({ visibility: 'template' })).toEqual(['feed_3']);
  });

  test('a list takes limit and offset in the body or the query', async () => {
    for (let count = 0; count < 5; count++) await account.add();
    expect(await account.ids({ limit: 2 })).toEqual(['feed_5', 'feed_4']);
    expect(await account.ids({ limit: 2, offset: 3 })).toEqual(['feed_2', 'feed_1']);
    expect(await account.ids({ offset: 4, limit: null })).toEqual(['feed_1']);
    expect(await account.ids({ offset: 5 })).toEqual([]);
    expect(await account.ids({ limit: 1000, offset: 0 })).toHaveLength(5);
    expect(await account.ids({}, '?limit=2&offset=1')).toEqual(['feed_4', 'feed_3']);
    expect(await account.ids({ limit: 1 }, '?limit=3&offset=')).toEqual(['feed_5']);
  });

  test('the warnings of a list name unknown fields', async () => {
    expect((await account.list({ page: 2 })).body).toEqual({
      data: [],
      warnings: ["unknown field 'page' was ignored"],
    });
  });
});

test('a restart keeps every feed unchanged and reuses no id', async () => {
  const data = temporaryFolder('configs');
  const visit = async <T>(work: (mine: Account) => Promise<T>): Promise<T> => {
    await using opened = await openTestServer({ data });
    return await work(defaultAccount(opened));
  };
  const before = await visit(async (mine) => {
    await mine.create(WHOLE);
    await mine.add({ name: 'y', config: { odd: { '': [null, 1e-7, '\u0000', '\ud800'] } } });
    await mine.set('feed_2', { name: 'z', short_name: 'ζ' });
    await mine.add();
    await mine.add();
    await mine.remove('feed_3');
    await mine.remove('feed_4');
    return (await mine.list()).body;
  });
  expect(before.data).toHaveLength(2);
  await visit(async (mine) => {
    expect((await mine.list()).body).toEqual(before);
    expectRefused(await mine.get('feed_3'), 404, 'not_found');
    expect((await mine.get('feed_2')).headers.get('etag')).toBe('"2"');
    expect(await mine.set('feed_2', { name: 'zz' })).toMatchObject({ revision: 3, short_name: 'ζ' });
    expect(await mine.page('trending', { feed_id: 'feed_1' })).toEqual([]);
    expect(await mine.add()).toBe('feed_5');
    await mine.remove('feed_5');
  });
  expect(await visit((mine) => mine.add())).toBe('feed_6');
});

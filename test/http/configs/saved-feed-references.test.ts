import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestServer } from '../../support/service.ts';
import { defaultAccount, expectRefused, newAccount } from '../config-support.ts';
import type { Fields } from '../support.ts';
import { savedFeedWorld } from './saved-feed-world.ts';

const world = savedFeedWorld();
const popular = 'casts/feed/popular';

/** A feed that takes items from another, in each of the ways there are. */
const WAYS: [string, (feed_id: string) => Fields][] = [
  ['a fallback', (feed_id) => ({ fallback_feeds: [{ feed_id }] })],
  ['the feed for cold viewers', (feed_id) => ({ cold_start_feed: feed_id })],
  ['that feed in its long form', (feed_id) => ({ cold_start: { feed_id } })],
  [
    'a promoted feed',
    (feed_id) => ({
      promotion_filters: [{ promotion_type: 'feed', promotion_name: 'p', percent: 10, feed_id }],
    }),
  ],
];
/** How the other one goes away. */
const GOES: [string, (feed_id: string) => Promise<unknown>][] = [
  ['is deleted', (feed_id) => world.account.remove(feed_id)],
  ['is inactive', (feed_id) => world.account.set(feed_id, { status: 'inactive' })],
];

describe.each(GOES)('a saved feed whose reference %s', (_how, go) => {
  test.each(WAYS)('%s can be renamed, switched off and written back unchanged', async (_way, configOf) => {
    const { account } = world;
    const other = await account.add({ endpoint: popular });
    const config = { ...configOf(other), odd: 1, top_k: 3 };
    const id = await account.add({ endpoint: popular, config });
    await go(other);
    const renamed = await account.set(id, { name: 'n2' });
    expect(renamed).toMatchObject({ name: 'n2', config, revision: 2 });
    expect(await account.set(id, { status: 'inactive' })).toMatchObject({ status: 'inactive' });
    expectRefused(await account.ask('popular', { feed_id: id }), 404, 'not_found');
    const whole = { ...(await account.get(id)).body.data, status: 'active', name: 'n3' };
    const { status, headers, body } = await account.patch(whole, { 'if-match': '"3"' });
    expect([status, headers.get('etag'), body.data.name]).toEqual([200, '"4"', 'n3']);
    expect(body.warnings).toEqual(["unknown field 'config.odd' was kept, unused"]);
    const answer = await account.ask('popular', { feed_id: id, user_id: 'somebody' });
    expect([answer.status, answer.body.body.length]).toEqual([200, 3]);
    expect(answer.body.warnings).toEqual([expect.stringContaining(`${other}`)]);
    expect(answer.body.warnings[0]).toEndWith('; it was skipped');
  });
});

describe('a change of the config', () => {
  let gone: string;
  let id: string;
  beforeEach(async () => {
    gone = await world.account.add();
    id = await world.account.add({ endpoint: popular, config: { fallback_feeds: [{ feed_id: gone }] } });
    await world.account.remove(gone);
  });

  test('a change of config keeps a reference whose feed is gone, at any place', async () => {
    const other = await world.account.add();
    for (const config of [
      { fallback_feeds: [{ feed_id: gone }], top_k: 2 },
      { fallback_feeds: [{ feed_id: other }, { feed_id: gone }] },
      { cold_start_feed: gone },
    ]) {
      expect((await world.account.set(id, { config })).config).toEqual(config);
    }
    await world.account.set(id, { endpoint: 'casts/feed/trending' });
  });

  test('a change of config is refused for a new broken reference, and for one that was removed before', async () => {
    const config = { fallback_feeds: [{ feed_id: gone }, { feed_id: 'feed_99999' }] };
    const answer = await world.account.patch({ config_id: id, config });
    expectRefused(answer, 400, 'invalid_value');
    const paths = (refused: typeof answer) => refused.body.errors.map(({ path }: Fields) => path);
    expect(paths(answer)).toEqual(['/config/fallback_feeds/1/feed_id']);
    await world.account.set(id, { config: {} });
    const again = await world.account.patch({ config_id: id, config: { cold_start_feed: gone } });
    expect(paths(again)).toEqual(['/config/cold_start_feed']);
    const created = await world.account.create({ name: 'x', config: { cold_start_feed: gone } });
    expectRefused(created, 400, 'invalid_value');
  });

  test('a change of config is checked except for old references', async () => {
    const config = { fallback_feeds: [{ feed_id: gone }], filters: { chanels: [] }, top_k: 0 };
    const answer = await world.account.patch({ config_id: id, config });
    expect(answer.body.errors.map(({ path }: Fields) => path)).toEqual([
      '/config/top_k',
      '/config/filters/chanels',
    ]);
    const faulty = await world.account.patch({ config_id: id, name: ' ', status: 'on' });
    expect(faulty.body.errors.map(({ path }: Fields) => path)).toEqual(['/name', '/status']);
  });
});

test('a change does not reveal a private feed of another account', async () => {
  const other = await newAccount(world.community.server, 'other');
  const theirs = await other.add({ endpoint: popular, visibility: 'public', config: { top_k: 5 } });
  const config = { fallback_feeds: [{ feed_id: theirs }], filters: { channels: ['none'] } };
  const id = await world.account.add({ endpoint: popular, config });
  expect(await world.account.page('popular', { feed_id: id })).not.toEqual([]);
  await other.set(theirs, { visibility: 'private' });
  await world.account.set(id, { name: 'still here', config: { ...config, top_k: 4 } });
  const { body } = await world.account.ask('popular', { feed_id: id });
  expect(body.body).toEqual([]);
  expect(body.warnings).toContain(`fallback_feeds: there is no feed '${theirs}'; it was skipped`);
});

describe('after a start', () => {
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'feedloom-references-'));
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test('after a start a feed with a broken reference can be changed and previewed as before', async () => {
    const config = { fallback_feeds: [{ feed_id: 'feed_1' }] };
    for (const revision of [1, 2, 3]) {
      await using server = await openTestServer({ data });
      const account = defaultAccount(server);
      if (revision === 1) {
        await account.add();
        await account.add({ endpoint: popular, config });
        await account.remove('feed_1');
      } else expect(await account.set('feed_2', { name: `n${revision}` })).toMatchObject({ revision });
      const { status, body } = await account.ask('popular', { feed_id: 'feed_2', explain: true });
      expect([status, body.trace.config_revision]).toEqual([200, revision]);
      const preview = { endpoint: popular, config };
      const previewed = await server.call('POST', '/api/feed/preview', preview, account.headers);
      expectRefused(previewed, 400, 'invalid_value');
    }
  });
});

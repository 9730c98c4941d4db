import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { type Fields, feedPath, KEY, openCommunity } from '../support.ts';

const community = await forFile(
  openCommunity({ settings: { plugins: join(import.meta.dir, '..', 'acme-plugin.ts') } }),
);
const account = defaultAccount(community.server);
await community.addItem('item', {
  channel: 'Bikes',
  app_fid: 7,
  language: 'nb',
  publication_types: ['image'],
  embed_domains: ['blog.example.com'],
  ai_labels: { music: 0.9 },
});

await community.server.call('PUT', '/v2/farcaster/lists/editors', { user_ids: ['author'] }, KEY);

const preview = (config: Fields) =>
  community.server.call('POST', '/api/feed/preview', { endpoint: 'casts/feed/popular', config }, KEY);

/** A filter, values that this network has, and one that it has not, with the warning. */
const CASES: [string, unknown, unknown, string][] = [
  ['channels', ['Bikes'], ['Bikes', 'Bikez'], "no item has 'Bikez' so far"],
  ['app_fids', [7, '7'], [8], "no item has '8' so far"],
  ['languages', ['no', 'nn-NO'], ['da'], "no item has 'da' so far"],
  ['publication_types', ['Images'], ['vidoes'], "no item has 'vidoes' so far"],
  ['embed_domains', ['example.com'], ['https://exmaple.com/x'], "no item has 'https://exmaple.com/x' so far"],
  ['ai_labels', ['music'], [{ label: 'musik', threshold: 0.5 }], "no item has 'musik' so far"],
  ['remove_ai_labels', ['music'], ['musik'], "no item has 'musik' so far"],
  ['author_ids', ['author'], ['author', 'auhtor'], "there is no user 'auhtor' so far"],
  ['author_ids', 'following', 'following:stranger', "there is no user 'stranger' so far"],
  ['author_ids', 'list:editors', 'list:edtiors', "there is no list of users 'edtiors' so far"],
  ['remove_author_ids', 'list:editors', 'list:at://x/y', "there is no list of users 'at://x/y' so far"],
  ['remove_author_ids', ['author'], [12], "there is no user '12' so far"],
];

describe.each(CASES)('a value of the filter %s that no item has (%#)', (filter, known, unknown, said) => {
  test('an unknown value is named in the warnings of a feed request and an explanation', async () => {
    const sound = await community.ask('popular', { filters: { [filter]: known } });
    expect([sound.status, sound.body.warnings]).toEqual([200, undefined]);
    const request = { filters: { [filter]: unknown } };
    const warnings = [`filters.${filter}: ${said}`];
    const answer = await community.ask('popular', request);
    expect([answer.status, answer.body.warnings]).toEqual([200, warnings]);
    const question = { ...request, item_id: 'item' };
    const explained = await community.server.post(`${feedPath('popular')}/explain`, question);
    expect([explained.status, explained.body.warnings]).toEqual([200, warnings]);
  });

  test('an unknown value is named in the warnings of a preview, a saved feed and its pages', async () => {
    const config = { filters: { [filter]: unknown } };
    const warnings = [`config.filters.${filter}: ${said}`];
    expect((await preview(config)).body.warnings).toEqual([`filters.${filter}: ${said}`]);
    const saved = await account.create({ name: 'x', endpoint: 'casts/feed/popular', config });
    expect([saved.status, saved.body.warnings]).toEqual([201, warnings]);
    const { config_id } = saved.body.data;
    const page = await community.ask('popular', { feed_id: config_id });
    expect(page.body.warnings).toEqual([`filters.${filter}: ${said}`]);
    const renamed = await account.patch({ config_id, name: 'y' });
    expect([renamed.status, renamed.body.warnings]).toEqual([200, undefined]);
    const changed = await account.patch({ config_id, config: { ...config, top_k: 5 } });
    expect([changed.status, changed.body.warnings]).toEqual([200, warnings]);
  });
});

test("unknown values in a promotion's filters are named too", async () => {
  const promotion = {
    promotion_type: 'feed',
    promotion_name: 'p',
    percent: 10,
    filters: { channels: ['Bikez'] },
  };
  const said = "promotion_filters.0.filters.channels: no item has 'Bikez' so far";
  const page = await community.ask('popular', { promotion_filters: [promotion] });
  expect(page.body.warnings).toEqual([said]);
  const config = { promotion_filters: [promotion] };
  expect((await preview(config)).body.warnings).toEqual([said]);
  expect((await account.create({ name: 'x', config })).body.warnings).toEqual([`config.${said}`]);
});

test('a value is no longer unknown when an item has it', async () => {
  const request = { filters: { channels: ['Trains'] } };
  expect((await community.ask('popular', request)).body.warnings).toHaveLength(1);
  await community.addItem('train', { channel: 'Trains' });
  expect((await community.ask('popular', request)).body.warnings).toBeUndefined();
});

test('a network without items, where every value is unknown, causes no warnings', async () => {
  await using empty = await openCommunity();
  const { status, body } = await empty.ask('popular', { filters: { channels: ['Bikes'] } });
  expect([status, body.warnings]).toEqual([200, undefined]);
});

test('at most twenty unknown values are named', async () => {
  const channels = Array.from({ length: 10_000 }, (_, at) => `c${at}`);
  const { body } = await community.ask('popular', { filters: { channels } });
  expect(body.warnings).toHaveLength(21);
  expect(body.warnings[19]).toBe("filters.channels: no item has 'c19' so far");
  expect(body.warnings[20]).toBe('filters: further values are unknown here');
});

test('a third-party filter may declare the values it names', async () => {
  const request = { filters: { 'acme/in_channel': { channel: 'Bikez' } } };
  expect((await community.ask('popular', request)).body.warnings).toEqual([
    "filters.acme/in_channel: no item has 'Bikez' so far",
  ]);
  const broken = { filters: { 'acme/in_channel': { channel: 'broken' } } };
  const { status, body } = await community.ask('popular', broken);
  expect([status, body.code]).toEqual([500, 'plugin_failed']);
});

test('a saved feed with a language that is not detected is saved with a warning', async () => {
  const config = { filters: { languages: ['eo', 'nn', 'iw', 'sh', 'in'] } };
  const { status, body } = await account.create({ name: 'Esperanto', config });
  const warning =
    "config.filters.languages: 'eo' is not detected (GET /api/languages): only items that say their language match";
  expect([status, body.warnings[0]]).toEqual([201, warning]);
  expect(body.warnings.filter((said: string) => said.includes('not detected'))).toEqual([warning]);
});

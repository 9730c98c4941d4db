import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile, START } from '../../support/service.ts';
import { FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const community = await forFile(
  openCommunity({ settings: { plugins: join(import.meta.dir, '..', 'acme-plugin.ts') } }),
);
for (let at = 0; at < 4; at++) {
  await community.addItem(`item-${at}`, { author_id: `author-${at % 2}`, created_at: START - at });
}

const VIEWER = { user_id: 'viewer' };

test('a third-party scoring function orders every feed type, with and without options', async () => {
  const id = 'acme/oldest_v1.0.0';
  for (const scoring of [id, { name: id }, { name: id, options: {} }, { name: id, options: { scale: 2 } }]) {
    for (const feed_type of FEED_TYPES) {
      const ids = await community.ids(feed_type, { ...VIEWER, scoring });
      expect(ids).toEqual(['item-3', 'item-2', 'item-1', 'item-0']);
    }
  }
  const [item] = await community.page('popular', { scoring: { name: id, options: { scale: START } } });
  expect(item.score).toBeCloseTo(1, 6);
});

test('third-party filters and visibility rules are named by their ids', async () => {
  const filters = { 'acme/since': { seconds: START - 2 } };
  expect(await community.ids('popular', { filters })).toEqual(['item-0', 'item-1', 'item-2']);
  const visibility_rules = { 'acme/mute_v1.0.0': { authors: ['author-0', 'unknown'] } };
  for (const feed_type of FEED_TYPES) {
    const request = { ...VIEWER, filters, visibility_rules };
    expect(await community.ids(feed_type, request)).toEqual(['item-1']);
  }
});

test('bad options of a third-party plugin are refused by name', async () => {
  const cases: [Fields, string][] = [
    [{ scoring: { name: 'acme/oldest_v1.0.0', options: { scale: 0 } } }, '/scoring/options/scale'],
    [{ filters: { 'acme/since': { seconds: '5' } } }, '/filters/acme~1since/seconds'],
    [{ filters: { 'acme/since': { seconds: 5, more: 1 } } }, '/filters/acme~1since/more'],
    [{ visibility_rules: { 'acme/mute_v1.0.0': {} } }, '/visibility_rules/acme~1mute_v1.0.0/authors'],
    [{ scoring: 'acme/oldest_v2.0.0' }, '/scoring'],
    [{ visibility_rules: { 'acme/mute_v2.0.0': {} } }, '/visibility_rules/acme~1mute_v2.0.0'],
  ];
  for (const [request, path] of cases) {
    const { status, body } = await community.ask('popular', request);
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_value', path]);
  }
});

test('a failing plugin fails the request and is named only in the log', async () => {
  const failing: [Fields, string, string][] = [
    [{ visibility_rules: { 'acme/throws_v1.0.0': {} } }, 'acme/throws_v1.0.0', 'the cause within the plugin'],
    [{ scoring: 'acme/broken_v1.0.0' }, 'acme/broken_v1.0.0', 'score NaN is not a finite number'],
    [{ filters: { 'acme/greedy': {} } }, 'acme/greedy', 'readonly'],
  ];
  for (const [request, id, cause] of failing) {
    const before = community.seq;
    const answer = await community.ask('popular', { ...VIEWER, impression_count: 5, ...request });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'plugin_failed', status_code: 500 });
    expect(JSON.stringify(answer.body)).not.toContain('acme');
    const logged = community.server.log.at(-1) ?? '';
    expect(logged).toContain(answer.headers.get('x-request-id') ?? 'no id');
    expect(logged).toContain(id);
    expect(logged).toContain(cause);
    expect(community.seq).toBe(before);
  }
  expect(await community.ids('popular', VIEWER)).toHaveLength(4);
});

test('the list of plugins shows third-party plugins as external, without the path of their file', async () => {
  const { body } = await community.server.get('/api/plugins');
  const own = body.data.filter(({ id }: Fields) => String(id).startsWith('acme/'));
  expect(own.map(({ id, kind, source }: Fields) => [id, kind, source])).toEqual([
    ['acme/since', 'filters', 'external'],
    ['acme/in_channel', 'filters', 'external'],
    ['acme/greedy', 'filters', 'external'],
    ['acme/oldest_v1.0.0', 'scoring_functions', 'external'],
    ['acme/broken_v1.0.0', 'scoring_functions', 'external'],
    ['acme/mute_v1.0.0', 'visibility_rules', 'external'],
    ['acme/throws_v1.0.0', 'visibility_rules', 'external'],
  ]);
  expect(JSON.stringify(body)).not.toContain('acme-plugin');
});

import { expect, test } from 'bun:test';
import { SCOPES } from '../../../src/store/keys.ts';
import { forFile } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { type Fields, KEY, openCommunity } from '../support.ts';

const community = await forFile(openCommunity());

async function list(headers: Record<string, string> = KEY): Promise<Fields[]> {
  const { status, body } = await community.server.call('GET', '/api/plugins', undefined, headers);
  expect(status).toBe(200);
  return body.data;
}

test('every plugin is listed with its id, kind, summary, options schema and source', async () => {
  const plugins = await list();
  for (const plugin of plugins) {
    const { proposes_as: _, ...rest } = plugin;
    expect(Object.keys(rest).sort()).toEqual(['id', 'kind', 'options', 'source', 'summary']);
    expect(plugin.source).toBe('built-in');
    expect(typeof plugin.summary).toBe('string');
    expect(typeof plugin.options).toBe('object');
  }
  const listed = plugins.map(({ kind, id }) => `${kind} ${id}`);
  expect(new Set(listed).size).toBe(listed.length);
  for (const id of ['start_timestamp', 'author_ids', 'channels']) expect(listed).toContain(`filters ${id}`);
  for (const id of ['balanced_feed_v0.0.1', 'trending_v0.0.1', 'popular_v0.0.1']) {
    expect(listed).toContain(`scoring_functions ${id}`);
  }
  for (const id of ['seen', 'interacted', 'hidden', 'blocked', 'own_posts']) {
    expect(listed).toContain(`visibility_rules ${id}`);
  }
});

test('signals that propose candidates are listed with the name that explanations have for them', async () => {
  const named = (await list()).flatMap(({ id, proposes_as }) =>
    proposes_as === undefined ? [] : [[id, proposes_as]],
  );
  expect(Object.fromEntries(named)).toMatchObject({
    interest_all: 'walk',
    affinity_all: 'following',
    trending: 'trending',
  });
});

test('the options schema of a filter describes its value', async () => {
  const channels = (await list()).find(({ kind, id }) => kind === 'filters' && id === 'channels');
  expect(channels?.options).toMatchObject({ type: 'array', items: { type: 'string' } });
});

test.each(SCOPES)('the list of plugins accepts a key that has only the scope %s', async (scope) => {
  const { headers } = await newAccount(community.server, 'acme', scope);
  expect(await list(headers)).toEqual(await list());
});

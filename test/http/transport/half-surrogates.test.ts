import { expect, test } from 'bun:test';
import { forFile, START } from '../../support/service.ts';
import { type Fields, ingestPath, KEY, openCommunity } from '../support.ts';

/** Half of an emoji, which JSON text can only hold as an escape. */
const HALF = '\ud83d';
const ESCAPE = /\\u[dD][89a-fA-F]/;
const community = await forFile(openCommunity());

/** The text of an answer, which every JSON reader takes. */
async function textOf(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await community.server.call(method, path, body, KEY);
  const text = JSON.stringify(answer.body);
  expect(text).not.toMatch(ESCAPE);
  return text;
}

const METADATA = { [`key ${HALF}`]: [`value ${HALF}`, { [HALF]: HALF, whole: '🎉' }], plain: 1 };
const STORED = { 'key \ufffd': ['value \ufffd', { '\ufffd': '\ufffd', whole: '🎉' }], plain: 1 };

test('half surrogate pairs in metadata of items and users are stored as U+FFFD', async () => {
  await community.addItem('item', { metadata: METADATA, text: `text ${HALF}` });
  await community.add('users', { user_id: 'user', metadata: METADATA, username: HALF });
  expect(await community.stored('items', 'item')).toMatchObject({ metadata: STORED, text: 'text \ufffd' });
  expect(await community.stored('users', 'user')).toMatchObject({ metadata: STORED, username: '\ufffd' });
  await textOf('GET', '/v2/farcaster/items/item');
  await textOf('GET', '/v2/farcaster/users/user');
  const { metadata } = await community.shown('item', { return_metadata: true });
  expect(metadata?.custom).toEqual(STORED);
  await textOf('POST', '/v2/farcaster/casts/feed/popular', { return_metadata: true });
});

test('half surrogate pairs in a saved feed are stored as U+FFFD', async () => {
  const promotion: Fields = {
    promotion_type: 'items',
    promotion_name: `picked ${HALF}`,
    promoted_items: [{ item_id: 'item' }],
  };
  const feed = {
    name: `Home ${HALF}`,
    description: HALF,
    endpoint: 'casts/feed/popular',
    config: { [`odd ${HALF}`]: { [HALF]: HALF }, promotion_filters: [promotion] },
  };
  const { data } = JSON.parse(await textOf('POST', '/api/feed/config', feed));
  expect(data).toMatchObject({
    name: 'Home \ufffd',
    description: '\ufffd',
    config: { 'odd \ufffd': { '\ufffd': '\ufffd' } },
  });
  await textOf('GET', `/api/feed/config?config_id=${data.config_id}`);
  const page = await textOf('POST', '/v2/farcaster/casts/feed/popular', { feed_id: data.config_id });
  expect(JSON.parse(page).body[0]).toMatchObject({
    promotion_name: 'picked \ufffd',
    source_feed: 'promotion:picked \ufffd',
  });
});

test('half surrogate pairs in a request are answered as U+FFFD', async () => {
  const promotion = {
    promotion_type: 'items',
    promotion_name: HALF,
    promoted_items: [{ item_id: 'item' }, { item_id: 'no such item' }],
  };
  const page = await textOf('POST', '/v2/farcaster/casts/feed/popular', { promotion_filters: [promotion] });
  expect(JSON.parse(page).body[0].promotion_name).toBe('\ufffd');
  for (const request of [
    { feed_id: HALF },
    { scoring: HALF },
    { filters: { [HALF]: 1 } },
    { filters: { languages: [HALF] } },
    { [HALF]: 1 },
  ])
    expect(await textOf('POST', '/v2/farcaster/casts/feed/popular', request)).toContain('\ufffd');
});

test('half surrogate pairs in an identifier refuse the record', async () => {
  const item = { item_id: HALF, author_id: 'author', created_at: START };
  const { status, body } = await community.server.post(ingestPath('items'), item);
  expect([status, body.detail]).toEqual([400, expect.stringContaining('unpaired surrogates')]);
});

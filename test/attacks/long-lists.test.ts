import { expect, test } from 'bun:test';
import { KEY } from '../http/support.ts';
import { forFile, openTestServer } from '../support/service.ts';

/** Lists that are refused, in bodies as long as harmless ones. */

const server = await forFile(openTestServer());

const LENGTH = 300_000;
const listOf = (entry: string) => `[${Array(LENGTH).fill(entry).join(',')}]`;

/** The shortest time of some requests with this body, in milliseconds. */
async function timeOf(body: string, expected: { status: number; detail?: string }): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 6; round++) {
    const start_ms = performance.now();
    const answer = await server.call('POST', '/v2/farcaster/feeds/for-you', body, KEY);
    times.push(performance.now() - start_ms);
    expect(answer.status).toBe(expected.status);
    if (expected.detail !== undefined) expect(answer.body.detail).toContain(expected.detail);
  }
  return Math.min(...times);
}

test.each([
  ['fallback_feeds', '/fallback_feeds: must be a list of at most 3', '0', (list: string) => list],
  ['promotion_filters', '/promotion_filters: must be a list of at most one', '{}', (list: string) => list],
  [
    'author_ids',
    '/filters/author_ids: must be one of four',
    'null',
    (list: string) => `{"author_ids":${list}}`,
  ],
  ['channels', '/filters/channels: must be a list of at most', '0', (list: string) => `{"channels":${list}}`],
])(
  'refusing a list of %s that is too long costs no more than reading it',
  async (name, detail, entry, within) => {
    const field = name === 'author_ids' || name === 'channels' ? 'filters' : name;
    const value = within(listOf(entry));
    const control_ms = await timeOf(`{"user_id":"ann","unknown":${value}}`, { status: 200 });
    const attack_ms = await timeOf(`{"user_id":"ann","${field}":${value}}`, { status: 400, detail });
    expect(attack_ms / control_ms).toBeLessThan(4);
  },
);

test('faults beside a list that is too long are listed, and its entries are not', async () => {
  const body = `{"user_id":"ann","fallback_feeds":${listOf('0')},"top_k":-1}`;
  const answer = await server.call('POST', '/v2/farcaster/feeds/for-you', body, KEY);
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['/fallback_feeds', '/top_k']),
  );
  expect(answer.body.errors).toHaveLength(2);
});

import { expect, test } from 'bun:test';
import { forFile, openTestServer, START, type TestAnswer } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { Community } from '../support.ts';

const server = await forFile(openTestServer());
const community = new Community(server);
await community.add('users', { user_id: '100' });
const item = (id: string, language: string, ...labels: string[]) =>
  community.addItem(id, {
    ...{ author_id: '100', language, created_at: START - 1 },
    ai_labels: labels.map((label) => ({ group: 'topics', label, score: 0.9 })),
  });
await item('0x1', 'en-GB', 'music', 'spam');
await item('0x2', 'en', 'music');
await item('0x3', 'de', 'movies');
const { headers } = await newAccount(server, 'curators', 'config:write');

const get = (query: string): Promise<TestAnswer> =>
  server.call('GET', `/v2/farcaster/values?${query}`, undefined, headers);

test('values of a filter are listed with the number of items that have them, most items first', async () => {
  const { status, body } = await get('filter=languages');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      values: [
        { value: 'en', items_count: 2 },
        { value: 'de', items_count: 1 },
      ],
    },
  });
});

test('values are found by their start', async () => {
  const { body } = await get('filter=ai_labels&search=M');
  expect(body.values.map(({ value }: { value: string }) => value)).toEqual(['music', 'movies']);
  expect((await get('filter=ai_labels&limit=1')).body.values).toEqual([{ value: 'music', items_count: 2 }]);
  expect((await get('filter=channels')).body.values).toEqual([]);
});

import { expect, test } from 'bun:test';
import { forFile } from '../support/service.ts';
import { BROKEN, openService } from './support.ts';

/** The connection breaks after the service has processed a call, and the client sends it again. */

const service = await forFile(openService());
const items = Array.from({ length: 20 }, (_, index) => ({
  item_id: `item-${index}`,
  author_id: 'author',
  created_at: '2025-01-01',
}));
await service.client().ingest('items', items);

/** A client that loses the first answer to its first call. */
function losing() {
  const answers: unknown[] = [];
  const client = service.client({
    async fetch(request) {
      const response = await fetch(request);
      answers.push(await response.clone().json());
      if (answers.length === 1) throw BROKEN;
      return response;
    },
    sleep: async () => {},
  });
  return { client, answers };
}

test('a page that records impressions is the same one, and the next page shows nothing of it', async () => {
  const { client, answers } = losing();
  const request = { user_id: 'reader', top_k: 10, impression_count: 10 };
  const page = await client.forYou(request);
  expect(answers.length).toBe(2);
  expect<unknown>(answers[0]).toEqual(page);
  const next = await client.forYou(request);
  const shown = [...page.body, ...next.body].map(({ item_id }) => item_id);
  expect(new Set(shown).size).toBe(20);
});

test('comments are counted once, also those without an identifier and a time', async () => {
  const { client, answers } = losing();
  const comment = { user_id: 'a', item_id: 'item-3', event_type: 'comment' as const };
  await client.ingest('interactions', [comment, comment, { ...comment, timestamp: '2025-01-02' }]);
  expect(answers.length).toBe(2);
  expect((await client.item('item-3')).comments_count).toBe(3);
});

test('records are stored once', async () => {
  const { client } = losing();
  await client.ingest('follows', { user_id: 'a', target_user_id: 'author' });
  expect((await client.user('a')).follows).toEqual(['author']);
});

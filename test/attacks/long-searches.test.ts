import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { KEY } from '../http/support.ts';
import { openTestServer, START } from '../support/service.ts';

/** A search that has to read the longest texts of a whole community, again and again. */

const CHARACTERS = LIMITS.text_length_max;
/** Of all items that one request reads, in characters. The item that reaches the bound is read. */
const READ_MAX = 16 * 1024 * 1024 + CHARACTERS;
const ITEMS = Math.ceil(READ_MAX / CHARACTERS) + 20;
const PAGES = 20;

test('a search for words that no text has reads a bounded part of the texts, and pages are answered meanwhile', async () => {
  await using server = await openTestServer();
  const text = 'words of it '.repeat(CHARACTERS / 12);
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    ...{ item_id: `${at}`, author_id: `${at}`, created_at: START - at, text, language: 'en' },
  }));
  // Long texts do not fit one body.
  for (let at = 0; at < ITEMS; at += 50)
    await server.service.ingest.ingest('items', items.slice(at, at + 50));
  const search = async (text: string) => {
    const path = `/v2/community/items?text=${text}`;
    return (await server.call('GET', path, undefined, KEY)).body;
  };
  let is_searching = true;
  const attack = search('nothing').finally(() => {
    is_searching = false;
  });
  let answered = 0;
  for (let at = 0; at < PAGES; at++) {
    expect((await server.post('/v2/community/feeds/popular', { top_k: 10 })).status).toBe(200);
    if (is_searching) answered++;
  }
  expect(answered).toBe(PAGES);
  const { items: found, searched_to } = await attack;
  expect(found).toEqual([]);
  expect((START - searched_to + 1) * text.length).toBeLessThanOrEqual(READ_MAX);
  // The control: words that texts have are found in the first of them.
  expect((await search('words&limit=2')).items).toHaveLength(2);
});

import { expect, test } from 'bun:test';
import { forFile, openTestServer, START, type TestAnswer } from '../../support/service.ts';
import { Community, whileReading } from '../support.ts';

const MUSIC = 'https://example.community/channel/music';
const server = await forFile(openTestServer());
const community = new Community(server);

const TEXTS: Record<string, string> = {
  night: 'A Night train to Straße 9, late',
  party: 'The party starts at nightfall',
  wide: 'ＮＩＧＨＴ in wide letters',
  greek: 'ΟΔΟΣ και νύχτα',
  japanese: '今日は夜行列車です',
  code: 'C++ and #vinyl (part one)',
  html: '<p>Late <b>trains</b></p>',
};
let age = 0;
for (const [item_id, text] of Object.entries(TEXTS))
  await community.addItem(item_id, {
    text,
    created_at: START - ++age,
    author_id: item_id === 'night' ? 'ann' : 'ben',
    ...(item_id === 'night' ? { channel: MUSIC } : {}),
    ...(item_id === 'wide' ? { hidden: true } : {}),
    ...(item_id === 'html' ? { text_format: 'html' } : {}),
  });
await community.addItem('untold', { created_at: START - 100 });

function get(query: Record<string, string>, from = community): Promise<TestAnswer> {
  return from.server.get(`/v2/community/items?${new URLSearchParams(query)}`);
}

async function found(text: string, more: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await get({ text, ...more });
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  expect(body.cursor).toBeUndefined();
  return body.items.map(({ item_id }: { item_id: string }) => item_id);
}

test('items are found by the beginnings of words of their text, newest first, in any case and width', async () => {
  expect(await found('night')).toEqual(['night', 'party', 'wide']);
  expect(await found('ｎiGht')).toEqual(['night', 'party', 'wide']);
  expect(await found('nightfall')).toEqual(['party']);
  expect(await found('fall')).toEqual([]);
  expect(await found('art')).toEqual([]);
  expect(await found('STRASSE')).toEqual(['night']);
  expect(await found('STRAẞE')).toEqual(['night']);
  expect(await found('οδος')).toEqual(['greek']);
});

test('an item is found only by a search all of whose words it has, in any order', async () => {
  expect(await found('train night')).toEqual(['night']);
  expect(await found('night party')).toEqual(['party']);
  expect(await found('night greek')).toEqual([]);
});

test('a search in a script without blanks finds words anywhere, and signs stand for themselves', async () => {
  expect(await found('列車')).toEqual(['japanese']);
  expect(await found('c++')).toEqual(['code']);
  expect(await found('#vinyl (part')).toEqual(['code']);
  expect(await found('.*')).toEqual([]);
});

test('the text of HTML is searched without its markup', async () => {
  expect(await found('late trains')).toEqual(['html']);
  expect(await found('b')).toEqual([]);
});

test('a search can be limited to an author or a channel', async () => {
  expect(await found('night', { author_id: 'ben' })).toEqual(['party', 'wide']);
  expect(await found('night', { channel: MUSIC })).toEqual(['night']);
  expect(await found('night', { channel: 'unknown' })).toEqual([]);
});

test('a search marks hidden items, as other lists for moderators do', async () => {
  const { body } = await get({ text: 'wide' });
  expect(body.items).toMatchObject([{ item_id: 'wide', hidden: true, item: { text: TEXTS.wide } }]);
});

test('pages of a search follow one another without a repetition, also among items of the same time', async () => {
  await using other = new Community(await openTestServer());
  for (let at = 0; at < 9; at++) await other.addItem(`same ${at}`, { text: at % 3 === 0 ? 'yes' : 'no' });
  await other.addItem('older', { text: 'yes', created_at: START - 0.25 });
  const pages: string[][] = [];
  let cursor = '';
  do {
    const { body } = await get({ text: 'yes', limit: '1', ...(cursor === '' ? {} : { cursor }) }, other);
    pages.push(body.items.map(({ item_id }: { item_id: string }) => item_id));
    cursor = body.cursor ?? '';
    if (cursor !== '') expect(body.searched_to).toBe(pages.length === 4 ? START - 1 : START);
    await other.addItem(`new ${pages.length}`, { text: 'yes', created_at: START + 1 });
  } while (cursor !== '');
  expect(pages.flat()).toEqual(['same 6', 'same 3', 'same 0', 'older']);
});

test('a request reads for a limited time, and its cursor goes on behind what it has read', async () => {
  let elapsed_ms = 0;
  await using other = new Community(
    await openTestServer({ hosting: { monotonic: () => (elapsed_ms += 1_000) } }),
  );
  const items = Array.from({ length: 130 }, (_, at) => ({
    ...{ item_id: `${at}`, author_id: 'author', created_at: START - at },
    text: at < 129 ? 'hay' : 'needle',
  }));
  await other.add('items', ...items);
  const first = (await get({ text: 'needle' }, other)).body;
  expect(first).toMatchObject({ items: [], searched_to: START - 63 });
  const second = (await get({ text: 'needle', cursor: first.cursor }, other)).body;
  expect(second).toMatchObject({ items: [], searched_to: START - 127 });
  const { body } = await get({ text: 'needle', cursor: second.cursor }, other);
  expect(body.items).toMatchObject([{ item_id: '129' }]);
});

test('an item that changes or goes while it is read is not in the answer', async () => {
  await using other = new Community(await openTestServer());
  for (const item_id of ['kept', 'changed', 'gone']) await other.addItem(item_id, { text: 'a word' });
  const { body } = await whileReading(
    other,
    () => get({ text: 'word' }, other),
    async () => {
      await other.addItem('changed', { text: 'nothing' });
      await other.remove('items', 'gone');
    },
  );
  expect(body.items).toMatchObject([{ item_id: 'kept' }]);
});

test.each<[Record<string, string>, string]>([
  [{ text: ' ' }, '/text'],
  [{ text: 'a '.repeat(11) }, '/text'],
  [{ text: 'a'.repeat(101) }, '/text'],
  [{ text: 'a', cursor: 'there' }, '/cursor'],
  [{ cursor: '1-1' }, '/cursor'],
  [{ text: 'a', search: 'b' }, '/text'],
  [{ text: 'a', item_id: 'b' }, '/text'],
])('a search %p is refused with the parameter', async (query, path) => {
  const { status, body } = await get(query);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(`"${path}"`);
});

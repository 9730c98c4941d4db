import { describe, expect, test } from 'bun:test';
import { forFile, START, type TestAnswer } from '../../support/service.ts';
import { type Fields, ingestPath, KEY, type Kind, openCommunity } from '../support.ts';

const community = await forFile(openCommunity());
await community.addItem('item');

function post(kind: Kind, body: unknown): Promise<TestAnswer> {
  return community.server.post(ingestPath(kind), body);
}

function postLines(kind: Kind, text: string, type = 'application/x-ndjson'): Promise<TestAnswer> {
  return community.server.call('POST', ingestPath(kind), text, { ...KEY, 'content-type': type });
}

function accepted(count: number): object {
  return { status: 'success', accepted: count, rejected_count: 0, rejected: [] };
}

let records = 0;
/** A good record of a kind, another one each time. */
const GOOD: Record<Kind, () => Fields> = {
  items: () => ({ item_id: `item-${++records}`, author_id: 'author', created_at: START }),
  users: () => ({ user_id: `user-${++records}` }),
  follows: () => ({ user_id: `user-${++records}`, target_user_id: 'author' }),
  blocks: () => ({ user_id: `user-${++records}`, target_user_id: 'enemy' }),
  labels: () => ({ labeler_id: `user-${++records}`, item_id: 'item', value: 'spam' }),
  interactions: () => ({ user_id: `user-${++records}`, item_id: 'item', event_type: 'like' }),
};
const BAD: Record<Kind, [Fields, string]> = {
  items: [{ item_id: '' }, 'item_id: expected a string of 1 to 256 characters or an integer; got ""'],
  users: [{ username: 'x' }, 'user_id: is required'],
  follows: [{ user_id: 'a', target_user_id: 'a' }, 'target_user_id: expected another user than user_id'],
  blocks: [{ user_id: 'a' }, 'target_user_id: is required'],
  labels: [{ labeler_id: 'a', value: 'x' }, 'item_id: expected one of item_id and user_id'],
  interactions: [
    { user_id: 'a', item_id: 'b', event_type: 'poke' },
    'event_type: expected one of view, like, comment, share, bookmark, hide, report; got "poke"',
  ],
};
const KINDS = Object.keys(GOOD) as Kind[];

test('an item whose record was rejected is on no page, whatever people do with it', async () => {
  const item = { item_id: 'spam', author_id: 'b', created_at: START, hidden: true };
  const { body } = await post('items', [{ ...item, created_at: 1e12 }, GOOD.items()]);
  expect(body).toMatchObject({ accepted: 1, rejected: [{ index: 0 }] });
  for (const item_id of ['spam', 'item'])
    await post('interactions', { user_id: 'fan', item_id, event_type: 'like', timestamp: START });
  const ids = await community.ids('popular', { top_k: 500 });
  expect(ids).toContain('item');
  expect(ids).not.toContain('spam');
});

for (const kind of KINDS) {
  describe(`${kind} are accepted as`, () => {
    const good = GOOD[kind];

    test('one record', async () => {
      expect(await post(kind, good())).toMatchObject({ status: 200, body: accepted(1) });
    });

    test('an array, which may be empty', async () => {
      expect((await post(kind, [good(), good(), good()])).body).toEqual(accepted(3));
      expect((await post(kind, [])).body).toEqual(accepted(0));
    });

    test('NDJSON with any line ends and empty lines, or without lines', async () => {
      const lines = [good(), good()].map((record) => JSON.stringify(record));
      expect((await postLines(kind, lines.join('\n'))).body).toEqual(accepted(2));
      expect((await postLines(kind, `\n${lines.join('\r\n\r\n')}\r\n`)).body).toEqual(accepted(2));
      const type = 'Application/x-NDJSON; charset=utf-8';
      expect((await postLines(kind, lines[0], type)).body).toEqual(accepted(1));
      expect((await postLines(kind, '')).body).toEqual(accepted(0));
    });

    test('the good records among bad ones, which are named by index', async () => {
      const [bad, detail] = BAD[kind];
      const { status, body } = await post(kind, [bad, good(), null, good(), [], 'x']);
      expect(status).toBe(200);
      expect(body).toEqual({
        status: 'success',
        accepted: 2,
        rejected_count: 4,
        rejected: [
          { index: 0, detail },
          ...[2, 4, 5].map((index) => ({ index, detail: 'record: expected a JSON object' })),
        ],
      });
    });

    test('no record if all are bad: 400 with the same fields', async () => {
      const before = community.seq;
      const [bad, detail] = BAD[kind];
      const answer = await post(kind, [bad, 5]);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.body).toEqual({
        type: 'urn:feedloom:error:invalid_value',
        title: 'Invalid value',
        status: 400,
        detail: `record 0: ${detail} (and 1 more records)`,
        code: 'invalid_value',
        accepted: 0,
        rejected_count: 2,
        rejected: [
          { index: 0, detail },
          { index: 1, detail: 'record: expected a JSON object' },
        ],
      });
      expect(community.seq).toBe(before);
    });

    test('unknown fields are ignored and named once, with their first record', async () => {
      const { status, body } = await post(kind, [good(), { ...good(), extra: 1 }, { ...good(), extra: 2 }]);
      expect([status, body.accepted]).toEqual([200, 3]);
      expect(body.warnings).toEqual(["unknown field 'extra' was ignored (first in record 1)"]);
    });
  });
}

describe('a body', () => {
  test('a body of 10,000 records is accepted, and a larger one is refused as a whole', async () => {
    const follows = Array.from({ length: 10_001 }, (_, at) => ({
      user_id: 'mass',
      target_user_id: `mass-${at}`,
    }));
    const before = community.seq;
    for (const body of [follows, follows.map((record) => JSON.stringify(record)).join('\n')]) {
      const answer =
        typeof body === 'string' ? await postLines('follows', body) : await post('follows', body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: 'invalid_value',
        detail: 'a body holds at most 10000 records',
      });
    }
    expect(community.seq).toBe(before);
    expect((await post('follows', follows.slice(1))).body).toEqual(accepted(10_000));
    expect(((await community.stored('users', 'mass')) as { counts: Fields }).counts.following).toBe(10_000);
  });

  test('an answer lists the first 100 rejected records, in order, whatever their faults', async () => {
    const items = Array.from({ length: 1_200 }, (_, at) =>
      at % 3 === 2 ? 5 : { item_id: `unknown-${at}`, text: 'new, but without author and time' },
    );
    const { body } = await post('items', [...items, GOOD.items()]);
    expect([body.accepted, body.rejected_count, body.rejected.length]).toEqual([1, 1_200, 100]);
    expect(body.rejected.map(({ index }: { index: number }) => index)).toEqual(
      Array.from({ length: 100 }, (_, at) => at),
    );
    expect(body.rejected[1].detail).toBe(
      'author_id: is required for a new item; created_at: is required for a new item',
    );
  });

  test('a body that is empty or not JSON is refused as a whole', async () => {
    for (const text of ['', ' ', '{', '[{}', '{"user_id":"x"}{']) {
      const { status, body } = await post('users', text);
      expect([text, status, body.code]).toEqual([text, 400, 'malformed_json']);
    }
    const lines = await postLines('users', '{"user_id":"line-1"}\n{"user_id":');
    expect(lines.body.detail).toStartWith('line 2 is not valid JSON');
    expect(await community.stored('users', 'line-1')).toBeUndefined();
  });

  test('a body of null is one bad record', async () => {
    expect((await post('users', 'null')).body).toMatchObject({ status: 400, rejected_count: 1 });
    expect((await post('users', '5')).body).toMatchObject({ status: 400, rejected_count: 1 });
  });
});

describe('an item', () => {
  const stored = async (record: Fields) => {
    await community.addItem(`item-${++records}`, record);
    return community.stored('items', `item-${records}`);
  };

  test('an item accepts root_parent_url for channel', async () => {
    expect(await stored({ root_parent_url: 'https://x.example/c' })).toMatchObject({
      channel: 'https://x.example/c',
    });
    expect(await stored({ root_parent_url: 'c', channel: 'c' })).toMatchObject({ channel: 'c' });
    const both = { ...GOOD.items(), root_parent_url: 'c', channel: 'd' };
    expect((await post('items', both)).body.rejected[0].detail).toStartWith('root_parent_url: ');
  });

  test('the language of an item is detected from a text of 20 characters or more, unless it is given', async () => {
    const german = 'Das ist ein langer deutscher Satz über das Wetter und die Berge.';
    expect(await stored({ text: german })).toMatchObject({ language: 'de' });
    expect(await stored({ text: german, language: 'pt-BR' })).toMatchObject({ language: 'pt-br' });
    expect(await stored({ text: german, language: '' })).not.toHaveProperty('language');
    expect(await stored({ text: 'Guten Morgen' })).not.toHaveProperty('language');
    expect(await stored({ text: '🙂'.repeat(30) })).not.toHaveProperty('language');
    const id = `item-${++records}`;
    await community.addItem(id);
    await community.add('items', { item_id: id, text: german });
    expect(await community.stored('items', id)).toMatchObject({ language: 'de', text: german });
    // A guess goes with its text; what somebody said stays.
    const english = 'This is a long sentence in English about the weather and the mountains.';
    await community.add('items', { item_id: id, text: english });
    expect(await community.stored('items', id)).toMatchObject({ language: 'en' });
    await community.add('items', { item_id: id, language: 'pt' });
    await community.add('items', { item_id: id, text: german });
    expect(await community.stored('items', id)).toMatchObject({ language: 'pt' });
  });

  test('the domains of an item are taken from its links, unless they are given', async () => {
    const embed_items = ['https://Music.Example.com/a', 'http://b.example:8080/x'];
    expect(await stored({ embed_items })).toMatchObject({
      embed_items,
      embed_domains: ['music.example.com', 'b.example'],
    });
    expect(await stored({ embed_items, embed_domains: ['https://Other.example/x'] })).toMatchObject({
      embed_domains: ['other.example'],
    });
  });

  test('an item knows its hashtags, the titles of its links and the descriptions of its pictures', async () => {
    const given = { tags: ['#Vinyl', 'Vinyl', 'late_night'], link_titles: ['A page'], alt_texts: ['A cat'] };
    const kept = { ...given, tags: ['Vinyl', 'late_night'] };
    const id = `item-${++records}`;
    await community.addItem(id, given);
    expect(await community.stored('items', id)).toMatchObject(kept);
    await community.add('items', { item_id: id, tags: [], alt_texts: null });
    expect(await community.stored('items', id)).toMatchObject({ ...kept, tags: [] });
  });

  test('an item keeps values that later records do not give, or give as null', async () => {
    const id = `item-${++records}`;
    await community.addItem(id, { text: 'kept', channel: 'c', metadata: { a: 1, b: 2 } });
    await community.add('items', { item_id: id, text: null, metadata: { c: 3 }, channel: undefined });
    expect(await community.stored('items', id)).toMatchObject({
      text: 'kept',
      channel: 'c',
      metadata: { c: 3 },
    });
    expect((await community.stored('items', id))?.metadata).toEqual({ c: 3 });
  });

  test('an item accepts labels in every form', async () => {
    const forms: [unknown, Fields][] = [
      [{ gaming: 0.93 }, { gaming: 0.93 }],
      [['gaming'], { gaming: 1 }],
      [{ topics: ['gaming', 'music'] }, { gaming: 1, music: 1 }],
      [[{ label: 'gaming', score: 0.5 }], { gaming: 0.5 }],
    ];
    for (const [given, ai_labels] of forms)
      expect(await stored({ ai_labels: given })).toMatchObject({ ai_labels });
  });
});

describe('updates of one item', () => {
  test('updates of an item in one body build on each other', async () => {
    const id = `item-${++records}`;
    await community.add(
      'items',
      { item_id: id, author_id: 'author', created_at: START, text: 'first', channel: 'c' },
      { item_id: id, text: 'second', metadata: { x: 1 } },
      { item_id: id, likes_count: 3, channel: 'd' },
    );
    expect(await community.stored('items', id)).toMatchObject({
      text: 'second',
      channel: 'd',
      metadata: { x: 1 },
      likes_count: 3,
    });
  });

  test('an update after a rejected one in the same body stands alone', async () => {
    const id = `item-${++records}`;
    const { body } = await post('items', [
      { item_id: id, text: 'without author' },
      { item_id: id, author_id: 'author', created_at: START },
      { item_id: id, text: 'known now' },
    ]);
    expect([body.accepted, body.rejected[0].index]).toEqual([2, 0]);
    expect(await community.stored('items', id)).toMatchObject({ text: 'known now' });
  });

  test('concurrent updates of an item merge', async () => {
    const id = `item-${++records}`;
    const fields: Fields[] = [
      { text: 'text' },
      { channel: 'channel' },
      { app_fid: 5 },
      { likes_count: 7 },
      { metadata: { a: 1 } },
      { embed_items: ['https://a.example/'] },
    ];
    await community.addItem(id);
    await Promise.all(fields.map((field) => community.add('items', { item_id: id, ...field })));
    expect(await community.stored('items', id)).toMatchObject({
      text: 'text',
      channel: 'channel',
      app_fid: '5',
      likes_count: 7,
      metadata: { a: 1 },
      embed_domains: ['a.example'],
    });
    const names = Array.from({ length: 20 }, (_, at) => `name ${at}`);
    await Promise.all(names.map((username) => community.add('users', { user_id: 'renamed', username })));
    await community.add('users', { user_id: 'renamed', display_name: 'R' });
    expect(await community.stored('users', 'renamed')).toMatchObject({
      username: 'name 19',
      display_name: 'R',
    });
  });
});

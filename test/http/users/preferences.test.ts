import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Change } from '../../../src/model/change.ts';
import { testPlace } from '../../store/engines.ts';
import { checkAsync } from '../../support/long.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { forFile, type TestAnswer } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { type Community, type Fields, KEY, openCommunity } from '../support.ts';

const DEFAULTS = {
  muted: { words: [], authors: [], channels: [], labels: [] },
  ...{ more: [], less: [], personalised: true },
};
const community = await forFile(openCommunity());

const pathOf = (user_id: string) => `/v2/farcaster/users/${user_id}/preferences`;

function send(
  method: 'PUT' | 'PATCH',
  user_id: string,
  body: unknown,
  { server }: Community = community,
): Promise<TestAnswer> {
  return server.call(method, pathOf(user_id), body, KEY);
}

/** Preferences as they are stored, which must be readable. */
async function stored(user_id: string, { server }: Community = community): Promise<Fields> {
  const { status, body } = await server.get(pathOf(user_id));
  expect(status).toBe(200);
  return body;
}

describe('preferences', () => {
  test('of a viewer who set none, or is not known, are the defaults', async () => {
    expect(await stored('nobody')).toEqual(DEFAULTS);
  });

  test('are replaced by PUT, which creates the user, and answered in their normal form', async () => {
    const given = {
      muted: {
        words: [' late night ', { value: 'synth*', until: '2100-01-01' }],
        authors: [7, { value: 'bob', until: null }],
        labels: [{ value: 'politics' }],
      },
      more: [{ kind: 'author', value: 12 }],
      less: [{ kind: 'word', value: ' #vinyl ', until: 4_102_444_800 }],
      personalised: false,
    };
    const preferences = {
      muted: {
        words: ['late night', { value: 'synth*', until: 4_102_444_800 }],
        ...{ authors: ['7', 'bob'], channels: [], labels: ['politics'] },
      },
      more: [{ kind: 'author', value: '12' }],
      less: [{ kind: 'word', value: '#vinyl', until: 4_102_444_800 }],
      personalised: false,
    };
    const { status, body } = await send('PUT', 'put', given);
    expect([status, body]).toEqual([200, { status: 'success', preferences }]);
    expect(await stored('put')).toEqual(preferences);
    expect(await community.stored('users', 'put')).toBeDefined();
    const { seq } = community;
    await send('PUT', 'put', preferences);
    expect(community.seq).toBe(seq);
    await send('PUT', 'put', { personalised: true });
    expect(await stored('put')).toEqual(DEFAULTS);
  });

  test('are changed by the twin of each route with the identifier in the query, also one that a path cannot carry', async () => {
    const { server } = community;
    const path = '/v2/farcaster/users/preferences?user_id=..';
    await server.call('PUT', path, { muted: { authors: ['a'] } }, KEY);
    await server.call('PATCH', path, { personalised: false }, KEY);
    const { body } = await server.get(path);
    expect(body).toMatchObject({ muted: { authors: ['a'] }, personalised: false });
  });

  test('stay as they are in a dry run, which answers what would be stored', async () => {
    const { server, seq } = community;
    const { body } = await server.call(
      'PATCH',
      `${pathOf('dry')}?dry_run=true`,
      { personalised: false },
      KEY,
    );
    expect(body).toMatchObject({ dry_run: true, preferences: { personalised: false } });
    expect([community.seq, await stored('dry')]).toEqual([seq, DEFAULTS]);
  });

  test('warn about unknown fields', async () => {
    const { body } = await send('PUT', 'warned', { mutes: {}, muted: { users: [] } });
    expect(body.warnings).toEqual([
      "muted: unknown field 'users' was ignored",
      "unknown field 'mutes' was ignored",
    ]);
  });
});

const LATER = 4_102_444_800;
const entry = (value: fc.Arbitrary<string>) =>
  fc.oneof(value, fc.record({ value, until: fc.constantFrom(1, LATER) }));
const entries = fc.array(entry(fc.constantFrom('a', 'b', 'c')), { maxLength: 3 });
const weighted = fc.array(
  fc.record(
    {
      kind: fc.constantFrom('author', 'channel', 'label', 'word'),
      value: fc.constantFrom('a', 'b'),
      until: fc.constantFrom(1, LATER),
    },
    { requiredKeys: ['kind', 'value'], noNullPrototype: true },
  ),
  { maxLength: 2 },
);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const patch = fc.record(
  {
    muted: orNull(
      fc.record(
        {
          words: orNull(entries),
          authors: orNull(entries),
          channels: orNull(entries),
          labels: orNull(entries),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    ),
    more: orNull(weighted),
    less: orNull(weighted),
    personalised: orNull(fc.boolean()),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** JSON merge as documented: given fields replace, `null` restores the default, and `muted` merges by key. */
function merged(former: typeof DEFAULTS, given: Fields): typeof DEFAULTS {
  const result: Fields = structuredClone(former);
  for (const [name, value] of Object.entries(given)) {
    if (name !== 'muted') result[name] = value ?? Reflect.get(DEFAULTS, name);
    else
      result.muted =
        value === null
          ? DEFAULTS.muted
          : Object.fromEntries(
              Object.entries(former.muted).map(([list, kept]) => {
                const next = Reflect.get(value as object, list);
                return [list, next === undefined ? kept : (next ?? [])];
              }),
            );
  }
  return result as typeof DEFAULTS;
}

test('preferences are what a series of changes leaves, by a small model', async () => {
  let run = 0;
  await checkAsync(
    40,
    [fc.array(fc.tuple(fc.constantFrom('PUT', 'PATCH', 'PATCH'), patch), { maxLength: 5 })],
    async (changes) => {
      const user_id = `model-${++run}`;
      let expected = DEFAULTS;
      for (const [method, given] of changes) {
        expected = merged(method === 'PUT' ? DEFAULTS : expected, given);
        const { body } = await send(method, user_id, given);
        expect(body.preferences).toEqual(expected);
      }
      expect(await stored(user_id)).toEqual(expected);
    },
  );
});

test('changes of one viewer that arrive together all count', async () => {
  const fields = ['words', 'authors', 'channels', 'labels'];
  await Promise.all(fields.map((field) => send('PATCH', 'hasty', { muted: { [field]: ['a'] } })));
  expect(await stored('hasty')).toMatchObject({
    muted: { words: ['a'], authors: ['a'], channels: ['a'], labels: ['a'] },
  });
});

const many = (count: number, length = 1) =>
  Array.from({ length: count }, (_, at) => `${at}`.padEnd(length, 'x'));

describe.each(['PUT', 'PATCH'] as const)('%s of preferences', (method) => {
  test.each<[string, unknown, string, string]>([
    ['no object', [], '', 'a JSON object'],
    ['no object of mutes', { muted: [] }, '/muted', 'expected a JSON object'],
    ['no list', { muted: { words: 'jazz' } }, '/muted/words', 'expected a list of at most 200 entries'],
    ['an empty word', { muted: { words: ['a', ' '] } }, '/muted/words/1', 'expected a string of 1 to 256'],
    ['a long word', { muted: { words: ['x'.repeat(257)] } }, '/muted/words/0', 'this one is longer'],
    ['a word without letters', { muted: { words: ['!!'] } }, '/muted/words/0', "'!!' contains no word"],
    ['a short prefix', { less: [{ kind: 'word', value: 'sy*' }] }, '/less/0/value', 'at least 3 letters'],
    ['a number as a word', { muted: { words: [7] } }, '/muted/words/0', 'expected a string'],
    ['an empty author', { muted: { authors: [''] } }, '/muted/authors/0', 'or an integer'],
    ['a long channel', { muted: { channels: ['x'.repeat(2049)] } }, '/muted/channels/0', '2048 characters'],
    ['a long label', { muted: { labels: ['x'.repeat(65)] } }, '/muted/labels/0', '64 characters'],
    ['a list as an entry', { muted: { labels: [[]] } }, '/muted/labels/0', 'got an array'],
    [
      'an entry without a value',
      { muted: { labels: [{ until: 5 }] } },
      '/muted/labels/0/value',
      'is required',
    ],
    [
      'a bad time',
      { muted: { labels: [{ value: 'a', until: -1 }] } },
      '/muted/labels/0/until',
      'not before 1970',
    ],
    ['a text as a weighted entry', { more: ['jazz'] }, '/more/0', 'expected a JSON object with kind, value'],
    [
      'an unknown kind',
      { less: [{ kind: 'user', value: 'a' }] },
      '/less/0/kind',
      'one of author, channel, label, word',
    ],
    ['a weighted entry without a value', { more: [{ kind: 'label' }] }, '/more/0/value', 'is required'],
    [
      'a long weighted label',
      { more: [{ kind: 'label', value: 'x'.repeat(65) }] },
      '/more/0/value',
      '64 characters',
    ],
    ['an object as a value', { more: [{ kind: 'author', value: {} }] }, '/more/0/value', 'got an object'],
    ['a word as a flag', { personalised: 'no' }, '/personalised', 'expected true or false; got "no"'],
    [
      '201 entries of one list',
      { muted: { words: many(201) } },
      '/muted/words',
      'at most 200 entries; got 201',
    ],
    [
      '201 entries in all',
      { muted: { words: many(100) }, more: many(101).map((value) => ({ kind: 'label', value })) },
      ...(['', 'expected at most 200 entries in all; got 201'] as const),
    ],
    [
      'more than 16 kB',
      { muted: { channels: many(9, 2000) } },
      '',
      'expected at most 16,384 bytes as JSON text; got',
    ],
  ])('refuses %s, names it, and changes nothing', async (_, given, path, message) => {
    const { seq } = community;
    const { status, body } = await send(method, 'bad', given);
    expect([status, body.code]).toEqual([400, 'invalid_value']);
    if (path !== '' || body.errors !== undefined)
      expect(body.errors).toContainEqual({ path, message: expect.stringContaining(message) });
    expect(community.seq).toBe(seq);
  });

  test('accepts 200 entries', async () => {
    const { status } = await send(method, 'full', { muted: { words: many(150), authors: many(50) } });
    expect(status).toBe(200);
  });
});

test('a patch is refused if it makes the stored preferences too large', async () => {
  await send('PUT', 'nearly full', { muted: { words: many(150) } });
  const { status, body } = await send('PATCH', 'nearly full', { muted: { labels: many(51) } });
  expect([status, body.errors]).toEqual([
    400,
    [{ path: '', message: 'expected at most 200 entries in all; got 201' }],
  ]);
  expect(await stored('nearly full')).toMatchObject({ muted: { labels: [] } });
});

describe('a viewer token', () => {
  async function tokenOf(user_id: string, may?: readonly string[]): Promise<Record<string, string>> {
    const { body } = await community.server.post('/api/tokens', { user_id, ttl_seconds: 60, may });
    return { authorization: `Bearer ${body.token}` };
  }

  test('reads the preferences of its viewer, and changes them only with that right', async () => {
    const { server } = community;
    const [reading, changing] = [await tokenOf('ann'), await tokenOf('ann', ['preferences'])];
    for (const headers of [reading, changing])
      expect((await server.call('GET', pathOf('ann'), undefined, headers)).body).toEqual(DEFAULTS);
    for (const method of ['PUT', 'PATCH'] as const) {
      const refused = await server.call(method, pathOf('ann'), { personalised: false }, reading);
      expect([refused.status, refused.body.detail]).toEqual([
        403,
        'this viewer token may only read; a token that is created with "may":["preferences"] may change them',
      ]);
      expect((await server.call(method, pathOf('ann'), {}, changing)).status).toBe(200);
    }
    await server.call('PATCH', pathOf('ann'), { personalised: false }, changing);
    expect(await stored('ann')).toMatchObject({ personalised: false });
  });

  test('neither reads nor changes the preferences of others, by path or by query', async () => {
    const { server } = community;
    const headers = await tokenOf('ann', ['preferences']);
    for (const path of [pathOf('bob'), '/v2/farcaster/users/preferences?user_id=bob'])
      for (const method of ['GET', 'PUT', 'PATCH'] as const) {
        const { status, body } = await server.call(method, path, method === 'GET' ? undefined : {}, headers);
        expect([method, path, status, body.code]).toEqual([method, path, 403, 'forbidden']);
      }
  });

  test('gives no other right than that to preferences', async () => {
    const headers = await tokenOf('ann', ['preferences']);
    const answer = await community.server.call('POST', '/v2/farcaster/users', [{ user_id: 'ann' }], headers);
    expect(answer.status).toBe(403);
    const unknown = await community.server.post('/api/tokens', {
      user_id: 'ann',
      ttl_seconds: 1,
      may: ['all'],
    });
    expect([unknown.status, unknown.body.errors[0].path]).toEqual([400, '/may/0']);
  });

  test('cannot get a right that its key lacks', async () => {
    const { server } = community;
    const { headers } = await newAccount(server, 'readers', 'feed:read');
    const wanted = { user_id: 'ann', ttl_seconds: 60, may: ['preferences'] };
    const { status, body } = await server.call('POST', '/api/tokens', wanted, headers);
    expect([status, body.detail]).toEqual([
      403,
      'may: the key of a token that changes something needs the scope ingest:write',
    ]);
  });
});

testPlace(
  'preferences outlast restarts with and without a checkpoint, and the erasure of their viewer and of users in them leaves no trace',
  async ({ data, database_url }) => {
    const opening = { writes_checkpoints: true, timers: new ManualTimers() };
    const open = () => openCommunity({ data, opening, settings: { database_url } });
    const given = {
      muted: { authors: ['muted', 'stays'], words: ['jazz'] },
      more: [{ kind: 'author', value: 'muted' }],
      less: [{ kind: 'author', value: 'muted' }],
    };
    const left = { ...DEFAULTS, muted: { ...DEFAULTS.muted, authors: ['stays'], words: ['jazz'] } };
    {
      await using first = await open();
      for (const user_id of ['viewer', 'erased']) await send('PUT', user_id, given, first);
      await send('PATCH', 'viewer', { personalised: false }, first);
    }
    for (const has_checkpoint of [false, true]) {
      await using next = await open();
      expect(next.server.service.loaded.checkpoint_seq > 0).toBe(has_checkpoint);
      expect(await stored('viewer', next)).toEqual({
        ...DEFAULTS,
        ...given,
        muted: { ...DEFAULTS.muted, ...given.muted },
        personalised: false,
      });
      if (!has_checkpoint) await next.server.service.checkpoints?.writeNow();
    }
    {
      await using erasing = await open();
      await erasing.remove('users', 'muted');
      await erasing.remove('users', 'erased');
      expect(await stored('viewer', erasing)).toEqual({ ...left, personalised: false });
      expect(await stored('erased', erasing)).toEqual(DEFAULTS);
    }
    await using last = await open();
    const { store } = last.server.service;
    await store.purge();
    const rows: Change[] = [];
    await store.replay((change) => void rows.push(change));
    expect(rows.flatMap((row) => (row.kind === 'name' ? row.id : []))).toEqual(['viewer', 'stays']);
    const viewers = rows.flatMap((row) => (row.kind === 'preferences' ? row.user : []));
    expect(new Set(viewers)).toEqual(new Set([0]));
    expect(await stored('viewer', last)).toEqual({ ...left, personalised: false });
    expect(await stored('erased', last)).toEqual(DEFAULTS);
    await send('PUT', 'muted', {}, last);
    expect(await stored('viewer', last)).toEqual({ ...left, personalised: false });
  },
);

test('the export of a person has their preferences, and not those of others who name them', async () => {
  await send('PUT', 'exported', { muted: { authors: ['named in'] } });
  const { server } = community;
  const linesOf = async (user_id: string): Promise<Fields[]> => {
    const path = `/v2/farcaster/users/${encodeURIComponent(user_id)}/export`;
    const answer = await server.app.handle(new Request(`http://host${path}`, { headers: KEY }));
    return (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  expect(await linesOf('exported')).toContainEqual({
    ...{ kind: 'preferences', ...DEFAULTS },
    muted: { ...DEFAULTS.muted, authors: ['named in'] },
  });
  expect((await linesOf('named in')).map(({ kind }) => kind)).toEqual(['profile', 'end']);
});

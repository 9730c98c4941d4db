import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { PersonLineSchema } from '../../../src/http/users/person-export-schema.ts';
import { type LineType, lineType } from '../../../src/interchange/person-lines.ts';
import { LIMITS } from '../../../src/limits.ts';
import { CHANGES, type Change } from '../../../src/model/change.ts';
import {
  type AnyMember,
  defineChange,
  namesPerson,
  personalMembers,
} from '../../../src/model/define-change.ts';
import { NONE } from '../../../src/model/key.ts';
import * as member from '../../../src/model/member.ts';
import { viewerHash } from '../../../src/seen/seen-store.ts';
import { anyOf } from '../../store/any-change.ts';
import { named } from '../../store/changes.ts';
import { ENGINES, serve, withPlace } from '../../store/engines.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { putEmptyData } from '../../support/prepared-data.ts';
import { START } from '../../support/service.ts';
import { type Community, type Fields, ingestPath, testCommunity as it, openCommunity } from '../support.ts';

async function exported(community: Community, user_id: string): Promise<Fields[]> {
  const path = `${ingestPath('users')}/${encodeURIComponent(user_id)}/export`;
  const { status, headers, body } = await community.server.get(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  // A single line would have been parsed.
  expect(body).toEndWith('\n');
  return body
    .trimEnd()
    .split('\n')
    .map((line: string) => JSON.parse(line));
}

async function fill(community: Community): Promise<void> {
  await community.add('users', {
    user_id: 'person',
    username: 'name',
    wallet_addresses: ['0xab'],
    created_at: START - 1000.5,
    updated_at: START - 500,
    metadata: { plan: 'pro' },
  });
  await community.addItem('own', { author_id: 'person', text: 'by the person', created_at: START - 5.5 });
  await community.addItem('other');
  await community.follow('person', 'friend', { timestamp: START - 9.5 });
  await community.follow('person', 'former', { timestamp: START - 8 });
  await community.follow('person', 'former', { timestamp: START - 7, action: 'unfollow' });
  await community.follow('fan', 'person', { timestamp: START - 6 });
  await community.block('person', 'foe');
  await community.block('enemy', 'person');
  await community.act('person', 'like', 'other', { timestamp: START - 4 });
  await community.act('person', 'comment', 'other', { timestamp: START - 3, event_id: 'c1' });
  await community.act('person', 'like', 'other', { timestamp: START - 2, action: 'remove' });
  await community.act('fan', 'like', 'own');
  await community.act('person', 'share', 'other', { timestamp: START - 1, event_id: 'at://share' });
  await community.page('popular', { user_id: 'person', impression_count: 2, show_interacted_items: true });
}

for (const engine of ENGINES) {
  test(`an export from ${engine.name} contains all data of the person, one object per line, and no data of others`, () =>
    withPlace(engine, async ({ data, database_url }) => {
      await using community = await openCommunity({ data, settings: { database_url } });
      await fill(community);
      const lines = await exported(community, 'person');
      const act = { kind: 'interaction', item_id: 'other' };
      expect(lines.filter(({ kind }) => kind !== 'impression')).toEqual([
        {
          kind: 'profile',
          user_id: 'person',
          username: 'name',
          wallet_addresses: ['0xab'],
          created_at: START - 1001,
          updated_at: START - 500,
          metadata: { plan: 'pro' },
        },
        { kind: 'follow', target_user_id: 'friend', action: 'follow', timestamp: START - 10 },
        { kind: 'follow', target_user_id: 'former', action: 'unfollow', timestamp: START - 7 },
        { kind: 'follower', user_id: 'fan', timestamp: START - 6 },
        { kind: 'block', target_user_id: 'foe', action: 'block', timestamp: START },
        {
          kind: 'item',
          item_id: 'own',
          created_at: START - 6,
          text: 'by the person',
          likes_count: 1,
          comments_count: 0,
          shares_count: 0,
        },
        { ...act, event_type: 'like', action: 'add', timestamp: START - 4 },
        { ...act, event_type: 'comment', action: 'add', timestamp: START - 3, event_id: 'c1' },
        { ...act, event_type: 'like', action: 'remove', timestamp: START - 2 },
        { ...act, event_type: 'share', action: 'add', timestamp: START - 1 },
        {
          ...act,
          kind: 'event',
          event_id: 'at://share',
          event_type: 'share',
          action: 'add',
          timestamp: START - 1,
        },
        { kind: 'end', lines: lines.length },
      ]);
      const seen = lines.filter(({ kind }) => kind === 'impression');
      expect(seen.map(({ item_id, timestamp }) => [item_id, timestamp]).sort()).toEqual([
        ['other', START],
        ['own', START],
      ]);
    }));
}

it('the export of an unknown person is a 404, and of a person that was only named it has a profile', async (community) => {
  await community.follow('somebody', 'named', { timestamp: START - 1 });
  expect(await exported(community, 'named')).toEqual([
    { kind: 'profile', user_id: 'named' },
    { kind: 'follower', user_id: 'somebody', timestamp: START - 1 },
    { kind: 'end', lines: 3 },
  ]);
  const path = `${ingestPath('users')}/unknown/export`;
  const { status, body } = await community.server.get(path);
  expect([status, body.detail]).toEqual([404, "there is no user 'unknown'"]);
});

test('an export after a restart has the event that was stored last', async () => {
  const data = temporaryFolder();
  putEmptyData(data);
  const first = await openCommunity({ data });
  await first.addItem('own');
  await first.act('person', 'like', 'own', { event_id: 'at://like' });
  await first.server.close();
  await using community = await openCommunity({ data });
  const events = (await exported(community, 'person')).filter(({ kind }) => kind === 'event');
  expect(events).toEqual([expect.objectContaining({ event_id: 'at://like', item_id: 'own' })]);
});

it('an export reads the log in steps, and not what is stored meanwhile', async (community) => {
  await community.act('person', 'like', 'before', { timestamp: START - 2 });
  const { store } = community.server.service;
  const steps: number[] = [];
  const { readPersonLog } = store;
  store.readPersonLog = async (wanted, given_up) => {
    steps.push(wanted.until - wanted.after);
    await community.act('person', 'like', 'meanwhile', { timestamp: START - 1 });
    return readPersonLog(wanted, given_up);
  };
  const acts = (await exported(community, 'person')).filter(({ kind }) => kind === 'interaction');
  expect(acts.map(({ item_id }) => item_id)).toEqual(['before']);
  expect(Math.max(...steps)).toBeLessThanOrEqual(LIMITS.person_export_rows);
});

it('a person whose identifier a path cannot carry is exported by query', async (community) => {
  await community.add('users', { user_id: '..', username: 'dots' }, { user_id: 'export', username: 'word' });
  const get = (path: string) => community.server.get(`${ingestPath('users')}/${path}`);
  expect((await get('export?user_id=..')).body).toStartWith(
    '{"kind":"profile","user_id":"..","username":"dots"}\n',
  );
  expect((await get('export/export')).body).toStartWith('{"kind":"profile","user_id":"export"');
  expect((await get('export')).body).toMatchObject({ user_id: 'export', username: 'word' });
  expect((await get('export?user_id=')).status).toBe(400);
});

it('a large export is streamed, and is cut off if the person is erased meanwhile', async (community) => {
  const items = Array.from({ length: 500 }, (_, index) => ({
    item_id: `item ${index}`,
    author_id: 'person',
    created_at: START - index,
    text: 'x'.repeat(1_000),
  }));
  await community.add('items', ...items);
  const { service } = community.server;
  let read = 0;
  const readItems = service.store.readItems.bind(service.store);
  service.store.readItems = (...asked) => {
    read++;
    return readItems(...asked);
  };
  const lines = await exported(community, 'person');
  expect(lines.filter(({ kind }) => kind === 'item')).toHaveLength(500);
  expect(read).toBe(5);
  service.store.readItems = async (...asked) => {
    if (++read === 7) await service.ingest.deleteUser('person');
    return readItems(...asked);
  };
  const path = `${ingestPath('users')}/person/export`;
  const broken = await community.server.get(path).catch((error: Error) => error);
  expect(String(broken)).toContain("there is no user 'person'");
  expect(community.server.log.join('\n')).toContain('an answer was cut off while it was sent');
});

describe('a change that names a person', () => {
  const naming = CHANGES.flatMap((change) =>
    Object.entries<AnyMember>(change.members)
      .filter(([, definition]) => namesPerson(definition))
      .map(([name, definition]) => ({ change, name, definition })),
  );

  test('is in the export of that person, or its definition says why not', async () => {
    const personal = CHANGES.flatMap((change) =>
      personalMembers(change).flatMap(({ name }) =>
        fc.sample(anyOf(change), { numRuns: 3, seed: 1 }).map((given) => ({ change, name, given })),
      ),
    );
    await withPlace(ENGINES[0], async (place) => {
      const { store } = await serve(place);
      const seen_key = await store.seenKey();
      const changes = personal.flatMap(({ change, name, given }, key) => {
        const user_id = `person ${key}`;
        const others = Object.entries<AnyMember>(change.members).flatMap(([other, { refers_to, type }]) => {
          if (refers_to === undefined) return [];
          const referred = refers_to === 'user' ? personal.length : key;
          return [[other, type === 'keys' ? Uint32Array.of(referred) : referred]];
        });
        const viewer = change.members[name as never] as AnyMember;
        const person = { [name]: viewer.names_viewer ? viewerHash(seen_key, user_id) : key };
        const about = { ...given, ...Object.fromEntries(others), ...person } as Change;
        return [named('user', key, user_id), named('item', key, `item ${key}`), about];
      });
      await store.submit([named('user', personal.length, 'other'), ...changes]);
      await store.close();
      await using community = await openCommunity({ data: place.data });
      for (const [key, { change, name }] of personal.entries()) {
        const lines = await exported(community, `person ${key}`);
        const bare = [
          { kind: 'profile', user_id: `person ${key}` },
          { kind: 'end', lines: 2 },
        ];
        expect({ kind: change.kind, name, lines }).not.toEqual({ kind: change.kind, name, lines: bare });
        for (const line of lines) expect([line, Value.Check(PersonLineSchema, line)]).toEqual([line, true]);
      }
    });
  });

  test('says in one sentence why it is not in the export', () => {
    const reasons = naming.flatMap(({ definition }) => definition.not_personal ?? []);
    expect(reasons.length + CHANGES.flatMap(personalMembers).length).toBe(naming.length);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z`].+\.$/);
  });
});

describe('the line of a kind of change', () => {
  const idOf = (space: string, key: number) => (key >= 0 && key < 5 ? `${space} ${key}` : '');
  const line = (members: Record<string, AnyMember>): LineType =>
    lineType(defineChange({ kind: 'new', table: 'new', members }));

  test('follows from its members, with descriptions for those that have none', () => {
    const { schema, lineOf } = line({
      user: member.subject('user'),
      guest: member.notPersonal('Guests come and go.', member.mention('user')),
      item: member.subject('item'),
      items: member.mentions('item'),
      at: member.time,
      note: member.text,
      state: member.switched('on', 'off'),
      hash: member.internal(member.integer),
      size: member.count,
      sizes: member.keys,
    });
    const sizes = Uint32Array.of(3);
    const given = { user: 1, guest: 2, item: 3, items: Uint32Array.of(1, 9), at: 1.5, note: '' };
    const found = lineOf({ ...given, state: 1, hash: 4, size: 7, sizes }, idOf);
    expect(found).toEqual({
      ...{ kind: 'new', guest_user_id: 'user 2', item_id: 'item 3', item_ids: ['item 1'] },
      ...{ at: 1, note: '', state: 'on', size: 7, sizes: [3] },
    });
    expect(Value.Check(schema, found)).toBe(true);
    expect(schema.required).toEqual(Object.keys(found as object));
    for (const property of Object.values(schema.properties)) expect(property.description).toMatch(/\S{2}/);
  });

  test('names each person if it is about several', () => {
    const { schema, lineOf } = line({ user: member.subject('user'), target: member.subject('user') });
    expect(lineOf({ user: 1, target: 2 }, idOf)).toEqual({
      ...{ kind: 'new', user_id: 'user 1', target_user_id: 'user 2' },
    });
    expect(schema.required).toEqual(['kind']);
  });

  test('is left out if it is about an item whose identifier is not known any more', () => {
    const { lineOf } = line({ user: member.subject('user'), item: member.subject('item') });
    expect(lineOf({ user: 1, item: 9 }, idOf)).toBeUndefined();
  });

  test('leaves out what may be missing, and what means nothing without it', () => {
    const { schema, lineOf } = line({
      user: member.subject('user'),
      item: member.orNone(member.subject('item')),
      event_type: member.described('Type.', member.event_type, 'item'),
      note: member.optional_text,
      at: member.optional(member.time),
    });
    expect(lineOf({ user: 1, item: NONE, event_type: 0, note: '' }, idOf)).toEqual({ kind: 'new' });
    expect(schema.required).toEqual(['kind']);
  });
});

import { describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../../src/limits.ts';
import type { Change } from '../../../src/model/change.ts';
import { applyChange } from '../../../src/state/apply.ts';
import { State } from '../../../src/state/state.ts';
import { testsWith } from '../../support/fixture.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { emptyDatabase } from '../../support/prepared-data.ts';
import { Rounds } from '../../support/rounds.ts';
import { START, type TestServiceOptions } from '../../support/service.ts';
import { type Community, type Fields, ingestPath, type Kind, openCommunity } from '../support.ts';

const it = testsWith(open);

const folder = temporaryFolder('event-ids');

/** How a kind of record is sent, removed by its event, and observed. */
interface Act {
  kind: Kind;
  record: Fields;
  removal: Fields;
  /** Takes it back without naming an event. */
  opposite: Fields;
  /** Another subject. */
  other: Fields;
  stands(community: Community): Promise<boolean>;
}

const LIKE: Act = {
  kind: 'interactions',
  record: { user_id: 'viewer', item_id: 'item', event_type: 'like' },
  removal: { user_id: 'viewer', action: 'remove' },
  opposite: { action: 'remove' },
  other: { item_id: 'other' },
  stands: async (community) => {
    const { metadata } = await community.shown('item', { return_metadata: true });
    return metadata?.likes_count === 1;
  },
};

const FOLLOW: Act = {
  kind: 'follows',
  record: { user_id: 'viewer', target_user_id: 'author' },
  removal: { user_id: 'viewer', action: 'unfollow' },
  opposite: { action: 'unfollow' },
  other: { target_user_id: 'other' },
  stands: async (community) => {
    const stored = await community.stored('users', 'viewer');
    return ((stored?.follows ?? []) as string[]).includes('author');
  },
};

const BLOCK: Act = {
  kind: 'blocks',
  record: { user_id: 'viewer', target_user_id: 'author' },
  removal: { user_id: 'viewer', action: 'unblock' },
  opposite: { action: 'unblock' },
  other: { target_user_id: 'other' },
  stands: async (community) => !(await community.ids('popular', { user_id: 'viewer' })).includes('item'),
};

async function open(): Promise<Community> {
  const community = await openCommunity();
  await community.addItem('item');
  return community;
}

/** Sends a record, which must be accepted, and returns what was warned of. */
async function send({ server }: Community, kind: Kind, ...records: Fields[]): Promise<string[]> {
  const { status, body } = await server.post(ingestPath(kind), records);
  expect({ status, rejected: body.rejected }).toEqual({ status: 200, rejected: [] });
  expect(body.accepted).toBe(records.length);
  return body.warnings ?? [];
}

const KINDS: [string, Act][] = [
  ['a like', LIKE],
  ['a follow', FOLLOW],
  ['a block', BLOCK],
];
describe.each(KINDS)('%s with an event_id', (_, act) => {
  const { kind, record, removal, opposite, other, stands } = act;
  const done = (event_id: unknown, fields: Fields = {}) => ({ ...record, event_id, ...fields });
  const back = (event_id: unknown, fields: Fields = {}) => ({ ...removal, event_id, ...fields });

  const [earlier, early, late, later] = [-30, -20, -15, -10].map((age) => ({ timestamp: START + age }));
  const undone = (fields: Fields) => ({ ...record, ...opposite, ...fields });

  /** Records that are sent one after another or in one body, whether the act stands then, and the number of warnings. */
  const HISTORIES: [string, ...[sent: Fields | Fields[], stands: boolean, warnings?: number][]][] = [
    ['is taken back by its event alone', [done('e1'), true], [back('e1'), false]],
    ['is taken back by its event in the same body', [[done('e1'), back('e1')], false]],
    ['has an event that may be an integer', [done(17), true], [back('17'), false]],
    [
      'stays if a later event of the same time did it again',
      [[done('e1', later), done('e2', later)], true],
      [back('e1'), true],
      [back('e2'), false],
    ],
    [
      'stays if an earlier event that came later is taken back',
      [done('e2', later), true],
      [done('e1', early), true],
      [back('e1'), true],
    ],
    [
      'stays if it was done again later without an event',
      [done('e1', early), true],
      [{ ...record, ...later }, true],
      [back('e1'), true],
    ],
    [
      'is taken back without its event, and by a record that names both',
      [done('e1', early), true],
      [undone(later), false],
      [done('e2', { timestamp: START - 5 }), true],
      [done('e2', opposite), false],
      [done('e2', { timestamp: START - 1 }), false, 1],
    ],
    [
      'is taken back by a record that names it and an unknown event',
      [{ ...record, ...early }, true],
      [done('e1', opposite), false],
      [done('e1'), false, 1],
    ],
    [
      'moves with a later timestamp of its event',
      [done('e1', early), true],
      [[done('e1', early), done('e1', earlier), done('e1')], true],
      [done('e1', later), true],
      [[done('e2', late), back('e2')], true],
      [back('e1'), false],
    ],
    [
      'is given up when its event has another subject later, and does not return when it is sent again',
      [done('e1', early), true],
      [done('e1', { ...other, ...late }), false],
      [[done('e1', early), done('e1', { ...other, ...late })], false],
      [done('e1', later), true],
      [done('e1', { ...other, ...late }), true],
      [back('e1'), false],
    ],
    [
      'of an event that had another subject later changes nothing',
      [done('e1', { ...other, ...late }), false],
      [done('e1', early), false],
    ],
    [
      'stays if another event did it, too',
      [done('e1', early), true],
      [done('e2', late), true],
      [done('e1', { ...other, ...later }), true],
    ],
    [
      'stays if the event belongs to another user',
      [done('e1'), true],
      [{ ...back('e1'), user_id: 'other' }, true, 1],
    ],
  ];

  test.each(HISTORIES)('the act %s', async (_, ...steps) => {
    await using community = await open();
    await community.addItem('other');
    for (const [sent, is_done, warnings = 0] of steps) {
      const told = await send(community, kind, ...[sent].flat());
      expect([sent, await stands(community), told.length]).toEqual([sent, is_done, warnings]);
      community.server.clock.advance(1);
    }
  });

  it('an act that was taken back does not return when it is sent again', async (community) => {
    const sent = done('e1', { timestamp: START - 10 });
    await send(community, kind, sent);
    await send(community, kind, back('e1'));
    const { seq } = community;
    for (const again of [sent, { ...sent, timestamp: START - 5 }, done('e1')]) {
      const [warning] = await send(community, kind, again);
      expect(warning).toContain("the event 'e1' was taken back before; it changed nothing");
    }
    expect(await send(community, kind, back('e1'))).toEqual([]);
    expect([await stands(community), community.seq]).toEqual([false, seq]);
  });

  it('an act that was taken back before it arrived changes nothing', async (community) => {
    const [unknown] = await send(community, kind, back('e1'));
    expect(unknown).toContain("there is no event 'e1' of this user so far; when it comes it changes nothing");
    expect(await stands(community)).toBe(false);
    const [warning] = await send(community, kind, done('e1'));
    expect(warning).toContain("the event 'e1' was taken back before");
    expect(await stands(community)).toBe(false);
    await send(community, kind, done('e2'));
    expect(await stands(community)).toBe(true);
  });

  test('the act stays if a later event did it again', async () => {
    for (const apart_s of [0, 0.001, 60]) {
      await using community = await open();
      await send(community, kind, done('e1'));
      community.server.clock.advance(apart_s);
      await send(community, kind, done('e2'));
      await send(community, kind, back('e1'));
      expect(await stands(community)).toBe(true);
      await send(community, kind, back('e2'));
      expect(await stands(community)).toBe(false);
    }
  });

  it('many events of one time do not move the clock', async (community) => {
    // One slice: how many a later slice dates ahead depends on whether the first one is applied by then.
    const crowd = Array.from({ length: LIMITS.ingest_slice_records }, (_, at) => done(`e${at}`));
    await send(community, kind, ...crowd);
    expect(community.server.service.state.applied_at).toBeLessThanOrEqual(START + 0.1);
    await send(community, kind, back('e0'));
    expect(await stands(community)).toBe(true);
  });

  it('an act that is sent again changes nothing', async (community) => {
    await send(community, kind, done('e1', early));
    const { seq } = community;
    for (const again of [done('e1', early), done('e1', earlier), done('e1')]) {
      await send(community, kind, again, again);
      expect(community.seq).toBe(seq);
    }
  });

  it('an event_id of an erased user is unknown for a new user of the same identifier', async (community) => {
    await send(community, kind, done('e1'));
    await send(community, kind, back('e2'));
    await community.remove('users', 'viewer');
    expect(await send(community, kind, done('e2'))).toEqual([]);
    expect(await stands(community)).toBe(true);
  });

  it('event_ids are not kept in memory', async (community) => {
    await send(community, kind, done('e1'));
    const { store } = community.server.service;
    const kinds = new Set<string>();
    const folded = new State();
    await store.replay((change) => {
      kinds.add(change.kind);
      applyChange(folded, change);
    });
    expect([folded.interactions.event_ids, kinds.has('event')]).toEqual([0, false]);
  });

  test('concurrent bodies have the same effect as bodies one after another', async () => {
    const records = [
      done('e1'),
      back('e1'),
      done('e2'),
      done('e1'),
      done('e3', { timestamp: START - 5 }),
      back('e3'),
      back('e4'),
      done('e4'),
    ];
    const facts: boolean[] = [];
    for (const at_once of [false, true]) {
      await using community = await open();
      const { ingest } = community.server.service;
      const sent = records.map((each) => () => ingest.ingest(kind as 'follows', [each]));
      if (at_once) await Promise.all(sent.map((run) => run()));
      else for (const run of sent) await run();
      facts.push(await stands(community));
    }
    expect(facts).toEqual([true, true]);
  });
});

const PLACES: [string, () => Promise<TestServiceOptions>][] = [
  ['SQLite', async () => ({ data: mkdtempSync(join(folder, 'data-')) })],
  ['PostgreSQL', async () => ({ settings: { database_url: await emptyDatabase() } })],
];
test.each(PLACES)(
  'event_ids are known after a purge, a checkpoint and a restart, on %s',
  async (_, place) => {
    const options = { ...(await place()), opening: { writes_checkpoints: true, timers: new ManualTimers() } };
    const acts = [LIKE, FOLLOW, BLOCK];
    {
      await using community = await openCommunity(options);
      await community.addItem('item');
      for (const { kind, record, removal } of acts) {
        await send(community, kind, { ...record, event_id: 'e1' });
        await send(community, kind, { ...removal, event_id: 'e2' });
      }
      await community.server.service.store.purge();
      await community.server.service.checkpoints?.writeNow();
    }
    await using again = await openCommunity(options);
    again.server.clock.advance(60);
    for (const { kind, record, removal, stands } of acts) {
      expect(await stands(again)).toBe(true);
      expect(await send(again, kind, { ...removal, event_id: 'e1' })).toEqual([]);
      expect(await stands(again)).toBe(false);
      expect(await send(again, kind, { ...record, event_id: 'e2' })).toHaveLength(1);
      expect(await stands(again)).toBe(false);
    }
  },
);

test('an event is removed with its old item, and one that was taken back before it arrived stays', async () => {
  const rounds = new Rounds();
  const opening = { retires_items: true, timers: rounds };
  await using community = await openCommunity({ settings: { retention_days: 10 }, opening });
  await community.addItem('old', { created_at: START - 9 * 86_400 });
  await community.act('viewer', 'like', 'old', { event_id: 'e1' });
  await send(community, 'interactions', { user_id: 'viewer', event_id: 'e2', action: 'remove' });
  community.server.clock.advance(2 * 86_400);
  await rounds.retire();
  const { store } = community.server.service;
  await store.purgeRetired(new AbortController().signal);
  const events: string[] = [];
  const note = (change: Change) => void (change.kind === 'event' && events.push(change.event_id));
  await store.replay(note, { with_events: true });
  expect(events).toEqual(['e2']);
});

describe('an event_id', () => {
  it('an event_id takes back shares and bookmarks like likes', async (community) => {
    for (const event_type of ['share', 'bookmark']) {
      await community.act('viewer', event_type, 'item', { event_id: event_type });
      await send(community, 'interactions', { user_id: 'viewer', event_id: event_type, action: 'remove' });
    }
    // The viewer no longer gets items of their interactions.
    expect(await community.ids('popular', { user_id: 'viewer' })).toEqual(['item']);
  });

  it('an event_id takes back everything that it did', async (community) => {
    await community.addItem('other');
    await community.act('viewer', 'like', 'item', { event_id: 'e1' });
    await community.act('viewer', 'like', 'other', { event_id: 'e1' });
    expect(await community.ids('popular', { user_id: 'viewer' })).toEqual([]);
    await send(community, 'interactions', { user_id: 'viewer', event_id: 'e1', action: 'remove' });
    expect((await community.ids('popular', { user_id: 'viewer' })).toSorted()).toEqual(['item', 'other']);
  });

  it('the same event_id of a follow and of a like are two events', async (community) => {
    await community.act('viewer', 'like', 'item', { event_id: 'e1' });
    await community.follow('viewer', 'author', { event_id: 'e1' });
    await send(community, 'follows', { user_id: 'viewer', event_id: 'e1', action: 'unfollow' });
    expect([await LIKE.stands(community), await FOLLOW.stands(community)]).toEqual([true, false]);
  });

  it('event_ids distinguish comments, which are taken back with their item', async (community) => {
    const comment = { user_id: 'viewer', item_id: 'item', event_type: 'comment' };
    await send(community, 'interactions', { ...comment, event_id: 'c1' }, { ...comment, event_id: 'c2' });
    const [warning] = await send(community, 'interactions', {
      user_id: 'viewer',
      event_id: 'c1',
      action: 'remove',
    });
    expect(warning).toContain("there is no event 'c1'");
    await send(community, 'interactions', { ...comment, event_id: 'c1', action: 'remove' });
    const { metadata } = await community.shown('item', { return_metadata: true });
    expect(metadata?.comments_count).toBe(1);
  });

  it('an event_id takes back a follow that a whole list confirmed since', async (community) => {
    await community.follow('viewer', 'author', { event_id: 'e1', timestamp: START - 20 });
    const list = { target_user_ids: ['author'], timestamp: START - 10 };
    const path = `${ingestPath('users')}/viewer/follows`;
    const { body } = await community.server.call('PUT', path, list, { 'x-api-key': 'test-key' });
    expect(body).toMatchObject({ added: 0, removed: 0 });
    await send(community, 'follows', { user_id: 'viewer', event_id: 'e1', action: 'unfollow' });
    expect(await FOLLOW.stands(community)).toBe(false);
  });

  it('an event_id does not affect acts on an item that was deleted since', async (community) => {
    await community.act('viewer', 'like', 'item', { event_id: 'e1' });
    await community.remove('items', 'item');
    await send(community, 'interactions', { user_id: 'viewer', event_id: 'e1', action: 'remove' });
    await community.addItem('item', { revive: true });
    expect(await LIKE.stands(community)).toBe(false);
  });

  const WRONG: [string, Kind, Fields, string][] = [
    ['a removal without event_id', 'interactions', { action: 'remove' }, 'item_id: is required'],
    ['an addition of an event alone', 'interactions', { event_id: 'e' }, 'item_id: is required'],
    [
      'a removal that names an event and half of what it was about',
      'interactions',
      { event_id: 'e', action: 'remove', item_id: 'item' },
      'event_type: is required',
    ],
    ['an empty event_id', 'follows', { event_id: '', action: 'unfollow' }, 'event_id: expected'],
    ['a follow of an event alone', 'follows', { event_id: 'e' }, 'target_user_id: is required'],
    ['a block of an event alone', 'blocks', { event_id: 'e' }, 'target_user_id: is required'],
  ];
  test.each(WRONG)('an event_id is refused in %s', async (_, kind, fields, detail) => {
    await using community = await open();
    const { status, body } = await community.server.post(ingestPath(kind), { user_id: 'viewer', ...fields });
    expect([status, body.code]).toEqual([400, 'invalid_value']);
    expect(body.detail).toContain(detail);
  });
});

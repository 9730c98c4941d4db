import { describe, expect, test } from 'bun:test';
import { ManualClock } from '../../../src/clock.ts';
import { ENGINES, withPlace } from '../../store/engines.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { START } from '../../support/service.ts';
import {
  type Community,
  type Fields,
  ingestPath,
  testCommunity as it,
  KEY,
  openCommunity,
} from '../support.ts';

const DAY = 86_400;
const item = (fields: Fields = {}) => ({
  item_id: 'post',
  author_id: 'author',
  created_at: START - 1000,
  text: 'first',
  ...fields,
});

/** Sends one record and returns its warnings; it must be accepted. */
async function send(community: Community, kind: Parameters<typeof ingestPath>[0], record: Fields) {
  const { status, body } = await community.server.post(ingestPath(kind), record);
  expect([status, body.accepted]).toEqual([200, 1]);
  return ((body.warnings ?? []) as string[]).join(' ');
}

function remove(community: Community, kind: 'items' | 'users', id: string, query = '') {
  return community.server.remove(`${ingestPath(kind)}/${id}${query}`);
}

describe('a deleted item', () => {
  it('a deleted item does not come back when its creation is delivered again', async (community) => {
    await community.add('items', item());
    await community.remove('items', 'post');
    const before = community.seq;
    expect(await send(community, 'items', item())).toContain("item 'post' was deleted");
    expect(await send(community, 'items', item({ created_at: START - 1 }))).toContain("item 'post'");
    expect(community.seq).toBe(before);
    expect(await community.stored('items', 'post')).toBeUndefined();
    expect(await community.ids('popular')).toEqual([]);
  });

  it('a deleted item comes back with a newer version, by updated_at before created_at', async (community) => {
    await community.add('items', item());
    await community.remove('items', 'post');
    expect(await send(community, 'items', item({ updated_at: START - 1 }))).toContain('was deleted');
    community.server.clock.advance(10);
    expect(await send(community, 'items', item({ updated_at: START + 1, text: 'second' }))).toBe('');
    expect(await community.stored('items', 'post')).toMatchObject({ text: 'second' });
    // What was delivered before the deletion is still old.
    expect(await send(community, 'items', item())).toContain('was deleted');
    expect(await send(community, 'items', { item_id: 'post', text: 'third' })).toBe('');
    expect(await community.stored('items', 'post')).toMatchObject({ text: 'third' });
  });

  it('a deleted item comes back with "revive": true at any time, and then all its versions and acts count', async (community) => {
    await community.add('items', item());
    await community.remove('items', 'post');
    expect(await send(community, 'items', item({ revive: true }))).toBe('');
    expect(await send(community, 'items', item({ text: 'edited' }))).toBe('');
    await community.act('fan', 'like', 'post', { timestamp: START - 500 });
    expect(await community.stored('items', 'post')).toMatchObject({ text: 'edited', likes_count: 1 });
  });

  it('after 90 days a deleted item is like one that was never sent', async (community) => {
    await community.add('items', item());
    await community.remove('items', 'post');
    community.server.clock.advance(90 * DAY - 1);
    expect(await send(community, 'items', item())).toContain('was deleted');
    community.server.clock.advance(1);
    expect(await send(community, 'items', item())).toBe('');
    expect(await community.stored('items', 'post')).toMatchObject({ text: 'first' });
  });

  it('acts that outlive a deletion are no new demand for trending', async (community) => {
    await community.add('items', item());
    for (const user_id of ['one', 'two', 'three'])
      await community.act(user_id, 'like', 'post', { timestamp: START - 50 });
    const { trend } = community.server.service.state;
    const before = trend.events;
    expect((await remove(community, 'items', 'post', `?timestamp=${START - 100}`)).status).toBe(200);
    expect(trend.events).toBe(before);
    await community.add('items', item({ created_at: START }));
    expect(await community.stored('items', 'post')).toMatchObject({ likes_count: 3 });
  });

  it('an undescribed item keeps acts from after its deletion when the deletion is delivered again', async (community) => {
    const query = `?timestamp=${START - 100}`;
    expect((await remove(community, 'items', 'post', query)).status).toBe(200);
    await community.act('fan', 'like', 'post', { timestamp: START - 50 });
    const { seq } = community;
    expect((await remove(community, 'items', 'post', query)).status).toBe(200);
    expect(community.seq).toBe(seq);
    await community.add('items', item({ created_at: START - 10 }));
    expect(await community.stored('items', 'post')).toMatchObject({ likes_count: 1 });
  });

  it('a deleted item ignores acts from before its deletion and accepts later ones', async (community) => {
    await community.add('items', item());
    community.server.clock.advance(100);
    await community.remove('items', 'post');
    await community.add('items', item({ updated_at: START + 100 }));
    const act = { user_id: 'fan', item_id: 'post', event_type: 'like' };
    expect(await send(community, 'interactions', { ...act, timestamp: START + 99 })).toBe(
      "an act is from before item 'post' was deleted: it changed nothing (first in record 0)",
    );
    expect((await community.stored('items', 'post'))?.likes_count).toBe(0);
    expect(await send(community, 'interactions', { ...act, timestamp: START + 100 })).toBe('');
    expect((await community.stored('items', 'post'))?.likes_count).toBe(1);
  });
});

it('an item that is deleted twice and posted again behind each deletion, all at once, is the last one', async (community) => {
  const { ingest } = community.server.service;
  const posted = (comments_count: number, updated_at?: number) =>
    ingest.ingest('items', [item({ revive: true, comments_count, updated_at })]);
  await posted(0);
  await Promise.all([
    ...[ingest.deleteItem('post'), posted(1)],
    ...[ingest.deleteItem('post'), posted(0, START - 1)],
  ]);
  expect((await community.stored('items', 'post'))?.comments_count).toBe(0);
});

describe('a deletion with a time', () => {
  it('a late deletion deletes nothing if the item has a newer version, and says so', async (community) => {
    await community.add('items', item({ updated_at: START - 100, likes_count: 3 }));
    const { status, body } = await remove(community, 'items', 'post', `?timestamp=${START - 101}`);
    expect([status, body]).toEqual([
      200,
      {
        status: 'success',
        message: "item 'post' not deleted: see warnings",
        warnings: ["item 'post' has a version that is newer than this deletion: nothing was deleted"],
      },
    ]);
    expect(await community.stored('items', 'post')).toBeDefined();
    await remove(community, 'items', 'post', `?timestamp=${START - 100}`);
    expect(await community.stored('items', 'post')).toBeUndefined();
    // Not newer than the last version that was known.
    expect(await send(community, 'items', item({ updated_at: START - 100 }))).toContain('was deleted');
    expect(await send(community, 'items', item({ updated_at: START - 99.999 }))).toBe('');
  });

  it('a deletion that is delivered again after a revival changes nothing', async (community) => {
    const query = `?timestamp=${START - 10}`;
    await community.add('items', item());
    await remove(community, 'items', 'post', query);
    await community.add('items', item({ revive: true }));
    const before = community.seq;
    const { status, body } = await remove(community, 'items', 'post', query);
    expect([status, body.warnings]).toEqual([
      200,
      ["item 'post' came back after this deletion: nothing was deleted"],
    ]);
    expect(community.seq).toBe(before);
    expect(await community.stored('items', 'post')).toBeDefined();
  });

  it('a deletion may arrive before the item', async (community) => {
    await community.act('fan', 'like', 'post', { timestamp: START - 900 });
    const { status, body } = await remove(community, 'items', 'post', `?timestamp=${START - 500}`);
    expect([status, body.warnings]).toEqual([
      200,
      ["there is no item 'post'; a version from before this deletion will change nothing"],
    ]);
    expect(await send(community, 'items', item())).toContain('was deleted');
    expect(await send(community, 'items', item({ created_at: START - 499 }))).toBe('');
    expect((await community.stored('items', 'post'))?.likes_count).toBe(0);
  });

  it('a deletion without a time of an unknown item gets 404 and is remembered', async (community) => {
    for (const kind of ['items', 'users'] as const) {
      expect((await remove(community, kind, 'post')).status).toBe(404);
    }
    expect(await send(community, 'items', item())).toContain("item 'post' was deleted");
    expect(await send(community, 'users', { user_id: 'post', username: 'x' })).toContain("user 'post'");
    expect(await community.stored('users', 'post')).toBeUndefined();
  });

  it('a deletion accepts the same forms of time as records', async (community) => {
    for (const time of [
      String(START - 1000),
      `${START - 1000}.5`,
      '2025-12-31T23:59:00Z',
      '2026-01-01%2001:59:00%2B02:00',
      '2026-01-01T01:59:00+02:00',
      '2026-01-01+01:59:00+02',
    ]) {
      await community.add('items', item({ revive: true }));
      const { status, body } = await community.server.remove(
        `${ingestPath('items')}?item_id=post&timestamp=${time}`,
      );
      expect([time, status, body.detail]).toEqual([time, 200, undefined]);
    }
  });

  it('a deletion with an invalid time is refused with the allowed forms', async (community) => {
    await community.add('items', item());
    for (const [query, message] of [
      ['timestamp=yesterday', 'expected seconds since 1970 as a number, or an ISO 8601 date'],
      ['timestamp=2026-02-30', 'this date or time of day does not exist'],
      ['timestamp=1767225600000', 'milliseconds'],
    ]) {
      const { status, body } = await remove(community, 'items', 'post', `?${query}`);
      expect([query, status, body.errors?.[0].path]).toEqual([query, 400, '/timestamp']);
      expect(body.detail).toContain(message);
    }
    expect(await community.stored('items', 'post')).toBeDefined();
  });

  it('a deletion in the future counts as now, with a warning', async (community) => {
    await community.add('items', item());
    const { body } = await remove(community, 'items', 'post', '?timestamp=2050-01-01');
    expect(body.warnings).toEqual(["timestamp: lies ahead of the service's clock; it counts as now"]);
    community.server.clock.advance(10);
    expect(await send(community, 'items', item({ updated_at: START + 5 }))).toBe('');
  });
});

describe('an erased user', () => {
  const profile = (fields: Fields = {}) => ({ user_id: 'person', username: 'name', ...fields });

  it('an erased user does not come back with a profile that has no time or an old one', async (community) => {
    await community.add('users', profile({ created_at: START - 5000 }));
    await community.remove('users', 'person');
    const before = community.seq;
    expect(await send(community, 'users', profile())).toContain("user 'person' was erased");
    expect(await send(community, 'users', profile({ created_at: START - 5000 }))).toContain('erased');
    expect(community.seq).toBe(before);
    expect(await community.stored('users', 'person')).toBeUndefined();
  });

  test('an erased user comes back with a newer profile or "revive": true, and may then be changed without a time', async () => {
    for (const fields of [{ updated_at: START }, { created_at: START + 5 }, { revive: true }]) {
      await using community = await openCommunity();
      await community.add('users', profile());
      await community.remove('users', 'person');
      expect(await send(community, 'users', profile(fields))).not.toContain('erased');
      expect(await send(community, 'users', profile({ username: 'other' }))).toBe('');
      expect(await community.stored('users', 'person')).toMatchObject({ username: 'other' });
    }
  });

  it('acts and items from before an erasure do not bring the user back', async (community) => {
    await community.add('items', item({ author_id: 'person' }));
    await community.addItem('other');
    community.server.clock.advance(10);
    await community.remove('users', 'person');
    const at = { timestamp: START };
    const before = community.seq;
    const warnings = [
      await send(community, 'items', item({ author_id: 'person' })),
      await send(community, 'follows', { user_id: 'person', target_user_id: 'a', ...at }),
      await send(community, 'follows', { user_id: 'a', target_user_id: 'person', ...at }),
      await send(community, 'blocks', { user_id: 'person', target_user_id: 'a', ...at }),
      await send(community, 'blocks', { user_id: 'a', target_user_id: 'person', event_id: 'b', ...at }),
      await send(community, 'interactions', {
        user_id: 'person',
        item_id: 'other',
        event_type: 'like',
        ...at,
      }),
    ];
    expect(warnings).toEqual([
      expect.stringContaining("item 'post' is older than the erasure of its author 'person'"),
      ...Array(5).fill(expect.stringContaining("an act is from before user 'person' was erased")),
    ]);
    expect(community.seq).toBe(before);
    expect(await community.stored('users', 'person')).toBeUndefined();
    expect(await community.stored('items', 'post')).toBeUndefined();
    // What they do later is done by somebody new.
    await community.act('person', 'like', 'other');
    expect((await community.stored('users', 'person'))?.username).toBeUndefined();
  });

  it('follow lists from before an erasure do not bring the user back, nor do removals of its events', async (community) => {
    await community.add('users', profile());
    community.server.clock.advance(10);
    await community.remove('users', 'person');
    const before = community.seq;
    const put = (user_id: string, fields: Fields) =>
      community.server.call('PUT', `${ingestPath('users')}/${user_id}/follows`, fields, KEY);
    const own = await put('person', { target_user_ids: ['a'], timestamp: START });
    expect([own.status, own.body]).toEqual([
      200,
      {
        status: 'success',
        added: 0,
        removed: 0,
        warnings: ["an act is from before user 'person' was erased: it changed nothing"],
      },
    ]);
    const removal = { user_id: 'person', event_id: 'like/1', action: 'remove' };
    expect(await send(community, 'interactions', removal)).toContain("user 'person' was erased, so nothing");
    expect(community.seq).toBe(before);
    const { body } = await put('fan', { target_user_ids: ['person', 'a'], timestamp: START });
    expect([body.added, body.warnings]).toEqual([1, own.body.warnings]);
    expect(await community.stored('users', 'person')).toBeUndefined();
    // As of now they may be followed: somebody new has the name.
    expect((await put('fan', { target_user_ids: ['person', 'a'] })).body.added).toBe(1);
  });

  it('an older deletion that arrives late does not erase a user', async (community) => {
    await community.add('users', profile({ updated_at: START - 50 }));
    const { body } = await remove(community, 'users', 'person', `?timestamp=${START - 51}`);
    expect(body.message).toBe("user 'person' not erased: see warnings");
    expect(await community.stored('users', 'person')).toBeDefined();
    await remove(community, 'users', 'person', `?timestamp=${START - 49}`);
    expect(await community.stored('users', 'person')).toBeUndefined();
  });
});

for (const engine of ENGINES) {
  test(`deletions are remembered by the next process on ${engine.name}, from tables and from a checkpoint`, () =>
    withPlace(engine, async ({ data, database_url }) => {
      const clock = new ManualClock(START);
      const opening = { writes_checkpoints: true, timers: new ManualTimers() };
      const open = () => openCommunity({ data, clock, opening, settings: { database_url } });
      {
        await using community = await open();
        await community.add('items', item());
        await community.add('users', { user_id: 'person', created_at: START - 9 });
        await community.remove('items', 'post');
        await community.remove('users', 'person');
        await remove(community, 'items', 'early');
      }
      for (let run = 0; run < 2; run++) {
        await using community = await open();
        expect(await send(community, 'items', item())).toContain("item 'post' was deleted");
        expect(await send(community, 'items', item({ item_id: 'early' }))).toContain("item 'early'");
        expect(await send(community, 'users', { user_id: 'person', username: 'x' })).toContain('erased');
        await community.server.service.checkpoints?.writeNow();
      }
      clock.advance(91 * DAY);
      {
        await using community = await open();
        expect(await send(community, 'items', item())).toBe('');
        await community.server.service.store.purge();
      }
      await using community = await open();
      expect(community.server.service.state.tombstones.item.size).toBe(0);
      expect(await community.ids('popular')).toEqual(['post']);
    }));
}

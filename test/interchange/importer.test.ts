import { describe, expect, test } from 'bun:test';
import { COUNTERS } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import { freshDatabase } from '../support/postgres.ts';
import { openTestService, START } from '../support/service.ts';
import { importInto, jsonl, withFolder, withImported, withService, writeFiles } from './support.ts';

const INTERACTIONS = 'user_id,item_id,event_type,timestamp,action,event_id\n';
const ENGAGEMENT = 'item_id,timestamp,likes_count,comments_count,shares_count\n';

const item = (item_id: string, created_at: number, more: object = {}) => ({
  ...{ item_id, author_id: 'w', created_at },
  ...more,
});

/** The stored changes without names. */
async function storedChanges(opened: Parameters<typeof importInto>[0]): Promise<Change[]> {
  const changes: Change[] = [];
  await opened.service.store.replay((change) => {
    if (change.kind !== 'name') changes.push(change);
  });
  return changes;
}

describe('several files are imported as one stream', () => {
  test('by time, and at the same time users before items before follows, counts and acts', async () => {
    await withImported(
      {
        'impressions.csv': 'user_id,item_id,timestamp\nu,a,100\nu,a2,100\nu,a3,300\n',
        'interactions.csv': 'user_id,item_id,event_type,timestamp\nu,a,like,100\nu,a,share,250\n',
        'engagement.csv': `${ENGAGEMENT}a,100,7,,\n`,
        'blocks.csv': 'user_id,target_user_id\nu,v\n',
        'follows.csv': 'user_id,target_user_id,timestamp\nu,w,100\n',
        'items.jsonl': jsonl([item('a', 100), item('b', 200)]),
        'users.jsonl': jsonl([{ user_id: 'u' }, { user_id: 'w', created_at: 100 }]),
      },
      async (opened) => {
        const changes = await storedChanges(opened);
        expect(changes.map(({ kind, applied_at }) => `${applied_at} ${kind}`)).toEqual([
          ...['100 user', '100 block', '100 user', '100 item', '100 follow', '100 engagement'],
          ...['100 interaction', '200 item', '250 interaction'],
        ]);
      },
    );
  });

  test('the clock of stored changes never goes back, and times of records stay', async () => {
    await withImported(
      {
        'interactions.csv': `${INTERACTIONS}u,a,like,500,,\nu,a,share,100,,\nu,b,like,300,,\n`,
        'items.jsonl': jsonl([item('a', 50), item('b', 400)]),
      },
      async (opened) => {
        const acts = (await storedChanges(opened)).filter(({ kind }) => kind === 'interaction');
        expect(acts.map(({ applied_at }) => applied_at)).toEqual([500, 500, 500]);
        expect(acts).toMatchObject([{ timestamp: 500 }, { timestamp: 100 }, { timestamp: 300 }]);
      },
    );
  });

  test('records dated in the future do not advance the clock', async () => {
    const later = START + 1_000_000;
    await withImported(
      {
        'interactions.csv': `${INTERACTIONS}u,a,like,${START - 10},,\nu,a,share,${later},,\n`,
        'items.jsonl': jsonl([item('a', 50), item('b', later + 1)]),
      },
      async (opened, output, folder) => {
        expect(output.ahead).toBe(2);
        expect(opened.service.state.applied_at).toBe(START);
        opened.clock.advance(50);
        expect(await importInto(opened, folder)).toMatchObject({ changes: 0, ahead: 2 });
      },
    );
  });

  test('comments that are identified by their time keep it, or are refused if it is far ahead', async () => {
    const [soon, later] = [START + 30, START + 1_000];
    const lines = [soon, soon + 1, later, later + 1].map((time) => `u,a,comment,${time},,\n`);
    await withImported(
      { 'interactions.csv': INTERACTIONS + lines.join(''), 'items.jsonl': jsonl([item('a', 50)]) },
      async (opened, output, folder) => {
        const comments = () => opened.service.state.items.comments_count(0);
        expect(output.files.map(({ accepted, rejected }) => [accepted, rejected])).toContainEqual([2, 2]);
        expect(comments()).toBe(2);
        // The refused ones do not count as records of the future that were taken.
        expect(output.ahead).toBe(2);
        opened.clock.advance(50);
        expect(await importInto(opened, folder)).toMatchObject({ changes: 0 });
        opened.clock.advance(2_000);
        await importInto(opened, folder);
        expect(comments()).toBe(4);
        expect(await importInto(opened, folder)).toMatchObject({ changes: 0 });
      },
    );
  });
});

describe('items that appear only in interactions', () => {
  const acts = `${INTERACTIONS}u,bare,like,300,,\nv,bare,view,200,,\nv,known,like,200,,\n`;

  test('become bare items without an author, created at the first interaction', async () => {
    await withImported(
      { 'interactions.csv': acts, 'items.jsonl': jsonl([item('known', 100)]) },
      async (opened, output) => {
        const { items } = opened.service.state;
        const bare = items.names.find('bare');
        expect(output.bare_items).toBe(1);
        expect([items.described(bare), items.author(bare), items.created_at(bare)]).toEqual([true, -1, 200]);
        expect(items.created_at(items.names.find('known'))).toBe(100);
      },
    );
  });

  test('take their author and time from a later description', async () => {
    await withImported({ 'interactions.csv': acts }, async (opened, _output, folder) => {
      writeFiles(folder, { 'items.jsonl': jsonl([item('bare', 150)]) });
      await importInto(opened, folder);
      const { items, users } = opened.service.state;
      const bare = items.names.find('bare');
      expect([users.names.id(items.author(bare)), items.created_at(bare)]).toEqual(['w', 150]);
    });
  });

  test('stay deleted if they were deleted', async () => {
    await withImported({ 'interactions.csv': acts }, async (opened, _output, folder) => {
      await opened.service.ingest.deleteItem('bare');
      await importInto(opened, folder);
      const { items } = opened.service.state;
      expect(items.described(items.names.find('bare'))).toBe(false);
    });
  });

  test('stay undescribed if a file says so', async () => {
    const line = { item_id: 'bare', author_id: null, created_at: null, likes_count: 4, updated_at: 250 };
    await withImported({ 'interactions.csv': acts, 'items.jsonl': jsonl([line]) }, async (opened, output) => {
      const { items } = opened.service.state;
      const bare = items.names.find('bare');
      expect(output.lines).toEqual([]);
      // The source's count at 250, and the like at 300.
      expect([items.described(bare), items.likes_count(bare)]).toEqual([false, 5]);
    });
  });

  test('are not created from counts of the source alone', async () => {
    await withImported({ 'engagement.csv': `${ENGAGEMENT}x,100,7,,\n` }, async (opened, output) => {
      expect(output.bare_items).toBe(0);
      expect(opened.service.state.items.described(0)).toBe(false);
    });
  });
});

describe("a source's counters", () => {
  test('count as of their own time, even if their item is imported earlier', async () => {
    await withImported(
      {
        'items.jsonl': jsonl([item('a', 100, { likes_count: 5, updated_at: 400 })]),
        'interactions.csv': `${INTERACTIONS}u,a,like,300,,\nv,a,like,500,,\n`,
      },
      async ({ service }) => {
        expect(service.state.items.counted_at(0, 'likes_count')).toBe(400);
        expect(service.state.items.likes_count(0)).toBe(6);
      },
    );
  });

  test('without a time count as of the end of the data', async () => {
    await withImported(
      {
        'items.jsonl': jsonl([item('a', 100, { likes_count: 5 })]),
        'interactions.csv': `${INTERACTIONS}u,a,like,300,,\nv,a,like,500,,\n`,
      },
      async ({ service }) => {
        expect(service.state.items.counted_at(0, 'likes_count')).toBe(500);
        expect(service.state.items.likes_count(0)).toBe(5);
      },
    );
  });
});

describe('a repeated import of the same files changes nothing', () => {
  /** Contradictory files: each line is reversed or replaced by a later one. */
  const FILES = {
    'items.jsonl': jsonl([
      item('a', 100, { text: 'The first version of it, in plain English', likes_count: 3 }),
      { item_id: 'a', text: 'edited', likes_count: 4, updated_at: 200 },
      item('b', 100, { likes_count: 1, updated_at: 150 }),
      { item_id: 'a', channel: 'music' },
      item('b', 100, { likes_count: 2, updated_at: 150 }),
    ]),
    'users.jsonl': jsonl([
      { user_id: 'u', username: 'one' },
      { user_id: 'u', display_name: 'One' },
      { user_id: 'u', username: 'two' },
    ]),
    'follows.csv':
      'user_id,target_user_id,timestamp,action\nu,v,100,\nu,v,100,unfollow\nv,u,,\nv,u,110,unfollow\nv,w,,\n',
    'blocks.csv': 'user_id,target_user_id,action\nu,v,\nu,v,unblock\nv,u,unblock\nv,u,block\nv,u,\n',
    'engagement.csv': `${ENGAGEMENT}a,170,5,,\na,170,6,1,\na,170,5,,\nb,150,9,9,\n`,
    'interactions.csv': [
      `${INTERACTIONS}u,a,like,300,,\nu,a,like,300,remove,\nu,a,like,300,,\nu,a,like,300,remove,`,
      'u,a,comment,300,,c1\nu,a,comment,300,remove,c1\nu,a,comment,300,,c2\nu,a,comment,300,,',
      'u,b,share,300,remove,\nu,b,share,300,,\nu,b,share,310,remove,\nu,bare,view,320,,\n',
    ].join('\n'),
    'impressions.csv': 'user_id,item_id,timestamp\nu,a,100\nu,a,200\n',
  };

  test('even if they contradict themselves: the last line at a time counts', async () => {
    await withImported(FILES, async (opened, output, folder) => {
      expect(output.lines).toEqual([]);
      const facts = () => {
        const { items, users, follows, blocks, interactions } = opened.service.state;
        const [u, v] = ['u', 'v'].map((id) => users.names.find(id));
        const a = items.names.find('a');
        return {
          counts: [a, items.names.find('b')].map((each) =>
            Object.fromEntries(COUNTERS.map((counter) => [counter, items.source(each, counter)])),
          ),
          follows: [follows.follows(u, v), follows.follows(v, u), follows.count(v)],
          blocks: [blocks.blocks(u, v), blocks.blocks(v, u)],
          acts: interactions.by_item.length(a),
        };
      };
      const first = facts();
      expect(first).toMatchObject({
        counts: [{ likes_count: 3 }, { likes_count: 2, comments_count: 9 }],
        follows: [false, false, 1],
        blocks: [false, true],
        acts: 2,
      });
      for (let again = 0; again < 3; again++) {
        const { changes, files } = await importInto(opened, folder);
        expect({ again, changes }).toEqual({ again, changes: 0 });
        for (const { name, accepted, unchanged } of files.filter(({ name }) => name !== 'items.jsonl')) {
          expect({ name, unchanged }).toEqual({ name, unchanged: accepted });
        }
        expect(facts()).toEqual(first);
      }
    });
  });

  test('on PostgreSQL too', async () => {
    await using opened = await openTestService({ settings: { database_url: await freshDatabase() } });
    await withFolder(FILES, async (folder) => {
      expect((await importInto(opened, folder)).changes).toBeGreaterThan(20);
      expect((await importInto(opened, folder)).changes).toBe(0);
    });
  });

  test('an interrupted import is completed by the next one', async () => {
    await withFolder(FILES, async (folder) => {
      const whole = await withService(async (opened) => {
        await importInto(opened, folder);
        return opened.service.state.items.size;
      });
      await withFolder(
        { ...FILES, 'interactions.csv': `${FILES['interactions.csv'].slice(0, 150)}\n!\n` },
        async (part) => {
          await withService(async (opened) => {
            await Promise.allSettled([importInto(opened, part, true)]);
            await importInto(opened, folder);
            expect(opened.service.state.items.size).toBe(whole);
            expect((await importInto(opened, folder)).changes).toBe(0);
          });
        },
      );
    });
  });
});

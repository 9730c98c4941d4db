import { expect, test } from 'bun:test';
import { purgeCommunity } from '../../src/community.ts';
import { START } from '../support/service.ts';
import { begin, exported, live, pages, trendsOf, USERS, withElsewhere } from './learnt-community.ts';
import { importInto, withFolder, withService } from './support.ts';

test('learnt trends are imported, and learning continues from there', async () => {
  await withService(async (original) => {
    await begin(original);
    const files = await exported(original);
    const { clock } = original;
    await withElsewhere(files, clock.now() + 5, async (elsewhere, lines) => {
      expect(lines).toEqual([]);
      clock.advance(5);
      const first = await pages(original);
      expect(new Set(first).size).toBeGreaterThan(USERS);
      expect(await pages(elsewhere)).toEqual(first);
      for (const each of [original, elsewhere]) await live(each, 3, 2);
      const later = await pages(original);
      expect(later).not.toEqual(first);
      expect(await pages(elsewhere)).toEqual(later);
      const { learnt } = trendsOf(await exported(original));
      expect(learnt.learner).not.toEqual(trendsOf(files).learnt.learner);
      expect(learnt.noted.length).toBeGreaterThan(5);
      expect(trendsOf(await exported(elsewhere)).learnt).toEqual(learnt);
    });
    const without = { ...files, 'trends.jsonl': '' };
    await withElsewhere(without, START, async (elsewhere) => {
      clock.set(START);
      expect(await pages(elsewhere)).not.toEqual(await pages(original));
    });
  });
}, 60_000);

test('data that was not empty keeps its own trends', async () => {
  await withService(async (original) => {
    await begin(original);
    const files = await exported(original);
    await withService((elsewhere) =>
      withFolder(files, async (folder) => {
        await elsewhere.service.ingest.ingest('users', [{ user_id: 'other' }]);
        const { lines } = await importInto(elsewhere, folder);
        expect(lines).toEqual([
          'ignored: trends.jsonl (the data was not empty before this import and has trends of its own)',
        ]);
        expect(trendsOf(await exported(elsewhere)).learnt.learner).not.toEqual(
          trendsOf(files).learnt.learner,
        );
      }),
    );
  });
});

test('trends of a clock that is slightly ahead stay valid when they are exported again', async () => {
  await withService(async (original) => {
    await begin(original);
    const { ingest } = original.service;
    await ingest.ingest('interactions', [{ user_id: 'user 1', item_id: 'item 7', event_type: 'like' }]);
    const files = await exported(original);
    const behind = original.clock.now() - 45;
    await withElsewhere(files, behind, async (elsewhere, lines) => {
      expect(lines).toEqual([]);
      const again = await exported(elsewhere);
      expect(trendsOf(again)).toEqual(trendsOf(files));
      await withElsewhere(again, behind, async (third, lines) => {
        expect(lines).toEqual([]);
        // Events while that clock is behind are not earlier than the imported ones, and stay valid.
        await live(third, 0.1, 3);
        await withElsewhere(await exported(third), third.clock.now(), async (_, lines) =>
          expect(lines).toEqual([]),
        );
      });
    });
  });
}, 60_000);

test('an act with a time ahead of the state does not advance an import beyond the state', async () => {
  await withService(async (original) => {
    await begin(original);
    const { clock, service } = original;
    const exported_at = clock.now();
    // Without an `event_id` the comment is identified by its time.
    const ahead = {
      user_id: 'user 1',
      item_id: 'item 7',
      event_type: 'comment',
      timestamp: exported_at + 50,
    };
    await service.ingest.ingest('interactions', [ahead]);
    const files = await exported(original);
    clock.advance(3600);
    await withElsewhere(files, clock.now(), async (elsewhere, lines) => {
      expect(lines).toEqual([]);
      expect(elsewhere.service.state.applied_at).toBe(exported_at);
      expect(await pages(elsewhere)).toEqual(await pages(original));
      expect(await exported(elsewhere)).toEqual(files);
    });
    // Records after the export have their own times.
    const later = `user 2,item 7,like,${exported_at + 50}\nuser 2,item 7,comment,${exported_at + 100}\n`;
    for (const [line] of later.matchAll(/.+\n/g)) {
      const more = { ...files, 'interactions.csv': `${files['interactions.csv']}${line}` };
      await withElsewhere(more, clock.now(), async (elsewhere) => {
        expect(elsewhere.service.state.applied_at).toBe(Number(line.split(',')[3]));
      });
    }
  });
}, 60_000);

test('items that the importing service does not know are left out', async () => {
  await withService(async (original) => {
    await begin(original);
    const files = await exported(original);
    const items = String(files['items.jsonl']).split('\n');
    const gone = items.splice(3, 1)[0];
    const id = JSON.parse(gone).item_id;
    const rest = String(files['interactions.csv']).replaceAll(RegExp(`^[^\n]*,${id},[^\n]*\n`, 'gm'), '');
    const without = { ...files, 'items.jsonl': items.join('\n'), 'interactions.csv': rest };
    expect(files['trends.jsonl']).toContain(`"${id}"`);
    await withElsewhere(without, START, async (elsewhere, lines) => {
      expect(lines).toEqual([]);
      const { learnt } = trendsOf(await exported(elsewhere));
      expect(JSON.stringify(learnt)).not.toContain(`"${id}"`);
      expect(learnt.events).toBe(trendsOf(files).learnt.events);
    });
  });
});

test('exported trends contain neither engagements of erased users nor deleted items', async () => {
  await withService(async (original) => {
    await begin(original);
    const { ingest } = original.service;
    const like = (user_id: string, item_id: string) =>
      ingest.ingest('interactions', [{ user_id, item_id, event_type: 'like' }]);
    await like('first', 'item 5');
    await like('secret', 'item 39');
    await like('second', 'item 38');
    const { recent: before, noted } = trendsOf(await exported(original)).learnt;
    expect(before.slice(-3).map(([item]: [string]) => item)).toEqual(['item 5', 'item 39', 'item 38']);
    expect(JSON.stringify(noted)).toContain('"item 1"');
    await ingest.deleteUser('secret');
    await ingest.deleteItem('item 0');
    await ingest.deleteItem('item 1');
    await ingest.deleteItem('item 38');
    await ingest.ingest('items', [{ item_id: 'item 38', author_id: 'user 2', created_at: START }]);
    original.clock.advance(1);
    await like('third', 'item 38');
    await like('third', 'item 1');
    for (const purged of [false, true]) {
      if (purged) await purgeCommunity(original.service);
      const { learnt } = trendsOf(await exported(original));
      expect(learnt.recent.length).toBe(before.length + 2);
      const last = learnt.recent.slice(-5).map(([item]: [string]) => item);
      expect(last).toEqual(['item 5', null, null, 'item 38', 'item 1']);
      expect(JSON.stringify(learnt)).not.toContain('"item 0"');
      expect(JSON.stringify(learnt).split('"item 1"').length).toBe(2);
      for (const { items, features } of learnt.noted) expect(features.length).toBe(16 * items.length);
      const known = learnt.recent.filter(([item]: [string | null]) => item !== null);
      expect(known.length).toBeGreaterThan(before.length / 2);
    }
  });
});

test.each([1000, START + 50])('the file of data without trends contains only the time: %d', (created_at) =>
  withService(async (original) => {
    await original.service.ingest.ingest('items', [{ item_id: 'a', author_id: 'b', created_at }]);
    const files = await exported(original);
    expect(files['trends.jsonl']).toBe(`{"version":1,"applied_at":${START}}\n`);
    await withElsewhere(files, START + 100, async (elsewhere, lines) => {
      expect(lines).toEqual([]);
      expect(elsewhere.service.state.applied_at).toBe(START);
      expect(await exported(elsewhere)).toEqual(files);
    });
  }),
);

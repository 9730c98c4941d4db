import { describe, expect, test } from 'bun:test';
import { START } from '../support/service.ts';
import { exported, type Files, importInto, jsonl, withFolder, withImported } from './support.ts';

const ACTS = 'user_id,item_id,event_type,timestamp\n';

/** The times of the items of an export; null for those that are not described. */
async function createdAt(files: Files): Promise<Record<string, number | null>> {
  return withImported(files, async (opened) => {
    const lines = (await exported(opened))['items.jsonl'].trim().split('\n');
    return Object.fromEntries(
      lines.map((line) => JSON.parse(line)).map(({ item_id, created_at }) => [item_id, created_at]),
    );
  });
}

describe('an item whose lines have no date', () => {
  const item = (item_id: string, more: object = {}) => ({ item_id, author_id: 'w', text: item_id, ...more });

  test('gets that of its first act, wherever the act stands', async () => {
    const files = {
      'items.jsonl': jsonl([
        item('a'),
        item('b', { created_at: '0001-01-01T00:00:00Z' }),
        item('c', { created_at: '0000-00-00 00:00:00', author_id: null }),
        item('none'),
        item('dated', { created_at: 5_000 }),
        item('late'),
        item('late', { created_at: 4_000 }),
      ]),
      'interactions.csv': `${ACTS}u,a,like,3000\nu,b,like,2000\nu,a,view,1000\nv,c,like,2500\nu,dated,like,6000\nu,late,like,4500\n`,
    };
    expect(await createdAt(files)).toEqual({
      a: 1000,
      b: 2000,
      c: 2500,
      none: 3000,
      dated: 5000,
      late: 4000,
    });
  });

  test('gets today without any line that has a time', async () => {
    expect(await createdAt({ 'items.jsonl': jsonl([item('a')]) })).toEqual({ a: START });
  });

  test('is counted, and importing the same files again changes nothing', async () => {
    const files = {
      'items.jsonl': jsonl([item('a'), item('b'), item('c')]),
      'interactions.csv': `${ACTS}u,a,like,3000\nu,b,like,2000\n`,
    };
    await withImported(files, async (opened, first) => {
      expect(first.undated).toEqual({ by_acts: 2, assumed: 1 });
      const before = await exported(opened);
      const again = await withFolder(files, (folder) => importInto(opened, folder));
      expect(again).toMatchObject({ changes: 0, undated: { by_acts: 0, assumed: 0 } });
      expect(await exported(opened)).toEqual(before);
    });
  });

  test('is not made by acts on it if its line was rejected', async () => {
    const files = {
      'items.jsonl': jsonl([item('a', { author_id: undefined }), item('b')]),
      'interactions.csv': `${ACTS}u,a,like,3000\nu,b,like,2000\n`,
    };
    expect(await createdAt(files)).toEqual({ a: null, b: 2000 });
  });
});

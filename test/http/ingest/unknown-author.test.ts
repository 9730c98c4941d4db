import { describe, expect, test } from 'bun:test';
import { importInto, jsonl, withFolder } from '../../interchange/support.ts';
import { START } from '../../support/service.ts';
import { ingestPath, openCommunity } from '../support.ts';

const item = { item_id: 'a', author_id: null, created_at: START, text: 'No one knows who wrote this.' };

describe('an author_id of null', () => {
  test('makes a new item without an author at every door', async () => {
    for (const door of ['http', 'dry run', 'connector', 'file'] as const) {
      await using community = await openCommunity();
      const { server } = community;
      if (door === 'http' || door === 'dry run') {
        const query = door === 'http' ? '' : '?dry_run=true';
        const { status, body } = await server.post(`${ingestPath('items')}${query}`, [item]);
        expect([status, body.accepted, body.warnings]).toEqual([200, 1, undefined]);
      } else if (door === 'connector') await server.service.ingest.ordered([{ kind: 'item', record: item }]);
      else
        await withFolder({ 'items.jsonl': jsonl([item]) }, async (folder) => {
          expect((await importInto(server, folder)).lines).toEqual([]);
        });
      if (door === 'dry run') continue;
      expect(await community.stored('items', 'a')).toMatchObject({ author_id: null, text: item.text });
      expect(await community.ids('popular')).toEqual(['a']);
    }
  });

  test('leaves the author of a known item, whose other fields change', async () => {
    await using community = await openCommunity();
    await community.addItem('a');
    for (const sent of [{ text: 'changed' }, { text: 'revived', revive: true }]) {
      await community.add('items', { item_id: 'a', author_id: null, ...sent });
      expect(await community.stored('items', 'a')).toMatchObject({ author_id: 'author', text: sent.text });
    }
  });

  test('is replaced when the author becomes known', async () => {
    await using community = await openCommunity();
    await community.add('items', item, { item_id: 'a', author_id: 'b' });
    expect(await community.stored('items', 'a')).toMatchObject({ author_id: 'b', text: item.text });
  });

  test('must be sent: a new item that lacks author_id is refused', async () => {
    await using community = await openCommunity();
    const { author_id: _, ...without } = item;
    const { status, body } = await community.server.post(ingestPath('items'), without);
    expect([status, body.rejected]).toEqual([
      400,
      [{ index: 0, detail: 'author_id: is required for a new item' }],
    ]);
  });
});

import { describe, expect, test } from 'bun:test';
import { exported, importInto, jsonl, withFolder } from '../interchange/support.ts';
import { openTestServer, START } from '../support/service.ts';
import { csv, nft, token, wallet, withImported } from './support.ts';

/** Slightly below the size limit of an item's metadata. */
const LARGE = Array.from({ length: 115 }, () => ({ trait_type: 'sky', value: 'x'.repeat(500) }));

describe('an import of wallets', () => {
  test('imports events and the catalog, compressed or not', () =>
    withImported(
      {
        'events.csv.gz': csv([1, nft(1, 1), 'mint', 1000], [2, nft(1, 1), 'like', '2020-01-01T00:00:00Z']),
        'tokens.jsonl': `{"item_id":"${nft(1, 1)}","name":"One"}\n{"item_id":"${token(2)}","symbol":"T","created_at":500}\n`,
      },
      async (alpha, told, server) => {
        expect(told.files.map(({ name, accepted, rejected }) => [name, accepted, rejected])).toEqual([
          ['events.csv.gz', 2, 0],
          ['tokens.jsonl', 2, 0],
        ]);
        const { body } = await alpha.popular();
        expect(
          body.items.map(({ itemId, metadata }: { itemId: string; metadata: Record<string, unknown> }) => [
            itemId,
            metadata.name ?? metadata.symbol,
          ]),
        ).toEqual([
          [nft(1, 1), 'One'],
          [token(2), 'T'],
        ]);
        const { items } = server.service.alpha.community!.state;
        expect(items.created_at(items.names.find(nft(1, 1)))).toBe(1000);
        expect(items.created_at(items.names.find(token(2)))).toBe(500);
      },
    ));

  test('dates a catalog without events by the clock', () =>
    withImported(
      { 'tokens.jsonl': `{"item_id":"${token(1)}","name":"One"}\n` },
      async (_, { lines }, server, folder) => {
        expect(lines).toEqual([]);
        const { state } = server.service.alpha.community!;
        expect(state.items.created_at(state.items.names.find(token(1)))).toBe(START);
        expect(state.applied_at).toBe(START);
        expect((await importInto(server, folder)).changes).toBe(0);
      },
    ));

  test('that is repeated changes nothing', () =>
    withImported(
      {
        'events.csv': csv([1, token(1), 'mint', 1000], [1, token(1), 'sell', 1000]),
        'tokens.jsonl': `{"item_id":"${token(1)}","name":"One"}\n`,
      },
      async (_, told, server, folder) => {
        expect(told.changes).toBeGreaterThan(0);
        const again = await importInto(server, folder);
        expect(again.changes).toBe(0);
        expect(again.files.map(({ unchanged }) => unchanged)).toEqual([2, 1]);
      },
    ));

  test('gives the same result in any order: an item is as old as its first event', () =>
    withImported(
      {
        'events.csv': csv(
          [1, token(1), 'sell', 3000],
          [1, token(1), 'mint', 1000],
          [2, token(1), 'mint', 2000],
        ),
      },
      async (alpha, _, server) => {
        const { items } = server.service.alpha.community!.state;
        expect(items.created_at(0)).toBe(1000);
        expect(await alpha.recommended(wallet(1))).toEqual([token(1)]);
        expect(await alpha.recommended(wallet(2))).toEqual([]);
      },
    ));

  test('reports a line that exceeds the limit together with stored metadata', () => {
    const lines = [
      { item_id: nft(1, 1), attributes: LARGE },
      { item_id: nft(1, 1), description: 'y'.repeat(9_000) },
      { item_id: nft(1, 2), name: 'Two' },
    ];
    const files = { 'tokens.jsonl': jsonl(lines) };
    return withImported(files, async (_, told, server) => {
      expect(told.files.map(({ accepted, rejected }) => [accepted, rejected])).toEqual([[2, 1]]);
      expect(told.lines).toEqual([
        expect.stringMatching(/^tokens\.jsonl:2: record: expected at most 65536 .* together with/),
      ]);
      await withFolder(await exported(server), async (folder) => {
        await using second = await openTestServer();
        expect((await importInto(second, folder, true)).lines).toEqual([]);
      });
    });
  });
});

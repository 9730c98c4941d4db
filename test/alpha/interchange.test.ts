import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AlphaItem } from '../../src/alpha/alpha.ts';
import { exportWallets } from '../../src/alpha/export.ts';
import type { DatedEvent } from '../../src/alpha/formats.ts';
import type { WalletImportResult } from '../../src/alpha/import.ts';
import { ManualClock } from '../../src/clock.ts';
import { ExportFolder } from '../../src/ingest/interchange/export-folder.ts';
import { readFolder } from '../../src/ingest/interchange/files.ts';
import { ImportLog } from '../../src/ingest/interchange/report.ts';
import { WALLET_EVENT_TYPES } from '../../src/state/vocabulary.ts';
import { type Files, jsonl, readFiles, withFolder } from '../ingest/interchange/support.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { AlphaClient, contract, nft, token, wallet } from './support.ts';

type Told = WalletImportResult & { lines: string[] };

async function importInto(server: TestServer, folder: string, strict = false): Promise<Told> {
  const lines: string[] = [];
  const log = new ImportLog(strict, (line) => lines.push(line));
  return { ...(await server.service.alpha.importFiles(readFolder(folder), log)), lines };
}

/** Imports files into a fresh service and looks at it. */
function withImported(
  files: Files,
  work: (alpha: AlphaClient, told: Told, server: TestServer, folder: string) => Promise<void>,
): Promise<void> {
  return withFolder(files, async (folder) => {
    const server = await openTestServer();
    try {
      await work(new AlphaClient(server), await importInto(server, folder), server, folder);
    } finally {
      await server.close();
    }
  });
}

const HEADER = 'wallet_address,item_id,event_type,timestamp\n';

function csv(...events: [who: number, item_id: string, event_type: string, time: number | string][]): string {
  return HEADER + events.map(([who, ...rest]) => `${wallet(who)},${rest.join(',')}\n`).join('');
}

/** What a service exports. */
async function exported({ service }: TestServer): Promise<Record<string, string>> {
  return withFolder({}, async (folder) => {
    const target = new ExportFolder(folder, { force: false, gzip: false });
    await exportWallets(service.alpha.community!.store, target);
    target.finish();
    return readFiles(folder);
  });
}

const PRICE = {
  marketplace_id: null,
  marketplace_name: null,
  value_usd_cents: 1,
  value_usd_string: '0.0100',
  value_usd_string_high_precision: '0.010000000000000000000001',
  liquidity_usd_string: null,
};

const AHEAD = START + 999;
/** Of little less than may be known of an item. */
const LARGE = Array.from({ length: 115 }, () => ({ trait_type: 'sky', value: 'x'.repeat(500) }));

async function pages(alpha: AlphaClient): Promise<unknown[]> {
  const answers = [await alpha.popular('?top_k=500')];
  for (let who = 0; who < 4; who++) answers.push(await alpha.forYou(wallet(who), '?top_k=500'));
  return answers.map(({ body }) => body);
}

describe('import', () => {
  test('takes events and the catalog in, compressed or not', () =>
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
          body.items.map(({ itemId, metadata }: AlphaItem) => [itemId, metadata.name ?? metadata.symbol]),
        ).toEqual([
          [nft(1, 1), 'One'],
          [token(2), 'T'],
        ]);
        const { items } = server.service.alpha.community!.state;
        expect(items.created_at(items.names.find(nft(1, 1)))).toBe(1000);
        expect(items.created_at(items.names.find(token(2)))).toBe(500);
      },
    ));

  test('dates a catalog to which nothing has happened by the clock', () =>
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

  test('again changes nothing', () =>
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

  test('in any order means the same: an item is as old as its first event', () =>
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

  test('tells bad lines with file and number, and skips them', () =>
    withImported(
      {
        'events.csv': `${csv([1, token(1), 'mint', 1000])}x,${token(1)},mint,1000\n${wallet(1)},${token(1)},stake,1000\n${wallet(1)},${token(1)},mint,\n${wallet(1)},${token(1)},mint,${START + 999}\n${wallet(1)}\n`,
        'tokens.jsonl': `{"item_id":"${token(1)}","decimals":-1}\n{"item_id"\n{"item_id":"ethereum.${contract(1)}"}\n`,
      },
      async (_, { files, lines }) => {
        expect(files.map(({ accepted, rejected }) => [accepted, rejected])).toEqual([
          [1, 5],
          [0, 3],
        ]);
        expect(lines.map((line) => line.split(' ')[0])).toEqual([
          'events.csv:3:',
          'events.csv:4:',
          'events.csv:5:',
          'events.csv:7:',
          'events.csv:6:',
          'tokens.jsonl:1:',
          'tokens.jsonl:2:',
          'tokens.jsonl:3:',
        ]);
      },
    ));

  test('tells a line that is too large together with what is known', () => {
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
        const second = await openTestServer();
        try {
          expect((await importInto(second, folder, true)).lines).toEqual([]);
        } finally {
          await second.close();
        }
      });
    });
  });

  test('that is strict stops at the first bad line', () =>
    withFolder({ 'events.csv': `${csv([1, token(1), 'mint', 1000])}x,y,z,0\n` }, async (folder) => {
      const server = await openTestServer();
      try {
        await expect(importInto(server, folder, true)).rejects.toThrow('events.csv:3');
      } finally {
        await server.close();
      }
    }));

  test.each([
    [
      'events.csv',
      csv(
        [1, token(1), 'mint', 1000],
        [1, token(2), 'mint', AHEAD],
        [1, token(3), 'mint', 1000],
        [1, token(4), 'mint', AHEAD],
      ),
      "events.csv:3: timestamp: lies ahead of the service's clock",
    ],
    [
      'tokens.jsonl',
      jsonl([
        { item_id: nft(1, 1), attributes: LARGE },
        { item_id: nft(1, 1), description: 'x'.repeat(9_000) },
        { item_id: nft(1, 3), name: 'Three' },
        { item_id: nft(1, 1), description: 'y'.repeat(9_000) },
      ]),
      'tokens.jsonl:2: record: expected at most',
    ],
  ])('that is strict takes nothing after what only the community shows to be bad: %s', (name, text, told) =>
    withFolder({ [name]: text }, async (folder) => {
      const server = await openTestServer();
      try {
        await expect(importInto(server, folder, true)).rejects.toThrow(told);
        const { names } = server.service.alpha.community!.state.items;
        const known = [1, 2, 3, 4].flatMap((n) => [token(n), nft(1, n)]).filter((id) => names.find(id) >= 0);
        expect(known).toEqual([name === 'events.csv' ? token(1) : nft(1, 1)]);
      } finally {
        await server.close();
      }
    }),
  );
});

describe('export', () => {
  test('writes what an import takes, byte for byte', () => {
    const files = {
      'events.csv': csv(
        [1, token(1), 'mint', 1000],
        [2, token(1), 'mint', 1000.125],
        [1, token(1), 'sell', 2000],
        [1, token(1), 'buy', 2000],
      ),
      'tokens.jsonl': `${JSON.stringify({ item_id: token(9), created_at: 900, name: 'Nine', prices: [PRICE] })}\n`,
    };
    return withImported(files, async (_, __, server) =>
      expect(await exported(server)).toEqual({
        ...files,
        'wallet_trends.jsonl': expect.stringMatching(/^{"version":1,"applied_at":2000,/),
      }),
    );
  });

  test('has items of one moment in the order of their names, whichever came first', () => {
    const line = (which: number) => `{"item_id":"${token(which)}","created_at":500,"symbol":"T"}\n`;
    return withImported({ 'tokens.jsonl': [3, 1, 2].map(line).join('') }, async (_, __, server) => {
      const { 'tokens.jsonl': lines } = await exported(server);
      const found = lines
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each).item_id);
      expect(found).toEqual([token(1), token(2), token(3)]);
    });
  });

  test('imported elsewhere gives the same pages and the same export', async () => {
    const event: fc.Arbitrary<DatedEvent> = fc.record({
      wallet_address: fc.nat(3).map(wallet),
      item_id: fc.oneof(
        fc.nat(2).map(token),
        fc.nat(3).map((n) => nft(5, n)),
      ),
      event_type: fc.constantFrom(...WALLET_EVENT_TYPES),
      // Times that tie, so that arrival decides.
      timestamp: fc.integer({ min: START - 5, max: START }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 30 }), async (events) => {
        const first = await openTestServer();
        const second = await openTestServer();
        try {
          await first.service.alpha.importEvents(events);
          await new AlphaClient(first).items({ item_id: token(0), name: 'Zero' });
          const files = await exported(first);
          await withFolder(files, (folder) => importInto(second, folder));
          expect(await exported(second)).toEqual(files);
          expect(await pages(new AlphaClient(second))).toEqual(await pages(new AlphaClient(first)));
        } finally {
          await first.close();
          await second.close();
        }
      }),
      { numRuns: 5 },
    );
  });

  test('imported elsewhere goes no further than its state did, whatever time an event keeps', () => {
    const events = csv([1, token(1), 'buy', START], [1, token(1), 'buy', START + 50]);
    return withImported({ 'events.csv': events }, async (_, __, first) => {
      const files = await exported(first);
      const second = await openTestServer({ clock: new ManualClock(START + 3600) });
      await withFolder(files, (folder) => importInto(second, folder));
      expect(second.service.alpha.community!.state.applied_at).toBe(START);
      expect(await exported(second)).toEqual(files);
      await second.close();
    });
  });
});

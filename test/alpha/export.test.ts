import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { DatedEvent } from '../../src/interchange/formats.ts';
import { importEvents } from '../../src/interchange/importer.ts';
import { WALLET_EVENT_TYPES } from '../../src/model/acts.ts';
import { exported, importInto, withFolder } from '../interchange/support.ts';
import { checkAsync } from '../support/long.ts';
import { openTestServer, START } from '../support/service.ts';
import { AlphaClient, csv, nft, token, wallet, withImported } from './support.ts';

const PRICE = {
  marketplace_id: null,
  marketplace_name: null,
  value_usd_cents: 1,
  value_usd_string: '0.0100',
  value_usd_string_high_precision: '0.010000000000000000000001',
  liquidity_usd_string: null,
};

/** The items that are popular, and those that each wallet is recommended: without those that it holds. */
async function offered(alpha: AlphaClient): Promise<string[][]> {
  const answers = [await alpha.popular('?top_k=500')];
  for (let who = 0; who < 4; who++) answers.push(await alpha.forYou(wallet(who), '?top_k=500'));
  return answers.map(({ body }) => body.items.map(({ item_id }: { item_id: string }) => item_id).sort());
}

describe('an export of wallets', () => {
  test('can be imported and exported again, byte for byte', () => {
    const files = {
      'events.csv': csv(
        [1, token(1), 'mint', 1000],
        [2, token(1), 'mint', 1000.125],
        [1, token(1), 'sell', 2000],
        [1, token(1), 'buy', 2000],
      ),
      'tokens.jsonl': `${JSON.stringify({ item_id: token(9), created_at: 900, name: 'Nine', prices: [PRICE] })}\n`,
    };
    return withImported(files, async (_, __, server) => expect(await exported(server)).toEqual(files));
  });

  test('orders items of one moment by name', () => {
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

  test('gives the same items to each wallet and the same export after an import elsewhere', async () => {
    const event: fc.Arbitrary<DatedEvent> = fc.record({
      wallet_address: fc.nat(3).map(wallet),
      item_id: fc.oneof(
        fc.nat(2).map(token),
        fc.nat(3).map((n) => nft(5, n)),
      ),
      event_type: fc.constantFrom(...WALLET_EVENT_TYPES),
      // Equal times, so that the order of arrival decides.
      timestamp: fc.integer({ min: START - 5, max: START }),
    });
    await checkAsync(2, [fc.array(event, { minLength: 1, maxLength: 30, size: 'max' })], async (events) => {
      const first = await openTestServer();
      const second = await openTestServer();
      try {
        const { alpha, settings } = first.service;
        await importEvents({ ...(await alpha.create()), settings }, events);
        await new AlphaClient(first).items({ item_id: token(0), name: 'Zero' });
        const files = await exported(first);
        await withFolder(files, async (folder) => {
          await importInto(second, folder);
          expect(await exported(second)).toEqual(files);
          expect((await importInto(second, folder)).changes).toBe(0);
        });
        expect(await offered(new AlphaClient(second))).toEqual(await offered(new AlphaClient(first)));
      } finally {
        await first.close();
        await second.close();
      }
    });
  });
});

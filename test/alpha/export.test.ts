import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { DatedEvent } from '../../src/alpha/formats.ts';
import { ManualClock } from '../../src/clock.ts';
import { WALLET_EVENT_TYPES } from '../../src/state/vocabulary.ts';
import { withFolder } from '../interchange/support.ts';
import { check } from '../support/long.ts';
import { openTestServer, START } from '../support/service.ts';
import { csv, exported, importInto, withImported } from './interchange-support.ts';
import { AlphaClient, nft, token, wallet } from './support.ts';

const PRICE = {
  marketplace_id: null,
  marketplace_name: null,
  value_usd_cents: 1,
  value_usd_string: '0.0100',
  value_usd_string_high_precision: '0.010000000000000000000001',
  liquidity_usd_string: null,
};

async function pages(alpha: AlphaClient): Promise<unknown[]> {
  const answers = [await alpha.popular('?top_k=500')];
  for (let who = 0; who < 4; who++) answers.push(await alpha.forYou(wallet(who), '?top_k=500'));
  return answers.map(({ body }) => body);
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
    return withImported(files, async (_, __, server) =>
      expect(await exported(server)).toEqual({
        ...files,
        'wallet_trends.jsonl': expect.stringMatching(/^{"version":1,"applied_at":2000,/),
      }),
    );
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

  test('gives the same pages and the same export after an import elsewhere', async () => {
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
    await check(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 30, size: 'max' }), async (events) => {
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
      2,
    );
  });

  test('does not advance the clock of the importing state beyond its own', () => {
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

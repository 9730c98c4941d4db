import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { AlphaClient, contract, eventOf, testWallets as it, nft, token, wallet } from './support.ts';

describe('spec 4.3 an empty service', () => {
  it('answers empty feeds, and has no database of wallets before the first event', async ({
    alpha,
    server,
  }) => {
    const file = join(server.dir, 'feedloom-wallets.sqlite');
    for (const { status, body } of [await alpha.forYou(wallet(1)), await alpha.popular()]) {
      expect(status).toBe(200);
      expect(body).toEqual({ status: 'success', items: [] });
    }
    expect(existsSync(file)).toBe(false);
    await alpha.events(eventOf(1, token(1), 'like'));
    expect(existsSync(file)).toBe(true);
  });

  it('records the first events even if many arrive at the same time', async ({ alpha, server }) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => alpha.event(eventOf(index, token(1), 'mint'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { state } = server.service.alpha.community!;
    expect(state.users.size).toBe(50);
    expect(state.items.shares_count(state.items.names.find(token(1)))).toBe(50);
  });
});

describe('spec 4.3 a single wallet', () => {
  it('cannot make an item popular', async ({ alpha }) => {
    for (let who = 0; who < 5; who++) {
      await alpha.events(eventOf(who, token(1), 'buy'));
    }
    for (let time = 0; time < 40; time++) {
      await alpha.events(eventOf(99, token(2), 'like'));
    }
    const { items } = (await alpha.popular()).body;
    expect(items).toMatchObject([
      { itemId: token(1), score: expect.closeTo(5 / 25, 12) },
      { itemId: token(2), score: expect.closeTo(1 / 21, 12) },
    ]);
  });

  it('does not determine the recommendations of other holders', async ({ alpha }) => {
    const event = (who: number, of: number, event_type: string, ago: number) =>
      alpha.events(eventOf(who, token(of), event_type, START - ago));
    for (let who = 0; who < 6; who++) {
      for (const of of [1, 2, 3]) await event(who, of, 'buy', 40 * 3600 + who);
    }
    for (let who = 10; who < 16; who++) await event(who, 50, 'buy', 30 * 3600 + who);
    for (let time = 0; time < 70; time++) {
      await event(98, 1, time % 2 === 0 ? 'sell' : 'swap', 10 * 3600 - time);
    }
    for (const of of [90, 91]) await event(98, of, 'buy', 3600);
    await event(99, 1, 'buy', 600);
    expect((await alpha.recommended(wallet(99), 2)).toSorted()).toEqual([token(2), token(3)]);
  });
});

describe('spec 4.3 feeds', () => {
  let server: TestServer;
  let alpha: AlphaClient;

  beforeAll(async () => {
    server = await openTestServer();
    alpha = new AlphaClient(server);
    // Wallets 0 to 9 hold some of items 0 to 4, wallets 10 to 19 some of items 5 to 9: two groups of interests.
    for (let who = 0; who < 20; who++) {
      const of_taste = who < 10 ? 0 : 5;
      for (let each = 0; each < 5; each++) {
        if ((who + each) % 3 === 0) continue;
        const item_id = nft(1, of_taste + each);
        const timestamp = START - 3600;
        await alpha.events(eventOf(who, item_id, 'mint', timestamp));
      }
    }
  });
  afterAll(() => server.close());

  test('have exactly the specified shape', async () => {
    for (const { status, headers, body } of [await alpha.forYou(wallet(0)), await alpha.popular()]) {
      expect(status).toBe(200);
      expect(headers.get('content-type')).toContain('application/json');
      expect(Object.keys(body)).toEqual(['status', 'items']);
      expect(body.status).toBe('success');
      for (const item of body.items) {
        expect(Object.keys(item)).toEqual(['itemId', 'score', 'metadata']);
        expect(item.itemId).toMatch(/^base\.0x[0-9a-f]{40}\.\d+$/);
        expect(Object.keys(item.metadata)).toEqual([
          'name',
          'description',
          'image_url',
          'collection_name',
          'attributes',
          'creator',
          'chain',
          'contract_address',
          'token_id',
        ]);
        expect(item.metadata.contract_address).toBe(contract(1));
        expect(item.metadata.name).toBe(null);
      }
    }
  });

  test('have descending scores from 0 to 1, and each item once', async () => {
    for (const { body } of [
      await alpha.forYou(wallet(0)),
      await alpha.forYou(wallet(99)),
      await alpha.popular(),
    ]) {
      const scores: number[] = body.items.map(({ score }: { score: number }) => score);
      expect(scores.length).toBeGreaterThan(5);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      for (const score of scores) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
      const ids = body.items.map(({ itemId }: { itemId: string }) => itemId);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('rank holdings of similar wallets first', async () => {
    const first = await alpha.recommended(wallet(0), 2);
    expect(first.toSorted()).toEqual([nft(1, 0), nft(1, 3)]);
    const other = await alpha.recommended(wallet(12), 1);
    expect(Number(other[0].split('.')[2])).toBeGreaterThanOrEqual(5);
  });

  test("never recommend the wallet's holdings, and eventually every other item", async () => {
    const shown = await alpha.recommended(wallet(0), 500);
    const held = [1, 2, 4].map((each) => nft(1, each));
    expect(shown.filter((item_id) => held.includes(item_id))).toEqual([]);
    expect(shown.length).toBe(7);
  });

  test('show popular items to an unknown wallet, in any case of its digits', async () => {
    const popular = await alpha.popular();
    expect((await alpha.forYou(wallet(777))).body).toEqual(popular.body);
    const upper = `0x${wallet(0).slice(2).toUpperCase()}`;
    expect((await alpha.forYou(upper)).body).toEqual((await alpha.forYou(wallet(0))).body);
  });

  test('are as long as top_k, 25 by default', async () => {
    for (const of of [`for-you/${wallet(999)}`, 'popular']) {
      const length = async (query: string) =>
        (await server.call('GET', `/base/feed/${of}${query}`)).body.items.length;
      expect(await length('')).toBe(10);
      expect(await length('?top_k=1')).toBe(1);
      expect(await length('?top_k=500')).toBe(10);
    }
  });

  test('ignore unknown parameters and name them', async () => {
    for (const ask of [
      (query: string) => alpha.popular(query),
      (query: string) => alpha.forYou(wallet(1), query),
    ]) {
      const { items } = (await ask('?top_k=3')).body;
      const { body } = await ask('?topk=1&top_k=3&topk=2&limit=5');
      const warnings = ["unknown field 'topk' was ignored", "unknown field 'limit' was ignored"];
      expect(body).toEqual({ status: 'success', items, warnings });
      const many = await ask(`?${Array.from({ length: 500 }, (_, at) => `p${at}=`).join('&')}`);
      expect(many.body.warnings.at(-1)).toBe('further warnings are not listed');
      const long = await ask(`?${'x'.repeat(1000)}`);
      expect(long.body.warnings).toEqual([`unknown field '${'x'.repeat(40)}…' was ignored`]);
    }
  });

  test('are not recorded: two requests return the same page', async () => {
    const seq = server.service.alpha.community!.state.seq;
    const first = await alpha.forYou(wallet(3));
    expect((await alpha.forYou(wallet(3))).body).toEqual(first.body);
    expect(server.service.alpha.community!.state.seq).toBe(seq);
  });

  test('use plugins that are listed with the others', async () => {
    const { body } = await server.call('GET', '/api/plugins', undefined, { 'x-api-key': 'test-key' });
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['wallet_v0.0.1', 'wallet_popular_v0.0.1', 'catalog', 'http']),
    );
    const kinds = body.data.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  test('need no key, and exist for one chain only', async () => {
    expect((await server.call('GET', '/base/feed/popular', undefined, { 'x-api-key': 'wrong' })).status).toBe(
      200,
    );
    expect((await server.call('GET', '/ethereum/feed/popular')).status).toBe(404);
  });
});

import { describe, expect, spyOn, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openTestServer } from '../support/service.ts';
import { ids, FetcherScene as Scene } from './fetcher-scene.ts';
import { AlphaClient, eventOf, token } from './support.ts';
import { ThirdParty } from './third-party.ts';

/** Nested lists of the given depth. */
function deep(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

function circular(): object {
  const value: Record<string, unknown> = { name: 'x' };
  value.itself = value;
  return value;
}

describe('the metadata fetcher', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['deep', () => ({ name: deep(120_000) }), /more than 16 levels/],
    ['deep, in a list', () => ({ prices: [{ price: deep(120_000) }] }), /more than 16 levels/],
    ['in a circle', () => circular(), /more than 16 levels/],
    ['too long', () => ({ name: 'x'.repeat(100_000) }), /more than 65536 characters/],
    ['too long with its escapes', () => ({ name: '\u0001'.repeat(20_000) }), /more than 65536 characters/],
    ['huge', () => ({ attributes: new Array(2 ** 31).fill(undefined, 0, 1) }), /more than 65536 characters/],
    ['an object of a class', () => ({ created_date: new Date(0) }), /not plain JSON/],
    ['one with a form of its own', () => ({ name: 'x', toJSON: () => deep(120_000) }), /not a plain JSON/],
    ['a bigint', () => ({ supply: 1n }), /bigint/],
    ['a list', () => [deep(120_000)], /a list/],
    ['a number', () => 7, /number/],
  ])(
    'treats an entry that is %s as unknown, keeps the others, and does not blame the provider',
    async (_, bad, problem) => {
      const scene = new Scene();
      const described = scene.fetcher.describe(ids(2));
      await scene.settle();
      const answer = [bad(), { name: 'known' }];
      using stringifying = spyOn(JSON, 'stringify');
      scene.calls[0].resolve(answer);
      const known = await described;
      // A failing assertion with a deep value would take a second.
      expect(
        stringifying.mock.calls.some(([value]) => value === answer[0] && problem.source.includes('levels')),
      ).toBe(false);
      stringifying.mockRestore();
      expect([known('item 0'), known('item 1')]).toEqual([{}, { name: 'known' }]);
      expect(scene.fetcher.figures).toMatchObject({ calls: 1, failed_calls: 0 });
      expect(scene.fetcher.figures.items).toEqual({ remembered: 0, in_time: 1, without: 1 });
      expect(scene.logged).toEqual([
        { provider: 'acme/metadata', item_id: 'item 0', cause: expect.stringMatching(problem) },
      ]);
    },
  );
});

test('an answer has no metadata if the service sends deep JSON', async () => {
  const levels = 100_000;
  const party = new ThirdParty(() => new Response(`{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`));
  const settings = { metadata_provider: 'http', metadata_url: party.start() };
  const server = await openTestServer({ settings });
  try {
    const alpha = new AlphaClient(server);
    await alpha.events(eventOf(1, token(1), 'mint'));
    const { status, body } = await alpha.popular();
    expect([status, body.items[0].metadata.name]).toEqual([200, null]);
    const { fetcher } = server.service.alpha;
    while (fetcher?.remembered_items === 0) await nextTurn();
    expect(fetcher?.figures).toMatchObject({ calls: 1, failed_calls: 0 });
  } finally {
    await server.close();
    await party.stop();
  }
});

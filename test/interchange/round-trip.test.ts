import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { AnswerItem } from '../../src/answer/item-fields.ts';
import { type Random, seededRandom } from '../../src/clock.ts';
import type { BodyKind } from '../../src/ingest/record-kinds.ts';
import { currentRecords } from '../../src/interchange/current-records.ts';
import type { FeedType, StandingKind } from '../../src/plugin/index.ts';
import type { FeedRequest } from '../../src/serve/serve-feed.ts';
import { createCommunity } from '../../workloads/community/community.ts';
import { START, type TestService } from '../support/service.ts';
import { exported, exportFrom, importInto, readFiles, withFolder, withService } from './support.ts';

const USERS = 30;
interface Draw {
  random: Random;
  pick<T>(all: readonly T[]): T;
  chance(probability: number): boolean;
}

function drawFrom(seed: number): Draw {
  const random = seededRandom(seed);
  return {
    random,
    pick: (all) => all[Math.floor(random() * all.length)],
    chance: (probability) => random() < probability,
  };
}

/** A community with removed acts, hidden users, blocks and deletions. @returns its users */
async function live(opened: TestService, seed: number): Promise<string[]> {
  const draw = drawFrom(seed);
  const { service, clock } = opened;
  clock.set(START - 86_400);
  const community = createCommunity({
    ...{ seed, now: START - 86_400, users: USERS, items: 150, follows: 250, interactions: 1_200 },
    ...{ days: 20, text: true },
  });
  const send = async (kind: BodyKind, records: object[]) => {
    const { rejected } = await service.ingest.ingest(kind, records);
    expect(rejected).toEqual([]);
  };
  const items = [...community.items()];
  const interactions = [...community.interactions()];
  await send('users', [...community.users()].slice(0, USERS - 5));
  // Some acts arrive before their items, and some items are never described.
  await send('interactions', interactions.slice(0, 700));
  const described = items.filter(() => draw.chance(0.95));
  await send(
    'items',
    described.map((item) => withCounters(item, draw)),
  );
  await send(
    'items',
    described.filter(() => draw.chance(0.3)).map(({ item_id }) => laterCount(item_id, draw)),
  );
  await send('follows', [...community.follows()]);
  await send('interactions', interactions.slice(700));
  await send(
    'labels',
    items.slice(0, 40).map(({ item_id, author_id }, at) => ({
      labeler_id: `labeler ${at % 3}`,
      ...(at % 4 === 0 ? { user_id: author_id } : { item_id }),
      ...{ value: draw.pick(['spam', '!warn']), action: draw.pick(['add', 'add', 'remove']) },
      ...{ timestamp: START - 90_000 - at, expires_at: at % 5 === 0 ? START + at : undefined },
      hides: at % 11 === 0,
    })),
  );
  clock.set(START - 3_600);
  const act = () => ({
    ...draw.pick(interactions),
    timestamp: START - 86_400 + Math.floor(draw.random() * 80_000),
  });
  await send(
    'interactions',
    Array.from({ length: 200 }, () => ({
      ...draw.pick(interactions),
      timestamp: START - 7_200,
      action: 'remove',
    })),
  );
  await send(
    'interactions',
    Array.from({ length: 100 }, () => ({ ...act(), event_type: 'hide', event_id: undefined })),
  );
  await send(
    'interactions',
    Array.from({ length: 150 }, () => ({
      ...act(),
      event_type: 'comment',
      event_id: draw.chance(0.5) ? `c${Math.floor(draw.random() * 9)}` : undefined,
    })),
  );
  await send(
    'follows',
    [...community.follows()]
      .filter(() => draw.chance(0.1))
      .map((follow) => ({ ...follow, timestamp: START - 7_000, action: 'unfollow' })),
  );
  await send('blocks', [...community.follows()].slice(0, 12));
  await send(
    'blocks',
    [...community.follows()].slice(0, 3).map((pair) => ({ ...pair, action: 'unblock' })),
  );
  await send(
    'items',
    described.slice(0, 20).map(({ item_id }) => ({ item_id, text: 'Edited, with a "quote"', language: '' })),
  );
  await send('items', [
    { item_id: described[30].item_id, hidden: true },
    { item_id: described[31].item_id, dismissed_reports_count: 1 },
  ]);
  await send('users', [{ user_id: described[40].author_id, hidden: true }]);
  for (const viewer of [...community.users()].slice(0, 20))
    await service.feeds.serve('for-you', request(viewer.user_id, 5));
  const deleted = described.slice(50, 60);
  for (const { item_id } of deleted) await service.ingest.deleteItem(item_id);
  await send('items', [deleted[0]]);
  await send(
    'interactions',
    Array.from({ length: 150 }, () => ({
      ...{ ...draw.pick(interactions), event_type: draw.pick(['like', 'view', 'hide', 'comment']) },
      ...{
        item_id: draw.pick(deleted).item_id,
        timestamp: START - 3_600 - Math.floor(draw.random() * 90_000),
      },
      ...{ action: draw.chance(0.9) ? 'add' : 'remove' },
    })),
  );
  for (const { user_id } of [...community.users()].slice(3, 6)) await service.ingest.deleteUser(user_id);
  clock.set(START);
  return [...community.users()].map(({ user_id }) => user_id);
}

function withCounters(item: object, draw: Draw): object {
  if (draw.chance(0.6)) return item;
  const updated_at = START - 86_400 - Math.floor(draw.random() * 900_000);
  return { ...item, likes_count: Math.floor(draw.random() * 40), shares_count: 2, updated_at };
}

/** One counter at a time of its own. */
function laterCount(item_id: string, draw: Draw): object {
  const counter = draw.pick(['likes_count', 'comments_count', 'shares_count']);
  const updated_at = START - 86_400 - Math.floor(draw.random() * 900_000);
  return { item_id, [counter]: Math.floor(draw.random() * 40), updated_at };
}

function request(user_id: string, impression_count = 0): FeedRequest {
  return { user_id, top_k: 40, impression_count, return_metadata: true, seed: 7 };
}

async function pages(
  { service }: TestService,
  viewers: readonly string[],
): Promise<Map<string, AnswerItem[]>> {
  const pages = new Map<string, AnswerItem[]>();
  const ask = async (name: string, feed_type: FeedType, asked: FeedRequest) => {
    const { items } = await service.feeds.serve(feed_type, asked);
    pages.set(name, items);
  };
  for (const viewer of viewers) {
    await ask(`for-you ${viewer}`, 'for-you', request(viewer));
    await ask(`trending ${viewer}`, 'trending', request(viewer));
    await ask(`popular ${viewer}`, 'popular', { ...request(viewer), scoring: '7day' });
  }
  return pages;
}

test.each([1, 2])(
  'an imported export gives the same export, and importing it again changes nothing, community %d',
  async (seed) => {
    await withService((original) =>
      withFolder({}, async (folder) => {
        const viewers = await live(original, seed);
        const [first, second] = ['first', 'second'].map((name) => join(folder, name));
        await exportFrom(original, first);
        expect(Object.keys(readFiles(first))).toContain('engagement.csv');
        await withService(async (elsewhere) => {
          const output = await importInto(elsewhere, first);
          expect(output.lines).toEqual([]);
          expect(output.bare_items).toBe(0);
          await exportFrom(elsewhere, second);
          expect(readFiles(second)).toEqual(readFiles(first));
          // Served pages are stored, too. They must not move the data's time, on which scores depend.
          await elsewhere.service.ingest.ingest('users', [{ user_id: 'latest' }]);
          const before = await pages(elsewhere, viewers);
          expect([...before.values()].filter((page) => page.length > 0).length).toBeGreaterThan(USERS);
          expect((await importInto(elsewhere, first)).changes).toBe(0);
          expect(JSON.stringify([...(await pages(elsewhere, viewers))])).toBe(JSON.stringify([...before]));
        });
      }),
    );
  },
);

test.each([1, 2])('what stands in a service is what its export has, community %d', async (seed) => {
  await withService(async (opened) => {
    await live(opened, seed);
    const files = await exported(opened);
    const linesOf = (name: string) => files[name].trim().split('\n').sort();
    const standing = async (
      kind: StandingKind,
      lineOf: (record: Readonly<Record<string, unknown>>) => string,
    ) => {
      const lines = await Array.fromAsync(currentRecords(opened.service, kind), lineOf);
      return [...new Set(lines)].sort();
    };
    const row = (...fields: string[]) =>
      [
        fields.join(),
        (record: Readonly<Record<string, unknown>>) => fields.map((field) => record[field] ?? '').join(),
      ] as const;
    const [pair, pairOf] = row('user_id', 'target_user_id', 'timestamp');
    const [act, actOf] = row('user_id', 'item_id', 'event_type', 'timestamp', 'event_id');
    expect(await standing('user', JSON.stringify)).toEqual(linesOf('users.jsonl'));
    const is_described = (line: string) => JSON.parse(line).created_at !== null;
    expect(await standing('item', JSON.stringify)).toEqual(linesOf('items.jsonl').filter(is_described));
    expect([pair, ...(await standing('follow', pairOf))].sort()).toEqual(linesOf('follows.csv'));
    expect([pair, ...(await standing('block', pairOf))].sort()).toEqual(linesOf('blocks.csv'));
    expect([act, ...(await standing('interaction', actOf))].sort()).toEqual(linesOf('interactions.csv'));
  });
});

test('identifiers with any characters survive', async () => {
  const ids = [
    'a,b',
    'say "hi"',
    '"',
    'two\nlines',
    'cr\r\n',
    ' spaced ',
    '\ufeffmark',
    '=1+1',
    '\u{1f600}',
    '\n'.repeat(256),
  ];
  await withService((original) =>
    withFolder({}, async (folder) => {
      const { ingest } = original.service;
      const act = { event_type: 'comment', timestamp: START - 10 };
      await ingest.ingest(
        'items',
        ids.map((item_id) => ({ item_id, author_id: item_id, created_at: 1000 })),
      );
      await ingest.ingest(
        'interactions',
        ids.map((id) => ({ user_id: id, item_id: id, event_id: id, ...act })),
      );
      await ingest.ingest(
        'blocks',
        ids.slice(1).map((id) => ({ user_id: ids[0], target_user_id: id })),
      );
      await ingest.ingest(
        'follows',
        ids.slice(1).map((id) => ({ user_id: id, target_user_id: ids[0] })),
      );
      await exportFrom(original, join(folder, 'first'));
      await withService(async (elsewhere) => {
        const { lines } = await importInto(elsewhere, join(folder, 'first'));
        expect(lines).toEqual([]);
        await exportFrom(elsewhere, join(folder, 'second'));
        expect(readFiles(join(folder, 'second'))).toEqual(readFiles(join(folder, 'first')));
        const { users, interactions } = elsewhere.service.state;
        for (const id of ids) expect(interactions.by_user.length(users.names.find(id))).toBe(1);
      });
    }),
  );
});

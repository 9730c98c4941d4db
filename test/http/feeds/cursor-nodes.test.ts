import { describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedType } from '../../../src/plugin/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { emptyDatabase } from '../../support/prepared-data.ts';
import { START, type TestServiceOptions } from '../../support/service.ts';
import { type Community, FEED_TYPES, type Fields, openCommunity } from '../support.ts';

interface Page {
  ids: string[];
  cursor: string | undefined;
}

async function page(community: Community, feed_type: FeedType, cursor?: string): Promise<Page> {
  const request = { user_id: 'viewer', top_k: 8, cursor };
  const { status, body } = await community.ask(feed_type, request);
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return { ids: body.body.map(({ item_id }: Fields) => item_id), cursor: body.cursor };
}

const EXPLORING = { exploration_percent: 20 };

/** Options of a first node, and of a second one that has the same data and no files of the first process. */
const NODES: [string, (folder: string) => Promise<[TestServiceOptions, () => TestServiceOptions]>][] = [
  [
    'a copy of an embedded database',
    async (folder) => {
      const [first, second] = [join(folder, 'first'), join(folder, 'second')];
      const copy = () => {
        cpSync(first, second, { recursive: true });
        return { data: second, settings: EXPLORING };
      };
      return [{ data: first, settings: EXPLORING }, copy];
    },
  ],
  [
    'the same PostgreSQL database',
    async (folder) => {
      const settings = { ...EXPLORING, database_url: await emptyDatabase() };
      return [{ data: join(folder, 'first'), settings }, () => ({ data: join(folder, 'second'), settings })];
    },
  ],
];

describe.each(NODES)('a second node on %s', (_, nodes) => {
  test('continues after a cursor of the first with the page that the first gives', async () => {
    const folder = temporaryFolder('nodes');
    const [first, second] = await nodes(folder);
    const before = new Map<FeedType, { shown: Page; next: Page }>();
    {
      await using community = await openCommunity(first);
      const items = Array.from({ length: 40 }, (_, at) => ({
        item_id: `item-${at}`,
        author_id: `author-${at % 6}`,
        created_at: START - 600 * at,
        likes_count: (at * 7) % 31,
      }));
      await community.add('items', ...items);
      // The stop purges their items, so the second node has other ordinals.
      await community.remove('users', 'author-0');
      await community.addItem('late', { likes_count: 5 });
      for (const feed_type of FEED_TYPES) {
        const shown = await page(community, feed_type);
        before.set(feed_type, { shown, next: await page(community, feed_type, shown.cursor) });
      }
    }
    await using community = await openCommunity(second());
    for (const [feed_type, { shown, next }] of before)
      expect(await page(community, feed_type, shown.cursor)).toEqual(next);
  });
});

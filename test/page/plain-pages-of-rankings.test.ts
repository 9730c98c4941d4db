import { expect, test } from 'bun:test';
import { type Community, openCommunity } from '../http/support.ts';
import { START } from '../support/service.ts';
import { upTo } from './mixing-support.ts';

const DAY = 86_400;
const GROUP = 60;
const PAGE_SIZE = 25;

/** Items, each liked by some users at the same time. */
async function liked(community: Community, name: string, likes: number): Promise<void> {
  const now = community.server.clock.now();
  const ids = upTo(GROUP).map((at) => `${name}-${at}`);
  const items = ids.map((item_id) => ({ item_id, author_id: `author of ${item_id}`, created_at: now - 10 }));
  await community.add('items', ...items);
  const acts = ids.flatMap((item_id) =>
    upTo(likes).map((at) => ({ user_id: `user-${at}`, item_id, event_type: 'like', timestamp: now - 1 })),
  );
  await community.add('interactions', ...acts);
}

test('plain pages neither lose nor repeat items after scores fell since their ranking was built', async () => {
  await using community = await openCommunity({ settings: { derived_lag_ms: 1_000_000 } });
  const { clock } = community.server;
  await liked(community, 'old', 20);
  clock.advance(DAY / 8);
  await liked(community, 'new', 10);
  clock.advance(START + DAY - 5 - clock.now());
  const request = { scoring: '1day' };
  expect((await community.ids('popular', { ...request, top_k: 1 }))[0]).toStartWith('old');
  // The likes of the old items are a day old.
  clock.advance(9);
  const pages: string[] = [];
  for (let page_number = 1; page_number <= 5; page_number++) {
    pages.push(...(await community.ids('popular', { ...request, page_size: PAGE_SIZE, page_number })));
  }
  expect(pages).toHaveLength(2 * GROUP);
  expect(new Set(pages).size).toBe(2 * GROUP);
});

import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '../../../src/clock.ts';
import type { Change } from '../../../src/model/change.ts';
import { AlphaClient, token, wallet } from '../../alpha/support.ts';
import { openTestServer, START } from '../../support/service.ts';
import { Community, FEED_TYPES } from '../support.ts';

const USERS = 6;
const ITEMS = 30;
const HOUR = 3600;

/** Likes of the last day, mints too. */
async function live(community: Community): Promise<void> {
  const random = seededRandom(1);
  const draw = (count: number) => Math.floor(random() * count);
  for (let item = 0; item < ITEMS; item++)
    await community.addItem(`item ${item}`, {
      author_id: `author ${item % 7}`,
      created_at: START - 48 * HOUR,
    });
  for (let act = 0; act < 150; act++) {
    const timestamp = START - draw(24 * HOUR);
    await community.act(`user ${draw(USERS)}`, 'like', `item ${draw(ITEMS)}`, { timestamp });
  }
  const alpha = new AlphaClient(community.server);
  for (let act = 0; act < 40; act++) {
    const timestamp = START - draw(24 * HOUR);
    await alpha.events({
      ...{ wallet_address: wallet(draw(USERS)), item_id: token(draw(12)), event_type: 'mint' },
      timestamp,
    });
  }
}

async function pages(community: Community): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let user = 0; user < USERS; user++) {
    for (const feed_type of FEED_TYPES)
      pages.push(await community.page(feed_type, { user_id: `user ${user}`, seed: 1 }));
    pages.push((await new AlphaClient(community.server).forYou(wallet(user))).body);
  }
  return pages;
}

async function stored({ server }: Community): Promise<string[]> {
  const changes: Change[] = [];
  const { store, alpha } = server.service;
  for (const each of [store, alpha.community!.store]) await each.replay((change) => changes.push(change));
  return changes.map((change) => JSON.stringify(change));
}

test('a stop and a start change neither pages nor the stored data', async () => {
  const data = mkdtempSync(join(tmpdir(), 'feedloom-restarts-'));
  const clock = new ManualClock(START);
  const open = async () => new Community(await openTestServer({ data, clock }));
  let community = await open();
  try {
    await live(community);
    clock.advance(30 * HOUR);
    const expected = await pages(community);
    const { applied_at } = community.server.service.state;
    const kept: string[][] = [];
    for (let start = 0; start < 3; start++) {
      await community.server.close();
      community = await open();
      expect(await pages(community)).toEqual(expected);
      expect(community.server.service.state.applied_at).toBe(applied_at);
      kept.push(await stored(community));
    }
    expect(kept[1]).toEqual(kept[0]);
    expect(kept[2]).toEqual(kept[0]);
    // What was learnt since such a start takes the place of what was learnt before it.
    await community.act('user 1', 'share', 'item 1');
    await community.server.close();
    community = await open();
    const { seq } = community.server.service.state;
    const since = (await stored(community)).filter((change) => !kept[0].includes(change));
    expect(since.map((change) => JSON.parse(change))).toMatchObject([
      { kind: 'interaction', seq: seq - 2, applied_at: clock.now() },
      { kind: 'learning', seq: seq - 1, applied_at: clock.now() },
      { kind: 'trend', seq, applied_at: clock.now() },
    ]);
  } finally {
    await community.server.close();
    rmSync(data, { recursive: true, force: true });
  }
});

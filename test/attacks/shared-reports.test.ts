import { afterEach, expect, test } from 'bun:test';
import type { ManualClock } from '../../src/clock.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Settings } from '../../src/settings.ts';
import { BlueskyScene, postUri, SEND_INTERACTIONS } from '../http/bluesky-support.ts';
import { newKey, tokenOf } from '../support/did-server.ts';

/** A few accounts of Bluesky, which are free, spend what the reports of all viewers share. */

const ACCOUNTS = 40;
const KNOWN = Array.from({ length: 30 }, (_, index) => `post${index}`);

let scene: BlueskyScene;
afterEach(() => scene.close());

async function open(settings: Partial<Settings> = {}): Promise<void> {
  scene = await BlueskyScene.open(settings, { monotonic: () => 0 });
  await scene.addPosts(...KNOWN);
}

const views = (rkeys: readonly string[]) =>
  rkeys.map((rkey) => ({ item: postUri(rkey), event: 'app.bsky.feed.defs#clickthroughItem' }));

/** Makes accounts. @returns sends a report of each, and returns how often each status was answered */
async function group(): Promise<(rkeys: readonly string[]) => Promise<Record<number, number>>> {
  const key = await newKey();
  const tokens = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, index) => {
      const iss = `did:plc:account${index}`;
      scene.dids.publish(iss, key);
      return tokenOf(key, { ...scene.claims(SEND_INTERACTIONS), iss });
    }),
  );
  return async (rkeys) => {
    const statuses: Record<number, number> = {};
    for (const token of tokens) {
      const { status } = await scene.send(views(rkeys), token);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    return statuses;
  };
}

test('reports about unknown posts cost their sender alone, also with a quota', async () => {
  // The control: a report is stored, and the quota is enough for one more.
  await open({ quota_records_per_day: 4 * KNOWN.length });
  expect((await scene.send(views(KNOWN))).status).toBe(200);
  const report = await group();
  const unknown = Array.from({ length: LIMITS.bluesky_interactions_max }, (_, index) => `unknown${index}`);
  expect(await report(unknown)).toEqual({ 200: ACCOUNTS });
  expect(await report(unknown)).toEqual({ 429: ACCOUNTS });
  expect((await scene.send(views(KNOWN))).status).toBe(200);
});

test('a group that reports as much as it may leaves a share of the common limit to others', async () => {
  await open();
  const clock = scene.server.clock as ManualClock;
  const report = await group();
  const { bluesky_interactions_max: most, bluesky_viewer_interactions_per_second: per_second } = LIMITS;
  // The common limit is used up, so a part of the reports is refused.
  const all_at_once = Array.from({ length: most }, (_, index) => KNOWN[index % KNOWN.length]);
  expect(Object.keys(await report(all_at_once))).toEqual(['200', '429']);
  for (let second = 0; second < 3; second++) {
    clock.advance(1);
    expect((await report(KNOWN.slice(0, per_second)))[429]).toBeGreaterThan(0);
  }
  const of_another = views(KNOWN.slice(0, per_second / 2));
  expect((await scene.send(of_another)).status).toBe(200);
});

test('a group leaves a share of the common quota to others', async () => {
  await open({ quota_records_per_day: 5 * KNOWN.length });
  const report = await group();
  expect(Object.keys(await report(KNOWN.slice(0, 5)))).toEqual(['200', '403']);
  expect((await scene.send(views(KNOWN.slice(0, 2)))).status).toBe(200);
});

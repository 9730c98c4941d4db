import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { ManualClock } from '../../src/clock.ts';
import { LIMITS } from '../../src/limits.ts';
import { BlueskyScene, postUri, SEND_INTERACTIONS } from '../http/bluesky-support.ts';
import { newKey, tokenOf } from '../support/did-server.ts';

/** Strangers who make accounts on Bluesky, or name accounts of others in tokens that they have forged. */

const REPORTED = LIMITS.bluesky_interactions_max;
const RKEYS = Array.from({ length: REPORTED }, (_, index) => `post${index}`);
const ALL_AT_ONCE = LIMITS.bluesky_interactions_per_second * LIMITS.bluesky_interactions_window_seconds;
/** Enough for a second report of the viewer, and for two more. The last part is left to others. */
const QUOTA = ALL_AT_ONCE + 3 * REPORTED;

let scene: BlueskyScene;
beforeEach(async () => {
  // Time stands still, so that no limit refills.
  scene = await BlueskyScene.open({ quota_records_per_day: QUOTA }, { monotonic: () => 0 });
  await scene.addFeed('home');
  await scene.addPosts(...RKEYS);
});
afterEach(() => scene.close());

const views = () =>
  RKEYS.map((rkey) => ({ item: postUri(rkey), event: 'app.bsky.feed.defs#clickthroughItem' }));

/** Reports as many interactions as one request may, on behalf of a new account each. @returns how often by status */
async function reportByStrangers(first: number, accounts: number): Promise<Record<number, number>> {
  const key = await newKey();
  const statuses: Record<number, number> = {};
  for (let index = first; index < first + accounts; index++) {
    const iss = `did:plc:stranger${index}`;
    scene.dids.publish(iss, key);
    const token = await tokenOf(key, { ...scene.claims(SEND_INTERACTIONS), iss });
    const { status } = await scene.send(views(), token);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

test('new accounts share one limit of reports, and one quota', async () => {
  // The control: the largest report of one viewer is stored, and a second one at once is too much.
  expect((await scene.send(views())).status).toBe(200);
  const again = await scene.send([views()[0]]);
  expect([again.status, again.headers.get('retry-after')]).toEqual([429, '1']);

  // The viewer took a part, and the last one is left to others.
  const admitted = ALL_AT_ONCE / REPORTED - 2;
  const before = scene.server.service.state.seq;
  expect(await reportByStrangers(0, admitted + 5)).toEqual({ 200: admitted, 429: 5 });
  expect(scene.server.service.state.seq - before).toBeLessThanOrEqual(admitted * (REPORTED + 1));

  const clock = scene.server.clock as ManualClock;
  clock.advance(LIMITS.bluesky_interactions_window_seconds);
  expect((await scene.send(views())).status).toBe(200);
  expect(await reportByStrangers(1_000, 3)).toEqual({ 200: 2, 403: 1 });
  // The quota is not that of accounts with a key.
  await scene.addPosts('another');
});

test('forged tokens cause a limited number of requests, and viewers who have signed and users are served', async () => {
  expect((await scene.skeleton({}, await scene.token())).status).toBe(200);
  scene.dids.asked.length = 0;
  const key = await newKey();
  const forged = LIMITS.bluesky_plc_documents_per_minute + 100;
  const statuses: number[] = [];
  for (let index = 0; index < forged; index++) {
    const token = await tokenOf(key, { ...scene.claims(), iss: `did:plc:forged${index}` });
    statuses.push((await scene.skeleton({}, token)).status);
  }
  // The first request was that of the viewer.
  const read = LIMITS.bluesky_plc_documents_per_minute - 1;
  expect(statuses.filter((status) => status === 401)).toHaveLength(read);
  expect(statuses.filter((status) => status === 503)).toHaveLength(forged - read);
  expect(scene.dids.asked).toHaveLength(read);
  expect((await scene.skeleton({}, await scene.token())).status).toBe(200);
  // Users of the community whose tokens were not seen yet are no strangers.
  const iss = 'did:plc:member';
  scene.dids.publish(iss, key);
  const skeleton = async () => scene.skeleton({}, await tokenOf(key, { ...scene.claims(), iss }));
  expect((await skeleton()).status).toBe(503);
  await scene.server.service.ingest.ingest('users', [{ user_id: iss }]);
  expect((await skeleton()).status).toBe(200);
});

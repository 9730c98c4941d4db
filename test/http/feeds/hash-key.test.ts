import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../src/clock.ts';
import { ExportFolder } from '../../../src/interchange/export-folder.ts';
import { exportFiles } from '../../../src/interchange/exporter.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openTestServer, START, type TestAnswer, type TestServer } from '../../support/service.ts';

const root = temporaryFolder('hash-key');

const USERS = 60;
const ITEMS = 200;

/** The same records each time. */
async function fill({ post }: TestServer): Promise<void> {
  const random = seededRandom(11);
  const below = (count: number) => Math.floor(random() * count);
  const user_id = () => `user-${below(USERS)}`;
  const timestamp = () => START - below(200_000);
  const item = (index: number) => ({
    item_id: `item-${index}`,
    author_id: user_id(),
    created_at: timestamp(),
    text: `post number ${index}`,
    channel: `channel-${below(9)}`,
    ai_labels: { [`label-${below(7)}`]: 0.9, [`label-${below(7)}`]: 0.7 },
    embed_domains: [`www.site-${below(12)}.example`],
    likes_count: below(3),
  });
  const acts = ['like', 'like', 'share', 'comment', 'view', 'bookmark', 'hide'];
  await post(
    '/v2/farcaster/items',
    Array.from({ length: ITEMS }, (_, index) => item(index)),
  );
  const follow = () => ({ user_id: user_id(), target_user_id: user_id(), timestamp: timestamp() });
  await post('/v2/farcaster/follows', Array.from({ length: 1_200 }, follow));
  const block = () => ({ user_id: user_id(), target_user_id: user_id() });
  await post('/v2/farcaster/blocks', Array.from({ length: 15 }, block));
  const act = () => ({
    user_id: user_id(),
    item_id: `item-${below(ITEMS)}`,
    event_type: acts[below(acts.length)],
    timestamp: timestamp(),
  });
  await post('/v2/farcaster/interactions', Array.from({ length: 3_000 }, act));
}

/** Each database signs cursors with its own secret. */
function withoutTokens({ body }: TestAnswer): unknown {
  return { ...body, cursor: undefined, page_id: undefined };
}

/** Everything that can be asked of it. */
async function answers({ post, call }: TestServer): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let index = 0; index < USERS; index += 12) {
    const user_id = `user-${index}`;
    const ask = { user_id, top_k: 15, impression_count: 5, seed: index };
    for (const type of ['for-you', 'trending', 'popular']) {
      all.push(withoutTokens(await post(`/v2/farcaster/casts/feed/${type}`, ask)));
    }
    for (const scoring of ['user_affinity_closest_following_v0.0.1', 'user_interest_all_v0.0.1']) {
      all.push(withoutTokens(await post('/v2/farcaster/casts/feed/for-you', { ...ask, scoring })));
    }
    const followed = { ...ask, filters: { authors: ['following'] } };
    all.push(withoutTokens(await post('/v2/farcaster/casts/feed/for-you', followed)));
    const headers = { authorization: 'Bearer test-key' };
    all.push((await call('GET', `/v2/farcaster/users/${user_id}`, undefined, headers)).body);
  }
  return all;
}

test('data that is hashed with another key gives the same pages, records and export', async () => {
  const seen: { key: string; said: unknown[]; files: string[] }[] = [];
  for (const name of ['one', 'two']) {
    const server = await openTestServer({ data: join(root, name) });
    const key = String(await server.service.store.hashKey());
    await fill(server);
    const said = await answers(server);
    const folder = join(root, `${name}-exported`);
    const exported = new ExportFolder(folder, { gzip: false, force: false });
    await exportFiles(server.service.store, exported);
    exported.finish();
    await server.close();
    const files = readdirSync(folder)
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    seen.push({ key, said, files });
  }
  expect(new Set(seen.map(({ key }) => key)).size).toBe(2);
  for (const { said, files } of seen.slice(1)) {
    expect(said).toEqual(seen[0].said);
    expect(files).toEqual(seen[0].files);
  }
});

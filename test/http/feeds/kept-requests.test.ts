import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile, START } from '../../support/service.ts';
import { openCommunity } from '../support.ts';

const community = await forFile(
  openCommunity({ settings: { plugins: join(import.meta.dir, '..', 'keeping-plugin.ts') } }),
);
for (let at = 0; at < 8; at++) {
  const author_id = at % 2 === 0 ? 'friend' : 'blocked';
  await community.addItem(`item-${at}`, { author_id, created_at: START - at });
}
await community.follow('viewer', 'friend');
await community.block('viewer', 'blocked');
await community.ask('for-you', { user_id: 'somebody', impression_count: 0 });

for (const question of ['best', 'best of the viewer', 'social_proof', 'signal']) {
  test(`a request that a plugin keeps a reference to is empty for it, and cannot change another page: ${question}`, async () => {
    const filters = { 'keeping/asks': question };
    const request = { user_id: 'viewer', impression_count: 0, filters };
    const ids = await community.ids('for-you', request);
    expect(ids.toSorted()).toEqual(['item-0', 'item-2', 'item-4', 'item-6']);
  });
}

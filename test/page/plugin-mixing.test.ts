import { expect, test } from 'bun:test';
import { expectRefused } from '../http/config-support.ts';
import { openCommunity } from '../http/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { falling, itemsOf, Mixing, PLUGIN, promoting } from './mixing-support.ts';

const data = temporaryFolder('mixing-plugins');

const reopen = async (plugins: string | undefined): Promise<Mixing> =>
  new Mixing(await openCommunity({ data, settings: { plugins } }));

test('a feed with an unloaded plugin is skipped if its reference was saved, and a 409 if the request names it', async () => {
  const first = { promotion_type: 'acme/first_v1.0.0', promotion_name: 'ad', filters: {} };
  let own = '';
  let filtered = '';
  const referring: string[] = [];
  {
    await using mixing = await reopen(PLUGIN);
    await mixing.community.add('items', ...itemsOf('a', 5));
    own = await mixing.feedOf('a', { promotion_filters: [first] });
    filtered = await mixing.feedOf('a', promoting({ percent: 20, filters: { 'acme/only': {} } }));
    for (const config of [falling(own), { cold_start_feed: own }, promoting({ percent: 20, feed_id: own })])
      referring.push(await mixing.feedOf('a', config));
    expect((await mixing.answer({ feed_id: own })).items[0].promotion_name).toBe('ad');
  }
  await using mixing = await reopen(undefined);
  for (const feed_id of [own, filtered]) {
    expectRefused(await mixing.account.ask('popular', { feed_id }), 409, 'plugin_not_loaded');
  }
  for (const feed_id of referring) {
    const page = await mixing.answer({ feed_id, user_id: 'viewer' });
    expect([page.runs, page.warnings.length]).toEqual([`main:${feed_id} 5`, 1]);
    expect(page.warnings[0]).toContain('acme/first_v1.0.0');
  }
  const named = { cold_start_feed: own, user_id: 'viewer' };
  expectRefused(await mixing.account.ask('popular', named), 409, 'plugin_not_loaded');
});

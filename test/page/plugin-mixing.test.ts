import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectRefused } from '../http/config-support.ts';
import { openCommunity } from '../http/support.ts';
import { itemsOf, Mixing, only, PLUGIN, POPULAR } from './mixing-support.ts';

let data: string;
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'feedloom-mixing-plugins-'));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

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
    const refined = {
      promotion_type: 'feed',
      promotion_name: 'ad',
      percent: 20,
      filters: { 'acme/only': {} },
    };
    filtered = await mixing.feedOf('a', { promotion_filters: [refined] });
    const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 20, feed_id: own };
    for (const config of [
      { fallback_feeds: [{ feed_id: own }] },
      { cold_start_feed: own },
      { promotion_filters: [promotion] },
    ]) {
      referring.push(await mixing.account.add({ endpoint: POPULAR, config: { ...only('a'), ...config } }));
    }
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

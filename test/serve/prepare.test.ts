import { expect, test } from 'bun:test';
import { ServiceError } from '../../src/errors.ts';
import { SeenRow } from '../../src/seen/seen-row.ts';
import { PagePreparer } from '../../src/serve/prepare.ts';
import { FeedService } from '../../src/serve/serve-feed.ts';
import { halves, openLab } from '../experiments/support.ts';
import { forFile } from '../support/service.ts';

const WALLET = '0x12';
const DECAYING = { config: { feed_diversity_config: { repeat_author_decay: 0.5 } } };
let feed_id: string;
let variant_id: string;
const lab = await forFile(openLab());
const { left, right } = await lab.feeds();
[feed_id, variant_id] = [left, right];
for (const id of [feed_id, variant_id]) await lab.account.set(id, DECAYING);
const other_id = await lab.account.add();
await lab.addItem('a');
await lab.add('users', { user_id: 'stranger' });

const listed = (user_id: string, ...wallet_addresses: string[]) => ({ user_id, wallet_addresses });

/** Whether a page of the wallet's owner is current that was prepared while something happened. */
async function isCurrentAfter(happens: () => Promise<unknown>): Promise<boolean> {
  await lab.add('users', listed('next'), listed('owner', WALLET));
  const { service } = lab.server;
  const read = async (viewer: string) => {
    await happens();
    return SeenRow.none(viewer);
  };
  const seen = Object.create(service.seen, { read: { value: read } });
  const preparer = new PagePreparer({ ...service, ...service.settings, seen });
  const request = { feed_id, wallet_address: WALLET, account: 'default', impression_count: 0 };
  const prepared = await preparer.prepare('popular', request, 'owner');
  return preparer.isCurrent(prepared);
}

test.each<[string, () => Promise<unknown>]>([
  ['an item is liked', () => lab.act('stranger', 'like', 'a')],
  ['another feed is changed', () => lab.account.set(other_id, { name: 'Changed' })],
])('a page that is being prepared stays current when %s', async (_, happens) => {
  expect(await isCurrentAfter(happens)).toBe(true);
});

test.each<[string, () => Promise<unknown>]>([
  ['its feed is changed', () => lab.account.set(feed_id, { name: 'Changed' })],
  ['an experiment starts on its feed', () => lab.call('POST', '', halves(feed_id, variant_id))],
  ['the wallet gets another owner', () => lab.add('users', listed('owner'), listed('next', WALLET))],
  ['a user is erased', () => lab.remove('users', 'stranger')],
])('a page that is being prepared becomes outdated when %s', async (_, happens) => {
  expect(await isCurrentAfter(happens)).toBe(false);
});

test('a page is that of the feed itself, with a warning, while the variant of the viewer cannot be read', async () => {
  const { service } = lab.server;
  const pinnedFeeds = () => Promise.reject(new ServiceError('store_unavailable', 'silent'));
  const served = Object.create(service.experiments.served, { pinnedFeeds: { value: pinnedFeeds } });
  const experiments = { served, times: service.experiments.times };
  const preparer = new PagePreparer({ ...service, ...service.settings, experiments });
  const request = { feed_id, user_id: 'anyone', account: 'default', impression_count: 0 };
  const { assigned, plan, warnings } = await preparer.prepare('popular', request, 'anyone');
  expect([assigned, plan.feed_id]).toEqual([undefined, feed_id]);
  expect(warnings).toEqual([expect.stringContaining('cannot be read now')]);
});

/** Builds a page of the feed, whose first preparations are each outdated by a change of the feed. */
async function pageAfterChanges(changes: number): Promise<{ read: number; items: number }> {
  const { service } = lab.server;
  let read = 0;
  const readRow = async (viewer: string) => {
    if (read++ < changes) await lab.account.set(feed_id, { name: `Changed ${read}` });
    return SeenRow.none(viewer);
  };
  const seen = Object.create(service.seen, { read: { value: readRow } });
  const given = { seen, cursor_secret: new Uint8Array(32), consistency: undefined };
  const feeds = new FeedService({ ...service, ...service.settings, ...given });
  const request = { feed_id, user_id: 'author', account: 'default', impression_count: 1 };
  const { items } = await feeds.serve('popular', request);
  return { read, items: items.length };
}

test('a page is prepared up to five times while its feed changes, and then refused with 503', async () => {
  expect(await pageAfterChanges(4)).toMatchObject({ read: 5 });
  const refused = await pageAfterChanges(5).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'overloaded', status: 503, retry_after_seconds: 1 });
});

import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scrape } from '../support/samples.ts';
import { openTestServer, START } from '../support/service.ts';
import { AlphaClient, eventOf, testWallets as it, nft, token, wallet } from './support.ts';
import { ThirdParty } from './third-party.ts';

const EVENT = eventOf(1, token(1), 'mint');
const WALLETS = 'community="wallets"';

describe('GET /metrics', () => {
  it('does not create the community of wallets, and has no metrics of it', async ({ alpha, server }) => {
    await alpha.popular();
    const found = [...(await scrape(server)).keys()];
    expect(found.filter((name) => name.includes('community="wallets"') || name.includes('metadata'))).toEqual(
      [],
    );
    expect(server.service.alpha.community).toBe(undefined);
    expect(existsSync(join(server.dir, 'feedloom-wallets.sqlite'))).toBe(false);
  });

  it('has the metrics of content also for wallets, separately', async ({ alpha, server }) => {
    for (let n = 1; n <= 3; n++) await alpha.events({ ...EVENT, item_id: token(n) });
    await alpha.items([{ item_id: nft(1, 1), name: 'one' }, { item_id: nft(1, 2) }]);
    expect(await alpha.recommended(wallet(1))).toHaveLength(2);
    await alpha.popular('?top_k=3');
    const found = await scrape(server);
    expect(found.get(`feedloom_pages_total{${WALLETS},feed_type="for-you"}`)).toBe(1);
    expect(found.get(`feedloom_page_items_total{${WALLETS},feed_type="for-you"}`)).toBe(2);
    expect(found.get(`feedloom_page_items_total{${WALLETS},feed_type="popular"}`)).toBe(3);
    for (const stage of ['compile', 'candidates', 'ranking', 'visibility', 'mixing', 'answer'])
      expect(found.get(`feedloom_stage_seconds_total{${WALLETS},stage="${stage}"}`)).toBeGreaterThan(0);
    const scoring = `${WALLETS},kind="scoring_functions",plugin="wallet_v0.0.1"`;
    expect(found.get(`feedloom_plugin_requests_total{${scoring}}`)).toBe(1);
    expect(found.get(`feedloom_state_entries{${WALLETS},kind="items"}`)).toBe(5);
    expect(found.get(`feedloom_state_entries{${WALLETS},kind="users"}`)).toBe(1);
    expect(found.get(`feedloom_state_entries{${WALLETS},kind="interactions"}`)).toBe(3);
    expect(found.get(`feedloom_write_queue_records{${WALLETS}}`)).toBe(0);
    expect(found.get(`feedloom_checkpoints_written{${WALLETS}}`)).toBe(0);
    expect(found.has(`feedloom_neighbour_lists{${WALLETS},kind="kept"}`)).toBe(true);
    expect(found.has('feedloom_neighbour_lists{community="content",kind="kept"}')).toBe(true);
    expect(found.get(`feedloom_filter_pools{${WALLETS},kind="waiting"}`)).toBe(0);
    expect(found.get('feedloom_filter_pools_bytes{community="content"}')).toBe(0);
    expect(found.get('feedloom_state_entries{community="content",kind="items"}')).toBe(0);
    expect(found.has('feedloom_pages_total{community="content",feed_type="for-you"}')).toBe(false);
  });

  it('counts events and records of the catalog, accepted and rejected', async ({ alpha, server }) => {
    await alpha.events(EVENT, EVENT);
    expect((await alpha.event({ ...EVENT, event_type: 'steal' })).status).toBe(400);
    expect((await alpha.event({ ...EVENT, timestamp: START + 3600 })).status).toBe(400);
    await alpha.items([{ item_id: token(1), name: 'one' }, {}]);
    const found = await scrape(server);
    const records = (kind: string, outcome: string) =>
      found.get(`feedloom_ingest_records_total{${WALLETS},kind="${kind}",outcome="${outcome}"}`);
    expect([records('events', 'accepted'), records('events', 'rejected')]).toEqual([2, 2]);
    expect([records('items', 'accepted'), records('items', 'rejected')]).toEqual([1, 1]);
  });

  test('has metrics of the metadata provider', async () => {
    const party = new ThirdParty(() => Response.json({ name: 'One' }));
    const settings = { metadata_provider: 'http', metadata_url: party.start() };
    const server = await openTestServer({ settings });
    try {
      const alpha = new AlphaClient(server);
      await alpha.events(EVENT);
      const { fetcher } = server.service.alpha;
      while ((await fetcher!.describe([token(1)]))(token(1)) === undefined);
      await alpha.popular();
      const found = await scrape(server);
      const told = (name: string, label = '') =>
        found.get(`feedloom_metadata_${name}{provider="http"${label}}`);
      expect(told('calls_total')).toBe(1);
      expect(told('failed_calls_total')).toBe(0);
      expect(told('circuit_open')).toBe(0);
      expect(told('remembered_items')).toBe(1);
      expect(told('items_total', ',outcome="remembered"')).toBeGreaterThan(0);
    } finally {
      await server.close();
      await party.stop();
    }
  });
});

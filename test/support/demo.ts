import { LIMITS } from '../../src/limits.ts';
import type { Service } from '../../src/service.ts';
import { createCommunity, DEMO_COMMUNITY } from '../../workloads/community/community.ts';
import { DEMO_WALLETS, sampleCatalog, sampleEvents } from '../../workloads/community/wallets.ts';

/** Fills a service with the community of `feedloom demo`, as of the service's clock. */
export async function fillWithDemo(service: Service): Promise<void> {
  const community = createCommunity({ ...DEMO_COMMUNITY, now: service.clock.now() });
  for (const kind of ['users', 'items', 'follows', 'interactions'] as const) {
    const records: unknown[] = [...community[kind]()];
    for (let start = 0; start < records.length; start += LIMITS.ingest_records_max) {
      const { rejected_count } = await service.ingest.ingest(
        kind,
        records.slice(start, start + LIMITS.ingest_records_max),
      );
      if (rejected_count > 0) throw new Error(`${rejected_count} ${kind} of the demo were refused`);
    }
  }
  const { alpha, clock } = service;
  const options = { ...DEMO_WALLETS, chain: alpha.chain, now: clock.now() };
  await alpha.importEvents([...sampleEvents(options)]);
  await alpha.ingestItems([...sampleCatalog(options)]);
}

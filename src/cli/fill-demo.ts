import { type Community, createCommunity, DEMO_COMMUNITY } from '../../workloads/community/community.ts';
import { DEMO_WALLETS, sampleCatalog, sampleEvents } from '../../workloads/community/wallets.ts';
import type { BodyKind } from '../ingest/ingest.ts';
import { LIMITS } from '../limits.ts';
import type { Service } from '../service.ts';

/**
 * Ingests the sample community and its wallets like any client, in bodies of the largest size.
 * @param now the time of the samples, seconds
 * @param stopping ends it early
 */
export async function ingestSamples(service: Service, now: number, stopping?: AbortSignal): Promise<void> {
  const community = createCommunity({ ...DEMO_COMMUNITY, now });
  for (const kind of ['users', 'items', 'follows', 'interactions'] as const) {
    for (const body of bodies(community, kind)) {
      if (stopping?.aborted) return;
      const { rejected_count } = await service.ingest.ingest(kind, body);
      // Cannot happen: the samples are valid records.
      if (rejected_count > 0) throw new Error(`${rejected_count} ${kind} of the demo were rejected`);
    }
  }
  if (stopping?.aborted) return;
  const { alpha } = service;
  const options = { ...DEMO_WALLETS, chain: alpha.chain, now };
  await alpha.importEvents([...sampleEvents(options)]);
  await alpha.ingestItems([...sampleCatalog(options)]);
}

function* bodies(community: Community, kind: Exclude<BodyKind, 'blocks'>): Generator<unknown[]> {
  let body: unknown[] = [];
  for (const record of community[kind]()) {
    body.push(record);
    if (body.length < LIMITS.ingest_records_max) continue;
    yield body;
    body = [];
  }
  if (body.length > 0) yield body;
}

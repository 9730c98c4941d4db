import { createCommunity, DEMO_COMMUNITY } from '../../workloads/community/community.ts';
import { DEMO_WALLETS, sampleCatalog, sampleEvents } from '../../workloads/community/wallets.ts';
import type { BodyKind } from '../ingest/record-kinds.ts';
import { importEvents } from '../interchange/importer.ts';
import { LIMITS } from '../limits.ts';
import { EXAMPLE_IDS } from '../model/records/example-ids.ts';
import type { Service } from '../service.ts';

/** The records of the sample community and its wallets. */
export class Samples {
  readonly users;
  /** In time order, as `interactions`. */
  readonly items;
  readonly follows;
  readonly interactions;

  /** @param now the time of the samples, seconds */
  constructor(readonly now: number) {
    const community = createCommunity({ ...DEMO_COMMUNITY, now });
    this.users = [...community.users()];
    this.items = [...community.items()];
    this.follows = [...community.follows()];
    this.interactions = [...community.interactions()];
  }

  /** Ingests like any client what is dated after a time and until another one, in bodies of the largest size. */
  async ingest(
    { ingest }: Service,
    kinds: readonly SampleKind[],
    after: number,
    until: number,
  ): Promise<void> {
    for (const kind of kinds) {
      const records = this[kind].filter((record) => isWithin(timeOf(record), after, until));
      for (let from = 0; from < records.length; from += LIMITS.ingest_records_max) {
        const body = records.slice(from, from + LIMITS.ingest_records_max);
        const { rejected_count } = await ingest.ingest(kind, body);
        // Cannot happen: the samples are valid records.
        if (rejected_count > 0) throw new Error(`${rejected_count} ${kind} of the demo were rejected`);
      }
    }
  }

  async ingestLists({ ingest }: Service): Promise<void> {
    const user_ids = [EXAMPLE_IDS.followed, EXAMPLE_IDS.other_viewer];
    await ingest.userList({ list_id: EXAMPLE_IDS.list, name: 'Editors', user_ids });
  }

  async ingestWallets({ alpha, settings }: Service): Promise<void> {
    const options = { ...DEMO_WALLETS, chain: alpha.chain, now: this.now };
    await importEvents({ ...(await alpha.create()), settings }, [...sampleEvents(options)]);
    await alpha.ingestItems([...sampleCatalog(options)]);
  }
}

type SampleKind = Exclude<BodyKind, 'blocks' | 'labels'>;

/** In this order, nothing is named before it is described. */
export const DESCRIBED: readonly SampleKind[] = ['users', 'items', 'follows'];
export const ACTS: readonly SampleKind[] = ['interactions'];

function timeOf(record: { created_at: number } | { timestamp: number }): number {
  return 'timestamp' in record ? record.timestamp : record.created_at;
}

function isWithin(time: number, after: number, until: number): boolean {
  return time > after && time <= until;
}

/** Ingests the sample community and its wallets at once. @param now the time of the samples, seconds */
export async function ingestSamples(service: Service, now: number): Promise<void> {
  const samples = new Samples(now);
  await samples.ingest(service, [...DESCRIBED, ...ACTS], Number.NEGATIVE_INFINITY, now);
  await samples.ingestLists(service);
  await samples.ingestWallets(service);
}

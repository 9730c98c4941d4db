import type { IngestResult } from '../../ingest/outcome.ts';
import type { RecordIngest } from '../../ingest/record-ingest.ts';
import type { Keyed } from '../identity/admissions.ts';
import type { Host } from '../transport/host.ts';
import { flagParameter } from '../transport/parameters.ts';

/** The query of routes that ingest. Other parameters are refused: a misspelt `dry_run` would store the records. */
export const DRY_RUN = {
  is_query_closed: true,
  query: {
    dry_run: flagParameter(
      'true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`.',
    ),
  },
} as const;

interface Ingesting extends Keyed {
  host: Host;
  query: { dry_run: boolean };
}

/** Ingests records within the quota of the account, or in a dry run, which counts nowhere. */
export async function ingestWith<R extends Pick<IngestResult, 'accepted' | 'rejected_count'>>(
  { host, service, principal: { account, viewer }, query: { dry_run } }: Ingesting,
  kind: string,
  record_count: number,
  ingest: (into: RecordIngest, account: string) => Promise<R>,
): Promise<R> {
  if (dry_run) return ingest(await service.ingest.dryRun(account), account);
  const counted = () => ingest(service.ingest, account);
  const result = await host.recordQuota().within(account, record_count, counted, viewer);
  host.metrics.ingested('content', kind, result);
  return result;
}

/** What answers to dry runs have beside the others. */
export function notedDryRun(dry_run: boolean): { dry_run?: true } {
  return dry_run ? { dry_run } : {};
}

import type { Clock } from '../clock.ts';
import type { Fault } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { type IngestResult, Outcome } from '../ingest/outcome.ts';
import { parseAll } from '../ingest/parse-all.ts';
import type { Base } from '../ingest/prepare.ts';
import type { ChangeBatch } from '../ingest/state-capacity.ts';
import { runAll, type Workbench } from '../ingest/workbench.ts';
import { LIMITS } from '../limits.ts';
import type { ItemContent } from '../state/change.ts';
import { type CatalogRecord, catalogParser } from './catalog-record.ts';
import { type Former, withFormer } from './former.ts';
import { bareItem } from './record-events.ts';

/** The outcome of a record: its faults, or warnings and callbacks to run when its changes have been applied. */
type Prepared = { faults: Fault[] } | { applied: (() => void)[]; warnings: string[] };

/** Ingests metadata of tokens and NFTs. Given fields are replaced, other fields stay. */
export class CatalogIngest {
  private readonly parse: ReturnType<typeof catalogParser>;

  constructor(
    chain: string,
    private readonly ingest: Ingest,
    private readonly stamps: Clock,
  ) {
    this.parse = catalogParser(chain);
  }

  /**
   * Ingests records. Resolves when all accepted records are durable and applied.
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full` if there was no room for some records
   */
  async take(records: readonly unknown[], account?: string): Promise<IngestResult> {
    const outcome = new Outcome();
    for (let start = 0; start < records.length; start += LIMITS.ingest_slice_records) {
      const slice = records.slice(start, start + LIMITS.ingest_slice_records);
      const parsed = parseAll(this.parse, slice, start, outcome);
      const { durable } = await this.ingest.prepared((bench) => {
        const ids = parsed.map(({ record }) => record.item_id);
        return withFormer(
          bench.item_versions,
          () => ids,
          (former) => {
            this.ingest.ensureRoom(parsed.length);
            const applied_at = this.stamps.now();
            const changes = bench.batch();
            const applied = parsed.flatMap(({ record, index, warnings }) => {
              const prepared = outcome.unlessFull(index, () =>
                this.prepare(record, applied_at, former, bench, changes),
              );
              if (prepared === undefined) return [];
              if ('faults' in prepared) {
                outcome.reject(index, prepared.faults);
                return [];
              }
              outcome.accept(index, [...warnings, ...prepared.warnings]);
              return prepared.applied;
            });
            return bench.submit({ changes, records: parsed.length, onApplied: () => runAll(applied) });
          },
        );
      }, account);
      await durable;
    }
    return outcome.result();
  }

  /**
   * Adds the new version of an item to `changes`, if the record changes anything and is valid.
   * @param former must contain the item
   * @throws ServiceError `state_full`
   */
  prepare(
    record: CatalogRecord,
    applied_at: number,
    former: Former,
    { item_versions, item_keys, preparer, deletions }: Workbench,
    changes: ChangeBatch,
  ): Prepared {
    const base = former(record.item_id);
    const outdated = deletions.outdatedDescription(record, base !== undefined, applied_at);
    if (outdated !== undefined) return { applied: [], warnings: [outdated] };
    const content = nextContent(record, base, applied_at);
    if (base !== undefined && Bun.deepEquals(content, base.content)) return { applied: [], warnings: [] };
    const faults = tooLarge(content);
    if (faults.length > 0) return { faults };
    changes.require(preparer.needs.item(record.item_id, undefined, content, undefined));
    const item = item_keys.keyOf(record.item_id, applied_at, 'bulk', changes);
    preparer.describe(item, { content }, applied_at, changes);
    if (record.revive) deletions.lift('item', record.item_id, applied_at, changes);
    const version = item_versions.set(record.item_id, { content });
    return { applied: [() => item_versions.applied(record.item_id, version)], warnings: [] };
  }
}

/** A creation time in a record takes precedence over all earlier data. Events do not change it. */
function nextContent(
  { item_id, created_at, hidden, metadata }: CatalogRecord,
  base: Base<ItemContent> | undefined,
  applied_at: number,
): ItemContent {
  const former = base?.content ?? bareItem(item_id, applied_at);
  const known = { ...former.metadata, ...metadata };
  const content = {
    ...former,
    ...(created_at === undefined ? {} : { created_at, dated: true }),
    ...(hidden === undefined ? {} : { hidden }),
  };
  return Object.keys(known).length === 0 ? content : { ...content, metadata: known };
}

/** An export writes an item as one record, so the merged metadata must fit the limit of a record. */
function tooLarge({ metadata = {} }: ItemContent): Fault[] {
  const { length } = JSON.stringify(metadata);
  if (length <= LIMITS.metadata_bytes_max) return [];
  const allowed = `expected at most ${LIMITS.metadata_bytes_max} characters of JSON text`;
  const message = `${allowed} together with what the catalog already holds of the item; got ${length}`;
  return [{ path: '', message }];
}

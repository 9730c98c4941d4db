import type { Clock } from '../clock.ts';
import { invalidValue } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Base } from '../ingest/prepare.ts';
import { runAll, type Workbench } from '../ingest/workbench.ts';
import { LIMITS } from '../limits.ts';
import { type Change, type ItemContent, type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { roundToMs } from '../state/time.ts';
import type { WalletEvent } from './event.ts';
import { type Former, withFormer } from './former.ts';
import { itemParts } from './identifiers.ts';

/** What an item is until somebody describes it. */
export function bareItem(item_id: string, created_at: number): ItemContent {
  return { created_at, channel: itemParts(item_id).contract };
}

/** Turns wallet events into changes: wallets become users, tokens and NFTs items of their contract. */
export class EventRecorder {
  constructor(
    private readonly state: State,
    private readonly ingest: Ingest,
    private readonly stamps: Clock,
  ) {}

  /**
   * Records an event; resolves when it is durable and in effect.
   * @throws ServiceError `invalid_value` for one that lies ahead of the clock, `write_queue_full`,
   * `store_unavailable`
   */
  async record(event: WalletEvent): Promise<void> {
    const { timestamp = 0 } = event;
    if (timestamp > this.stamps.now() + LIMITS.future_tolerance_seconds) throw ahead();
    const { durable } = await this.ingest.prepared((bench) => {
      const applied_at = this.stamps.now();
      const needed = () => this.predated([event], applied_at, bench);
      return withFormer(bench.item_versions, needed, (former) => {
        this.ingest.ensureRoomAndKeys(1);
        const changes: Change[] = [];
        const applied = this.prepare(event, applied_at, former, bench, changes);
        return bench.submit({ changes, records: 1, onApplied: () => runAll(applied) });
      });
    });
    await durable;
  }

  /** The items that are younger than events on them, whose next version is as old and builds on the former. */
  predated(
    events: readonly WalletEvent[],
    applied_at: number,
    { item_keys, item_versions }: Workbench,
  ): string[] {
    const younger = ({ item_id, timestamp = roundToMs(applied_at) }: WalletEvent): boolean => {
      const pending = item_versions.get(item_id)?.content;
      const created_at = this.createdAt(item_keys.find(item_id), pending);
      return created_at !== undefined && created_at > timestamp;
    };
    return [...new Set(events.filter(younger).map(({ item_id }) => item_id))];
  }

  /**
   * Puts the changes that an event makes into `changes`; none when it is known.
   * @param former knows the item, if it is `predated`
   * @returns what to call when they have been applied
   * @throws ServiceError `invalid_value` for one without a timestamp, if all moments that it may have are others'
   */
  prepare(
    { wallet_address, item_id, event_type, timestamp }: WalletEvent,
    applied_at: number,
    former: Former,
    bench: Workbench,
    changes: Change[],
  ): (() => void)[] {
    const user = bench.user_keys.keyOf(wallet_address, applied_at, 'bulk', changes);
    const item = bench.item_keys.keyOf(item_id, applied_at, 'bulk', changes);
    const code = this.state.vocabulary.code(event_type);
    const time = timestamp ?? bench.preparer.moments.next(user, item, code, applied_at);
    if (timestamp === undefined && time > applied_at + LIMITS.future_tolerance_seconds) throw crowded();
    const applied = this.describe(item, item_id, time, applied_at, former, bench, changes);
    bench.preparer.act(user, item, { event_type, timestamp: time, action: 'add' }, applied_at, changes);
    return applied;
  }

  /** An item is there from its first event on, and a catalogued one no later than that. */
  private describe(
    item: Key,
    item_id: string,
    time: number,
    applied_at: number,
    former: Former,
    { item_versions, preparer }: Workbench,
    changes: Change[],
  ): (() => void)[] {
    const created_at = this.createdAt(item, item_versions.get(item_id)?.content);
    if (created_at !== undefined && created_at <= time) return [];
    const base = created_at === undefined ? undefined : former(item_id);
    const content = { ...(base?.content ?? bareItem(item_id, time)), created_at: time };
    preparer.describe(item, { content }, applied_at, changes);
    const version = item_versions.set(item_id, { content });
    return [() => item_versions.applied(item_id, version)];
  }

  private createdAt(item: Key, pending: Base<ItemContent> | undefined): number | undefined {
    if (pending !== undefined) return pending.content.created_at;
    const { items } = this.state;
    const ordinal = items.names.ordinal(item);
    return ordinal !== NONE && items.described(ordinal) ? items.created_at(ordinal) : undefined;
  }
}

function ahead() {
  const message = `may lie at most ${LIMITS.future_tolerance_seconds} s ahead of the service's clock`;
  return invalidValue([{ path: '/timestamp', message }]);
}

function crowded() {
  const seconds = LIMITS.future_tolerance_seconds;
  const message = `so many events without a timestamp came of this wallet and item that this one would lie more than ${seconds} s ahead of the service's clock; send it with its timestamp, or later`;
  return invalidValue([{ path: '/timestamp', message }]);
}

import type { Clock } from '../clock.ts';
import { invalidValue } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Base } from '../ingest/prepare.ts';
import type { ChangeBatch } from '../ingest/state-capacity.ts';
import { runAll, type Workbench } from '../ingest/workbench.ts';
import { WITHOUT_KEY } from '../ingest/write-turns.ts';
import { LIMITS } from '../limits.ts';
import { clamped, type ItemContent, type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { WalletEvent } from './event.ts';
import { isDeletedEvent } from './event-tombstones.ts';
import type { DatedEvent } from './formats.ts';
import type { Former } from './former.ts';
import { itemParts } from './identifiers.ts';

/** The content of an item before it gets metadata. */
export function bareItem(item_id: string, created_at: number): ItemContent {
  return { created_at, channel: itemParts(item_id).contract };
}

/** Converts wallet events to changes. Wallets become users, and tokens and NFTs become items of their contract. */
export class EventRecorder {
  constructor(
    private readonly state: State,
    private readonly ingest: Ingest,
    private readonly stamps: Clock,
  ) {}

  /**
   * Records an event. Resolves when it is durable and applied.
   *
   * Anyone may send events. So an event stores only itself: an existing item keeps its content and its age.
   * Nobody may learn from the answer that a wallet or an event was erased, so only the deletion of the item is named.
   * @returns why the event changes nothing, if its item was deleted after it
   * @throws ServiceError `invalid_value` if it is ahead of the clock, `write_queue_full`, `store_unavailable`,
   * `state_full`
   */
  async record(event: WalletEvent): Promise<string[]> {
    const { timestamp = 0 } = event;
    if (timestamp > this.stamps.now() + LIMITS.future_tolerance_seconds) throw ahead();
    let warnings: string[] = [];
    const { durable } = await this.ingest.prepared(async (bench) => {
      this.ingest.ensureRoom(1);
      const changes = bench.batch();
      const now = this.stamps.now();
      warnings = itemWarnings(event, bench, now);
      const applied =
        outdatedEvent(event, bench, now) === undefined
          ? this.prepare(event, now, undefined, bench, changes)
          : [];
      return bench.submit({ changes, records: 1, onApplied: () => runAll(applied) });
    }, WITHOUT_KEY);
    await durable;
    return warnings;
  }

  /** The items with imported events older than the item. Their next versions extend the current ones. */
  predated(events: readonly DatedEvent[], { item_keys, item_versions }: Workbench): string[] {
    const younger = ({ item_id, timestamp }: DatedEvent): boolean => {
      const pending = item_versions.get(item_id)?.content;
      const created_at = this.createdAt(item_keys.find(item_id), pending);
      return created_at !== undefined && created_at > timestamp;
    };
    return [...new Set(events.filter(younger).map(({ item_id }) => item_id))];
  }

  /**
   * Adds the changes of an event to `changes`. Adds none if the event is known.
   * @param former for imports: contains the items of `predated`; without it, existing items keep their age
   * @returns callbacks to run when the changes have been applied
   * @throws ServiceError `invalid_value` for an event without a timestamp, if all times that it may have are taken;
   * `state_full`
   */
  prepare(
    { wallet_address, item_id, event_type, timestamp }: WalletEvent,
    applied_at: number,
    former: Former | undefined,
    bench: Workbench,
    changes: ChangeBatch,
  ): (() => void)[] {
    this.requireRoom({ wallet_address, item_id, event_type, timestamp }, applied_at, bench, changes);
    const user = bench.user_keys.keyOf(wallet_address, applied_at, 'bulk', changes);
    const item = bench.item_keys.keyOf(item_id, applied_at, 'bulk', changes);
    const code = this.state.vocabulary.code(event_type);
    // An item is as old as its event, to the millisecond, so that both are found together.
    const time =
      timestamp === undefined
        ? bench.preparer.act_times.next(user, item, code, applied_at)
        : clamped(timestamp, timestamp);
    if (timestamp === undefined && time > applied_at + LIMITS.future_tolerance_seconds) throw crowded();
    // An event does not bring a deleted item back.
    const stays_deleted = bench.deletions.isDeleted(item_id, applied_at);
    const content = stays_deleted ? undefined : this.described(item, item_id, time, former, bench);
    const applied = content === undefined ? [] : describe(item, item_id, content, applied_at, bench, changes);
    bench.preparer.act(user, item, { event_type, timestamp: time, action: 'add' }, applied_at, changes);
    return applied;
  }

  private requireRoom(
    { wallet_address, item_id, event_type, timestamp }: WalletEvent,
    applied_at: number,
    { preparer, item_keys, item_versions }: Workbench,
    changes: ChangeBatch,
  ): void {
    const created_at = this.createdAt(item_keys.find(item_id), item_versions.get(item_id)?.content);
    const content = created_at === undefined ? bareItem(item_id, applied_at) : undefined;
    const act = { event_type, timestamp, action: 'add' } as const;
    changes.require(preparer.needOfAct(wallet_address, item_id, act, applied_at, content));
  }

  /** The version of an item that an event creates: the first, or one with an earlier creation time in an import. */
  private described(
    item: Key,
    item_id: string,
    time: number,
    former: Former | undefined,
    { item_versions }: Workbench,
  ): ItemContent | undefined {
    const created_at = this.createdAt(item, item_versions.get(item_id)?.content);
    if (created_at === undefined) return bareItem(item_id, time);
    if (former === undefined || created_at <= time) return undefined;
    const { content } = former(item_id) ?? { content: bareItem(item_id, time) };
    return content.dated === true ? undefined : { ...content, created_at: time };
  }

  private createdAt(item: Key, pending: Base<ItemContent> | undefined): number | undefined {
    if (pending !== undefined) return pending.content.created_at;
    const { items } = this.state;
    const ordinal = items.names.ordinal(item);
    return ordinal !== NONE && items.described(ordinal) ? items.created_at(ordinal) : undefined;
  }
}

/** Why an event changes nothing: it, its wallet or its item was deleted after it. Undefined if it counts. */
export function outdatedEvent(
  event: WalletEvent,
  { deletions }: Pick<Workbench, 'deletions'>,
  now: number,
): string | undefined {
  const { wallet_address, item_id, timestamp } = event;
  if (isDeletedEvent(event, { deletions }, now)) return 'this event was deleted: it changed nothing';
  return deletions.outdatedAct({ user_id: wallet_address, item_id, timestamp }, now);
}

/** Warns that the item was deleted after the event, whether or not the wallet was erased. */
function itemWarnings(
  { item_id, timestamp }: WalletEvent,
  { deletions }: Pick<Workbench, 'deletions'>,
  now: number,
): string[] {
  if (timestamp === undefined) return [];
  const outdated = deletions.outdatedFor('item', item_id, timestamp, now);
  return outdated === undefined ? [] : [outdated];
}

/** @returns the callback to run when the change has been applied */
function describe(
  item: Key,
  item_id: string,
  content: ItemContent,
  applied_at: number,
  { item_versions, preparer }: Workbench,
  changes: ChangeBatch,
): (() => void)[] {
  preparer.describe(item, { content }, applied_at, changes);
  const version = item_versions.set(item_id, { content });
  return [() => item_versions.applied(item_id, version)];
}

function ahead() {
  const message = `may lie at most ${LIMITS.future_tolerance_seconds} s ahead of the service's clock`;
  return invalidValue([{ path: '/timestamp', message }]);
}

function crowded() {
  const seconds = LIMITS.future_tolerance_seconds;
  const message = `this wallet and item have so many events without a timestamp that this one would be more than ${seconds} s ahead of the service's clock; send it with its timestamp, or later`;
  return invalidValue([{ path: '/timestamp', message }]);
}

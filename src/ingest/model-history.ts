import type { Logger } from 'pino';
import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { MODEL, type ModelChange, modelNumbers } from '../model/changes/model.ts';
import type { State } from '../state/state.ts';
import type { FeedStore } from '../store/feeds.ts';
import type { Store } from '../store/store.ts';

/** The actor of the audit log for what nobody asked for. */
const SERVICE_ACTOR = 'service';

/**
 * Stores the weights of learnt models every hour, as far as they learnt since, and every minute which feeds fell back; and
 * forgets models of feeds that were deleted and can no longer be restored. For the process that leads.
 */
export class ModelHistory {
  /** Pages of each model when it was stored last. */
  private stored: ReadonlyMap<string, number> = new Map();
  private stopped = false;
  private readonly cancels = new Map<number, () => void>();

  constructor(
    private readonly state: State,
    private readonly store: Pick<Store, 'submit'> & { feeds: Pick<FeedStore, 'revisions'> },
    private readonly timers: Timers,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    this.every(LIMITS.model_history_every_seconds, () => this.save());
    this.every(LIMITS.fall_backs_every_seconds, () => this.noteFallBacks());
  }

  stop(): void {
    this.stopped = true;
    for (const cancel of this.cancels.values()) cancel();
  }

  private every(seconds: number, work: () => Promise<void>): void {
    if (this.stopped) return;
    const run = async () => {
      await work().catch((error) =>
        this.log.warn({ cause: reasonOf(error) }, 'the history of learnt models could not be stored now'),
      );
      this.every(seconds, work);
    };
    this.cancels.set(seconds, this.timers.after(seconds, run));
  }

  private async noteFallBacks(): Promise<void> {
    const { learning, applied_at } = this.state;
    const changes: ModelChange[] = [];
    for (const name of learning.models.names()) {
      const model = learning.modelOf(name.feed_type, name.feed);
      if (model === undefined || model.fell_back_at === 0 || model.is_fall_noted) continue;
      const { learned, control } = model;
      this.log.warn(
        { feed_id: `feed_${name.feed}`, learned, control },
        'the feed fell back to its default order, because its control got more acts',
      );
      const of_service = { actor: SERVICE_ACTOR, seq: 0, applied_at };
      changes.push({
        kind: MODEL.kind,
        ...name,
        action: 'fall_back',
        numbers: new Float64Array(),
        ...of_service,
      });
    }
    if (changes.length > 0) await this.store.submit(changes);
  }

  private async save(): Promise<void> {
    const { learning, applied_at } = this.state;
    const changes: ModelChange[] = [];
    const stored = new Map<string, number>();
    for (const { feed_type, feed } of [...learning.models.names()]) {
      const model = learning.modelOf(feed_type, feed);
      const name = `${feed_type} ${feed}`;
      const of_model = { kind: MODEL.kind, feed_type, feed, seq: 0, applied_at };
      if (feed !== 0 && !(await this.isKept(feed))) {
        changes.push({ ...of_model, action: 'reset', numbers: new Float64Array(), actor: SERVICE_ACTOR });
        continue;
      }
      if (model === undefined) continue;
      stored.set(name, model.pages);
      if (model.pages === (this.stored.get(name) ?? 0)) continue;
      const { pages, intercept, keys, weightOf } = model;
      const weights = keys.map((key) => [key, weightOf(key)] as const);
      const numbers = modelNumbers({ pages, intercept, weights });
      changes.push({ ...of_model, action: 'stored', numbers, actor: '' });
    }
    if (changes.length > 0) await this.store.submit(changes);
    this.stored = stored;
  }

  /** Whether a feed exists, or can be restored. */
  private async isKept(feed: number): Promise<boolean> {
    return (await this.store.feeds.revisions(`feed_${feed}`, 1, 0)).length > 0;
  }
}

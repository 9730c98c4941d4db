import type { Logger } from 'pino';
import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { MODEL, type ModelChange, modelNumbers } from '../model/changes/model.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';

/** The actor of the audit log for what nobody asked for. */
const SERVICE_ACTOR = 'service';

/**
 * Stores the weights of learnt models every hour, as far as they learnt since, and which feeds fell back. For the process
 * that leads.
 */
export class ModelHistory {
  /** Pages of each model when it was stored last. */
  private readonly stored = new Map<string, number>();
  private stopped = false;
  private cancel = (): void => {};

  constructor(
    private readonly state: State,
    private readonly store: Pick<Store, 'submit'>,
    private readonly timers: Timers,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    this.later();
  }

  stop(): void {
    this.stopped = true;
    this.cancel();
  }

  private later(): void {
    if (this.stopped) return;
    this.cancel = this.timers.after(LIMITS.model_history_every_seconds, async () => {
      await this.save().catch((error) =>
        this.log.warn({ cause: reasonOf(error) }, 'the history of learnt models could not be stored now'),
      );
      this.later();
    });
  }

  private async save(): Promise<void> {
    const { learning, applied_at } = this.state;
    const changes: ModelChange[] = [];
    for (const { feed_type, feed } of learning.models.names()) {
      const model = learning.modelOf(feed_type, feed);
      const name = `${feed_type} ${feed}`;
      const of_model = { kind: MODEL.kind, feed_type, feed, seq: 0, applied_at };
      if (model !== undefined && model.fell_back_at > 0 && !model.is_fall_noted)
        changes.push({ ...of_model, action: 'fall_back', numbers: new Float64Array(), actor: SERVICE_ACTOR });
      if (model === undefined || model.pages === (this.stored.get(name) ?? 0)) continue;
      this.stored.set(name, model.pages);
      const { pages, intercept, keys, weightOf } = model;
      const weights = keys.map((key) => [key, weightOf(key)] as const);
      const numbers = modelNumbers({ pages, intercept, weights });
      changes.push({ ...of_model, action: 'stored', numbers, actor: '' });
    }
    if (changes.length > 0) await this.store.submit(changes);
  }
}

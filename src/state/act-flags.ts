import { NONE } from '../model/key.ts';
import type { InteractionLog } from './interaction-log.ts';
import { TOUCHED, type Touched } from './touched.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The flags of `Touched` that follow from the acts in users' logs. */
export class ActFlags {
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly by_user: InteractionLog,
    private readonly touched: Touched,
  ) {}

  /** Updates the flags that acts of this type affect, after one was added or removed. O(the user's entries). */
  refresh(user: number, item: number, event_type: number): void {
    const { vocabulary } = this;
    if (vocabulary.movesHolding(event_type)) {
      this.refreshHolding(user, item);
      return;
    }
    const bit = vocabulary.touches(event_type);
    let at = this.by_user.previousOf(user, item);
    for (; at !== NONE; at = this.by_user.previousOf(user, item, at)) {
      if (!this.by_user.removed(at) && vocabulary.touches(this.by_user.event_type(at)) === bit) return;
    }
    this.touched.unset(user, item, bit);
  }

  /** Updates whether a user holds an item: the latest acquiring or releasing act decides. O(entries since then). */
  private refreshHolding(user: number, item: number): void {
    let at = this.by_user.previousOf(user, item);
    for (; at !== NONE; at = this.by_user.previousOf(user, item, at)) {
      if (this.by_user.removed(at)) continue;
      const event_type = this.by_user.event_type(at);
      if (!this.vocabulary.movesHolding(event_type)) continue;
      if (this.vocabulary.effect(event_type) === 'releases') break;
      this.touched.set(user, item, TOUCHED.interacted);
      return;
    }
    this.touched.unset(user, item, TOUCHED.interacted);
  }
}

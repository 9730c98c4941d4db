import { type Random, seededRandom } from '../../src/clock.ts';
import type { Community } from '../community/community.ts';

/** Exponent of the random choice among items in time order: most interactions are on new items. */
const RECENCY_SKEW = 3;
const EVENT_TYPES = ['view', 'view', 'like', 'like', 'share', 'bookmark'] as const;

/** New interactions of the users of the world, mostly on the newest items. */
export class Acts {
  private readonly item_ids: string[];
  private readonly random: Random;
  private count = 0;

  constructor(
    community: Community,
    private readonly user_ids: readonly string[],
    seed = 3,
  ) {
    this.random = seededRandom(seed);
    this.item_ids = Array.from(community.items(), ({ item_id }) => item_id);
  }

  /** A JSON body of `records` interactions. */
  body(records: number): Uint8Array<ArrayBuffer> {
    return new TextEncoder().encode(JSON.stringify(this.some(records)));
  }

  /** Records of interactions without a time: that of their arrival counts. */
  some(records: number): object[] {
    const { random, item_ids, user_ids } = this;
    return Array.from({ length: records }, () => {
      const item = item_ids[item_ids.length - 1 - Math.floor(item_ids.length * random() ** RECENCY_SKEW)];
      const event_type = EVENT_TYPES[this.count++ % EVENT_TYPES.length];
      return { user_id: user_ids[Math.floor(random() * user_ids.length)], item_id: item, event_type };
    });
  }
}

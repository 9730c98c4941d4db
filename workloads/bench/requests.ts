import { seededRandom } from '../../src/clock.ts';
import type { FeedType } from '../../src/plugin/index.ts';
import type { Community } from '../community/community.ts';
import { postText } from './connection.ts';
import { WORLD_NOW } from './worlds.ts';

/** Length of the measured pages. */
export const PAGE_LENGTH = 25;

/** Sessions at a time: more than requests under way. */
const SESSIONS = 512;
const DAY_SECONDS = 86_400;
const HISTORY_DAYS = 30;

export function feedPath(feed_type: FeedType): string {
  return `/v2/farcaster/casts/feed/${feed_type}`;
}

/** A feed request as bytes for the wire. */
export function feedText(feed_type: FeedType, body: object): string {
  return postText(feedPath(feed_type), { top_k: PAGE_LENGTH, ...body });
}

/** Users in a seeded random order, repeated, so that the same user returns as late as possible. */
export class Viewers {
  readonly user_ids: string[] = [];
  /** Users who joined within the history and have no interactions yet. */
  readonly newcomers: string[] = [];
  private at = 0;

  constructor(community: Community) {
    for (const { user_id, created_at } of community.users()) {
      this.user_ids.push(user_id);
      if (created_at > WORLD_NOW - HISTORY_DAYS * DAY_SECONDS) this.newcomers.push(user_id);
    }
    const random = seededRandom(1);
    for (let last = this.user_ids.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [this.user_ids[last], this.user_ids[other]] = [this.user_ids[other], this.user_ids[last]];
    }
  }

  next(): string {
    return this.user_ids[this.at++ % this.user_ids.length];
  }

  /** Pages for a different viewer each time. All items count as shown. @param more further parameters */
  shown(feed_type: FeedType, more: object = {}): () => string {
    return () => feedText(feed_type, { user_id: this.next(), impression_count: PAGE_LENGTH, ...more });
  }

  /**
   * Sessions of four recorded pages, a fifth of them by viewers who are no users. Many sessions take turns, so that no
   * viewer has two requests at once.
   */
  sessions(feed_type: FeedType): () => string {
    const open = Array.from({ length: SESSIONS }, () => ({ user_id: '', left: 0 }));
    let at = 0;
    let begun = 0;
    return () => {
      const session = open[at++ % SESSIONS];
      if (session.left === 0) {
        session.user_id = begun % 5 === 0 ? `stranger-${crypto.randomUUID()}` : this.next();
        // Sessions do not end together.
        session.left = begun < SESSIONS ? 1 + (begun % 4) : 4;
        begun++;
      }
      session.left--;
      return feedText(feed_type, { user_id: session.user_id, impression_count: PAGE_LENGTH });
    };
  }

  /** The same without recording what was shown. */
  unseen(feed_type: FeedType, filters: object): () => string {
    return () => feedText(feed_type, { user_id: this.next(), filters });
  }
}

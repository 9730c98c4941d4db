import { type Static, Type } from '@sinclair/typebox';
import { EXAMPLE_IDS } from '../ingest/records/example-ids.ts';
import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { State } from '../state/state.ts';
import { Count, Seconds, strict, Text } from './schema-parts.ts';

const INTERACTIONS = [Type.Literal('like'), Type.Literal('comment'), Type.Literal('share')];

export const SocialProofSchema = Type.Array(
  strict(
    {
      user_id: Text('Identifier of the followed user.', EXAMPLE_IDS.followed),
      timestamp: Seconds('When.'),
      interaction: Type.Unsafe<string>(Type.Union(INTERACTIONS, { description: 'Kind of act.' })),
    },
    'An act of a followed user on the item.',
  ),
  {
    maxItems: LIMITS.social_proof_max,
    description: 'The latest acts of up to three followed users, most recent first.',
  },
);

export const FollowingEngagementSchema = strict(
  {
    like: Count('Number of followed users who liked it.', 2),
    comment: Count('Number of followed users who commented.', 0),
    share: Count('Number of followed users who shared it.', 0),
  },
  'Numbers of followed users by act.',
);

type SocialProof = Static<typeof SocialProofSchema>;
type FollowingEngagement = Static<typeof FollowingEngagementSchema>;

/** The acts of followed users on one item. */
export interface FollowedActs {
  social_proof: SocialProof;
  following_engagement: FollowingEngagement;
}

/** In the order of `Vocabulary.counterPlace`. */
const COUNTERS = ['like', 'comment', 'share'] as const;

interface Act {
  user: Ordinal;
  event_type: number;
  time: number;
}

/** Counts the acts of followed users on one item, and keeps the latest. */
class ItemActs implements FollowedActs {
  readonly following_engagement: FollowingEngagement = { like: 0, comment: 0, share: 0 };
  /** The latest act of up to `LIMITS.social_proof_max` users, most recent first. */
  private readonly latest: Act[] = [];

  constructor(private readonly state: State) {}

  get social_proof(): SocialProof {
    const { users, vocabulary } = this.state;
    return this.latest.map(({ user, event_type, time }) => ({
      user_id: users.names.id(user),
      timestamp: Math.floor(time),
      interaction: vocabulary.names[event_type],
    }));
  }

  /** Inserts a user's latest act in order of time. */
  prove(act: Act): void {
    const { latest } = this;
    let place = latest.length;
    while (place > 0 && this.precedes(act, latest[place - 1])) place--;
    if (place === LIMITS.social_proof_max) return;
    latest.splice(place, 0, act);
    if (latest.length > LIMITS.social_proof_max) latest.pop();
  }

  /** Whether this act is listed before another: later acts first, ties by identifier. */
  private precedes(act: Act, other: Act): boolean {
    if (act.time !== other.time) return act.time > other.time;
    return this.state.users.names.compare(act.user, other.user) < 0;
  }
}

/** Collects the acts of followed users on the items of one page. */
export class PageActs {
  private readonly collected: readonly ItemActs[];

  constructor(
    private readonly state: State,
    length: number,
  ) {
    this.collected = Array.from({ length }, () => new ItemActs(state));
  }

  /** Results by place on the page. */
  get items(): readonly FollowedActs[] {
    return this.collected;
  }

  /**
   * Adds an entry of a log. A user's entries about an item must come newest first.
   * @param known counter bits in which this user is already included at this place
   * @returns the bit of this entry's counter
   */
  add(place: number, user: Ordinal, log: InteractionLog, at: number, known: number): number {
    const event_type = log.event_type(at);
    const counter = this.state.vocabulary.counterPlace(event_type);
    const bit = 1 << counter;
    const acts = this.collected[place];
    if ((known & bit) === 0) acts.following_engagement[COUNTERS[counter]]++;
    if (known === 0) acts.prove({ user, event_type, time: log.timestamp(at) });
    return bit;
  }
}

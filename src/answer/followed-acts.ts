import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { State } from '../state/state.ts';
import { Count, Seconds, strict, Text } from './schema-parts.ts';

const INTERACTIONS = [Type.Literal('like'), Type.Literal('comment'), Type.Literal('share')];

export const SocialProofSchema = Type.Array(
  strict(
    {
      user_id: Text('The user followed.', '361635'),
      timestamp: Seconds('When.'),
      interaction: Type.Unsafe<string>(Type.Union(INTERACTIONS, { description: 'What they did.' })),
    },
    'What somebody whom the viewer follows did with the item.',
  ),
  {
    maxItems: LIMITS.social_proof_max,
    description: 'Up to three acts of followed users, most recent first.',
  },
);

export const FollowingEngagementSchema = strict(
  {
    like: Count('Followed users who liked it.', 2),
    comment: Count('Followed users who commented.', 0),
    share: Count('Followed users who shared it.', 0),
  },
  'How many of those whom the viewer follows did what.',
);

type SocialProof = Static<typeof SocialProofSchema>;
type FollowingEngagement = Static<typeof FollowingEngagementSchema>;

/** What followed users did with one item. */
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

/** Counts what followed users did with one item, and keeps the latest acts. */
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

  /** Puts a user's latest act in its place among those of others. */
  prove(act: Act): void {
    const { latest } = this;
    let place = latest.length;
    while (place > 0 && this.precedes(act, latest[place - 1])) place--;
    if (place === LIMITS.social_proof_max) return;
    latest.splice(place, 0, act);
    if (latest.length > LIMITS.social_proof_max) latest.pop();
  }

  /** Later acts come first, ties by identifier. */
  private precedes(act: Act, other: Act): boolean {
    if (act.time !== other.time) return act.time > other.time;
    return this.state.users.names.compare(act.user, other.user) < 0;
  }
}

/** Collects what followed users did with the items of one page. */
export class PageActs {
  private readonly collected: readonly ItemActs[];

  constructor(
    private readonly state: State,
    length: number,
  ) {
    this.collected = Array.from({ length }, () => new ItemActs(state));
  }

  /** By place on the page. */
  get items(): readonly FollowedActs[] {
    return this.collected;
  }

  /**
   * Counts an entry of a log. A user's entries of an item must come newest first.
   * @param known bits of the counters by which this user was counted at this place before
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

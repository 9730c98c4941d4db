import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { State } from '../state/state.ts';
import type { Vocabulary } from '../state/vocabulary.ts';
import { type JsonBytes, type Piece, pieceOf } from './json-bytes.ts';

export interface SocialProof {
  user_id: string;
  /** Integer seconds. */
  timestamp: number;
  interaction: string;
}

export interface FollowingEngagement {
  like: number;
  comment: number;
  share: number;
}

export interface FollowedActs {
  social_proof: SocialProof[];
  following_engagement: FollowingEngagement;
}

/** Counters of an item, in the order of its answer. */
const COUNTED = 3;

/** Around what `Summary.write` writes. */
const TEXT = {
  nothing: pieceOf(',"social_proof":[],"following_engagement":{"like":0,"comment":0,"share":0},'),
  first_user: pieceOf(',"social_proof":[{"user_id":'),
  next_user: pieceOf(',{"user_id":'),
  time: pieceOf(',"timestamp":'),
  like: pieceOf('],"following_engagement":{"like":'),
  comment: pieceOf(',"comment":'),
  share: pieceOf(',"share":'),
  end: pieceOf('},'),
};

/** What is to be said of each place of a page, in plain arrays: most pages are full of such acts. */
export class Summary {
  readonly vocabulary: Vocabulary;
  /** The end of the text of an act of each type. */
  private readonly type_texts: Piece[];
  private counts = new Uint32Array(COUNTED * 64);
  /** Of each place the latest act of up to `LIMITS.social_proof_max` users, the latest first: whose, … */
  private users = new Int32Array(LIMITS.social_proof_max * 64);
  private event_types = new Uint8Array(LIMITS.social_proof_max * 64);
  private times = new Float64Array(LIMITS.social_proof_max * 64);
  private proofs = new Uint8Array(64);

  constructor(private readonly state: State) {
    this.vocabulary = state.vocabulary;
    const ends = state.vocabulary.names.map((name) => `,"interaction":${JSON.stringify(name)}}`);
    this.type_texts = ends.map(pieceOf);
  }

  /** A page of so many places, of which nothing is known yet. */
  begin(places: number): void {
    this.counts = grown(this.counts, places * COUNTED);
    this.users = grown(this.users, places * LIMITS.social_proof_max);
    this.event_types = grown(this.event_types, places * LIMITS.social_proof_max);
    this.times = grown(this.times, places * LIMITS.social_proof_max);
    this.proofs = grown(this.proofs, places);
    this.counts.fill(0, 0, places * COUNTED);
    this.proofs.fill(0, 0, places);
  }

  /**
   * Counts an entry; a user's entries of an item come newest first.
   * @param known bits of the counters by which this user was counted at this place before
   * @returns the bit of this entry's counter
   */
  add(place: number, user: Ordinal, log: InteractionLog, at: number, known: number): number {
    const event_type = log.event_type(at);
    const counter = this.vocabulary.counterPlace(event_type);
    const bit = 1 << counter;
    if ((known & bit) === 0) this.counts[place * COUNTED + counter]++;
    if (known === 0) this.prove(place, user, event_type, log.timestamp(at));
    return bit;
  }

  of(place: number): FollowedActs {
    const counted = place * COUNTED;
    const following_engagement = {
      like: this.counts[counted],
      comment: this.counts[counted + 1],
      share: this.counts[counted + 2],
    };
    const social_proof: SocialProof[] = [];
    const first = place * LIMITS.social_proof_max;
    for (let at = first; at < first + this.proofs[place]; at++) {
      social_proof.push({
        user_id: this.state.users.names.id(this.users[at]),
        timestamp: Math.floor(this.times[at]),
        interaction: this.vocabulary.names[this.event_types[at]],
      });
    }
    return { social_proof, following_engagement };
  }

  /**
   * Reads the names of whoever is going to be written, of the first so many places: most are not in the processor's cache,
   * and in a loop this short it fetches many at once.
   * @returns a number without meaning
   */
  readAhead(places: number): number {
    const { users, proofs } = this;
    const { names } = this.state.users;
    let read = 0;
    for (let place = 0; place < places; place++) {
      const first = place * LIMITS.social_proof_max;
      for (let at = first; at < first + proofs[place]; at++) read += names.glance(users[at]);
    }
    for (let place = 0; place < places; place++) {
      const first = place * LIMITS.social_proof_max;
      for (let at = first; at < first + proofs[place]; at++) read += names.glanceAtFirst(users[at]);
    }
    return read;
  }

  /** What `of` says, as the members `social_proof` and `following_engagement` of a JSON object, commas around them. */
  write(place: number, out: JsonBytes): void {
    const counted = place * COUNTED;
    const { counts } = this;
    // No list of the three: on each page it would be made 25 times.
    const like = counts[counted];
    const comment = counts[counted + 1];
    const share = counts[counted + 2];
    if (like + comment + share === 0) {
      out.put(TEXT.nothing);
      return;
    }
    const first = place * LIMITS.social_proof_max;
    for (let at = first; at < first + this.proofs[place]; at++) {
      out.put(at === first ? TEXT.first_user : TEXT.next_user);
      out.name(this.state.users.names, this.users[at]);
      out.put(TEXT.time);
      out.integer(Math.floor(this.times[at]));
      out.put(this.type_texts[this.event_types[at]]);
    }
    out.put(TEXT.like);
    out.integer(like);
    out.put(TEXT.comment);
    out.integer(comment);
    out.put(TEXT.share);
    out.integer(share);
    out.put(TEXT.end);
  }

  /** Puts a user's latest act in its place among the latest of others. */
  private prove(place: number, user: Ordinal, event_type: number, time: number): void {
    const { users, event_types, times, proofs } = this;
    const first = place * LIMITS.social_proof_max;
    let at = first + proofs[place];
    if (proofs[place] < LIMITS.social_proof_max) proofs[place]++;
    else if (time < times[at - 1] || !this.precedes(time, user, --at)) return;
    for (; at > first && this.precedes(time, user, at - 1); at--) {
      users[at] = users[at - 1];
      event_types[at] = event_types[at - 1];
      times[at] = times[at - 1];
    }
    users[at] = user;
    event_types[at] = event_type;
    times[at] = time;
  }

  /** Later acts come first, ties by identifier. */
  private precedes(time: number, user: Ordinal, at: number): boolean {
    if (time !== this.times[at]) return time > this.times[at];
    const { names } = this.state.users;
    return names.compare(user, this.users[at]) < 0;
  }
}

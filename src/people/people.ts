import type { Clock, Seconds } from '../clock.ts';
import { notFound } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import type { UserReason } from '../model/reasons.ts';
import type { UserContent } from '../model/records/user.ts';
import type { Consistency } from '../serve/consistency.ts';
import { CursorSigner } from '../serve/cursor.ts';
import { mayBeNamed } from '../state/may-be-named.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { CandidateFinder, type RankedUsers, type Wanted } from './candidates.ts';
import { itemMayBeNamed } from './eligibility.ts';
import { PopularUsers } from './popular-users.ts';
import type { Signals } from './scoring.ts';

export interface PeopleOptions {
  state: State;
  store: Pick<Store, 'readUsers'>;
  clock: Clock;
  cursor_secret: Uint8Array;
  /** 0: answers reflect every change. */
  derived_lag_ms: number;
  ai_label_threshold: number;
  /** Absent if one process has the data to itself. */
  consistency: Consistency | undefined;
  consistency_default: 'strong' | 'eventual';
}

/** What both requests may ask for. */
export interface PageRequest {
  top_k: number;
  cursor?: string;
  seed?: number;
  exclude_user_ids: readonly string[];
  return_metadata: boolean;
  explain: boolean;
  consistency?: 'strong' | 'eventual';
}

export interface AnsweredUser {
  user_id: string;
  score: number;
  reasons: UserReason[];
  metadata?: { username: string; display_name: string; pfp_url: string };
  explain?: { signals: Signals };
}

export interface PeopleAnswer {
  status_code: 200;
  body: AnsweredUser[];
  cursor?: string;
  trace?: { candidates: { scored: number } };
}

/** Whose answers a cursor continues. */
interface Series {
  owner: string;
  /** The user who gets the answer. */
  viewer_id?: string;
  /** The user that the answer is about, if not the viewer. */
  user_id?: string;
}

/** Recommends users. Stores nothing: what a viewer was shown is in the cursor of the answer. */
export class People {
  private readonly finder: CandidateFinder;
  private readonly popular: PopularUsers;
  private readonly signer: CursorSigner;

  constructor(private readonly options: PeopleOptions) {
    const { state, clock, cursor_secret, derived_lag_ms, ai_label_threshold } = options;
    this.finder = new CandidateFinder(state, ai_label_threshold);
    this.popular = new PopularUsers(state, clock, derived_lag_ms === 0);
    this.signer = new CursorSigner(cursor_secret);
  }

  /**
   * Users whom a viewer may want to follow. An unknown viewer gets active users with many followers.
   * @param viewer_id undefined: a wallet that no user listed
   * @throws ServiceError `cursor_invalid`, `store_unavailable`; the reason of `given_up`
   */
  async recommended(
    viewer_id: string | undefined,
    request: PageRequest,
    given_up?: AbortSignal,
  ): Promise<PeopleAnswer> {
    await this.upToDate(request, given_up);
    await this.popular.refresh();
    const viewer = viewer_id === undefined ? NONE : this.options.state.users.names.find(viewer_id);
    const owner = JSON.stringify(['people', 'recommended', viewer_id]);
    return this.answer({ owner, viewer_id }, request, given_up, (wanted) =>
      this.finder.recommended({ ...wanted, subject: viewer, viewer, popular: this.popular.users }),
    );
  }

  /**
   * Users like another one.
   * @param viewer_id the user who gets the answer. Undefined: unknown
   * @throws ServiceError `not_found` if the user is unknown, hidden, or in a block with the viewer; as `recommended`
   */
  async similar(
    user_id: string,
    viewer_id: string | undefined,
    request: PageRequest,
    given_up?: AbortSignal,
  ): Promise<PeopleAnswer> {
    await this.upToDate(request, given_up);
    const { users, blocks } = this.options.state;
    const subject = users.names.find(user_id);
    const viewer = viewer_id === undefined ? NONE : users.names.find(viewer_id);
    const blocked = subject !== NONE && viewer !== NONE && blocks.between(viewer, subject);
    if (subject === NONE || users.hidden(subject) || blocked) throw notFound('user', user_id);
    const owner = JSON.stringify(['people', 'similar', user_id, viewer_id]);
    return this.answer({ owner, viewer_id, user_id }, request, given_up, (wanted) =>
      this.finder.similar({ ...wanted, subject, viewer, popular: new Map() }),
    );
  }

  private async upToDate({ consistency }: PageRequest, given_up?: AbortSignal): Promise<void> {
    const { options } = this;
    if ((consistency ?? options.consistency_default) === 'strong')
      await options.consistency?.current(given_up);
    if (options.derived_lag_ms === 0) options.state.settle(Number.POSITIVE_INFINITY);
  }

  private async answer(
    { owner, ...between }: Series,
    request: PageRequest,
    given_up: AbortSignal | undefined,
    find: (wanted: Omit<Wanted, 'subject' | 'viewer' | 'popular'>) => RankedUsers,
  ): Promise<PeopleAnswer> {
    const { state, clock } = this.options;
    const { names } = state.users;
    const now = clock.now();
    const series =
      request.cursor === undefined
        ? { started_at: Math.max(0, Math.floor(now)), seed: 0, shown: new Uint32Array() }
        : this.signer.read(owner, request.cursor, now);
    const seed = (request.seed ?? series.seed) >>> 0;
    const excluded = new Set<number>();
    for (const key of series.shown) excluded.add(names.ordinal(key));
    for (const id of request.exclude_user_ids) excluded.add(names.find(id));
    const { users, scored } = find({ excluded, top_k: request.top_k, seed, now });
    const found = users.map(({ user }) => user);
    const shown = Uint32Array.from([...series.shown, ...names.keysOf(found)]);
    const goes_on = users.length === request.top_k && shown.length < LIMITS.cursor_items_max;
    const cursor = goes_on ? this.signer.write(owner, { ...series, seed, shown }) : undefined;
    // Read before the next await, because ordinals may be reused after it.
    const seqs = found.map((user) => state.users.content_seq(user));
    const body = users.map(({ user, score, reasons, signals }) => ({
      user_id: names.id(user),
      score,
      reasons,
      ...(request.explain ? { explain: { signals } } : {}),
    }));
    const named = request.return_metadata ? await this.withMetadata(body, seqs, between, given_up) : body;
    return {
      status_code: 200,
      body: named,
      ...(cursor === undefined ? {} : { cursor }),
      ...(request.explain ? { trace: { candidates: { scored } } } : {}),
    };
  }

  /**
   * Users and items that were erased, deleted, hidden or blocked while the store was read are left out, and so are users
   * for whom no reason is left.
   */
  private async withMetadata(
    body: readonly AnsweredUser[],
    seqs: readonly number[],
    between: Omit<Series, 'owner'>,
    given_up?: AbortSignal,
  ): Promise<AnsweredUser[]> {
    const { state, store, clock } = this.options;
    const stored = seqs.filter((seq) => seq > 0);
    const profiles = await store.readUsers(stored, given_up);
    const { names } = state.users;
    const ordinalOf = (id: string | undefined) => (id === undefined ? NONE : names.find(id));
    const viewer = ordinalOf(between.viewer_id);
    const subject = ordinalOf(between.user_id);
    const now = clock.now();
    return body.flatMap((entry, at) => {
      const user = names.find(entry.user_id);
      if (!mayBeNamed(state, viewer, user, now)) return [];
      if (subject !== NONE && state.blocks.between(subject, user)) return [];
      const reasons = entry.reasons.flatMap((reason) => current(state, viewer, reason, now) ?? []);
      if (reasons.length === 0) return [];
      return [{ ...entry, reasons, metadata: metadataOf(profiles.get(seqs[at])) }];
    });
  }
}

/** A reason without users and items that may not be named any more. Undefined if it would name none. */
function current(state: State, viewer: number, reason: UserReason, now: Seconds): UserReason | undefined {
  if ('user_ids' in reason) {
    const user_ids = reason.user_ids.filter((id) =>
      mayBeNamed(state, viewer, state.users.names.find(id), now),
    );
    const count = reason.count - (reason.user_ids.length - user_ids.length);
    return user_ids.length === 0 ? undefined : { ...reason, user_ids, count };
  }
  if (!('item_ids' in reason)) return reason;
  const item_ids = reason.item_ids.filter((id) => {
    const item = state.items.names.find(id);
    return item !== NONE && itemMayBeNamed(state, viewer, item, now);
  });
  const count = reason.count - (reason.item_ids.length - item_ids.length);
  return item_ids.length === 0 ? undefined : { ...reason, item_ids, count };
}

function metadataOf({ username = '', display_name = '', pfp_url = '' }: UserContent = {}) {
  return { username, display_name, pfp_url };
}

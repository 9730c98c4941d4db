import { EVENT_CODE } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import type { InteractionChange } from '../../src/model/changes/interaction.ts';
import type { ExperimentContent } from '../../src/model/experiment-content.ts';
import { type Key, NONE, type Space } from '../../src/model/key.ts';
import type { ItemContent } from '../../src/model/records/item.ts';
import { NO_PREFERENCES } from '../../src/model/records/preferences.ts';
import { type LearningPage, NO_SIGNALS, ORIGINS } from '../../src/model/shown-page.ts';
import { signalKey } from '../../src/model/signal-key.ts';
import { viewerHash } from '../../src/seen/seen-store.ts';

/** `applied_at` of the first change, seconds. */
export const START = 1_700_000_000;
/** Strangers that are erased. */
const VIEWER = '0f'.repeat(16);
/** The signals of learning pages. */
const SIGNALS = Uint32Array.of(signalKey('default'), signalKey('taste'));

/** By which shown pages name a viewer, as in the state of `fold`. */
export const viewerOf = (user_id: string): string => viewerHash(new Uint8Array(32), user_id);

/** A number that looks random, from 0 to 255. */
const byteOf = (...of: number[]): number =>
  of.reduce((sum, each) => Math.imul(sum ^ each, 0x01000193) >>> 7, 7) & 255;

/** A list that `u0` owns. Others are the operator's. */
export const OWNED_LIST = 'l0';

/** One event, in identifiers. Times are offsets from the moment of writing. */
export type Step =
  | { kind: 'item'; item: string; author?: string; created: number; about: Omit<ItemContent, 'created_at'> }
  | { kind: 'user'; user: string; hidden: boolean; wallets: string[]; geo_location?: string }
  | { kind: 'engagement'; item: string; counts: [number, number, number]; updated: number }
  | {
      kind: 'interaction';
      user: string;
      item: string;
      event_type: number;
      add: boolean;
      offset: number;
      event_id: string;
    }
  | { kind: 'follow'; user: string; target: string; add: boolean; offset: number }
  | { kind: 'follow_list'; user: string; followed: string[]; unfollowed: string[]; offset: number }
  | { kind: 'user_list'; list: string; stands: boolean; by_record: boolean; users: [string, boolean][] }
  | { kind: 'event'; user: string; target?: string; item?: string; add: boolean; event_id: string }
  | { kind: 'block'; user: string; target: string; add: boolean; offset: number }
  | { kind: 'preferences'; user: string; muted: string[]; more: string[]; personalised: boolean }
  | {
      kind: 'label';
      labeler: string;
      user?: string;
      item: string;
      value: string;
      add: boolean;
      hides: boolean;
      expires?: number;
      offset: number;
    }
  | {
      kind: 'shown';
      user: string;
      items: string[];
      halvings: number;
      feed: number;
      learning: LearningPage | undefined;
      origin: number;
      /** Of the viewer, on one of the items. */
      act: number | undefined;
    }
  | { kind: 'model'; feed: number; action: 'stored' | 'freeze' | 'thaw' | 'reset' | 'fall_back' }
  | { kind: 'experiment'; runs: boolean; begins: boolean }
  | { kind: 'outcome'; user: string; item: string; variant: number; event_type: number }
  | { kind: 'deletion'; item: string }
  | { kind: 'act_deletion'; nth: number; all: boolean }
  | { kind: 'erasure'; user: string; keeps_items: boolean }
  | { kind: 'erased_stranger' }
  | { kind: 'retirement'; items: string[] };

type Unstamped<C extends Change> = C extends Change ? Omit<C, 'seq' | 'applied_at'> : never;

/** Assigns keys and times, like ingest and store together. */
export class History {
  readonly changes: Change[] = [];
  private applied_at = START;
  private readonly keys = { user: new Map<string, Key>(), item: new Map<string, Key>() };
  private readonly erased = { user: new Map<string, Key>(), item: new Map<string, Key>() };
  private readonly next = { user: 0, item: 0 };
  private readonly authors = new Map<string, string | undefined>();
  private readonly deleted = new Set<string>();
  private period = 0;
  private running = false;

  /** @param stale whether erased names are used with their old keys, as if the step had been under way */
  write(step: Step, wait: number, stale: boolean): void {
    this.applied_at += wait;
    const at = (offset: number): number => Math.max(0, this.applied_at + offset);
    const key = (space: Space, id: string): Key => this.key(space, id, stale);
    switch (step.kind) {
      case 'item': {
        const { created, author, about } = step;
        this.authors.set(step.item, author);
        this.deleted.delete(step.item);
        const author_key = author === undefined ? NONE : this.key('user', author, false);
        const content = { ...about, created_at: START + created, text: `by ${author}` };
        this.push({ kind: 'item', item: this.key('item', step.item, false), author: author_key, content });
        break;
      }
      case 'user': {
        const { hidden, wallets, geo_location } = step;
        const content = { hidden, wallet_addresses: wallets, geo_location };
        this.push({ kind: 'user', user: key('user', step.user), content });
        break;
      }
      case 'engagement': {
        const [likes_count, comments_count, shares_count] = step.counts;
        const counts = { likes_count, comments_count, shares_count, updated_at: at(step.updated) };
        this.push({ kind: 'engagement', item: key('item', step.item), ...counts });
        break;
      }
      case 'interaction': {
        const user = key('user', step.user);
        const act = { event_type: step.event_type, action: Number(step.add), event_id: step.event_id };
        const item = key('item', step.item);
        this.push({ kind: 'interaction', user, item, ...act, timestamp: at(step.offset) });
        break;
      }
      case 'follow': {
        const pair = { user: key('user', step.user), target: key('user', step.target) };
        this.push({ kind: 'follow', ...pair, action: Number(step.add), timestamp: at(step.offset) });
        break;
      }
      case 'follow_list': {
        const user = key('user', step.user);
        const keys = (ids: string[]) => Uint32Array.from(ids, (id) => key('user', id));
        const lists = { followed: keys(step.followed), unfollowed: keys(step.unfollowed) };
        this.push({ kind: 'follow_list', user, ...lists, timestamp: at(step.offset) });
        break;
      }
      case 'event': {
        const user = key('user', step.user);
        const target = step.target === undefined ? NONE : key('user', step.target);
        const item = step.item === undefined ? NONE : key('item', step.item);
        const space = target === NONE ? ('interaction' as const) : ('follow' as const);
        const about = {
          target,
          item,
          event_type: 0,
          action: Number(step.add),
          timestamp: at(0),
          list_id: '',
        };
        this.push({ kind: 'event', space, user, event_id: step.event_id, event_hash: 1, ...about });
        break;
      }
      case 'user_list': {
        const keys = (wanted: boolean) =>
          Uint32Array.from(
            step.users.filter(([, added]) => added === wanted && step.stands),
            ([id]) => key('user', id),
          );
        // Each list has the same owner all the time.
        const owner = step.list === OWNED_LIST ? key('user', 'u0') : NONE;
        const [added, removed] = [keys(true), keys(false)];
        const flags = { action: Number(step.stands), by_record: Number(step.by_record) };
        this.push({
          kind: 'user_list',
          list_id: step.list,
          owner,
          name: `of ${step.users.length}`,
          ...flags,
          added,
          removed,
        });
        break;
      }
      case 'block': {
        const pair = { user: key('user', step.user), target: key('user', step.target) };
        this.push({ kind: 'block', ...pair, action: Number(step.add), timestamp: at(step.offset) });
        break;
      }
      case 'preferences': {
        const { muted, more, personalised } = step;
        const user = key('user', step.user);
        const keys = (ids: string[]) => ids.map((id) => key('user', id));
        const content = {
          muted: { ...NO_PREFERENCES.muted, authors: keys(muted) },
          more: keys(more).map((value) => ({ kind: 'author' as const, value })),
          ...{ less: [], personalised },
        };
        this.push({ kind: 'preferences', user, content, named: Uint32Array.from(keys([...muted, ...more])) });
        break;
      }
      case 'label': {
        const { value, add, hides, expires, offset } = step;
        const about = {
          item: step.user === undefined ? key('item', step.item) : NONE,
          user: step.user === undefined ? NONE : key('user', step.user),
        };
        const action = Number(add);
        // The end of a hiding label takes effect with a later change, which a purge may remove.
        const expires_at = hides || expires === undefined ? undefined : at(expires);
        const said = { value, action, hides: Number(hides), timestamp: at(offset), expires_at };
        this.push({ kind: 'label', labeler: key('user', step.labeler), ...about, ...said });
        break;
      }
      case 'shown': {
        const items = Uint32Array.from(step.items, (item) => key('item', item));
        const slots = Uint16Array.from(items, (_, at) => at + 1);
        const { feed, learning, halvings } = step;
        const about = { time: Math.round(at(0) * 1000) / 1000, feed, feed_type: 'for-you' as const };
        const origins = Uint8Array.from(items, (_, at) => (step.origin + at) % ORIGINS.length);
        const values = Uint8Array.from({ length: 2 * items.length }, (_, at) =>
          byteOf(at, this.changes.length),
        );
        const signals = learning === undefined ? NO_SIGNALS : { signals: SIGNALS, signal_values: values };
        const page = { ...about, items, slots, origins, ...signals, learning };
        const act = { event_type: step.act ?? NONE, action: 1, event_id: '', timestamp: at(0) };
        const acted = { user: key('user', step.user), item: items[step.origin % items.length] };
        this.push({ kind: 'shown', viewer: viewerOf(step.user), halvings, page });
        if (step.act !== undefined) this.push({ kind: 'interaction', ...acted, ...act });
        break;
      }
      case 'model': {
        const { feed, action } = step;
        this.push({
          kind: 'model',
          feed_type: 'for-you',
          feed,
          action,
          numbers: new Float64Array(),
          actor: '',
        });
        break;
      }
      case 'experiment':
        this.experiment(step.runs, step.begins);
        break;
      case 'outcome': {
        const about = { arm: Math.max(1, this.arm(step.variant)), event_type: step.event_type };
        // The erasure of a viewer removes their outcomes when it is stored, so these are of others.
        const viewer = viewerOf(`other ${step.user}`);
        this.push({ kind: 'outcome', viewer, item: key('item', step.item), ...about, timestamp: at(0) });
        break;
      }
      case 'deletion':
        this.push({ kind: 'deletion', item: key('item', step.item) });
        if (this.keys.item.has(step.item)) this.deleted.add(step.item);
        break;
      case 'act_deletion':
        this.deleteComments(step.nth, step.all);
        break;
      case 'erasure':
        if (step.keeps_items) this.release(key('user', step.user), step.user);
        this.push({ kind: 'erasure', user: key('user', step.user), viewer: viewerOf(step.user) });
        this.forget('user', step.user);
        for (const [item, author] of [...this.authors]) {
          if (author === step.user) this.forget('item', item);
        }
        break;
      case 'erased_stranger':
        this.push({ kind: 'erasure', user: NONE, viewer: VIEWER });
        break;
      case 'retirement': {
        const keys = step.items.map((item) => (stale ? key('item', item) : this.keys.item.get(item)));
        const items = Uint32Array.from(keys.filter((known) => known !== undefined));
        if (items.length > 0) this.push({ kind: 'retirement', items });
        for (const item of step.items) this.forget('item', item);
        break;
      }
    }
  }

  /** Deletes one of the latest comments without `event_id`, or also all others of its user on its item. */
  private deleteComments(nth: number, all: boolean): void {
    const comments = this.changes.filter(
      (change) =>
        change.kind === 'interaction' && change.event_type === EVENT_CODE.comment && change.event_id === '',
    ) as InteractionChange[];
    const chosen = comments.at(-1 - nth);
    if (chosen === undefined) return;
    const { user, item, event_type, timestamp } = chosen;
    const meant = all ? {} : { timestamp };
    this.push({ kind: 'act_deletion', user, item, event_type, ...meant });
  }

  /** The arm of a variant of the current or the former period. 0: no experiment. */
  private arm(variant: number): number {
    return Math.max(0, (this.period - 1) * 2 + variant);
  }

  private experiment(runs: boolean, begins: boolean): void {
    if (begins) this.period++;
    const first_arm = Math.max(1, (this.period - 1) * 2 + 1);
    const variants = [0, 1].map((at) => {
      const ranges = [{ from: at * 2 ** 31, to: (at + 1) * 2 ** 31, cohort: '0' }];
      return { name: `v${at}`, feed_id: 'feed_1', percent: 50, arm: first_arm + at, ranges, left: [] };
    });
    const was_running = this.running && !begins;
    // A period that has ended never runs again.
    this.running = runs && (begins || was_running);
    const content: ExperimentContent = {
      ...{ account: 'default', name: 'E', feed_id: 'feed_1', metric: 'like', attribution_hours: 1 },
      ...{ status: this.running ? 'running' : 'stopped', salt: 's', variants, period: this.period },
      ...{ period_started_at: START, ended: [], revision: 1, created_at: START, updated_at: START },
      ...{ actor: 'key_1', operation: 'change' },
      ...{ method: 'split', pinned: { feed_1: 1 }, percent_changes: 0 },
    };
    this.push({ kind: 'experiment', experiment: 1, content });
  }

  private key(space: Space, id: string, stale: boolean): Key {
    const known = this.keys[space].get(id);
    if (known !== undefined) return known;
    const erased = this.erased[space].get(id);
    if (stale && erased !== undefined) return erased;
    const key = this.next[space]++;
    this.keys[space].set(id, key);
    this.push({ kind: 'name', space, key, id });
    return key;
  }

  /** Existing items stay without their author. */
  private release(user: Key, author: string): void {
    const items = [...this.authors].filter(([item, by]) => by === author && !this.deleted.has(item));
    const keys = items.map(([item]) => this.keys.item.get(item)).filter((known) => known !== undefined);
    for (const [item] of items) this.authors.set(item, undefined);
    this.push({ kind: 'release', user, items: Uint32Array.from(keys) });
  }

  private forget(space: Space, id: string): void {
    const key = this.keys[space].get(id);
    if (key === undefined) return;
    this.erased[space].set(id, key);
    this.keys[space].delete(id);
    if (space !== 'item') return;
    this.authors.delete(id);
    this.deleted.delete(id);
  }

  private push(change: Unstamped<Change>): void {
    const stamp = { seq: this.changes.length + 1, applied_at: this.applied_at };
    this.changes.push({ ...change, ...stamp } as Change);
  }
}

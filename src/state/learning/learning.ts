import { DAY_SECONDS } from '../../clock.ts';
import { imageBytes, restoreBytes } from '../../columns/image-bytes.ts';
import type { LearningChange } from '../../model/changes/learning.ts';
import type { ModelChange } from '../../model/changes/model.ts';
import type { ShownChange } from '../../model/changes/shown.ts';
import { type Key, NONE } from '../../model/key.ts';
import { LOOKED_BELOW_LAST_ACT, ORIGINS, type ShownPage } from '../../model/shown-page.ts';
import { signalKey } from '../../model/signal-key.ts';
import type { SingleGroup } from '../groups.ts';
import type { Items } from '../items.ts';
import type { Users } from '../users.ts';
import { type ModelName, Models } from './models.ts';
import { type ActKind, type ClosedPage, OpenPages, type Viewer, viewerWords } from './open-pages.ts';
import { Rates } from './rates.ts';
import { SlotCurve } from './slot-curve.ts';

/** A page counts half as much for click rates after this time. */
const HALF_LIFE = 3 * DAY_SECONDS;
/** Weights of pages grow by up to 2^32, then all are scaled down. */
const DOUBLINGS_MAX = 32;
/** Pages that a rate of less data counts as, when it is the prior of a rate. */
const PRIOR_PAGES = 20;
/** The whole begins with a rate of one act in `PRIOR_PAGES` pages. */
const FIRST_RATE = 1 / PRIOR_PAGES;

const PROMOTED = ORIGINS.indexOf('promoted');
/** The nth page of a viewer on a UTC day teaches 1/n of the first, and further ones nothing. */
const TAUGHT_BY_VIEWER_MAX = 20;
/** Acts on an author who gets more than this share of all, and more than the mean, teach less. */
const AUTHOR_SHARE_MAX = 0.02;
/** With fewer recent acts, a share says nothing. */
const ACTS_MIN = 50;
/** Hashes of viewers that are kept. A power of two. */
const VIEWERS_KEPT = 4_096;

/** The parts of the state that pages are learnt with. */
export interface LearningSource {
  readonly users: Pick<Users, 'names'>;
  readonly items: Items;
  readonly groups: { readonly channel: SingleGroup };
}

/**
 * What was shown and what followed: click rates of items, the effect of slots, and models of feeds.
 *
 * It is part of the fold as the trend is: only `apply` calls what changes it, and all times are from changes. It holds
 * keys, which are valid in every process, so its image is what a purge stores before (`bytes`).
 */
export class Learning {
  static readonly transient = ['source', 'viewerOf', 'viewers', 'channels_known'];
  private readonly open = new OpenPages();
  private readonly of_items = new Rates();
  private readonly of_authors = new Rates();
  /** By hash of the channel's name. */
  private readonly of_channels = new Rates();
  private shown = 0;
  private acted = 0;
  /** When the weight of a page is 1. It doubles with every `HALF_LIFE` after that, so nothing has to fade. */
  private unit_at = 0;
  readonly slots = new SlotCurve();
  readonly models = new Models();
  private due_at = Number.POSITIVE_INFINITY;
  /** The number of steps so far. 0: nothing was ever shown. */
  revision = 0;
  /** Users and their hashes, by the lowest bits of the users. */
  private viewers: (readonly [user: number, viewer: Viewer])[] = [];
  /** Keys of channels by their codes. */
  private channels_known: number[] = [];

  /** @param viewerOf the name of a viewer's row, see `viewerHash`. Undefined: acts are not followed. */
  constructor(
    private readonly source: LearningSource,
    private readonly viewerOf?: (user_id: string) => string,
  ) {}

  /** Memory of pages whose acts are awaited. At most 16 MB. */
  get open_bytes(): number {
    return this.open.size_bytes;
  }

  /** Does the work that is due at a time. Must be called before the change of that time is applied. */
  tick(applied_at: number): void {
    if (applied_at < this.due_at) return;
    this.revision++;
    for (let page = this.open.close(applied_at); page !== undefined; page = this.open.close(applied_at))
      this.learn(page, applied_at);
    while (this.open.drop(applied_at));
    this.due_at = this.open.due_at;
  }

  show({
    page,
    viewer,
    halvings,
    applied_at,
  }: Pick<ShownChange, 'page' | 'viewer' | 'halvings' | 'applied_at'>): void {
    this.revision++;
    const unit = this.unitAt(page.time);
    const { items } = page;
    for (let at = 0; at < items.length; at++) this.count(items[at], 2 ** halvings * unit, 0, unit);
    if (viewer === '' || page.time + DAY_SECONDS <= applied_at || OpenPages.isTooLong(page)) return;
    this.makeRoom(page, applied_at);
    this.open.add(page, viewer, halvings);
    this.due_at = this.open.due_at;
  }

  /** Notes what stands of a user's acts on an item after one of them changed. */
  act(user: number, item: number, kind: ActKind, time: number): void {
    const { users, items } = this.source;
    if (this.viewerOf === undefined || this.open.count === 0 || !items.wasShownLately(item, time)) return;
    const key = items.names.key(item);
    const counted = this.open.act(this.viewer(user, users.names.id(user)), key, kind, time);
    this.revision++;
    if (counted === undefined) return;
    const unit = this.unitAt(counted.time);
    this.count(key, 0, counted.sign * counted.pages * unit, unit);
  }

  /** Freezes, thaws or resets a model. */
  change(change: Pick<ModelChange, 'action' | 'feed_type' | 'feed'>): void {
    this.revision++;
    this.models.change(change);
  }

  forgetViewer(viewer: string): void {
    if (this.revision === 0) return;
    this.revision++;
    this.open.forget(viewer);
  }

  /** Forgets the click rate of an item. */
  forgetItem(key: Key): void {
    if (this.revision === 0) return;
    this.revision++;
    this.of_items.clear(key);
  }

  forgetAuthor(key: Key): void {
    if (this.revision === 0) return;
    this.revision++;
    this.of_authors.clear(key);
  }

  /** Must be called when codes of channels may be used again. */
  forgetCodes(): void {
    this.channels_known = [];
  }

  /**
   * The share of the times that an item was shown on logged pages that led to an act of the viewer within a day. Rates of
   * little data are close to those of the author, those to the channel's, those to the rate of all. 0.2 µs.
   */
  clickRate(item: number, now: number): number {
    const { items, users } = this.source;
    const unit = this.unit_at === 0 ? 1 : unitOf(now, this.unit_at);
    let rate = (this.acted / unit + FIRST_RATE * PRIOR_PAGES) / (this.shown / unit + PRIOR_PAGES);
    const channel = this.channelOf(item);
    if (channel !== NONE) rate = this.of_channels.rate(channel, rate, PRIOR_PAGES, unit);
    const author = items.author(item);
    if (author !== NONE) rate = this.of_authors.rate(users.names.key(author), rate, PRIOR_PAGES, unit);
    return this.of_items.rate(items.names.key(item), rate, PRIOR_PAGES, unit);
  }

  /** What was learnt for a feed. Undefined while neither it nor all feeds of the type have learnt anything. */
  modelOf(feed_type: ModelName['feed_type'], feed: number): ReturnType<Models['of']> {
    return this.models.of({ feed_type, feed });
  }

  /** All of it, for `restore`. */
  bytes(): Uint8Array {
    return imageBytes(this);
  }

  /** Restores all of it, unless nothing happened since it was stored. */
  restore({ revision, content }: Pick<LearningChange, 'revision' | 'content'>): void {
    if (revision === this.revision) return;
    Object.assign(this, new Learning(this.source, this.viewerOf));
    restoreBytes(this, content);
  }

  private makeRoom(page: ShownPage, applied_at: number): void {
    for (let room = this.open.hasRoom(page); room !== 'yes'; room = this.open.hasRoom(page)) {
      if (room === 'drop' && this.open.drop(Number.POSITIVE_INFINITY)) continue;
      const closed = this.open.close(Number.POSITIVE_INFINITY);
      if (closed !== undefined) this.learn(closed, applied_at);
    }
  }

  private learn(page: ClosedPage, applied_at: number): void {
    const { labels, origins, is_unordered } = page;
    let acts = 0;
    for (let at = 0; at < labels.length; at++) if (labels[at] > 0) acts++;
    this.models.count(page, acts, applied_at);
    if (!is_unordered) this.slots.count(page);
    if (page.nth_of_day > TAUGHT_BY_VIEWER_MAX) return;
    let last = labels.length - 1;
    while (last >= 0 && (labels[last] === 0 || origins[last] === PROMOTED)) last--;
    if (last < 0 && !page.is_reported) return;
    const is_all = last < 0 || is_unordered;
    const end = is_all ? labels.length : Math.min(labels.length, last + 1 + LOOKED_BELOW_LAST_ACT);
    this.models.learn(page, this.lesson(page, end, applied_at));
  }

  /**
   * What items up to a place teach. Moves those items of the page together.
   *
   * A page with an act on an author who gets very many teaches less. Acts on such authors are then expected less often, too
   * (Manski & Lerman, Econometrica 45, 1977): otherwise, the model would learn that popular items are bad.
   */
  private lesson(page: ClosedPage, end: number, now: number) {
    const { items, labels, origins, slots, keys, values, is_unordered, nth_of_day } = page;
    const width = keys.length;
    const offsets = is_unordered ? new Float64Array(end) : this.slots.logarithms(slots);
    const partOf = this.authorPart(now);
    let count = 0;
    let weight = 1;
    for (let at = 0; at < end; at++) {
      const item = this.source.items.names.ordinal(items[at]);
      if (origins[at] === PROMOTED || item === NONE || !this.source.items.described(item)) continue;
      const part = partOf(item);
      if (labels[at] > 0) weight = Math.min(weight, part);
      values.copyWithin(count * width, at * width, (at + 1) * width);
      labels[count] = labels[at];
      offsets[count] = offsets[at] + Math.log(part);
      count++;
    }
    const features = values.subarray(0, count * width);
    return {
      ...{ keys, features, labels: labels.subarray(0, count), offsets: offsets.subarray(0, count) },
      weight: weight / nth_of_day,
    };
  }

  /**
   * How much an act on an item teaches: less for an author who gets very many. What all acts on an author teach together
   * is less the more of them there are, so that it does not pay to make them.
   */
  private authorPart(now: number): (item: number) => number {
    const { source, acted, of_authors } = this;
    if (acted / this.unitAt(now) < ACTS_MIN) return () => 1;
    const most = Math.max(AUTHOR_SHARE_MAX, 1 / of_authors.size);
    return (item) => {
      const author = source.items.author(item);
      const share = author === NONE ? 0 : of_authors.acted(source.users.names.key(author)) / acted;
      return share <= most ? 1 : (most / share) ** 2;
    };
  }

  private count(key: Key, shown: number, acted: number, unit: number): void {
    const { items, users } = this.source;
    const item = items.names.ordinal(key);
    if (item === NONE) return;
    this.shown += shown;
    this.acted += acted;
    this.of_items.add(key, shown, acted, unit);
    const author = items.author(item);
    if (author !== NONE) this.of_authors.add(users.names.key(author), shown, acted, unit);
    const channel = this.channelOf(item);
    if (channel !== NONE) this.of_channels.add(channel, shown, acted, unit);
  }

  /** The weight of a page of a time. */
  private unitAt(time: number): number {
    if (this.unit_at === 0) this.unit_at = Math.floor(time);
    const doublings = (time - this.unit_at) / HALF_LIFE;
    if (doublings > DOUBLINGS_MAX) this.scale(Math.floor(doublings));
    return unitOf(time, this.unit_at);
  }

  private scale(doublings: number): void {
    const factor = 2 ** -doublings;
    for (const rates of [this.of_items, this.of_authors, this.of_channels]) rates.scale(factor);
    this.shown *= factor;
    this.acted *= factor;
    this.unit_at += doublings * HALF_LIFE;
  }

  private channelOf(item: number): number {
    const { channel } = this.source.groups;
    const code = channel.of(item);
    if (code === NONE) return NONE;
    const known = this.channels_known[code];
    if (known !== undefined) return known;
    // 31 bits, as the keys of items.
    const key = signalKey(channel.value(code)) >>> 1;
    this.channels_known[code] = key;
    return key;
  }

  private viewer(user: number, user_id: string): Viewer {
    const known = this.viewers[user % VIEWERS_KEPT];
    if (known?.[0] === user) return known[1];
    const viewer = viewerWords(this.viewerOf!(user_id));
    this.viewers[user % VIEWERS_KEPT] = [user, viewer];
    return viewer;
  }
}

function unitOf(time: number, unit_at: number): number {
  return 2 ** ((time - unit_at) / HALF_LIFE);
}

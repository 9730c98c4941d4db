import { NONE, type Ordinal } from '../plugin/index.ts';
import { KEEP_UP } from '../state/change-ring.ts';
import { grown } from '../state/growable.ts';
import { Slabs } from '../state/slabs.ts';
import type { State } from '../state/state.ts';
import { joinTime, MS_BITS, msPart, secondsPart } from '../state/time.ts';
import { COUNTED, type Summary } from './followed-acts.ts';

/** Above the milliseconds in an entry: the type of the latest act, the bits of the counters, the place of the item. */
const TYPE_SHIFT = MS_BITS;
const TYPE_MASK = 0b1111;
const COUNTERS_SHIFT = TYPE_SHIFT + 4;
const HOT_SHIFT = COUNTERS_SHIFT + COUNTED;
/** Numbers of an entry, side by side: what was done with which hot item, as bits, … */
const FACT = 0;
/** … and the second of the latest act. */
const SECONDS = 1;
const ENTRY = 2;
/** Items whose acts are kept. */
export const HOT_MAX = 128;
/** Of so many pages one in `HOT_SHARE` must show an item for it to become hot; a power of two. */
const ASKED_PAGES = 256;
const HOT_SHARE = 16;
/** Counters of the items asked for, by a few of their bits; a power of two. */
const ASKED = 4096;

/**
 * Who did what with the items that stand on page after page: trending and popular pages are of the same few for everybody,
 * and old ones have been acted on by so many that most followed users did something since the first of it. Of each
 * user it holds what they did with these items and nothing else, so a page reads a few entries of each followed user
 * where their logs have hundreds. A cache outside the fold (decision 135), brought up to date at each page.
 */
export class HotActs {
  /** Of each user an entry for each hot item they acted on. */
  private readonly by_user = new Slabs({ number: new Uint32Array(1024) });
  /** Of each hot item the users who have, or had, an entry of it. */
  private readonly by_item = new Slabs({ user: new Uint32Array(1024) });
  /** Of each item: its place among the hot ones + 1, 0 when it is not. */
  private places = new Uint8Array(64);
  private readonly items = new Int32Array(HOT_MAX).fill(NONE);
  /** The page that showed it last, by number. */
  private readonly shown = new Float64Array(HOT_MAX);
  private readonly asked = new Uint8Array(ASKED);
  private pages = 0;
  /** Of `state.interactions.noted`. */
  private version = 0;
  /** Pairs that have been brought up to date for this page, as numbers. */
  private readonly refreshed = new Set<number>();
  /** Where on the page that is asked about each hot item stands; NONE: nowhere. */
  private readonly page_places = new Int32Array(HOT_MAX).fill(NONE);

  constructor(private readonly state: State) {}

  /**
   * Says of the hot items of a page what users did with them.
   * @returns the places of the others, of which nothing is said
   */
  read(users: readonly Ordinal[], items: readonly Ordinal[], summary: Summary): number[] {
    this.catchUp();
    const others = this.ask(items);
    if (others.length < items.length) this.tell(users, summary);
    return others;
  }

  /** Takes in what was done when it has become much: more than is remembered would mean to begin anew. */
  keepUp(): void {
    if (this.state.interactions.noted.version - this.version >= KEEP_UP) this.catchUp();
  }

  /** A page of items: notes which of them are hot, and what may become it. @returns the places of those that are not */
  private ask(items: readonly Ordinal[]): number[] {
    const { page_places, shown, asked } = this;
    this.pages++;
    if (this.pages % ASKED_PAGES === 0) for (let at = 0; at < ASKED; at++) asked[at] >>= 1;
    page_places.fill(NONE);
    const others: number[] = [];
    let hottest = NONE;
    for (let place = 0; place < items.length; place++) {
      const item = items[place];
      const hot = (item < this.places.length ? this.places[item] : 0) - 1;
      if (hot === NONE) {
        others.push(place);
        const times = Math.min(asked[item & (ASKED - 1)] + 1, 255);
        asked[item & (ASKED - 1)] = times;
        if (times >= ASKED_PAGES / HOT_SHARE) hottest = item;
        continue;
      }
      page_places[hot] = place;
      shown[hot] = this.pages;
    }
    // One a page, for the pages to come: it takes as long as its log.
    if (hottest !== NONE) this.heat(hottest);
    return others;
  }

  private tell(users: readonly Ordinal[], summary: Summary): void {
    const { by_user, page_places } = this;
    if (this.readAhead(users) === NONE) return;
    const { number: numbers } = by_user.columns;
    for (const user of users) {
      const end = by_user.end(user);
      for (let at = by_user.start(user); at < end; at += ENTRY) {
        const fact = numbers[at + FACT];
        const place = page_places[fact >>> HOT_SHIFT];
        if (place === NONE) continue;
        const counters = countersOf(fact);
        // Whatever it was has been taken back.
        if (counters === 0) continue;
        const time = joinTime(numbers[at + SECONDS], fact);
        summary.addUser(place, user, counters, (fact >>> TYPE_SHIFT) & TYPE_MASK, time);
      }
    }
  }

  /**
   * Reads where each user's entries lie, and the first of them: most is not in the processor's cache, and in a loop this
   * short it fetches many at once.
   * @returns a number without meaning, never NONE
   */
  private readAhead(users: readonly Ordinal[]): number {
    const { by_user } = this;
    const { number: numbers } = by_user.columns;
    let read = 0;
    for (const user of users) read |= by_user.end(user);
    for (const user of users) read |= numbers[by_user.start(user)];
    return read >>> 1;
  }

  /** Keeps the acts on an item from now on, unless all places are taken by items that were shown lately. */
  private heat(item: Ordinal): void {
    let hot = 0;
    for (let other = 1; other < HOT_MAX; other++) if (this.shown[other] < this.shown[hot]) hot = other;
    if (this.items[hot] !== NONE && this.pages - this.shown[hot] < ASKED_PAGES) return;
    this.cool(hot);
    this.asked[item & (ASKED - 1)] = 0;
    this.items[hot] = item;
    this.shown[hot] = this.pages;
    this.places = grown(this.places, item + 1);
    this.places[item] = hot + 1;
    const { by_item: log } = this.state.interactions;
    for (let at = log.end(item) - 1; at >= log.start(item); at--) {
      const user = log.other(at);
      this.add(hot, user, log.event_type(at), log.timestamp(at));
    }
  }

  /** An act; a user's acts on an item come newest first. */
  private add(hot: number, user: Ordinal, event_type: number, time: number): void {
    const { vocabulary } = this.state;
    if (!vocabulary.isPublic(event_type)) return;
    const at = this.entryOf(hot, user);
    const { number: numbers } = this.by_user.columns;
    if (countersOf(numbers[at + FACT]) === 0) {
      numbers[at + FACT] = (hot << HOT_SHIFT) | (event_type << TYPE_SHIFT) | msPart(time);
      numbers[at + SECONDS] = secondsPart(time);
    }
    numbers[at + FACT] |= 1 << (COUNTERS_SHIFT + vocabulary.counterPlace(event_type));
  }

  private entryOf(hot: number, user: Ordinal): number {
    const known = this.find(hot, user);
    if (known !== NONE) return known;
    const { by_user, by_item } = this;
    const actor = by_item.insert(hot, 0);
    by_item.columns.user[actor] = user;
    const at = by_user.append(user, ENTRY);
    by_user.columns.number[at + FACT] = hot << HOT_SHIFT;
    return at;
  }

  /** Gives a place free. O(the users who acted on its item). */
  private cool(hot: number): void {
    const { by_user, by_item, items } = this;
    if (items[hot] === NONE) return;
    for (let at = by_item.start(hot); at < by_item.end(hot); at++) {
      const user = by_item.columns.user[at];
      const entry = this.find(hot, user);
      // Not there any more when the user was erased.
      if (entry === NONE) continue;
      by_user.remove(user, entry, ENTRY);
      by_user.trim(user);
    }
    by_item.clear(hot);
    this.places[items[hot]] = 0;
    items[hot] = NONE;
    this.shown[hot] = 0;
  }

  /** Takes in what was done since the last page. */
  private catchUp(): void {
    const { noted } = this.state.interactions;
    if (this.version === noted.version) return;
    const { refreshed } = this;
    refreshed.clear();
    const known = noted.visitSince(this.version, (user, item) => this.refresh(user, item));
    if (!known) for (let hot = 0; hot < HOT_MAX; hot++) this.cool(hot);
    this.version = noted.version;
  }

  private refresh(user: Ordinal, item: Ordinal): void {
    if (item === NONE) {
      this.by_user.clear(user);
      return;
    }
    const hot = (item < this.places.length ? this.places[item] : 0) - 1;
    if (hot === NONE) return;
    if (user === NONE) {
      this.cool(hot);
      return;
    }
    // Whoever did much since the last page is read once an item.
    const pair = user * HOT_MAX + hot;
    if (this.refreshed.has(pair)) return;
    this.refreshed.add(pair);
    const known = this.find(hot, user);
    if (known !== NONE) this.by_user.columns.number[known + FACT] = hot << HOT_SHIFT;
    const { by_user: log } = this.state.interactions;
    for (let at = log.end(user) - 1; at >= log.start(user); at--) {
      if (log.other(at) !== item || log.removed(at)) continue;
      this.add(hot, user, log.event_type(at), log.timestamp(at));
    }
  }

  /** The entry of a user and a hot item, NONE when there is none. O(the user's entries). */
  private find(hot: number, user: Ordinal): number {
    const { by_user } = this;
    for (let at = by_user.start(user); at < by_user.end(user); at += ENTRY) {
      if (by_user.columns.number[at + FACT] >>> HOT_SHIFT === hot) return at;
    }
    return NONE;
  }
}

function countersOf(fact: number): number {
  return (fact >>> COUNTERS_SHIFT) & ((1 << COUNTED) - 1);
}

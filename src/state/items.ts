import { EVENT_CODE, type ItemContent, NONE } from './change.ts';
import { Dictionary } from './dictionary.ts';
import { grown } from './growable.ts';
import { Names } from './names.ts';

const DESCRIBED = 1;
const HIDDEN = 2;
const DELETED = 4;

/** The own counter that an event type moves; other types move none. */
const COUNTED: Record<number, 'own_likes' | 'own_comments' | 'own_shares'> = {
  [EVENT_CODE.like]: 'own_likes',
  [EVENT_CODE.comment]: 'own_comments',
  [EVENT_CODE.share]: 'own_shares',
};

/**
 * Columns of every item by ordinal. The count shown is the source's counter plus the service's own
 * interactions later than the moment when the source counted (`counted_at`).
 */
export class Items {
  readonly names = new Names();
  /** Codes of the channel column. */
  readonly channels = new Dictionary();
  private flags = new Uint8Array(64);
  private author_of = new Int32Array(64);
  private channel_of = new Int32Array(64);
  private created = new Float64Array(64);
  private version = new Float64Array(64);
  private text_size = new Uint32Array(64);
  private source_likes = new Float64Array(64);
  private source_comments = new Float64Array(64);
  private source_shares = new Float64Array(64);
  private counted = new Float64Array(64);
  private own_likes = new Uint32Array(64);
  private own_comments = new Uint32Array(64);
  private own_shares = new Uint32Array(64);

  /** Ordinals given out so far. */
  get size(): number {
    return this.names.size;
  }

  /** Makes room in every column for the item that was named last. */
  extend(): void {
    const size = this.size;
    if (size <= this.flags.length) return;
    this.flags = grown(this.flags, size);
    this.author_of = grown(this.author_of, size);
    this.channel_of = grown(this.channel_of, size);
    this.created = grown(this.created, size);
    this.version = grown(this.version, size);
    this.text_size = grown(this.text_size, size);
    this.source_likes = grown(this.source_likes, size);
    this.source_comments = grown(this.source_comments, size);
    this.source_shares = grown(this.source_shares, size);
    this.counted = grown(this.counted, size);
    this.own_likes = grown(this.own_likes, size);
    this.own_comments = grown(this.own_comments, size);
    this.own_shares = grown(this.own_shares, size);
  }

  /** It has content and has not been deleted: it can be shown unless moderation hides it. */
  described(item: number): boolean {
    return (this.flags[item] & (DESCRIBED | DELETED)) === DESCRIBED;
  }

  deleted(item: number): boolean {
    return (this.flags[item] & DELETED) !== 0;
  }

  /** Taken out of every feed by moderation. */
  hidden(item: number): boolean {
    return (this.flags[item] & HIDDEN) !== 0;
  }

  /** Described and not hidden: one test of the flags for the hot path. */
  visible(item: number): boolean {
    return (this.flags[item] & (DESCRIBED | DELETED | HIDDEN)) === DESCRIBED;
  }

  author(item: number): number {
    return this.author_of[item] - 1;
  }

  channel(item: number): number {
    return this.channel_of[item] - 1;
  }

  created_at(item: number): number {
    return this.created[item];
  }

  /** `seq` of the stored row that holds the item's content. */
  content_seq(item: number): number {
    return this.version[item];
  }

  /** In characters. */
  text_length(item: number): number {
    return this.text_size[item];
  }

  likes_count(item: number): number {
    return this.source_likes[item] + this.own_likes[item];
  }

  comments_count(item: number): number {
    return this.source_comments[item] + this.own_comments[item];
  }

  shares_count(item: number): number {
    return this.source_shares[item] + this.own_shares[item];
  }

  /** When the source last counted; 0 when it never did. */
  counted_at(item: number): number {
    return this.counted[item];
  }

  describe(item: number, author: number, content: ItemContent, seq: number): void {
    this.flags[item] = DESCRIBED | (content.hidden ? HIDDEN : 0);
    this.author_of[item] = author + 1;
    this.channel_of[item] = content.channel === undefined ? 0 : this.channels.intern(content.channel) + 1;
    this.created[item] = content.created_at;
    this.version[item] = seq;
    this.text_size[item] = content.text === undefined ? 0 : [...content.text].length;
  }

  /** Clears everything the item said of itself and its source's counters. */
  delete(item: number): void {
    this.flags[item] = DELETED;
    this.author_of[item] = NONE + 1;
    this.channel_of[item] = NONE + 1;
    this.created[item] = 0;
    this.version[item] = 0;
    this.text_size[item] = 0;
    this.source_likes[item] = 0;
    this.source_comments[item] = 0;
    this.source_shares[item] = 0;
    this.counted[item] = 0;
  }

  /** New counters from the source; NONE keeps a value. The caller recounts the own interactions. */
  setSource(item: number, likes: number, comments: number, shares: number, counted_at: number): void {
    if (likes !== NONE) this.source_likes[item] = likes;
    if (comments !== NONE) this.source_comments[item] = comments;
    if (shares !== NONE) this.source_shares[item] = shares;
    this.counted[item] = counted_at;
  }

  source(item: number): { likes_count: number; comments_count: number; shares_count: number } {
    return {
      likes_count: this.source_likes[item],
      comments_count: this.source_comments[item],
      shares_count: this.source_shares[item],
    };
  }

  resetOwn(item: number): void {
    this.own_likes[item] = 0;
    this.own_comments[item] = 0;
    this.own_shares[item] = 0;
  }

  /** Counts an own interaction in or out, if it is later than the source's count. */
  countOwn(item: number, event_type: number, time: number, delta: number): void {
    const counter = COUNTED[event_type];
    if (counter !== undefined && time > this.counted[item]) this[counter][item] += delta;
  }
}

import { NONE, type Ordinal } from '../plugin/index.ts';
import { actsOnAuthors } from '../signals/author-acts.ts';
import { dislikesOf } from '../signals/dislikes.ts';
import { SEEN, TOUCHED } from '../state/touched.ts';
import type { Engine } from './engine.ts';
import { hiddenAuthors } from './hidden-authors.ts';
import { ItemColumns } from './item-columns.ts';

/** What the viewer did, as plugins read it. Without a viewer, nothing. */
export class ViewerColumns extends ItemColumns {
  /** The item whose bits were asked for last: the rules ask one after another about the same. */
  #touched_item: Ordinal = NONE;
  #touched_flags = 0;
  /** The bits that any item has for the viewer; NONE: nobody asked yet. */
  #touched_any = NONE;
  #hidden_authors: Map<Ordinal, number[]> | undefined;
  #acts_on_authors: Map<Ordinal, number> | undefined;

  constructor(
    engine: Engine,
    readonly viewer: Ordinal,
  ) {
    super(engine);
  }

  has_seen(item: Ordinal): boolean {
    return (this.touched(item) & SEEN) !== 0;
  }

  has_interacted(item: Ordinal): boolean {
    return (this.touched(item) & TOUCHED.interacted) !== 0;
  }

  has_hidden(item: Ordinal): boolean {
    return (this.touched(item) & TOUCHED.hidden) !== 0;
  }

  has_hidden_author(author: Ordinal, count: number, since: number): boolean {
    if (author === NONE || this.viewer === NONE) return false;
    if ((this.touchedAny() & TOUCHED.hidden) === 0) return false;
    this.#hidden_authors ??= hiddenAuthors(this.engine.state, this.viewer);
    if (this.#hidden_authors.size === 0) return false;
    const times = this.#hidden_authors.get(author);
    const enough = Math.max(1, Math.ceil(count));
    return times !== undefined && times.length >= enough && times[enough - 1] >= since;
  }

  is_blocked(user: Ordinal): boolean {
    return this.viewer !== NONE && user !== NONE && this.engine.state.blocks.between(this.viewer, user);
  }

  acts_on_author(author: Ordinal): number {
    if (author === NONE || this.viewer === NONE) return 0;
    const { state, scratch } = this.engine;
    this.#acts_on_authors ??= actsOnAuthors(state, this.viewer, scratch.telling_acts);
    return this.#acts_on_authors.get(author) ?? 0;
  }

  dislikes(): (item: Ordinal) => number {
    const { state, scratch } = this.engine;
    const none = () => 0;
    return this.viewer === NONE ? none : (dislikesOf(state, this.viewer, scratch.tastes) ?? none);
  }

  private touched(item: Ordinal): number {
    if (this.viewer === NONE) return 0;
    if (item !== this.#touched_item) {
      const { touched } = this.engine.state.interactions;
      this.#touched_item = item;
      this.#touched_flags = this.touchedAny() === 0 ? 0 : touched.flags(this.viewer, item);
    }
    return this.#touched_flags;
  }

  /** Looked up once, before the first of many items: that readies the set for them. */
  private touchedAny(): number {
    if (this.#touched_any === NONE) {
      this.#touched_any = this.engine.state.interactions.touched.bitsOfAny(this.viewer);
    }
    return this.#touched_any;
  }
}

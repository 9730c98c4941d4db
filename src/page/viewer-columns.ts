import { NONE, type Ordinal } from '../plugin/index.ts';
import { actsOnAuthors } from '../signals/author-acts.ts';
import { dislikesOf } from '../signals/dislikes.ts';
import { SEEN, TOUCHED, type TouchedBy } from '../state/touched.ts';
import type { Engine } from './engine.ts';
import { hiddenAuthors } from './hidden-authors.ts';
import { ItemColumns } from './item-columns.ts';

/** The viewer's interactions as plugins read them. Empty without a viewer. */
export class ViewerColumns extends ItemColumns {
  /** Looked up once per request. */
  #touched: TouchedBy | undefined;
  /** The last item whose bits were read. Rules read the same item one after another. */
  #touched_item: Ordinal = NONE;
  #touched_flags = 0;
  /** An upper bound of the number of items that the viewer hid. NONE: not computed yet. */
  #hidden_items: number = NONE;
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
    const enough = Math.max(1, Math.ceil(count));
    // A cheap check first: most viewers hid fewer items in total.
    if (this.hiddenItems() < enough) return false;
    this.#hidden_authors ??= hiddenAuthors(this.engine.state, this.viewer);
    const times = this.#hidden_authors.get(author);
    return times !== undefined && times.length >= enough && times[enough - 1] >= since;
  }

  is_blocked(user: Ordinal): boolean {
    return this.viewer !== NONE && user !== NONE && this.engine.state.blocks.between(this.viewer, user);
  }

  acts_on_author(author: Ordinal): number {
    if (author === NONE || this.viewer === NONE) return 0;
    const { state, scratch } = this.engine;
    this.#acts_on_authors ??= actsOnAuthors(state, this.viewer, scratch.significant_acts);
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
      this.#touched_flags = this.touchedItems().flags(item);
      this.#touched_item = item;
    }
    return this.#touched_flags;
  }

  private touchedItems(): TouchedBy {
    this.#touched ??= this.engine.state.interactions.touched.of(this.viewer);
    return this.#touched;
  }

  private hiddenItems(): number {
    if (this.#hidden_items === NONE) this.#hidden_items = this.touchedItems().countWith(TOUCHED.hidden);
    return this.#hidden_items;
  }
}

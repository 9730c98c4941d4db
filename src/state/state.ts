import { applyChange } from './apply.ts';
import { Blocks } from './blocks.ts';
import type { Change } from './change.ts';
import { ChangeRing } from './change-ring.ts';
import { Fields } from './fields.ts';
import { Follows } from './follows.ts';
import { MultiGroup, SingleGroup } from './groups.ts';
import { Interactions } from './interactions.ts';
import { Items } from './items.ts';
import { Places } from './places.ts';
import { Postings } from './postings.ts';
import { Users } from './users.ts';

/**
 * Everything a page is built from, in memory: a fold over the stored changes. `apply` is its only writer
 * and deterministic: no clock, no randomness, no I/O; the same changes give the same state.
 */
export class State {
  /** Fields of contents that plugins asked for. */
  readonly fields: Fields;
  readonly users = new Users();
  readonly items = new Items();
  readonly follows = new Follows();
  readonly blocks = new Blocks();
  readonly interactions = new Interactions((item, event_type, time, delta) => {
    if (this.items.countOwn(item, event_type, time, delta)) this.changed.note(item);
  });
  readonly by_author = new Postings((item) => this.items.created_at(item));
  /** Columns that group items by text; values in normal form (`plugin/values.ts`). */
  readonly groups = {
    channel: new SingleGroup((item) => this.items.created_at(item)),
    app: new SingleGroup((item) => this.items.created_at(item)),
    /** Primary subtags: `pt` for `pt-br`. */
    language: new SingleGroup((item) => this.items.created_at(item)),
    publication_type: new MultiGroup((item) => this.items.created_at(item)),
    /** Every domain of an item with all its parents: `blog.example.com`, `example.com`, `com`. */
    domain: new MultiGroup((item) => this.items.created_at(item)),
    /** Labels with their scores. */
    label: new MultiGroup((item) => this.items.created_at(item)),
  };
  readonly item_places = new Places();
  readonly user_places = new Places();
  /** Every described item under the value 0. */
  readonly by_time = new Postings((item) => this.items.created_at(item));
  /** Deleted items → their authors; items that are posted again leave it. */
  readonly withdrawn = new Map<number, number>();
  readonly changed = new ChangeRing();
  /** Users erased so far: tells caches that what they derived may hold traces. */
  erasures = 0;
  /** `seq` of the last change applied. */
  seq = 0;
  /** `applied_at` of the last change applied, seconds. */
  applied_at = 0;

  constructor(options: { fields?: Fields } = {}) {
    this.fields = options.fields ?? new Fields();
  }

  /** Applies one stored change; changes come in `seq` order, each once. */
  apply(change: Change): void {
    this.seq = change.seq;
    this.applied_at = change.applied_at;
    applyChange(this, change);
  }

  /** The item can be shown to somebody: described, not deleted, neither it nor its author hidden. */
  live(item: number): boolean {
    if (!this.items.visible(item)) return false;
    const author = this.items.author(item);
    return author < 0 || !this.users.hidden(author);
  }
}

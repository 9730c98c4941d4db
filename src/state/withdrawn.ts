import { NONE } from './change.ts';
import { grown } from './growable.ts';

/**
 * Deleted items and their authors, who take them along when they are erased. Each author's items are linked in both directions:
 * 12 bytes an item up to the last that was ever deleted, and 4 a user.
 */
export class Withdrawn {
  /** Of each item its author + 1, 0 when it is not in here; … */
  private author_of = new Uint32Array(64);
  /** … and its author's next and former item + 1, 0 for none. */
  private next_of = new Uint32Array(64);
  private former_of = new Uint32Array(64);
  /** Of each author their first item + 1. */
  private first_of = new Uint32Array(64);

  /** The author of a deleted item; NONE when it is not deleted, or nobody knows whose it was. */
  author(item: number): number {
    return item < this.author_of.length ? this.author_of[item] - 1 : NONE;
  }

  set(item: number, author: number): void {
    this.delete(item);
    this.author_of = grown(this.author_of, item + 1);
    this.next_of = grown(this.next_of, item + 1);
    this.former_of = grown(this.former_of, item + 1);
    this.first_of = grown(this.first_of, author + 1);
    const first = this.first_of[author];
    this.author_of[item] = author + 1;
    this.next_of[item] = first;
    this.former_of[item] = 0;
    if (first > 0) this.former_of[first - 1] = item + 1;
    this.first_of[author] = item + 1;
  }

  delete(item: number): void {
    const author = this.author(item);
    if (author === NONE) return;
    const next = this.next_of[item];
    const former = this.former_of[item];
    if (next > 0) this.former_of[next - 1] = former;
    if (former > 0) this.next_of[former - 1] = next;
    else this.first_of[author] = next;
    this.author_of[item] = 0;
  }

  /** Deleted items of an author, the latest first. O(these). */
  of(author: number): number[] {
    const items: number[] = [];
    let item = author < this.first_of.length ? this.first_of[author] - 1 : NONE;
    for (; item !== NONE; item = this.next_of[item] - 1) items.push(item);
    return items;
  }
}

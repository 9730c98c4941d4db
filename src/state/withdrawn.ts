import { grown } from '../columns/growable.ts';
import { NONE } from '../model/key.ts';

/**
 * Deleted items by author, so that an erasure of the author removes them for good.
 *
 * Each author's items are linked in both directions: 12 bytes an item up to the last that was ever deleted, and 4 a
 * user.
 */
export class Withdrawn {
  /** For each item: its author + 1; 0 if it is not contained. */
  private author_of = new Uint32Array(64);
  /** For each item: the author's next and previous item + 1; 0 without one. */
  private next_of = new Uint32Array(64);
  private former_of = new Uint32Array(64);
  /** For each author: their first item + 1. */
  private first_of = new Uint32Array(64);

  /** The author of a deleted item. NONE if it is not deleted or has no known author. */
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

  of(author: number): number[] {
    const items: number[] = [];
    let item = author < this.first_of.length ? this.first_of[author] - 1 : NONE;
    for (; item !== NONE; item = this.next_of[item] - 1) items.push(item);
    return items;
  }
}

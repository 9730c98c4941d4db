import { NONE, type Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';

/** Asked for so often in vain, a list is built for whoever asks next: by then that would have been cheaper. */
const ASKED_IN_VAIN = 64;
/** When there is no room, a list is worth another one's place once it was missed so often: short walks cost less. */
const ASKED_TO_REPLACE = 8;
const TIMES = 127;
const WAITS = 128;

/** Which items' lists were asked for in vain, and the line of those that wait to be built. */
export class ListDemand {
  /** How often each item's list was missed since it was built last (`TIMES`), and whether it waits (`WAITS`). */
  private asked = new Uint8Array(1024);
  /** Items in order of their first asking; those that do not wait any more are passed over. */
  private queue: Ordinal[] = [];
  private next = 0;
  /** Lists that wait to be built. */
  waiting = 0;

  /** @param line_max lists that wait at most */
  constructor(private readonly line_max: number) {}

  /**
   * Notes that a list is missed; true when it was so often that it is to be built at once.
   * @param full it would take another's place
   */
  note(item: Ordinal, full: boolean): boolean {
    this.asked = grown(this.asked, item + 1);
    const times = Math.min((this.asked[item] & TIMES) + 1, ASKED_IN_VAIN + 1);
    const waits = (this.asked[item] & WAITS) !== 0 || this.enqueue(item, times, full);
    this.asked[item] = times | (waits ? WAITS : 0);
    return times > ASKED_IN_VAIN && waits;
  }

  /** The item whose list waits longest; NONE when none waits. */
  first(): Ordinal {
    for (; this.next < this.queue.length; this.next++) {
      const item = this.queue[this.next];
      if ((this.asked[item] & WAITS) !== 0) return item;
    }
    return NONE;
  }

  /** Its list is there, or is not wanted any more. */
  forget(item: Ordinal): void {
    if (item >= this.asked.length) return;
    if ((this.asked[item] & WAITS) !== 0) this.waiting--;
    this.asked[item] = 0;
  }

  /** @returns whether there is room in the line for an item that was asked for so often */
  private enqueue(item: Ordinal, times: number, full: boolean): boolean {
    if (times < (full ? ASKED_TO_REPLACE : 1) || this.waiting >= this.line_max) return false;
    if (this.next * 2 > this.queue.length) {
      this.queue.splice(0, this.next);
      this.next = 0;
    }
    this.queue.push(item);
    this.waiting++;
    return true;
  }
}

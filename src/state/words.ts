import type { BitSet } from '../bit-set.ts';
import { ByteColumn } from '../columns/byte-column.ts';
import { ByteWriter } from '../columns/bytes.ts';
import { ChangeRing } from '../columns/change-ring.ts';
import { Dictionary } from '../columns/dictionary.ts';
import { grown } from '../columns/growable.ts';
import type { ItemContent } from '../model/records/item.ts';
import { NONE } from '../plugin/index.ts';
import { itemWords } from './item-words.ts';
import type { Setup } from './setup.ts';

/** Between two texts of an item, so that no phrase goes over their border. */
const NEXT_TEXT = 0;
const FIRST_WORD = 1;

/** After so many words went out of use, they are forgotten, so that edits of items do not fill the memory. */
const UNUSED_MAX = 4_096;

/** Words are chained by their first letters, so that a prefix need not be compared with every word. */
const HEADS = 2 ** 16;
/** Prefixes have at least three letters, but for scripts without blanks, whose words are pairs of letters from here on. */
const HEAD_LETTERS = 3;
const FIRST_PAIRED = 0x0e00;

/**
 * The words of every item, as numbers in the order of the texts. Nothing is held until they are used.
 *
 * A word takes 1 to 3 bytes: the most frequent ones get the smallest numbers when the words are filled in. The numbers
 * differ between nodes. What entries match does not depend on them.
 */
export class Words {
  static readonly transient = ['is_wanted', 'onWanted', 'generation', 'latest', 'writer', 'numbers'];
  /** Whether new versions of items are cut into words. */
  is_on = false;
  /** Whether every item has its words. */
  is_complete = false;
  /** Whether a saved feed, a preference or a plugin of this process uses words. */
  is_wanted = false;
  /** Raised when words were forgotten: their numbers may be given to others. */
  generation = 0;
  /** The numbers of the latest new words. */
  readonly latest = new ChangeRing();
  private onWanted = (): void => {};
  private dictionary: Dictionary;
  private lists = new ByteColumn();
  /** How often each word is used. */
  private uses = new Uint32Array(0);
  /** Chains of words with the same first letters: number + 1 of the first, and of the next. */
  private heads = new Uint32Array(0);
  private next = new Uint32Array(0);
  /** Words that were not used any more at some time. */
  private readonly unused: number[] = [];
  private readonly writer = new ByteWriter();
  private numbers = new Uint32Array(64);

  constructor(private readonly setup: Setup) {
    this.dictionary = new Dictionary(setup.hash_key);
  }

  /** Must be called when something uses words. They are filled in then, if a process can read the contents. */
  want(): void {
    if (this.is_wanted) return;
    this.is_wanted = true;
    this.onWanted();
  }

  /** @param wanted called once, when words are first used */
  whenWanted(wanted: () => void): void {
    if (this.is_wanted) wanted();
    else this.onWanted = wanted;
  }

  /** Holds the words of items from now on. */
  turnOn(): void {
    this.turnOff();
    this.heads = new Uint32Array(HEADS);
    this.is_on = true;
  }

  /** Every item has its words now. */
  finish(): void {
    for (let word = 0; word < this.dictionary.size; word++) if (this.uses[word] === 0) this.unused.push(word);
    this.is_complete = true;
  }

  turnOff(): void {
    this.generation++;
    this.is_on = false;
    this.is_complete = false;
    this.dictionary = new Dictionary(this.setup.hash_key);
    this.lists = new ByteColumn();
    this.uses = new Uint32Array(0);
    this.heads = new Uint32Array(0);
    this.next = new Uint32Array(0);
    this.unused.length = 0;
  }

  /** O(the item's texts). */
  describeItem(item: number, content: ItemContent): void {
    if (!this.is_on) return;
    this.writer.length = 0;
    for (const [index, words] of itemWords(content).entries()) {
      if (index > 0) this.writer.varint(NEXT_TEXT);
      this.write(words);
    }
    // Afterwards, so that a word of both versions stays in use.
    this.forgetItem(item);
    const bytes = this.writer.result();
    this.lists.replace(item, bytes.length, (all, start) => all.set(bytes, start));
  }

  forgetItem(item: number): void {
    if (!this.is_on) return;
    const length = this.read(item);
    for (let at = 0; at < length; at++) {
      const number = this.numbers[at] - FIRST_WORD;
      if (number >= 0 && --this.uses[number] === 0) this.unused.push(number);
    }
    this.lists.clear(item);
    if (this.unused.length >= UNUSED_MAX) this.forgetUnused();
  }

  /**
   * Forgets words that no item has any more. Numbers of words are invalid afterwards.
   *
   * O(their chains): untrusted texts may have any number of words with the same first letters.
   */
  forgetUnused(): void {
    const { dictionary } = this;
    const heads = new Set<number>();
    const forgotten: number[] = [];
    for (const word of this.unused.splice(0)) {
      if (this.uses[word] > 0 || !dictionary.holds(word)) continue;
      heads.add(headOf(dictionary.id(word)));
      dictionary.remove(word);
      forgotten.push(word);
    }
    for (const head of heads) this.unlinkRemoved(head);
    for (const word of forgotten) dictionary.release(word);
    if (forgotten.length > 0) this.generation++;
  }

  /** The number of a word. NONE if no item ever had it. */
  find(word: string): number {
    const found = this.dictionary.find(word);
    return found === NONE ? NONE : found + FIRST_WORD;
  }

  /** The word of a number from `FIRST_WORD` on. */
  word(number: number): string {
    return this.dictionary.id(number - FIRST_WORD);
  }

  /** Whether an item has the word. */
  isUsed(number: number): boolean {
    return this.uses[number - FIRST_WORD] > 0;
  }

  /** Calls `visit` with the number of each word that begins with these letters, also if no item has it any more. */
  eachWithPrefix(prefix: string, visit: (number: number) => void): void {
    if (!this.is_on) return;
    const bytes = new TextEncoder().encode(prefix);
    for (let word = this.heads[headOf(prefix)] - 1; word >= 0; word = this.next[word] - 1) {
      if (this.dictionary.startsWith(word, bytes)) visit(word + FIRST_WORD);
    }
  }

  /**
   * Whether one of the item's words is in `hits` (1), none of them is in `marked`, which contains `hits` (0), or neither
   * (-1). O(words).
   */
  scan(item: number, marked: BitSet, hits: BitSet): number {
    const { lists } = this;
    if (!lists.find(item)) return 0;
    const { bytes, end } = lists;
    let found = 0;
    for (let at = lists.start; at < end; ) {
      let byte = bytes[at++];
      let number = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[at++];
        number |= (byte & 0x7f) << shift;
      }
      if (!marked.has(number)) continue;
      if (hits.has(number)) return 1;
      found = -1;
    }
    return found;
  }

  /** All numbers of an item in order, valid until the next call. */
  numbersOf(item: number): Uint32Array {
    return this.numbers.subarray(0, this.read(item));
  }

  /** The memory of all words. O(chunks). */
  get size_bytes(): number {
    if (!this.is_on) return 0;
    const { uses, heads, next, lists, dictionary } = this;
    return uses.byteLength + heads.byteLength + next.byteLength + lists.size_bytes + dictionary.memory_bytes;
  }

  get count(): number {
    return this.dictionary.count;
  }

  /** Reads an item into `numbers`. @returns how many there are */
  private read(item: number): number {
    const { lists } = this;
    if (!lists.find(item)) return 0;
    const { bytes, start, end } = lists;
    this.numbers = grown(this.numbers, end - start);
    let length = 0;
    for (let at = start; at < end; ) {
      let byte = bytes[at++];
      let number = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[at++];
        number |= (byte & 0x7f) << shift;
      }
      this.numbers[length++] = number;
    }
    return length;
  }

  private write(words: readonly string[]): void {
    for (const word of words) {
      const number = this.number(word);
      this.uses[number]++;
      this.writer.varint(number + FIRST_WORD);
    }
  }

  /** The number of a word in the dictionary, assigned now if it is new. */
  number(word: string): number {
    const { size, released } = this.dictionary;
    const number = this.dictionary.intern(word);
    if (this.dictionary.size === size && this.dictionary.released === released) return number;
    this.uses = grown(this.uses, number + 1);
    this.next = grown(this.next, number + 1);
    const head = headOf(word);
    this.next[number] = this.heads[head];
    this.heads[head] = number + 1;
    this.latest.note(number + FIRST_WORD);
    return number;
  }

  /** Takes words that the dictionary does not hold any more out of a chain. */
  private unlinkRemoved(head: number): void {
    let last = NONE;
    for (let word = this.heads[head] - 1; word >= 0; ) {
      const next = this.next[word] - 1;
      if (!this.dictionary.holds(word)) this.next[word] = 0;
      else {
        if (last === NONE) this.heads[head] = word + 1;
        else this.next[last] = word + 1;
        last = word;
      }
      word = next;
    }
    if (last === NONE) this.heads[head] = 0;
    else this.next[last] = 0;
  }
}

/** The chain of words with the same first letters as this one. */
function headOf(word: string): number {
  const letters = HEAD.exec(word)?.[0] ?? '';
  return Bun.hash.xxHash32(letters) % HEADS;
}

const HEAD = new RegExp(`^(?:[\\u{${FIRST_PAIRED.toString(16)}}-\\u{10ffff}]|.{1,${HEAD_LETTERS}})`, 'su');

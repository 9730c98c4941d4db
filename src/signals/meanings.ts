import { type HistoryOptions, NONE, type Ordinal } from '../plugin/index.ts';
import type { MissedChanges } from '../state/missed-changes.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import type { Effort } from './effort.ts';
import { LATER_LENGTH, MeaningLists, RELATED_LENGTH } from './meaning-lists.ts';
import { NearCopies } from './near-copies.ts';
import { NearestGraph, type NearestNodes } from './nearest-graph.ts';
import {
  COPY_ORDER,
  MEANINGS_PIECE,
  NODE_WORDS_MAX,
  named,
  type PackedNode,
  packedNodes,
  packNode,
} from './packed-meanings.ts';
import { SlotQueue } from './slot-queue.ts';
import type { WalkSteps } from './walk-steps.ts';
import { WithheldSlots } from './withheld-slots.ts';

/** The number of similar items that a new item looks for. Of these, it is linked with some and lists some. */
const BREADTH = 64;
/** Searches that find too few admitted items are repeated with more, up to this many. */
const BREADTH_MAX = 1_024;
/** How many times more. */
const WIDER = 4;
/** The number of entries that a request adds up, shared by the items it starts from. */
const ADDITIONS = 1_600;
/** Items that are less similar are not listed. */
const WEIGHT_MIN = 0.1;
/**
 * Items that are at least as similar as this are copies of each other. Otherwise one text that is posted a hundred times
 * would fill every list near it.
 */
const COPY_SIMILARITY = 0.98;
/** The number of copies of each listed item that a page takes, newest first. */
const COPIES_READ = 3;
/** The number of copies that a search for similar items compares. */
const COPIES_COMPARED = 1_024;
/** The room for a list with its own item and copies. */
const READ_MAX = (RELATED_LENGTH + LATER_LENGTH + 1) * (1 + COPIES_READ);
/** The number of indexed embeddings that a step passes by in the queue. */
const PASSED_AT_ONCE = 1_000;

/** An item and its similarity to another one: 0 for any two items, 1 for equal embeddings. */
export interface SimilarItem {
  item: Ordinal;
  similarity: number;
}

/**
 * Which items are similar by their embeddings: an index and neighbour lists, outside of the fold.
 *
 * Items are indexed one after the other while the service is idle, in the order in which they came, and after a start
 * in the order of their creation. A changed or removed embedding is left out at once, and so is that of an item that is
 * hidden, whose author is, or that is dated ahead: it would take the places of items that may be shown. Of nearly equal items, only the first
 * is in the graph and in lists. The others are its copies, so that a flood of copies cannot fill every list near it.
 */
export class Meanings {
  private graph: NearestGraph;
  private lists = new MeaningLists();
  /** Slots whose embedding changed since they were indexed, in order. */
  private queue = new SlotQueue();
  private copies = new NearCopies();
  /** Slots with lists that lost many entries. */
  private gappy = new Set<number>();
  private withheld: WithheldSlots;
  private readonly starts: Accumulator;
  private readonly targets = new Int32Array(READ_MAX);
  private readonly amounts = new Float64Array(READ_MAX);

  /** @param exact every embedding is indexed before it is asked for (`derived_lag_ms` 0): slower, but repeatable */
  constructor(
    private readonly state: State,
    private readonly steps: WalkSteps,
    private readonly exact: boolean,
  ) {
    this.starts = new Accumulator(state.setup.ordinal_hash);
    this.graph = this.emptyGraph();
    this.withheld = new WithheldSlots(state);
    state.embeddings.watch(
      (slot) => this.changed(slot),
      () => this.clear(),
    );
    state.visibility.watch((item) => {
      const slot = state.embeddings.slotOf(item);
      if (slot !== NONE && this.withheld.isShown(item) === this.withheld.has(slot)) this.changed(slot);
    });
    this.enqueueAll();
  }

  /**
   * Whether embeddings that were there at the start, or when the index was cleared, are not indexed yet. Then searches
   * find far items in place of nearer ones.
   */
  get is_building(): boolean {
    return !this.exact && this.queue.is_beginning;
  }

  /** The number of indexed embeddings, and of those that wait. Items that may not be shown are neither. */
  get figures(): { indexed: number; waiting: number } {
    const indexed = this.graph.count + this.copies.size;
    return { indexed, waiting: this.state.embeddings.count - this.withheld.size - indexed };
  }

  /**
   * Indexes one embedding, removes one from the index, or fills a list again. Returns false if none waits. 0.1 to 1 ms.
   */
  step(): boolean {
    for (const due of this.withheld.takeDue()) this.changed(due);
    const slot = this.takeQueued();
    if (slot !== NONE) {
      this.index(slot);
      return true;
    }
    for (const gappy of this.gappy) {
      this.gappy.delete(gappy);
      this.refill(gappy);
      return true;
    }
    return false;
  }

  /** The next queued slot. NONE if none waits. */
  private takeQueued(): number {
    const { queue } = this;
    let slot = queue.take();
    // Most were stored and need nothing.
    for (let passed = 1; passed < PASSED_AT_ONCE && slot !== NONE && this.isIndexed(slot); passed++)
      slot = queue.take();
    return slot;
  }

  /**
   * Fills `into`, which must be empty, with items that are similar to those of the viewer's latest acts, without those.
   *
   * Reads lists only. O(history + `ADDITIONS`).
   */
  reach(viewer: Ordinal, options: HistoryOptions, into: Accumulator, effort: Effort = 1): void {
    const { embeddings } = this.state;
    if (embeddings.count === 0) return;
    this.keepUp();
    this.starts.clear();
    this.steps.starts(viewer, options, (item, strength) => this.starts.add(item, strength));
    const { ordinals, weights, start, end } = this.starts.entries;
    for (let place = start; place < end; place++) into.exclude(ordinals[place]);
    let left = effort * ADDITIONS;
    for (let place = start; place < end && left > 0; place++) {
      const slot = embeddings.slotOf(ordinals[place]);
      if (slot === NONE) continue;
      left -= this.addNear(slot, weights[place], into);
    }
  }

  /** Adds the items near a slot to `into`, with their newest copies. @returns the number of items */
  private addNear(slot: number, scale: number, into: Accumulator): number {
    const { lists, copies, targets, amounts } = this;
    const original = copies.originalOf(slot);
    const node = original === NONE ? slot : original;
    if (lists.hasGaps(node)) {
      if (this.exact) this.refill(node);
      else this.gappy.add(node);
    }
    let count = lists.read(node, scale, targets, amounts);
    targets[count] = node;
    amounts[count++] = scale;
    const listed = copies.size === 0 ? 0 : count;
    for (let at = 0; at < listed; at++) {
      let left = COPIES_READ;
      for (const copy of copies.of(targets[at])) {
        if (left-- === 0) break;
        targets[count] = copy;
        amounts[count++] = amounts[at];
      }
    }
    for (let at = 0; at < count; at++) targets[at] = this.state.embeddings.itemIn(targets[at]);
    into.addEach(targets, amounts, count);
    return count;
  }

  /**
   * Up to `limit` items that pass `admits`, most similar first, ties by `item_id`.
   *
   * O(log of all items), about a millisecond, or some milliseconds if most similar items do not pass.
   */
  similarTo(item: Ordinal, limit: number, admits: (item: Ordinal) => boolean): SimilarItem[] {
    const { embeddings, items } = this.state;
    const slot = embeddings.slotOf(item);
    if (slot === NONE) return [];
    this.keepUp();
    for (let breadth = Math.max(BREADTH, 2 * limit); ; breadth *= WIDER) {
      const found = this.graph.search(slot, breadth);
      const similar: SimilarItem[] = [];
      const offer = (other_slot: number, similarity: number): void => {
        const other = embeddings.itemIn(other_slot);
        if (other !== item && admits(other)) similar.push({ item: other, similarity });
      };
      let compared = 0;
      const offerCopies = (original: number): void => {
        for (const copy of this.copies.of(original)) {
          if (compared++ === COPIES_COMPARED) return;
          offer(copy, this.weightOf(embeddings.similarity(slot, copy)));
        }
      };
      offerCopies(slot);
      let at = 0;
      for (; at < found.size; at++) {
        const similarity = this.weightOf(found.similarities[at]);
        if (similarity <= 0) break;
        offer(found.nodes[at], similarity);
        offerCopies(found.nodes[at]);
      }
      // There are no more similar items if the search found fewer than it could.
      if (similar.length < limit && at === breadth && breadth * WIDER <= BREADTH_MAX) continue;
      similar.sort(
        (one, other) => other.similarity - one.similarity || items.names.compare(one.item, other.item),
      );
      return similar.slice(0, limit);
    }
  }

  /**
   * Copies indexed embeddings of slots from `from` on to `words`, which holds at least one. Items are written as keys.
   * @returns the next slot and the number of words; no words if all were copied
   */
  pack(from: number, words: Int32Array): { next: number; used: number } {
    const { embeddings, items } = this.state;
    const keyOf = (slot: number): number => {
      const item = this.isIndexed(slot) ? embeddings.itemIn(slot) : NONE;
      return item === NONE ? NONE : items.names.key(item);
    };
    // A list with gaps is left out, and built anew after a start.
    const isPacked = (slot: number): boolean => this.lists.has(slot) && !this.lists.hasGaps(slot);
    let slot = from;
    let used = 1;
    for (; slot < embeddings.slots && used + NODE_WORDS_MAX <= words.length; slot++) {
      const original = this.copies.originalOf(slot);
      if (isPacked(original === NONE ? slot : original))
        used = packNode(named(this.nodeAt(slot), keyOf), words, used);
    }
    words[0] = MEANINGS_PIECE;
    return { next: slot, used: used === 1 ? 0 : used };
  }

  /** Whether `pack` wrote a piece. */
  wrote(words: Int32Array): boolean {
    return words[0] === MEANINGS_PIECE;
  }

  /**
   * Adds packed embeddings to the index, except for those that changed since and their places in lists. O(words).
   * @param missed the changes that were applied since they were packed
   */
  unpack(words: Int32Array, missed: MissedChanges): void {
    const { embeddings, items } = this.state;
    const slotOf = (key: number): number => {
      const item = items.names.ordinal(key);
      if (item === NONE || missed.embedded.has(item) || !this.withheld.isShown(item)) return NONE;
      return embeddings.slotOf(item);
    };
    for (const packed of packedNodes(words)) {
      const node = named(packed, slotOf);
      if (node.node === NONE || this.isIndexed(node.node)) continue;
      if (packed.order === COPY_ORDER) {
        for (const original of node.links) this.copies.add(node.node, original);
        continue;
      }
      this.graph.restore(node.node, node.links);
      this.lists.restore(node.node, node.order, node);
    }
  }

  /** Removes everything from the index, to be built again. */
  clear(): void {
    this.graph = this.emptyGraph();
    this.lists = new MeaningLists();
    this.queue = new SlotQueue();
    this.copies = new NearCopies();
    this.gappy = new Set();
    this.withheld = new WithheldSlots(this.state);
    this.enqueueAll();
  }

  private isIndexed(slot: number): boolean {
    return this.lists.has(slot) || this.copies.originalOf(slot) !== NONE;
  }

  private nodeAt(slot: number): PackedNode {
    const original = this.copies.originalOf(slot);
    if (original !== NONE)
      return { node: slot, order: COPY_ORDER, links: [original], entries: [], steps: [], related: 0 };
    const order = this.lists.orderOf(slot);
    return { node: slot, order, links: this.graph.linksOf(slot), ...this.lists.entriesOf(slot) };
  }

  private emptyGraph(): NearestGraph {
    const { embeddings, items } = this.state;
    return new NearestGraph({
      similarity: (one, other) => embeddings.similarity(one, other),
      drawOf: (slot) => mixed(items.names.key(embeddings.itemIn(slot))),
    });
  }

  /** Queues all embeddings, those of the oldest items first. O(items) if there are any. */
  private enqueueAll(): void {
    const { embeddings, by_time } = this.state;
    if (embeddings.count === 0) return;
    for (let at = by_time.start(0); at < by_time.end(0); at++) {
      const item = by_time.item(at);
      const slot = embeddings.slotOf(item);
      if (slot === NONE) continue;
      this.withheld.update(slot);
      this.queue.add(slot);
    }
    this.queue.begin();
  }

  private keepUp(): void {
    while (this.exact && this.step());
  }

  private changed(slot: number): void {
    const { graph, lists, copies } = this;
    graph.hide(slot);
    lists.hide(slot);
    copies.remove(slot);
    for (const copy of copies.of(slot)) {
      copies.remove(copy);
      this.queue.add(copy);
    }
    this.withheld.update(slot);
    this.queue.add(slot);
  }

  private index(slot: number): void {
    const { graph, lists } = this;
    if (this.isIndexed(slot)) return;
    for (const other of lists.remove(slot)) if (lists.hasGaps(other)) this.gappy.add(other);
    graph.remove(slot);
    if (this.state.embeddings.itemIn(slot) === NONE || this.withheld.has(slot)) return;
    const found = graph.search(slot, BREADTH);
    if (found.size > 0 && this.weightOf(found.similarities[0]) >= COPY_SIMILARITY) {
      this.copies.add(slot, found.nodes[0]);
      return;
    }
    const { slots, weights } = this.listed(found, RELATED_LENGTH);
    graph.add(slot, found);
    lists.add(slot, slots, weights);
  }

  /** Searches anew for a slot whose list has gaps. Its links can have gaps too. */
  private refill(slot: number): void {
    if (!this.lists.has(slot)) return;
    const found = this.graph.search(slot, BREADTH);
    const { slots, weights } = this.listed(found, BREADTH);
    this.lists.refill(slot, slots, weights);
    this.graph.relink(slot, found);
  }

  /** The found nodes that may be listed, at most `most`, with their weights. */
  private listed(found: NearestNodes, most: number): { slots: number[]; weights: number[] } {
    const slots: number[] = [];
    const weights: number[] = [];
    for (let at = 0; at < found.size && slots.length < most; at++) {
      const weight = this.weightOf(found.similarities[at]);
      if (weight < WEIGHT_MIN) break;
      slots.push(found.nodes[at]);
      weights.push(weight * weight);
    }
    return { slots, weights };
  }

  /** A similarity above that of any two items. */
  private weightOf(similarity: number): number {
    const { background } = this.graph;
    return Math.min(1, (similarity - background) / (1 - background));
  }
}

/** Mixes the bits of a key, so that consecutive keys are drawn independently (the finaliser of MurmurHash3). */
function mixed(key: number): number {
  let bits = Math.imul(key ^ (key >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

import { type Effort, type MeaningOptions, NONE, type Ordinal } from '../plugin/index.ts';
import type { MissedChanges } from '../state/missed-changes.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import { LATER_LENGTH, MeaningLists, RELATED_LENGTH } from './meaning-lists.ts';
import { NearestGraph, type NearestNodes } from './nearest-graph.ts';
import { MEANINGS_PIECE, NODE_WORDS_MAX, type PackedNode, packedNodes, packNode } from './packed-meanings.ts';
import type { WalkSteps } from './walk-steps.ts';

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
 * in the order of their creation. A changed or removed embedding is left out at once.
 */
export class Meanings {
  private graph: NearestGraph;
  private lists = new MeaningLists();
  /** Slots whose embedding changed since they were indexed, in order. The ones before `next` are done. */
  private queue: number[] = [];
  private next = 0;
  private queued = new Set<number>();
  private readonly starts: Accumulator;
  private readonly targets = new Int32Array(RELATED_LENGTH + LATER_LENGTH);
  private readonly amounts = new Float64Array(RELATED_LENGTH + LATER_LENGTH);

  /** @param exact every embedding is indexed before it is asked for (`derived_lag_ms` 0): slower, but repeatable */
  constructor(
    private readonly state: State,
    private readonly steps: WalkSteps,
    private readonly exact: boolean,
  ) {
    this.starts = new Accumulator(state.setup.ordinal_hash);
    this.graph = this.emptyGraph();
    state.embeddings.watch((slot) => this.changed(slot));
    this.enqueueAll();
  }

  /** The number of indexed embeddings, and of those that wait. */
  get figures(): { indexed: number; waiting: number } {
    const { count } = this.graph;
    return { indexed: count, waiting: this.state.embeddings.count - count };
  }

  /** Indexes one embedding, or removes one from the index. Returns false if none waits. 0.1 to 1 ms. */
  step(): boolean {
    if (this.next === this.queue.length) return false;
    let slot = this.queue[this.next++];
    // Most were stored and need nothing.
    for (let passed = 0; this.lists.has(slot) && passed < PASSED_AT_ONCE; passed++) {
      this.queued.delete(slot);
      if (this.next === this.queue.length) return false;
      slot = this.queue[this.next++];
    }
    this.queued.delete(slot);
    if (2 * this.next >= this.queue.length) {
      this.queue = this.queue.slice(this.next);
      this.next = 0;
    }
    this.index(slot);
    return true;
  }

  /**
   * Fills `into`, which must be empty, with items that are similar to those of the viewer's latest acts, without those.
   *
   * Reads lists only. O(history + `ADDITIONS`).
   */
  reach(viewer: Ordinal, options: MeaningOptions, into: Accumulator, effort: Effort = 1): void {
    const { state, lists, targets, amounts } = this;
    const { embeddings } = state;
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
      const count = lists.read(slot, weights[place], targets, amounts);
      for (let at = 0; at < count; at++) targets[at] = embeddings.itemIn(targets[at]);
      into.addEach(targets, amounts, count);
      left -= count;
    }
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
      let at = 0;
      for (; at < found.size; at++) {
        const similarity = this.weightOf(found, at);
        if (similarity <= 0) break;
        const other = embeddings.itemIn(found.nodes[at]);
        if (admits(other)) similar.push({ item: other, similarity });
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
      const item = this.lists.has(slot) ? embeddings.itemIn(slot) : NONE;
      return item === NONE ? NONE : items.names.key(item);
    };
    let slot = from;
    let used = 1;
    for (; slot < embeddings.slots && used + NODE_WORDS_MAX <= words.length; slot++) {
      if (this.lists.has(slot)) used = packNode(named(this.nodeAt(slot), keyOf), words, used);
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
      return item === NONE || missed.embedded.has(item) ? NONE : embeddings.slotOf(item);
    };
    for (const packed of packedNodes(words)) {
      const node = named(packed, slotOf);
      if (node.node === NONE || this.lists.has(node.node)) continue;
      this.graph.restore(node.node, node.links);
      this.lists.restore(node.node, node.order, node);
    }
  }

  /** Removes everything from the index, to be built again. */
  clear(): void {
    this.graph = this.emptyGraph();
    this.lists = new MeaningLists();
    this.queue = [];
    this.queued = new Set();
    this.next = 0;
    this.enqueueAll();
  }

  private nodeAt(slot: number): PackedNode {
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
      const slot = embeddings.slotOf(by_time.item(at));
      if (slot !== NONE) this.enqueue(slot);
    }
  }

  private keepUp(): void {
    while (this.exact && this.step());
  }

  private changed(slot: number): void {
    this.graph.hide(slot);
    this.lists.hide(slot);
    this.enqueue(slot);
  }

  private enqueue(slot: number): void {
    if (this.queued.has(slot)) return;
    this.queued.add(slot);
    this.queue.push(slot);
  }

  private index(slot: number): void {
    const { graph, lists } = this;
    if (lists.has(slot)) return;
    lists.remove(slot);
    graph.remove(slot);
    if (this.state.embeddings.itemIn(slot) === NONE) return;
    const found = graph.search(slot, BREADTH);
    const related: number[] = [];
    const weights: number[] = [];
    for (let at = 0; at < found.size && related.length < RELATED_LENGTH; at++) {
      const weight = this.weightOf(found, at);
      if (weight < WEIGHT_MIN) break;
      related.push(found.nodes[at]);
      weights.push(weight * weight);
    }
    graph.add(slot, found);
    lists.add(slot, related, weights);
  }

  /** The similarity of a found node, above that of any two items. */
  private weightOf({ similarities }: NearestNodes, at: number): number {
    const { background } = this.graph;
    return Math.min(1, (similarities[at] - background) / (1 - background));
  }
}

/** A node with other names of nodes. Links and entries without a name (NONE) are left out. */
function named(packed: PackedNode, nameOf: (node: number) => number): PackedNode {
  const named: PackedNode = {
    ...packed,
    node: nameOf(packed.node),
    links: [],
    entries: [],
    steps: [],
    related: 0,
  };
  for (const link of packed.links) {
    const name = nameOf(link);
    if (name !== NONE) named.links.push(name);
  }
  for (const [at, entry] of packed.entries.entries()) {
    const name = nameOf(entry);
    if (name === NONE) continue;
    named.entries.push(name);
    named.steps.push(packed.steps[at]);
    if (at < packed.related) named.related++;
  }
  return named;
}

/** Mixes the bits of a key, so that consecutive keys are drawn independently (the finaliser of MurmurHash3). */
function mixed(key: number): number {
  let bits = Math.imul(key ^ (key >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

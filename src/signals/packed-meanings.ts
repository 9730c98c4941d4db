import { type Key, NONE } from '../model/key.ts';
import { LATER_LENGTH, type ListEntries, RELATED_LENGTH, STEPS } from './meaning-lists.ts';
import { LINKS_MAX } from './nearest-graph.ts';

/** The first word of a piece of packed meanings. A piece of neighbour lists begins with a number above 0. */
export const MEANINGS_PIECE = -2;
/** The number of a copy, which is in no list. Its only link is its original. */
export const COPY_ORDER = 0;
/** A packed node begins with the place of the next one, the key of its item, its number and the counts of its parts. */
const HEAD = 6;

/** A node of the index with its lists. Nodes are named by numbers: slots in memory, keys of items in a file. */
export interface PackedNode extends ListEntries {
  node: number;
  /** The number that orders nodes by when they were indexed. */
  order: number;
  links: number[];
}

/** The most words that `packNode` writes. */
export const NODE_WORDS_MAX = HEAD + LINKS_MAX + 2 * (RELATED_LENGTH + LATER_LENGTH);

/** Writes a node to `words`, from `at` on. @returns the end */
export function packNode(
  { node, order, links, entries, steps, related }: PackedNode,
  words: Int32Array,
  at: number,
): number {
  const end = at + HEAD + links.length + 2 * entries.length;
  words.set([end, node, order, links.length, entries.length, related], at);
  words.set(links, at + HEAD);
  words.set(entries, at + HEAD + links.length);
  words.set(steps, at + HEAD + links.length + entries.length);
  return end;
}

export function* packedNodes(words: Int32Array): Generator<PackedNode> {
  for (let at = 1; at < words.length; at = words[at]) {
    const [, node, order, link_count, entry_count, related] = words.subarray(at, at + HEAD);
    const list = (from: number, length: number) => Array.from(words.subarray(from, from + length));
    const links = list(at + HEAD, link_count);
    const entries = list(at + HEAD + link_count, entry_count);
    const steps = list(at + HEAD + link_count + entry_count, entry_count);
    yield { node, order, links, entries, steps, related };
  }
}

/** A node with other names of nodes. Links and entries without a name (NONE) are left out. */
export function named(packed: PackedNode, nameOf: (node: number) => number): PackedNode {
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

/**
 * Why packed meanings cannot be right. Undefined if they can.
 * @param wasNamed whether an item ever had this key
 */
export function packedMeaningsFault(words: Int32Array, wasNamed: (key: Key) => boolean): string | undefined {
  for (let at = 1; at < words.length; at = words[at]) {
    const [end, key, , link_count, entry_count, related] = words.subarray(at, at + HEAD);
    const is_long = end > words.length || end !== at + HEAD + link_count + 2 * entry_count;
    if (is_long || end <= at || related > entry_count || link_count < 0)
      return 'an entry of the index of embeddings has no valid length';
    if (!wasNamed(key)) return `the index of embeddings has item ${key}, which is not stored`;
    for (let place = at + HEAD; place < end - entry_count; place++) {
      if (!wasNamed(words[place]))
        return `the index of embeddings links item ${key} with item ${words[place]}, which is not stored`;
    }
    for (let place = end - entry_count; place < end; place++) {
      if (words[place] <= 0 || words[place] > STEPS)
        return `item ${key} has no valid weight in the index of embeddings`;
    }
  }
  return undefined;
}

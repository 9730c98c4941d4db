import { grown } from '../columns/growable.ts';

/** The most links of a node. A node with more keeps `LINKS_KEPT` of them. */
export const LINKS_MAX = 32;
const LINKS_KEPT = 24;
/** The links of a new node. */
const LINKS_CHOSEN = 16;
/** A node gets this many links even if they all lead in the same direction. */
const LINKS_MIN = 8;
/** Searches begin at this many nodes of a sample, or at all nodes of a smaller graph. */
const ENTRIES = 512;
/** The sample is drawn again when it has shrunk to this. */
const ENTRIES_MIN = 128;

/** The best nodes of a search, best first. Valid until the next search. */
export class NearestNodes {
  nodes = new Int32Array(0);
  similarities = new Float64Array(0);
  private followed = new Uint8Array(0);
  size = 0;
  private limit = 0;
  /** Nodes before this have been followed. */
  private next = 0;

  /** Empties it. @param limit the number of nodes to keep */
  begin(limit: number): void {
    this.nodes = grown(this.nodes, limit);
    this.similarities = grown(this.similarities, limit);
    this.followed = grown(this.followed, limit);
    this.size = 0;
    this.limit = limit;
    this.next = 0;
  }

  /** Adds a node, unless there are `limit` more similar ones. O(limit). */
  offer(node: number, similarity: number): void {
    const { nodes, similarities, followed, limit } = this;
    if (this.size === limit && similarity <= similarities[limit - 1]) return;
    if (this.size < limit) this.size++;
    let at = this.size - 1;
    for (; at > 0 && similarities[at - 1] < similarity; at--) {
      nodes[at] = nodes[at - 1];
      similarities[at] = similarities[at - 1];
      followed[at] = followed[at - 1];
    }
    nodes[at] = node;
    similarities[at] = similarity;
    followed[at] = 0;
    if (at < this.next) this.next = at;
  }

  /** The most similar node whose links were not followed yet, which counts as followed from now on. -1 if none is left. */
  follow(): number {
    while (this.next < this.size && this.followed[this.next] === 1) this.next++;
    if (this.next === this.size) return -1;
    this.followed[this.next] = 1;
    return this.nodes[this.next++];
  }
}

/** What a graph knows of its nodes. Nodes are small integers that may be reused. */
export interface NodeSpace {
  /** The similarity of two nodes, higher for nearer ones. Also defined for a node that is not in the graph yet. */
  similarity(one: number, other: number): number;
  /** An integer from which the sample is drawn: the same for the same node in every process. */
  drawOf(node: number): number;
}

/**
 * A navigable graph for approximate searches of nearest neighbours, in which each node is linked with near nodes in many
 * directions.
 *
 * It is the lowest layer of an HNSW index (Malkov and Yashunin, "Efficient and robust approximate nearest neighbor
 * search using Hierarchical Navigable Small World graphs", TPAMI 2018), with a sample of entry nodes in place of the
 * upper layers. In vectors of hundreds of numbers these bring little (Munyampirwa et al., "Down with the Hierarchy: the
 * 'H' in HNSW stands for 'Hubs'", 2024), and a flat graph is easier to change and to store. A search visits some
 * hundred to two thousand nodes, however many there are. It is exact among up to `ENTRIES` nodes.
 *
 * It is deterministic: the same calls in the same order make the same graph.
 */
export class NearestGraph {
  private links = new Int32Array(0);
  private link_count = new Uint8Array(0);
  /** 1 for nodes that searches may visit. */
  private live = new Uint8Array(0);
  private size = 0;
  private entries: number[] = [];
  /** A node is in the sample if as many of its lowest bits (`drawOf`) are 0. */
  private sample_bits = 0;
  /** The number of the last search that visited each node. */
  private visited = new Uint32Array(0);
  private searches = 0;
  private readonly found = new NearestNodes();
  private readonly pruned = new NearestNodes();
  /** The mean similarity of the last search to the sample: how similar any two nodes are. */
  background = 0;

  constructor(private readonly space: NodeSpace) {}

  get count(): number {
    return this.size;
  }

  has(node: number): boolean {
    return node < this.live.length && this.live[node] === 1;
  }

  /** The most similar nodes to `node`, which need not be in the graph, without itself. @param breadth nodes to find */
  search(node: number, breadth: number): NearestNodes {
    const { space, live, visited, links, link_count, found } = this;
    const search = this.nextSearch(node);
    found.begin(breadth);
    let sum = 0;
    let sampled = 0;
    for (const entry of this.entries) {
      if (live[entry] === 0 || visited[entry] === search) continue;
      visited[entry] = search;
      const similarity = space.similarity(node, entry);
      sum += similarity;
      sampled++;
      found.offer(entry, similarity);
    }
    // Among few nodes, those of one subject would look like the background.
    this.background = sum / (sampled + LINKS_MAX);
    for (let from = found.follow(); from >= 0; from = found.follow()) {
      const start = from * LINKS_MAX;
      for (let at = start; at < start + link_count[from]; at++) {
        const to = links[at];
        if (visited[to] === search || live[to] === 0) continue;
        visited[to] = search;
        found.offer(to, space.similarity(node, to));
      }
    }
    return found;
  }

  add(node: number, found: NearestNodes): void {
    this.restore(node, this.choose(found, LINKS_CHOSEN));
    const start = node * LINKS_MAX;
    for (let at = start; at < start + this.link_count[node]; at++) this.link(this.links[at], node);
  }

  /** Links a node that is in the graph with near nodes again, as if it were new. @param found the result of a search for it */
  relink(node: number, found: NearestNodes): void {
    for (const other of this.choose(found, LINKS_CHOSEN)) {
      this.link(node, other);
      this.link(other, node);
    }
  }

  /** Adds a node with its links. Links to nodes that are not in the graph have no effect. */
  restore(node: number, linked: readonly number[]): void {
    this.makeRoom(node);
    for (const other of linked) this.makeRoom(other);
    const count = Math.min(linked.length, LINKS_MAX);
    for (let at = 0; at < count; at++) this.links[node * LINKS_MAX + at] = linked[at];
    this.link_count[node] = count;
    this.live[node] = 1;
    this.size++;
    this.sample(node);
  }

  linksOf(node: number): number[] {
    if (!this.has(node)) return [];
    const start = node * LINKS_MAX;
    return Array.from(this.links.subarray(start, start + this.link_count[node]));
  }

  /** Makes searches pass by a node. Its links stay until `remove`. O(entries). */
  hide(node: number): void {
    if (!this.has(node)) return;
    this.live[node] = 0;
    this.size--;
    const entry = this.entries.indexOf(node);
    if (entry >= 0) this.entries.splice(entry, 1);
    if (this.entries.length < ENTRIES_MIN && this.sample_bits > 0) this.sampleAgain();
  }

  /** Removes the links of a hidden node and links its neighbours with each other. */
  remove(node: number): void {
    if (node >= this.live.length || this.live[node] === 1) return;
    const start = node * LINKS_MAX;
    const former = Array.from(this.links.subarray(start, start + this.link_count[node]));
    this.link_count[node] = 0;
    const left = former.filter((other) => this.live[other] === 1);
    for (const other of left) this.unlink(other, node);
    for (const other of left) {
      if (this.link_count[other] < LINKS_MIN)
        for (const next of left) if (next !== other) this.link(other, next);
    }
  }

  private nextSearch(node: number): number {
    // Numbers are used again after 2^32 searches.
    this.searches = (this.searches + 1) >>> 0;
    if (this.searches === 0) {
      this.visited.fill(0);
      this.searches = 1;
    }
    if (node < this.visited.length) this.visited[node] = this.searches;
    return this.searches;
  }

  /**
   * Chooses links among similar nodes, most similar first: a node that is more similar to a chosen one than to the
   * searched node is reached through that one.
   */
  private choose(found: NearestNodes, most: number): number[] {
    const { nodes, similarities, size } = found;
    const chosen: number[] = [];
    const skipped: number[] = [];
    for (let at = 0; at < size && chosen.length < most; at++) {
      const node = nodes[at];
      const is_covered = chosen.some((other) => this.space.similarity(node, other) >= similarities[at]);
      (is_covered ? skipped : chosen).push(node);
    }
    for (let at = 0; at < skipped.length && chosen.length < LINKS_MIN; at++) chosen.push(skipped[at]);
    return chosen;
  }

  private link(from: number, to: number): void {
    const start = from * LINKS_MAX;
    const count = this.link_count[from];
    for (let at = start; at < start + count; at++) if (this.links[at] === to) return;
    if (count < LINKS_MAX) {
      this.links[start + count] = to;
      this.link_count[from]++;
      return;
    }
    const { pruned, space } = this;
    pruned.begin(LINKS_MAX + 1);
    pruned.offer(to, space.similarity(from, to));
    for (let at = start; at < start + count; at++) {
      const other = this.links[at];
      if (this.live[other] === 1) pruned.offer(other, space.similarity(from, other));
    }
    const kept = this.choose(pruned, LINKS_KEPT);
    this.links.set(kept, start);
    this.link_count[from] = kept.length;
  }

  private unlink(from: number, to: number): void {
    const start = from * LINKS_MAX;
    const end = start + this.link_count[from];
    const at = this.links.subarray(start, end).indexOf(to);
    if (at < 0) return;
    this.links[start + at] = this.links[end - 1];
    this.link_count[from]--;
  }

  /** Adds a node to the sample if it is drawn. The sample is thinned out as the graph grows. */
  private sample(node: number): void {
    if (!this.isDrawn(node)) return;
    this.entries.push(node);
    while (this.entries.length > ENTRIES) {
      this.sample_bits++;
      this.entries = this.entries.filter((entry) => this.isDrawn(entry));
    }
  }

  private sampleAgain(): void {
    while (this.sample_bits > 0 && this.entries.length < ENTRIES / 2) {
      this.sample_bits--;
      this.entries = [];
      for (let node = 0; node < this.live.length; node++)
        if (this.live[node] === 1 && this.isDrawn(node)) this.entries.push(node);
    }
  }

  private isDrawn(node: number): boolean {
    return (this.space.drawOf(node) & ((1 << this.sample_bits) - 1)) === 0;
  }

  private makeRoom(node: number): void {
    const end = (node + 1) * LINKS_MAX;
    if (end <= this.links.length) return;
    // The largest array sets the pace: smaller ones double for longer.
    this.links = grown(this.links, end);
    const length = Math.ceil(this.links.length / LINKS_MAX);
    this.live = grown(this.live, length);
    this.link_count = grown(this.link_count, length);
    this.visited = grown(this.visited, length);
  }
}

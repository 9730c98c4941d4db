import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { NearestGraph } from '../../src/signals/nearest-graph.ts';

/** Points of a plane in clusters. The nearer they are, the more similar. */
class Points {
  private readonly places: [number, number][] = [];
  private readonly random = seededRandom(7);

  put(point: number, cluster: number): void {
    this.places[point] = [
      Math.cos(cluster) * 100 + this.random() * 20,
      Math.sin(2 * cluster) * 100 + this.random() * 20,
    ];
  }

  similarity(one: number, other: number): number {
    const [x, y] = this.places[one];
    const [z, w] = this.places[other];
    return -Math.hypot(x - z, y - w);
  }

  nearest(point: number, among: readonly number[], count: number): number[] {
    return among
      .filter((other) => other !== point)
      .toSorted((one, other) => this.similarity(point, other) - this.similarity(point, one))
      .slice(0, count);
  }
}

const draw = (node: number) => Math.imul(node + 1, 0x9e3779b1);

function graphOf(points: Points): NearestGraph {
  return new NearestGraph({ similarity: (one, other) => points.similarity(one, other), drawOf: draw });
}

function add(graph: NearestGraph, point: number): void {
  graph.add(point, graph.search(point, 64));
}

function found(graph: NearestGraph, point: number, count: number): number[] {
  const { nodes, size } = graph.search(point, 64);
  return Array.from(nodes.subarray(0, Math.min(count, size)));
}

/** The share of the nearest points that searches from some points find. */
function recall(graph: NearestGraph, points: Points, all: readonly number[]): number {
  let hits = 0;
  const asked = all.filter((_, at) => at % 50 === 0);
  for (const point of asked) {
    const nearest = new Set(points.nearest(point, all, 10));
    hits += found(graph, point, 10).filter((other) => nearest.has(other)).length;
  }
  return hits / (10 * asked.length);
}

describe('a graph of neighbours', () => {
  test('finds the nearest nodes exactly while it is small', () => {
    const points = new Points();
    const graph = graphOf(points);
    const all = Array.from({ length: 300 }, (_, point) => point);
    for (const point of all) {
      points.put(point, point % 9);
      add(graph, point);
    }
    for (const point of all) expect(found(graph, point, 10)).toEqual(points.nearest(point, all, 10));
  });

  test('finds most of the nearest nodes among thousands, also after many were removed and replaced', () => {
    const points = new Points();
    const graph = graphOf(points);
    const all = Array.from({ length: 4_000 }, (_, point) => point);
    for (const point of all) {
      points.put(point, point % 40);
      add(graph, point);
    }
    expect(recall(graph, points, all)).toBeGreaterThan(0.95);
    const removed = all.filter((point) => point % 3 !== 0);
    for (const point of removed) graph.hide(point);
    for (const point of removed) graph.remove(point);
    const left = all.filter((point) => point % 3 === 0);
    expect(graph.count).toBe(left.length);
    expect(recall(graph, points, left)).toBeGreaterThan(0.95);
    for (const point of removed) {
      points.put(point, point % 23);
      add(graph, point);
    }
    expect(recall(graph, points, all)).toBeGreaterThan(0.95);
  });

  test('finds no hidden node', () => {
    const points = new Points();
    const graph = graphOf(points);
    for (let point = 0; point < 50; point++) {
      points.put(point, 1);
      add(graph, point);
    }
    for (let point = 0; point < 50; point += 2) graph.hide(point);
    const nodes = found(graph, 1, 64);
    expect(nodes.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 24 }, (_, at) => 2 * at + 3),
    );
  });

  test('of equal nodes stays connected', () => {
    const graph = new NearestGraph({ similarity: () => 1, drawOf: draw });
    for (let node = 0; node < 2_000; node++) add(graph, node);
    expect(graph.search(5, 64).size).toBe(64);
  });

  test('is the same after the same calls', () => {
    const links = () => {
      const points = new Points();
      const graph = graphOf(points);
      for (let point = 0; point < 500; point++) {
        points.put(point, point % 7);
        add(graph, point);
      }
      return Array.from({ length: 500 }, (_, point) => graph.linksOf(point));
    };
    expect(links()).toEqual(links());
  });
});

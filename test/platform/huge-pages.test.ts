import { ptr } from 'bun:ffi';
import { describe, expect, test } from 'bun:test';
import { grown } from '../../src/columns/growable.ts';
import { HugePages } from '../../src/platform/huge-pages.ts';

const HUGE_PAGE = 2 * 1024 * 1024;
const COLLAPSE = 25;
const LARGE = 600_000;

function watched(...roots: object[]) {
  let now_ms = 0;
  const collapsed = new Set<number>();
  const pages = new HugePages(
    roots,
    () => now_ms,
    (address, bytes, advice) => {
      if (advice !== COLLAPSE) return;
      expect([address % HUGE_PAGE, bytes]).toEqual([0, HUGE_PAGE]);
      collapsed.add(address);
    },
  );
  const finish = () => {
    let steps = 0;
    while (pages.step()) steps++;
    return steps;
  };
  const pass = (seconds: number) => {
    now_ms += seconds * 1000;
  };
  return { collapsed, finish, pass };
}

/** Whether the pages cover every byte of an array. */
function covers(pages: ReadonlySet<number>, array: Uint8Array): boolean {
  const first = ptr(array);
  const start = Math.floor(first / HUGE_PAGE) * HUGE_PAGE;
  for (let at = start; at < first + array.byteLength; at += HUGE_PAGE) if (!pages.has(at)) return false;
  return true;
}

describe('huge pages', () => {
  test('huge pages cover all large arrays, wherever they are referenced, and no small ones', () => {
    const [field, element, value] = [5 * HUGE_PAGE, LARGE, HUGE_PAGE].map((bytes) => new Uint8Array(bytes));
    const root = {
      inner: { field },
      list: [{ element }],
      map: new Map([['key', { value }]]),
      small: new Uint8Array(1000),
    };
    const { collapsed, finish } = watched(root);
    const steps = finish();
    for (const array of [field, element, value]) expect(covers(collapsed, array)).toBe(true);
    expect(steps).toBeGreaterThanOrEqual(5 + 1 + 1);
    expect(steps).toBeLessThanOrEqual(6 + 2 + 2);
  });

  test('huge pages are requested once per array, and again after it has grown', () => {
    const root = { column: new Uint8Array(LARGE), itself: {} };
    root.itself = root;
    const { collapsed, finish, pass } = watched(root);
    expect(finish()).toBeGreaterThan(0);
    pass(60);
    expect(finish()).toBe(0);
    root.column = grown(root.column, 4 * LARGE);
    expect(finish()).toBe(0);
    pass(60);
    expect(finish()).toBeGreaterThan(0);
    expect(covers(collapsed, root.column)).toBe(true);
  });

  test('huge pages keep the contents of the memory', () => {
    const column = Uint32Array.from({ length: 4_000_000 }, (_, index) => index * 7);
    const pages = new HugePages([{ column }], () => 0);
    while (pages.step());
    expect(column.every((value, index) => value === (index * 7) % 2 ** 32)).toBe(true);
  });
});

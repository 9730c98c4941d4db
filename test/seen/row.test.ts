import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  bytesOf,
  decodeHead,
  EMPTY_HEAD_BYTES,
  encodeHead,
  erasedHead,
  NO_HEAD,
  newPage,
  newReply,
  shortHash,
} from '../../src/seen/head.ts';
import { indexOfPart, nextHead, PARTS_MAX, partOf } from '../../src/seen/next-head.ts';
import { SeenRow } from '../../src/seen/seen-row.ts';
import { check } from '../support/long.ts';
import { DAY, histories, START, type Step, VIEWER, WrittenRow } from './histories.ts';

const HOUR = 3_600;
const range = (length: number, from = 0): number[] => Array.from({ length }, (_, index) => from + index);

/** Each item with the time of its last page, in the order of recording, then of slots. */
type Model = Map<number, number>;

function modelOf(pages: readonly { keys: readonly number[]; time: number }[]): Model {
  const model: Model = new Map();
  for (const { keys, time } of pages)
    for (const key of keys) {
      model.delete(key);
      model.set(key, time);
    }
  return model;
}

function expectSeen(row: SeenRow, model: Model): void {
  expect(row.inOrder()).toEqual(Uint32Array.from(model.keys()));
  const whole = new Set(row.pages.flatMap(({ keys }) => [...keys]));
  const wrong = [...model].filter(([key, time]) => {
    const last = row.lastSeen(key) ?? 0;
    if (whole.has(key)) return Math.abs(last - time) > 0.001;
    // Of folded pages, the last time on that day is known, in whole seconds.
    return last < Math.floor(time) || Math.floor(last / DAY) !== Math.floor(time / DAY);
  });
  expect(wrong).toEqual([]);
}

/** Plays a history, and calls `then` after each page. */
function play(
  steps: readonly Step[],
  then: (written: WrittenRow, pages: { keys: number[]; time: number }[]) => void,
) {
  const written = new WrittenRow();
  const pages: { keys: number[]; time: number }[] = [];
  for (const { hours, keys } of steps) {
    written.now += hours * HOUR;
    pages.push({ keys, time: written.now });
    written.record({ keys });
    then(written, pages);
  }
}

describe('a row of seen items', () => {
  test('knows every recorded item, its last time and the order of recording, whatever was folded', () => {
    check(25, [histories], (steps) => {
      play(steps, ({ row }, pages) => expectSeen(row, modelOf(pages)));
    });
  });

  test('is the same when it is read, also by a reader that knows an earlier write', () => {
    check(15, [histories, fc.nat(40)], (steps, known_at) => {
      let known: SeenRow | undefined;
      play(steps, (written, pages) => {
        if (pages.length === known_at) known = written.read();
      });
      play(steps, (written, pages) => {
        if (pages.length < steps.length) return;
        for (const row of [written.read(), written.read(known)]) {
          expect(row.inOrder()).toEqual(written.row.inOrder());
          expect(row.head).toEqual(written.row.head);
          const times = [...row.inOrder()].map((key) => row.lastSeen(key));
          expect(times).toEqual([...row.inOrder()].map((key) => written.row.lastSeen(key)));
        }
      });
    });
  });

  test('keeps the pages of 48 hours as they were, unless they are more than 8 kB', () => {
    check(15, [histories], (steps) => {
      play(steps, ({ row, now }, pages) => {
        const recent = pages.filter(({ time }) => time > now - 48 * HOUR);
        const kept = row.pages.slice(-recent.length);
        expect(bytesOf(row.pages)).toBeLessThanOrEqual(8_192);
        if (kept.length < recent.length) return;
        expect(kept.map(({ keys }) => [...keys])).toEqual(recent.map(({ keys }) => keys));
      });
    });
  });

  test('never changes a part that was stored', () => {
    check(20, [histories], (steps) => {
      const stored = new Map<number, Uint8Array>();
      play(steps, ({ parts }) => {
        for (const { part, content } of parts.values()) {
          expect(content).toBe(stored.get(part) ?? content);
          stored.set(part, content);
        }
      });
    });
  });

  test('has a head of at most 2 kB for a viewer of some pages a day, and takes little more than 2 bytes an item', () => {
    const written = new WrittenRow();
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let page = 0; page < 400; page++) {
      written.now += 6 * HOUR;
      // Of the 60,000 items of the last three days.
      written.record({ keys: range(25).map(() => 5_000 * page + random(60_000)) });
      expect(written.content.length).toBeLessThan(2_048 + 200);
    }
    const parts = [...written.parts.values()];
    const bytes = parts.reduce((sum, { content }) => sum + content.length, 0);
    const head_items = written.head.days.concat(written.head.pages).flatMap(({ keys }) => [...keys]);
    const items = written.row.inOrder().length - head_items.length;
    expect(parts.length).toBeGreaterThan(10);
    expect(bytes / items).toBeLessThan(2.4);
    expect(written.row.bytes / written.row.inOrder().length).toBeLessThan(13);
  });

  test('stores an item once that every page shows again', () => {
    const written = new WrittenRow();
    for (let page = 0; page < 200; page++) {
      written.now += 6 * HOUR;
      written.record({ keys: range(25) });
    }
    expect(written.head.days).toEqual([]);
    expect(written.row.inOrder()).toEqual(Uint32Array.from(range(25)));
  });

  test('keeps the latest 200,000 items', () => {
    const written = new WrittenRow();
    const total = 230_000;
    for (let first = 0; first < total; first += 2_000) {
      written.now += DAY;
      written.record(...range(4).map((at) => ({ keys: range(500, first + 500 * at) })));
    }
    expect(written.parts.size).toBeLessThanOrEqual(PARTS_MAX);
    for (const row of [written.row, written.read()]) {
      expect(row.inOrder()).toEqual(Uint32Array.from(range(200_000, total - 200_000)));
      expect(row.lastSeen(total - 200_001)).toBeUndefined();
      expect(row.lastSeen(total - 200_000)).toBeDefined();
    }
  });

  test('drops what is older than the days that are kept', () => {
    const written = new WrittenRow(30);
    written.record({ keys: [1, 2] });
    written.now += 5 * DAY;
    written.record({ keys: [2, 3] });
    written.now += 24 * DAY;
    written.record({ keys: [4] });
    expect([...written.row.inOrder()]).toEqual([1, 2, 3, 4]);
    written.now += 2 * DAY;
    written.record({ keys: [5] });
    expect([...written.row.inOrder()]).toEqual([2, 3, 4, 5]);
    expect(written.row.lastSeen(1)).toBeUndefined();
  });

  test('takes pages with earlier times in the order of recording', () => {
    const written = new WrittenRow();
    written.record({ keys: [1] });
    written.record({ keys: [2], time: written.now - 20 * HOUR }, { keys: [3], time: written.now - 40 * DAY });
    expect([...written.row.inOrder()]).toEqual([1, 2, 3]);
    expect(written.row.lastSeen(3)).toBe(START - 40 * DAY);
    written.now += 10 * DAY;
    written.record({ keys: [4] });
    expect(written.row.pages).toHaveLength(1);
    expect([...written.row.inOrder()]).toEqual([1, 2, 3, 4]);
    expect(written.row.lastSeen(2)).toBe(START - 20 * HOUR);
  });
});

describe('a reply', () => {
  const replyAt = (time: number, id: string, items = 3) =>
    newReply({
      time,
      page_id: 7,
      hash: shortHash(id),
      digest: shortHash(`${id} digest`),
      keys: Uint32Array.from(range(items).map((at) => (at * 5_000_011) % 2 ** 31)),
    });

  test('is found for ten minutes, and then leaves the row', () => {
    const first = nextHead(NO_HEAD, { reply: replyAt(START, 'a') }, START);
    const row = SeenRow.none(VIEWER).next(1, first);
    expect(row.reply(shortHash('a'), START + 599)?.digest).toBe(shortHash('a digest'));
    expect(row.reply(shortHash('a'), START + 600)).toBeUndefined();
    expect(row.reply(shortHash('b'), START)).toBeUndefined();
    expect(row.has(7)).toBeTrue();
    expect(row.inOrder()).toHaveLength(0);
    const later = nextHead(first.head, { reply: replyAt(START + 700, 'b') }, START + 700);
    expect(later.head.replies.map(({ hash }) => hash)).toEqual([shortHash('b')]);
  });

  test('goes early when there are too many', () => {
    let head = NO_HEAD;
    for (let at = 0; at < 40; at++)
      ({ head } = nextHead(head, { reply: replyAt(START + at, `${at}`, 500) }, START + at));
    expect(bytesOf(head.replies)).toBeLessThanOrEqual(16_384);
    expect(head.replies.at(-1)?.hash).toBe(shortHash('39'));
    expect(head.replies.length).toBeGreaterThan(5);
  });
});

describe('a head', () => {
  test('is decoded as it was encoded', () => {
    const page = newPage({
      time: START + 0.125,
      page_id: 2 ** 48 - 1,
      feed: 12_345,
      arm: 9,
      keys: Uint32Array.of(5, 2),
    });
    const reply = newReply({ ...page, hash: shortHash('a'), digest: shortHash('b') });
    const { head } = nextHead({ ...NO_HEAD, erased_seq: 2 ** 40, born: 1 }, { pages: [page], reply }, START);
    expect(decodeHead(encodeHead(head))).toEqual({
      ...head,
      pages: [{ ...page, time: START + 0.125 }],
      replies: [
        {
          time: reply.time,
          page_id: reply.page_id,
          hash: reply.hash,
          digest: reply.digest,
          keys: reply.keys,
          bytes: reply.bytes,
        },
      ],
    });
  });

  test('of another version is refused', () => {
    const content = encodeHead(NO_HEAD);
    content[0]++;
    expect(() => decodeHead(content)).toThrow('another version');
  });

  test('without anything but an erasure has the length of an empty one', () => {
    expect(erasedHead(2 ** 40, 2 ** 41)).toHaveLength(EMPTY_HEAD_BYTES);
    expect(decodeHead(erasedHead(5, 6))).toEqual({ ...NO_HEAD, erased_seq: 5, born: 6 });
  });
});

test('the number of a part tells when it was moved out of the head', () => {
  for (const moved of [1, PARTS_MAX, PARTS_MAX + 1, 3 * PARTS_MAX + 7])
    for (let index = Math.max(0, moved - PARTS_MAX); index < moved; index++)
      expect(indexOfPart(partOf(index), moved)).toBe(index);
});

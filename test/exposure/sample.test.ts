import { expect, test } from 'bun:test';
import { DAY_SECONDS } from '../../src/clock.ts';
import { readSample } from '../../src/exposure/sample.ts';
import type { ShownChange } from '../../src/model/changes/shown.ts';
import { NO_SIGNALS } from '../../src/model/shown-page.ts';
import { State } from '../../src/state/state.ts';
import type { Store } from '../../src/store/store.ts';

const DAY = 20_000;

/** Viewers whose hashes begin with these digits, in their order, each with pages on the day. */
function logged(counts: Readonly<Record<string, number>>, day = DAY): ShownChange[] {
  return Object.entries(counts).flatMap(([digits, count]) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ kind: 'shown' as const, viewer: digits.padEnd(32, '0'), halvings: 1, seq: at + 1, applied_at: 0 },
      page: {
        ...{ time: day * DAY_SECONDS, feed: 7, feed_type: 'popular' as const },
        ...{ items: new Uint32Array([1]), slots: new Uint16Array([1]), origins: new Uint8Array(1) },
        ...NO_SIGNALS,
      },
    })),
  );
}

/** A log that is read two pages at a time. */
function logOf(changes: readonly ShownChange[]): Pick<Store, 'readShown'> {
  return {
    readShown: async (after) => {
      const isBehind = ({ viewer, seq }: ShownChange) =>
        viewer > after.viewer || (viewer === after.viewer && seq > after.seq);
      return changes.filter(isBehind).slice(0, 2);
    },
  };
}

async function sample(changes: readonly ShownChange[], limits = {}) {
  const { pages, viewers_share } = await readSample(
    { state: new State(), store: logOf(changes) },
    DAY,
    limits,
  );
  return { viewers: pages.map(({ viewer }) => viewer), viewers_share, pages };
}

test('all pages are read if there are few, viewer by viewer', async () => {
  const { viewers, viewers_share, pages } = await sample(logged({ '2': 3, '8': 1, c: 2 }));
  expect({ viewers, viewers_share }).toEqual({ viewers: [0, 0, 0, 1, 2, 2], viewers_share: 1 });
  expect(pages[0]).toMatchObject({ feed: 7, feed_type: 'popular', day: DAY, weight: 2 });
});

test('of many pages, all of the first viewers are read, and the share of these viewers is known', async () => {
  const { viewers, viewers_share } = await sample(logged({ '2': 3, '8': 3, c: 2 }), { pages_max: 5 });
  expect({ viewers, viewers_share }).toEqual({ viewers: [0, 0, 0], viewers_share: 0.5 });
});

test('a viewer with very many pages does not keep others out of the sample', async () => {
  const { viewers } = await sample(logged({ '2': 9, '8': 1, c: 2 }), { of_viewer_max: 3, pages_max: 8 });
  expect(viewers).toEqual([0, 0, 0, 1, 2, 2]);
});

test('pages before the period are not in a sample', async () => {
  const changes = [...logged({ '2': 1 }, DAY - 1), ...logged({ '8': 1 })];
  expect((await sample(changes)).viewers).toEqual([1]);
});

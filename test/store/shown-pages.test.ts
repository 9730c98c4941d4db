import { expect, test } from 'bun:test';
import { NO_SIGNALS } from '../../src/model/shown-page.ts';
import { readShown } from '../../src/store/shown-pages.ts';
import { ENGINES } from './engines.ts';
import { append, withConnection } from './purge-support.ts';

const PAGE = {
  ...{ time: 1_700_000_000, feed: 0, feed_type: 'popular' as const, items: new Uint32Array([3]) },
  ...{ slots: new Uint16Array([1]), origins: new Uint8Array(1), ...NO_SIGNALS },
};
const FIRST = { viewer: '', seq: Number.MAX_SAFE_INTEGER };

for (const engine of ENGINES)
  test(`shown pages are read in the order of viewers, without those of erased ones, on ${engine.name}`, () =>
    withConnection(engine, async (fresh) => {
      const connection = await fresh();
      const viewers = ['b0', 'a9', '', 'b0', '0f', 'a9', 'ff'];
      const changes = viewers.map((viewer) => ({
        ...{ kind: 'shown' as const, viewer, halvings: 0, page: PAGE, seq: 0, applied_at: 1_700_000_000 },
      }));
      await append(connection, changes, 0);
      const placesAfter = async (after: typeof FIRST, of: 'viewer' | 'all') =>
        (await readShown(connection, after, of)).map(({ viewer, seq }) => `${viewer} ${seq}`);
      const all = ['0f 5', 'a9 2', 'a9 6', 'b0 1', 'b0 4', 'ff 7'];
      expect(await placesAfter(FIRST, 'all')).toEqual(all);
      expect(await placesAfter({ viewer: 'a9', seq: 2 }, 'all')).toEqual(all.slice(2));
      expect(await placesAfter({ viewer: 'a9', seq: FIRST.seq }, 'all')).toEqual(all.slice(3));
      expect(await placesAfter({ viewer: 'b0', seq: 1 }, 'viewer')).toEqual(['b0 4']);
    }));

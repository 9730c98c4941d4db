import { describe, expect, test } from 'bun:test';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { exportFiles } from '../../src/interchange/exporter.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { erased, named, userVersion } from '../store/changes.ts';
import { ENGINES, optionsFor, serve, withPlace } from '../store/engines.ts';
import { readFiles, withFolder } from './support.ts';

/** Wraps a store so that `work` runs as soon as an export has its snapshot. */
function meanwhile(store: Store, work: () => Promise<void>): Store {
  let is_first = true;
  const replay: Store['replay'] = async (...given) => {
    const replayed = await store.replay(...given);
    if (is_first) {
      is_first = false;
      await work();
    }
    return replayed;
  };
  return new Proxy(store, {
    get(_, name) {
      const value = name === 'replay' ? replay : Reflect.get(store, name);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });
}

for (const engine of ENGINES) {
  describe(`an export on ${engine.name}`, () => {
    test('contains profiles whose former versions were purged meanwhile, but no erased ones', () =>
      withPlace(engine, (place) =>
        withFolder({}, async (folder) => {
          const { store } = await serve(place);
          const names = ['ann', 'bob', 'eve'];
          await store.submit(names.map((name, user) => named('user', user, name)));
          await store.submit(names.map((name, user) => userVersion(user, name)));
          const beside = await openStore(optionsFor(place, { role: 'beside' }));
          const purged = meanwhile(beside, async () => {
            const again = Array.from({ length: 1_000 }, (_, version) => userVersion(0, `Ann ${version}`));
            await store.submit([...again, userVersion(2, 'Eve')]);
            await store.submit([erased(2)]);
            await store.checkpoints?.enter({ name: 'one', seq: 1_008, digest: '' });
            await store.purge();
          });
          const target = new ExportFolder(folder, { force: false, gzip: false });
          await exportFiles(purged, target);
          target.finish();
          const lines = readFiles(folder)['users.jsonl'].trim().split('\n');
          expect(lines.map((line) => JSON.parse(line))).toEqual([
            { user_id: 'bob', display_name: 'bob' },
            { user_id: 'ann', display_name: 'Ann 999' },
          ]);
          await beside.close();
          await store.close();
        }),
      ));
  });
}

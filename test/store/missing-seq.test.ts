import { expect, test } from 'bun:test';
import { openStore } from '../../src/store/open-store.ts';
import { ENGINES, optionsFor, serve, withPlace } from './engines.ts';

const [, postgres] = ENGINES;
const LOSE = "delete from meta where name = 'highest_seq'";

test.each(ENGINES)('data that lacks its highest seq is not opened as if it were empty, on $name', (engine) =>
  withPlace(engine, async (place) => {
    await (await serve(place)).store.close();
    await place.run(LOSE);
    await expect(openStore(optionsFor(place))).rejects.toThrow('the table meta lacks highest_seq');
  }),
);

test('a node that follows does not take a log that lacks its highest seq for an empty one', () =>
  withPlace(postgres, async (place) => {
    const store = await openStore(optionsFor(place, { role: 'node' }));
    await place.run(LOSE);
    await expect(store.log?.head()).rejects.toThrow();
    await store.close();
  }));

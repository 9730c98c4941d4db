import { expect, test } from 'bun:test';
import { readNamedActs } from '../../src/store/contents.ts';
import { follow, interaction } from './changes.ts';
import { ENGINES } from './engines.ts';
import { append, withConnection } from './purge-support.ts';

for (const engine of ENGINES)
  test(`acts with an event id are read by ranges of the log, without other acts, on ${engine.name}`, () =>
    withConnection(engine, async (fresh) => {
      const connection = await fresh();
      const comment = (event_id: string) => ({ ...interaction(1, 2), event_id });
      const changes = [comment('a'), interaction(1, 3), comment('b'), follow(1, 4), comment('c')];
      await append(connection, changes, 0);
      const found = async (after: number, until: number) =>
        (await readNamedActs(connection, { after, until })).map(({ seq, event_id }) => `${seq} ${event_id}`);
      expect(await found(0, 9)).toEqual(['1 a', '3 b', '5 c']);
      expect(await found(1, 3)).toEqual(['3 b']);
      expect(await found(3, 4)).toEqual([]);
    }));

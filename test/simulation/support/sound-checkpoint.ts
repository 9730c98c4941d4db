import { expect } from 'bun:test';
import pino from 'pino';
import { Checkpoints } from '../../../src/checkpoint/checkpoints.ts';
import { openRegistry } from '../../../src/service.ts';
import { readSettings } from '../../../src/settings.ts';
import { Fields } from '../../../src/state/fields.ts';
import { State } from '../../../src/state/state.ts';
import { openStore } from '../../../src/store/store.ts';
import { digest } from '../../support/state-digest.ts';

/**
 * The checkpoint of a data folder that nobody serves, if it has one, with the changes since gives the state that
 * all changes give.
 */
export async function expectSoundCheckpoint(data: string): Promise<void> {
  const { registry } = await openRegistry(readSettings({}));
  const reads = [...registry.reads()];
  const store = await openStore({ data, role: 'beside', write_queue: 1, command: 'test' });
  try {
    const complaints: string[] = [];
    const log = pino({}, { write: (line: string) => complaints.push(line) });
    const options = { place: { data }, book: store.checkpoints!, reads, log, changes: 0, every_seconds: 0 };
    const stateAfter = async (load: (state: State) => Promise<number>): Promise<object> => {
      const state = new State({ fields: new Fields(reads), learns_from: await store.latestTrend() });
      await store.replay((change) => state.apply(change), { after: await load(state) });
      return digest(state, { wallets: [], event_ids: [] });
    };
    const resumed = await stateAfter((state) => new Checkpoints(options).load(state, async () => {}));
    expect(complaints).toEqual([]);
    expect(resumed).toEqual(await stateAfter(async () => 0));
  } finally {
    await store.close();
  }
}

import { expect } from 'bun:test';
import pino from 'pino';
import { Checkpoints } from '../../../src/checkpoint/checkpoints.ts';
import { openRegistry } from '../../../src/service.ts';
import { readSettings } from '../../../src/settings.ts';
import { applyChange } from '../../../src/state/apply.ts';
import { Fields } from '../../../src/state/fields.ts';
import { State } from '../../../src/state/state.ts';
import { CONTENT, WALLETS } from '../../../src/state/vocabulary.ts';
import type { CommunityName } from '../../../src/store/connection.ts';
import { foldOptions } from '../../../src/store/fold-options.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { digest } from '../../support/state-digest.ts';

/**
 * Checks that the checkpoint of an unused data folder, with the changes since, gives the same state as all changes.
 * @returns last `seq` of the checkpoint; 0 without one
 */
export async function expectSoundCheckpoint(
  data: string,
  community: CommunityName = 'content',
): Promise<number> {
  const of_content = community === 'content';
  const { registry } = await openRegistry(readSettings({}));
  const reads = of_content ? [...registry.reads()] : [];
  const vocabulary = of_content ? CONTENT : WALLETS;
  const place = { data, community };
  const store = await openStore({ ...place, role: 'beside', write_queue: 1, command: 'test' });
  try {
    const complaints: string[] = [];
    const log = pino({}, { write: (line: string) => complaints.push(line) });
    const options = { place, checkpoint_store: store.checkpoints!, reads, log, changes: 0, every_seconds: 0 };
    const stateAfter = async (load: (state: State) => Promise<number>): Promise<object> => {
      const state = new State({ fields: new Fields(reads), vocabulary, ...(await foldOptions(store)) });
      await store.replay((change) => applyChange(state, change), { after: await load(state) });
      // Acts of users who were hidden or shown again may still wait, as they do in a checkpoint.
      state.settle(Number.POSITIVE_INFINITY);
      return { ...digest(state, { wallets: [], event_ids: [] }), learnt: state.learning.bytes() };
    };
    const checkpoints = new Checkpoints(options);
    const resumed = await stateAfter((state) => checkpoints.load(state, async () => {}));
    expect(complaints).toEqual([]);
    expect(resumed).toEqual(await stateAfter(async () => 0));
    return checkpoints.seq;
  } finally {
    await store.close();
  }
}

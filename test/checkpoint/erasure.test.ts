import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { purgeCommunity } from '../../src/community.ts';
import type { Change } from '../../src/model/change.ts';
import { times } from '../support/long.ts';
import { fold } from '../support/random-changes.ts';
import { START, type TestService } from '../support/service.ts';
import { digest } from '../support/state-digest.ts';
import { checkpointsIn, Place, write } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.end());

/** The texts that occur in files of the folder. */
function textsIn(folder: string, texts: readonly string[]): string[] {
  const contents = checkpointsIn(folder).map((name) => readFileSync(join(folder, name)));
  return texts.filter((text) => contents.some((bytes) => bytes.includes(text)));
}

describe('erased data', () => {
  const TEXTS = ['erased-user', 'erased-item', 'erased.example', 'erased-channel', '0xe4a5ed'];

  async function withErased(): Promise<TestService> {
    const running = await place.open();
    const { ingest } = running.service;
    await ingest.ingest('users', [
      { user_id: 'erased-user', wallet_addresses: ['0xe4a5ed'] },
      { user_id: 'kept' },
    ]);
    const about = { created_at: START - 10, embed_domains: ['erased.example'], channel: 'erased-channel' };
    await ingest.ingest('items', [
      { item_id: 'erased-item', author_id: 'erased-user', ...about },
      { item_id: 'kept-item', author_id: 'kept', created_at: START - 10 },
    ]);
    await write(running);
    expect(textsIn(place.data, TEXTS)).toEqual(TEXTS);
    await ingest.deleteUser('erased-user');
    return running;
  }

  test('erased data is gone from checkpoints after a purge, which writes the next one first', async () => {
    const running = await withErased();
    await purgeCommunity(running.service);
    expect(checkpointsIn(place.data)).toHaveLength(1);
    expect(textsIn(place.data, [...TEXTS, 'kept-item'])).toEqual(['kept-item']);
    await place.close(running);
    const again = await place.open();
    expect(again.service.loaded.checkpoint_seq).toBeGreaterThan(0);
    expect(again.service.state.users.names.find('erased-user')).toBe(-1);
  });

  test('erased data is gone from checkpoints after a purge even if the next one cannot be written', async () => {
    await place.close(await withErased());
    const running = await place.open({ opening: {} });
    expect(checkpointsIn(place.data)).toHaveLength(1);
    const { ingest } = running.service;
    await ingest.deleteUser('kept');
    await purgeCommunity(running.service);
    expect(checkpointsIn(place.data)).toEqual([]);
  });

  test('erased data leaves the state of a full replay after repeated purges', async () => {
    let running = await place.open();
    for (let seed = 20; seed < 20 + times(2); seed++) {
      await place.contend(running, seed);
      if (seed % 2 === 0) await write(running);
      await purgeCommunity(running.service);
      await place.contend(running, seed + 100, 5);
      await place.close(running);
      running = await place.open();
      expect(running.service.loaded.checkpoint_seq).toBeGreaterThan(0);
      const changes: Change[] = [];
      await running.service.store.replay((change) => changes.push(change));
      const probes = { wallets: [], event_ids: ['event-1'] };
      expect(digest(running.service.state, probes)).toEqual(digest(fold(changes), probes));
    }
  });
});

import { expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { ManualClock } from '../../src/clock.ts';
import type { ShownPage } from '../../src/model/shown-page.ts';
import { signalKey } from '../../src/model/signal-key.ts';
import { run } from '../cli/run.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestService, START, type TestService } from '../support/service.ts';

const TASTE = signalKey('taste');
const LEARNING = { window_seconds: 60, is_reported: false, is_control: false, is_learned: true };

/** Viewers are shown two items and like the second one. The windows of the last pages stay open. */
async function learn({ service, clock }: TestService, viewers: readonly string[]): Promise<void> {
  const { ingest, seen, state } = service;
  for (const user_id of viewers) {
    const items = Uint32Array.from(['a', 'b'], (id) => state.items.names.key(state.items.names.find(id)));
    const page: ShownPage = {
      ...{ time: clock.now(), feed: 7, feed_type: 'for-you', items },
      ...{ slots: Uint16Array.of(1, 2), origins: Uint8Array.of(0, 1) },
      ...{ signals: Uint32Array.of(TASTE), signal_values: Uint8Array.of(10, 200), learning: LEARNING },
    };
    ingest.shown.add(seen.viewerOf(user_id), page);
    await ingest.shown.flushed();
    await ingest.ingest('interactions', [{ user_id, item_id: 'b', event_type: 'like' }]);
    (clock as ManualClock).advance(45);
  }
}

test('what was learnt is the same after a kill, a restart with its purge, and a backup', async () => {
  const root = temporaryFolder('learnt');
  const clock = new ManualClock(START);
  const open = (name: string) => openTestService({ data: join(root, name), clock });
  const bytesIn = async (name: string) => {
    await using opened = await open(name);
    const { learning } = opened.service.state;
    return { bytes: learning.bytes(), pages: learning.modelOf('for-you', 7)?.pages };
  };
  const opened = await open('data');
  const { ingest, state } = opened.service;
  await ingest.ingest(
    'items',
    ['a', 'b'].map((item_id) => ({ item_id, author_id: 'ann', created_at: START - 60 })),
  );
  await learn(opened, ['u', 'v', 'w']);
  await ingest.trend.save();
  await learn(opened, ['x', 'y']);
  await ingest.deleteUser('v');
  const expected = { bytes: state.learning.bytes(), pages: 4 };
  expect(Bun.spawnSync(['cp', '-r', join(root, 'data'), join(root, 'killed')]).exitCode).toBe(0);
  await opened.close();
  expect(await bytesIn('killed')).toEqual(expected);
  expect(await bytesIn('data')).toEqual(expected);
  await run('backup', join(root, 'copy/feedloom.sqlite'), '--data', join(root, 'killed'));
  expect(await bytesIn('copy')).toEqual(expected);
});

test('an erasure is not undone by what is stored at the same time', async () => {
  const clock = new ManualClock(START);
  await using opened = await openTestService({ clock });
  const { ingest, state, store } = opened.service;
  const items = ['a', 'b'].map((item_id) => ({ item_id, author_id: 'ann', created_at: START - 60 }));
  await ingest.ingest('items', items);
  await learn(opened, ['v']);
  const submit = store.submit.bind(store);
  let saved: Promise<void> | undefined;
  // As soon as the erasure is queued.
  using _ = spyOn(store, 'submit').mockImplementation((...of_batch) => {
    const durable = submit(...of_batch);
    if (of_batch[0].some(({ kind }) => kind === 'erasure')) saved = ingest.trend.save();
    return durable;
  });
  await ingest.deleteUser('v');
  await saved;
  expect(saved).toBeDefined();
  clock.advance(60);
  await ingest.ingest('users', [{ user_id: 'passer-by' }]);
  expect(state.learning.modelOf('for-you', 7)).toBeUndefined();
});

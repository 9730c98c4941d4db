import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFolder } from '../../src/cli/import.ts';
import { allPages } from '../simulation/support/contention.ts';
import { START } from '../support/service.ts';
import { checkpointsIn, foldedAfter, Place, write } from './support.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.end());

/** Data opened as by an import: no checkpoints are written automatically. */
const opening = { writes_checkpoints: false };

describe('a process that writes its own state', () => {
  test('a process that writes its own state leaves a checkpoint that the next start uses, byte for byte', async () => {
    const running = await place.open({ opening, settings: { checkpoint_changes: 1, checkpoint_seconds: 0 } });
    const { checkpoints, state } = running.service;
    await place.contend(running, 3);
    await checkpoints!.writeOwn(state);
    expect(checkpoints!.figures).toMatchObject({ written: 1, failed: 0 });
    const { seq } = state;
    expect(checkpoints!.seq).toBe(seq);
    await place.contend(running, 4, 4);
    const pages = await allPages(running.service);
    const copied = join(place.root, 'copy');
    cpSync(place.data, copied, { recursive: true });
    await place.close(running);
    place.data = copied;
    const again = await place.open();
    const changes = await foldedAfter(again.service.store, seq);
    expect(again.service.loaded).toMatchObject({ checkpoint_seq: seq, changes });
    expect(await allPages(again.service)).toEqual(pages);
    expect(place.said('cannot be used')).toBe(0);
  });

  test('a process that writes its own state replaces the previous checkpoint', async () => {
    const running = await place.open({ settings: { checkpoint_changes: 1, checkpoint_seconds: 0 } });
    await place.contend(running, 3, 4);
    await write(running);
    const [former] = checkpointsIn(place.data);
    await place.contend(running, 4, 4);
    await running.service.checkpoints!.writeOwn(running.service.state);
    const [now, ...others] = checkpointsIn(place.data);
    expect(others).toEqual([]);
    expect(now).not.toBe(former);
  });

  test.each([0, 1_000_000])(
    'a process writes no checkpoint of its own if checkpoints are off or not due: %d changes',
    async (changes) => {
      const running = await place.open({ opening, settings: { checkpoint_changes: changes } });
      await place.contend(running, 3, 4);
      await running.service.checkpoints!.writeOwn(running.service.state);
      expect(checkpointsIn(place.data)).toEqual([]);
    },
  );

  test('a process that writes its own state keeps a checkpoint that it cannot use, for services with other plugins', async () => {
    const running = await place.open();
    await place.contend(running, 3, 4);
    await write(running);
    await place.close(running);
    const [file] = checkpointsIn(place.data);
    writeFileSync(join(place.data, file), 'of another make');
    const again = await place.open({ opening, settings: { checkpoint_changes: 1, checkpoint_seconds: 0 } });
    expect(again.service.loaded.checkpoint_seq).toBe(0);
    await again.service.checkpoints!.writeOwn(again.service.state);
    expect(checkpointsIn(place.data)).toEqual([file]);
    expect(again.service.checkpoints!.figures).toMatchObject({ written: 0, failed: 0 });
  });
});

test('a checkpoint written while interactions of a hidden user still count is loaded without them', async () => {
  const running = await place.open({
    opening,
    settings: { checkpoint_changes: 1, checkpoint_seconds: 0, derived_lag_ms: 100 },
  });
  const { ingest, state, checkpoints } = running.service;
  await ingest.ingest('items', [{ item_id: 'item', author_id: 'author', created_at: START - 9_999 }]);
  const comment = { user_id: 'user', item_id: 'item', event_type: 'comment' };
  const comments = Array.from({ length: 30_000 }, (_, at) => ({
    ...comment,
    timestamp: START - 9_000 + at / 4,
  }));
  await ingest.ingest('interactions', comments);
  await ingest.ingest('users', [{ user_id: 'user', hidden: true }]);
  const { seq } = state;
  await checkpoints!.writeOwn(state);
  await place.close(running);
  const again = await place.open();
  const loaded = again.service.state;
  expect(again.service.loaded).toMatchObject({ checkpoint_seq: seq });
  const item = loaded.items.names.find('item');
  expect([loaded.is_settling, loaded.items.comments_count(item)]).toEqual([false, 0]);
  await again.service.ingest.ingest('users', [{ user_id: 'user', hidden: false }]);
  while (loaded.settle(1000));
  expect(loaded.items.comments_count(item)).toBe(30_000);
});

test('an import leaves a checkpoint, so that the next start replays none of it', async () => {
  const folder = join(place.root, 'files');
  mkdirSync(folder);
  const lines = Array.from({ length: 300 }, (_, at) => `u${at},i${at % 7},like,${1_700_000_000 + at}`);
  writeFileSync(
    join(folder, 'interactions.csv'),
    ['user_id,item_id,event_type,timestamp', ...lines].join('\n'),
  );
  const quiet = { show() {}, print() {}, end() {} };
  const { settings, close } = await settingsOf();
  await close();
  await importFolder(settings, folder, { strict: true, clock: place.clock, progress: quiet });
  expect(checkpointsIn(place.data)).toHaveLength(1);
  const started = await place.open();
  expect(started.service.loaded.changes).toBe(0);
  expect(started.service.loaded.checkpoint_seq).toBe(started.service.state.seq);
  expect(started.service.state.interactions.by_user.size).toBe(300);
});

/** Settings with a checkpoint after ten changes. */
async function settingsOf() {
  const opened = await place.open({ opening, settings: { checkpoint_changes: 10 } });
  return { settings: opened.service.settings, close: () => place.close(opened) };
}

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/clock.ts';
import type { Settings } from '../../src/settings.ts';
import { run } from '../cli/run.ts';
import { START, type TestService } from '../support/service.ts';
import { Place, write } from './support.ts';

/** The index of embeddings beside a checkpoint. */

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.end());

const ITEMS = 200;
const TOPICS = 4;
const LAGGING: Partial<Settings> = { derived_lag_ms: 100, checkpoint_changes: 1, checkpoint_seconds: 0 };

const open = () => place.open({ settings: LAGGING });

function itemOf(at: number, random: () => number): object {
  const embedding = Array.from({ length: 32 }, (_, place) => random() + (place === at % TOPICS ? 5 : 0));
  return { item_id: `item-${at}`, author_id: `a-${at}`, created_at: START - 20_000 + at, embedding };
}

async function fill({ service }: TestService): Promise<void> {
  const random = seededRandom(2);
  const items = Array.from({ length: ITEMS }, (_, at) => itemOf(at, random));
  await service.ingest.ingest('items', items);
  await service.ingest.ingest(
    'interactions',
    [0, 1, 2, 3].map((topic) => ({ user_id: `user-${topic}`, item_id: `item-${topic}`, event_type: 'like' })),
  );
}

async function pagesOf({ service }: TestService): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let user = 0; user < TOPICS; user++) {
    const request = { user_id: `user-${user}`, top_k: 20, impression_count: 0, seed: 1 };
    const { items } = await service.feeds.serve('for-you', request);
    pages.push(items.map(({ item_id }) => item_id));
  }
  return pages;
}

/** A folder with a checkpoint, and the pages that it gives. */
async function written(change?: (running: TestService) => Promise<void>): Promise<unknown[]> {
  const running = await open();
  await fill(running);
  await place.warm(running);
  await write(running);
  await change?.(running);
  await place.warm(running);
  const pages = await pagesOf(running);
  const copy = join(place.root, 'copy');
  cpSync(place.data, copy, { recursive: true });
  await place.close(running);
  place.data = copy;
  return pages;
}

test('a start from a checkpoint has all embeddings indexed at once, and the same pages', async () => {
  const pages = await written();
  const again = await open();
  expect(again.service.feeds.upkeep.embeddings).toEqual({ indexed: ITEMS, waiting: 0 });
  expect(await pagesOf(again)).toEqual(pages);
  await place.close(again);
  const { code, stdout } = await run('verify', '--data', place.data);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('belongs to the checkpoint'),
  });
});

test('embeddings that changed after the checkpoint are indexed after the start', async () => {
  const random = seededRandom(5);
  await written(async ({ service }) => {
    await service.ingest.ingest('items', [
      itemOf(ITEMS, random),
      { ...itemOf(1, random), item_id: 'item-0' },
    ]);
    await service.ingest.deleteItem('item-7');
  });
  const again = await open();
  expect(again.service.feeds.upkeep.embeddings).toEqual({ indexed: ITEMS - 2, waiting: 2 });
  await place.warm(again);
  expect(again.service.feeds.upkeep.embeddings).toEqual({ indexed: ITEMS, waiting: 0 });
});

test('an own checkpoint has the whole index', async () => {
  const running = await open();
  await fill(running);
  await running.service.checkpoints!.writeOwn(running.service.state);
  await place.close(running);
  expect((await open()).service.feeds.upkeep.embeddings).toEqual({ indexed: ITEMS, waiting: 0 });
});

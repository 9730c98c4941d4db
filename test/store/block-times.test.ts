import { expect } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import { block } from './changes.ts';
import { testPlace as it, serve } from './engines.ts';
import { undoMigrations } from './former-version.ts';

it('a migration dates the blocks of a former version by their arrival', async (place) => {
  const before = await serve(place);
  const applied_at = 1_700_000_000;
  await before.store.submit([block(1, 2), { ...block(1, 2), action: 0 }]);
  await before.store.close();
  await undoMigrations(place, '0019');
  const { store } = await serve(place);
  const blocks: Change[] = [];
  await store.replay((change) => void (change.kind === 'block' && blocks.push(change)));
  expect(blocks).toMatchObject([
    { action: 1, applied_at, timestamp: applied_at },
    { action: 0, applied_at, timestamp: applied_at },
  ]);
  await store.close();
});

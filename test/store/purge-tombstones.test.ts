import { expect } from 'bun:test';
import { purgeSteps } from '../../src/store/purge.ts';
import { follow, tombstone } from './changes.ts';
import { append, testConnection as it, rowsOf, run } from './purge-support.ts';

const DAY = 86_400;
const NOW = 1_700_000_000;

it('a purge drops tombstones that are older than 90 days', async (fresh) => {
  const connection = await fresh();
  const changes = [tombstone(-1, NOW - 91 * DAY), tombstone(2, NOW - 89 * DAY), follow(0, 1, NOW)];
  await append(connection, changes, 0);
  await run(connection, purgeSteps(connection), Number.POSITIVE_INFINITY);
  const left = (await rowsOf(connection)).filter(({ kind }) => kind === 'tombstone');
  expect(left).toEqual([{ ...tombstone(2, NOW - 89 * DAY), seq: 2 }]);
});

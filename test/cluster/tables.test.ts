import { expect, test } from 'bun:test';
import { refusal } from '../store/engines.ts';
import { undoMigrations } from '../store/former-version.ts';
import { item, openCluster, until } from './support.ts';

/** The first migration that tests undo. */
const UNDONE = '0023';
const ITEMS = '/v2/farcaster/items';

/** A row of a node that counts as running for ever. */
const RUNNING = `insert into nodes (node_id, url, release, facts, applied_seq, seen_at)
  values ('other', 'http://other.example', '0.0.1', '{}', 0, 1e12)`;

test('a node whose release has newer tables is refused while another one runs, and migrates when none does', async () => {
  await using cluster = await openCluster();
  await cluster.stop(await cluster.start());
  const migrations = () => cluster.sql('select name from kysely_migration order by name');
  const newest = await migrations();
  await undoMigrations(
    { run: async (text) => (await cluster.sql(text)).map((row) => Object.values(row)) },
    UNDONE,
  );
  await cluster.sql(RUNNING);
  const older = await migrations();
  expect(older.length).toBeLessThan(newest.length);

  const error = await refusal(cluster.start());
  expect(error).toMatchObject({
    code: 'cluster_tables_differ',
    remedy: expect.stringContaining('stop all nodes'),
  });
  expect(error.message).toContain('http://other.example (release 0.0.1)');
  expect(await migrations()).toEqual(older);

  await cluster.sql("delete from nodes where node_id = 'other'");
  const node = await cluster.start();
  expect(await migrations()).toEqual(newest);
  expect((await node.post(ITEMS, [item('a')])).status).toBe(200);
});

test('a node that was away while a newer one migrated the tables serves nothing on them', async () => {
  await using cluster = await openCluster();
  await cluster.start();
  const node = await cluster.start();
  const statusOf = async () => (await node.call('GET', '/readyz')).status;
  await cluster.sql("insert into kysely_migration (name, timestamp) values ('9999_newer', 'now')");
  await cluster.sql('update nodes set seen_at = 0 where url = $1', [node.address]);
  await until(statusOf, (status) => status === 503);
  await cluster.sql("delete from kysely_migration where name = '9999_newer'");
  await until(statusOf, (status) => status === 200);
});

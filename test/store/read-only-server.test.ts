import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { editAt } from '../support/edit.ts';
import { follow } from './changes.ts';
import { ENGINES, type Place, refusal, stored, withServing } from './engines.ts';

const [, postgres] = ENGINES;

/** Sets the default for new sessions. The existing ones do not change. */
function readOnlySetter({ database_url = '' }: Place): (value: 'on' | 'off') => Promise<void> {
  const url = new URL(database_url);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  return async (value) => {
    await using client = new SQL({ url: url.href, max: 1 });
    await client.unsafe(`alter database ${name} set default_transaction_read_only = ${value}`);
  };
}

const CUT_ALL = `select pg_terminate_backend(pid, 10000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

test('writes to PostgreSQL that was read-only work again once new sessions can write', () =>
  withServing(postgres, async (serving, place) => {
    const { store } = serving;
    await store.submit([follow(1, 2)]);
    const setReadOnly = readOnlySetter(place);
    // As on a full disk, or when the server has become a standby: new sessions can only read.
    await setReadOnly('on');
    await place.run(CUT_ALL);
    for (let writes = 0; writes < 3; writes++)
      expect(await refusal(store.submit([follow(3, 4)]))).toMatchObject({ code: 'store_unavailable' });
    await setReadOnly('off');
    await store.submit([follow(5, 6)]);
    await store.feeds.create('acme', '{}', editAt(1));
    expect(await stored(store)).toHaveLength(2);
    expect(serving.stopped).toBeUndefined();
  }));

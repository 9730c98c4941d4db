import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ENGINES, type Place } from './engines.ts';

/** A name, as the first change of a community. */
function named(id: string): Change[] {
  return [{ kind: 'name', space: 'user', key: 0, id, seq: 0, applied_at: 1 }];
}

async function names(store: Store): Promise<string[]> {
  const found: string[] = [];
  await store.replay((change) => {
    if (change.kind === 'name') found.push(change.id);
  });
  return found;
}

describe.each(ENGINES)('two communities on $name', (engine) => {
  let place: Place;
  const options = () => ({
    data: place.data,
    database_url: place.database_url,
    write_queue: 1000,
    role: 'serve' as const,
    command: 'test',
  });

  beforeAll(async () => {
    place = await engine.place();
  });
  afterAll(() => place.remove());

  test('have separate data, and the content community holds the lock for both', async () => {
    const content = await openStore(options());
    expect(openStore({ ...options(), community: 'wallets', must_exist: true })).rejects.toThrow('no data');
    const wallets = await openStore({ ...options(), community: 'wallets' });
    const hooks = { onCommitted: () => {}, onFailed: () => {}, last_applied_at: 0 };
    await Promise.all([content.startWriter(hooks), wallets.startWriter(hooks)]);
    await Promise.all([content.submit(named('a user')), wallets.submit(named('a wallet'))]);
    expect([await names(content), await names(wallets)]).toEqual([['a user'], ['a wallet']]);
    expect(openStore(options())).rejects.toThrow('in use');
    await wallets.close();
    await content.close();
  });

  test('are both found again after a restart', async () => {
    const content = await openStore(options());
    const wallets = await openStore({ ...options(), community: 'wallets', must_exist: true });
    expect([await names(content), await names(wallets)]).toEqual([['a user'], ['a wallet']]);
    const beside = await openStore({ ...options(), community: 'wallets', role: 'beside', must_exist: true });
    expect(await names(beside)).toEqual(['a wallet']);
    for (const store of [beside, wallets, content]) await store.close();
  });
});

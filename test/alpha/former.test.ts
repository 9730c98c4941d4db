import { expect, test } from 'bun:test';
import { withFormer } from '../../src/alpha/former.ts';
import type { Base } from '../../src/ingest/prepare.ts';
import { Versions } from '../../src/ingest/versions.ts';
import type { ItemContent } from '../../src/state/change.ts';

const STORED: Base<ItemContent> = { content: { created_at: 1 } };
const UNDER_WAY: Base<ItemContent> = { content: { created_at: 2 } };

/** Later than any work that needs no turn of the event loop. */
const STEPS = 12;

test('withFormer never passes a version that has failed, at any step', async () => {
  const built_on = new Set<unknown>();
  for (let step = 0; step < STEPS; step++) {
    const versions = new Versions<Base<ItemContent>>(async (ids) => new Map(ids.map((id) => [id, STORED])));
    versions.set('item', UNDER_WAY);
    const building = withFormer(
      versions,
      () => ['item'],
      (former) => [former('item'), versions.get('item')] as const,
    );
    for (let at = 0; at < step; at++) await undefined;
    versions.reset();
    const [former, under_way] = await building;
    expect(former).toBe(under_way === undefined ? STORED : UNDER_WAY);
    built_on.add(former);
  }
  expect(built_on).toEqual(new Set([STORED, UNDER_WAY]));
});

test('withFormer reads newly needed versions before it runs the work', async () => {
  const reads: string[][] = [];
  let needed = ['one'];
  const versions = new Versions<Base<ItemContent>>(async (ids) => {
    reads.push([...ids]);
    needed = ['one', 'two'];
    return new Map(ids.map((id) => [id, STORED]));
  });
  const former = await withFormer(
    versions,
    () => needed,
    (known) => known('two'),
  );
  expect(former).toBe(STORED);
  expect(reads).toEqual([['one'], ['one', 'two']]);
});

test('withFormer reads only needed versions', async () => {
  const versions = new Versions<Base<ItemContent>>(() => Promise.reject(new Error('read')));
  const former = await withFormer(
    versions,
    () => [],
    (known) => known('item'),
  );
  expect(former).toBeUndefined();
});

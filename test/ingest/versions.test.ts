import { describe, expect, test } from 'bun:test';
import { Versions } from '../../src/ingest/versions.ts';

async function microtasks(count: number): Promise<void> {
  for (let time = 0; time < count; time++) await Promise.resolve();
}

describe('the base of the next version', () => {
  test('is the queued version, or else the applied one', async () => {
    const versions = new Versions<string>(async () => new Map([['b', 'applied']]));
    versions.set('a', 'under way');
    versions.set('c', undefined);
    const found = await versions.withLatest(['a', 'b', 'c', 'd'], (latest) =>
      ['a', 'b', 'c', 'd'].map(latest),
    );
    expect(found).toEqual(['under way', 'applied', undefined, undefined]);
  });

  test('is the version that the same work has set', async () => {
    const versions = new Versions<string>(async () => new Map());
    const found = await versions.withLatest(['a'], (latest) => {
      versions.set('a', 'new');
      return latest('a');
    });
    expect(found).toBe('new');
  });

  test('is never a failed version, whenever it failed', async () => {
    const met = new Set<boolean>();
    for (let moment = 0; moment < 12; moment++) {
      const versions = new Versions<string>(async (ids) => {
        await microtasks(3);
        return new Map(ids.map((id) => [id, 'applied']));
      });
      versions.set('a', 'under way');
      let failed = false;
      const failing = microtasks(moment).then(() => {
        failed = true;
        versions.reset();
      });
      const { found, after } = await versions.withLatest(['a', 'b'], (latest) => ({
        found: latest('a'),
        after: failed,
      }));
      expect(found).toBe(after ? 'applied' : 'under way');
      met.add(after);
      await failing;
    }
    expect(met.size).toBe(2);
  });
});

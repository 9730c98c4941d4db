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
    const latest = await versions.read(['a', 'b', 'c', 'd']);
    const found = ['a', 'b', 'c', 'd'].map(latest);
    expect(found).toEqual(['under way', 'applied', undefined, undefined]);
  });

  test('is the version that the same work has set', async () => {
    const versions = new Versions<string>(async () => new Map());
    const latest = await versions.read(['a']);
    versions.set('a', 'new');
    expect(latest('a')).toBe('new');
  });

  test('is the applied version when it is read again after a failure', async () => {
    const met = new Set<boolean>();
    for (let moment = 0; moment < 12; moment++) {
      const versions = new Versions<string>(async (ids) => {
        await microtasks(3);
        return new Map(ids.map((id) => [id, 'applied']));
      });
      versions.set('a', 'under way');
      const failing = microtasks(moment).then(() => versions.reset());
      let latest = await versions.read(['a', 'b']);
      const failed = versions.failures > 0;
      if (failed) latest = await versions.read(['a', 'b']);
      expect(latest('a')).toBe(failed ? 'applied' : 'under way');
      met.add(failed);
      await failing;
    }
    expect(met.size).toBe(2);
  });
});

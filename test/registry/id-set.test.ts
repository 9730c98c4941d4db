import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LiveIdMap, LiveIdSet } from '../../src/registry/id-set.ts';
import { Names } from '../../src/state/names.ts';
import { check } from '../support/long.ts';

/** Names that can be assigned and forgotten. Each gets a new key. */
class Community {
  readonly names = new Names();

  add(id: string): number {
    this.names.add(this.names.next_key, id);
    return this.names.find(id);
  }
}

const id = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f', 'g');

describe('LiveIdSet', () => {
  test('matches names that are assigned before and after it was made', () => {
    const community = new Community();
    const [early, other] = [community.add('early'), community.add('other')];
    const set = new LiveIdSet(community.names, ['early', 'late', 'never']);
    expect([set.has(early), set.has(other), set.has(-1), set.has(99)]).toEqual([true, false, false, false]);
    expect(set.has(community.add('late'))).toBe(true);
    expect(set.has(community.add('later'))).toBe(false);
  });

  test('matches a name that was forgotten and assigned again', () => {
    const community = new Community();
    const set = new LiveIdSet(community.names, ['back']);
    const first = community.add('back');
    expect(set.has(first)).toBe(true);
    community.names.forget(first);
    const second = community.add('back');
    expect(second).not.toBe(first);
    expect(set.has(second)).toBe(true);
  });

  test('does not match the next owner of a reused ordinal, after any number of names', () => {
    for (const names_between of [0, 10_000]) {
      const community = new Community();
      const { names } = community;
      const set = new LiveIdSet(names, ['gone', 'other']);
      const gone = community.add('gone');
      expect(set.has(gone)).toBe(true);
      for (let index = 0; index < names_between; index++) community.add(`between ${index}`);
      names.forget(gone);
      names.release(gone);
      expect(community.add('another')).toBe(gone);
      expect(set.has(gone)).toBe(false);
      expect(set.has(community.add('gone'))).toBe(true);
    }
  });

  test('gives the same result as a lookup of each name, after any changes', () => {
    const step = fc.record({ id, forget: fc.boolean(), release: fc.boolean(), look: fc.boolean() });
    check(100, [fc.array(id), fc.array(step)], (wanted, steps) => {
      const community = new Community();
      const { names } = community;
      const set = new LiveIdSet(names, wanted);
      for (const { id, forget, release, look } of steps) {
        const known = names.find(id);
        if (known < 0) community.add(id);
        else if (forget) {
          names.forget(known);
          if (release) names.release(known);
        }
        if (!look) continue;
        for (let ordinal = 0; ordinal < names.size; ordinal++) {
          const name = names.id(ordinal);
          if (name !== '') expect(set.has(ordinal)).toBe(wanted.includes(name));
        }
      }
    });
  });

  test('with values returns each value as soon as its name is assigned', () => {
    const community = new Community();
    const early = community.add('early');
    const map = new LiveIdMap(community.names, Object.entries({ early: 2, late: 0, never: 3 }));
    expect([map.get(early), map.get(early + 1), map.get(-1)]).toEqual([2, undefined, undefined]);
    expect(map.get(community.add('other'))).toBeUndefined();
    expect(map.get(community.add('late'))).toBe(0);
  });

  test('accepts only strings', () => {
    expect(() => new LiveIdSet(new Names(), [5 as unknown as string])).toThrow('must be texts');
  });
});

import { describe, expect, test } from 'bun:test';
import { type CommunityOptions, createCommunity } from '../../../workloads/community/community.ts';
import { longTest } from '../../support/long.ts';

const SMALL: CommunityOptions = {
  seed: 3,
  now: 1_764_865_269,
  users: 120,
  items: 300,
  follows: 900,
  interactions: 2_000,
  days: 30,
  text: true,
};
const STREAMS = ['users', 'items', 'follows', 'interactions'] as const;

/** A hash of all records of a stream in the form in which they are sent. */
function fingerprint(options: CommunityOptions, name: (typeof STREAMS)[number]): string {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const record of createCommunity(options)[name]()) hasher.update(`${JSON.stringify(record)}\n`);
  return hasher.digest('hex');
}

describe('the same options give the same records', () => {
  for (const name of STREAMS) {
    test(`${name} of two communities are byte-identical, and those of another seed differ`, () => {
      const first = fingerprint(SMALL, name);
      expect(fingerprint(SMALL, name)).toBe(first);
      expect(fingerprint({ ...SMALL, seed: 4 }, name)).not.toBe(first);
    });
  }

  test('after other reads, and in repeated reads', () => {
    const community = createCommunity(SMALL);
    const alone = JSON.stringify([...createCommunity(SMALL).interactions()]);
    for (const name of STREAMS) for (const _record of community[name]());
    const stream = community.interactions();
    expect(JSON.stringify([...stream])).toBe(alone);
    expect(JSON.stringify([...stream])).toBe(alone);
  });

  test('without text, authors and reactions stay the same', () => {
    const bare = { ...SMALL, text: false };
    expect(fingerprint(bare, 'interactions')).toBe(fingerprint(SMALL, 'interactions'));
    const authors = (options: CommunityOptions) =>
      [...createCommunity(options).items()].map((i) => i.author_id);
    expect(authors(bare)).toEqual(authors(SMALL));
  });
});

describe('without text', () => {
  test('records have labels, channels and domains, but no text', () => {
    const community = createCommunity({ ...SMALL, text: false });
    for (const item of community.items()) {
      expect(item.text).toBeUndefined();
      expect(item.embed_items).toBeUndefined();
      expect(item.embed_domains !== undefined).toBe(item.publication_types !== undefined);
      expect(Object.keys(item.ai_labels).length).toBeGreaterThan(1);
    }
    for (const user of community.users()) {
      expect(user.username).toBeUndefined();
      expect(user.metadata).toBeUndefined();
    }
  });
});

describe('odd sizes', () => {
  const refused: [string, Partial<CommunityOptions>][] = [
    ['one user', { users: 1 }],
    ['half a user', { users: 2.5 }],
    ['NaN users', { users: Number.NaN }],
    ['negative items', { items: -1 }],
    ['infinitely many follows', { follows: Number.POSITIVE_INFINITY }],
    ['negative interactions', { interactions: -5 }],
    ['no days', { days: 0 }],
    ['NaN days', { days: Number.NaN }],
    ['no time', { now: Number.NaN }],
  ];
  for (const [name, change] of refused) {
    test(`rejects ${name}`, () => {
      expect(() => createCommunity({ ...SMALL, ...change })).toThrow(RangeError);
    });
  }

  test('an empty history is empty', () => {
    const community = createCommunity({ ...SMALL, items: 0, follows: 0, interactions: 0 });
    expect([...community.users()].length).toBe(SMALL.users);
    expect([...community.items(), ...community.follows(), ...community.interactions()]).toEqual([]);
  });

  test('gives fewer follows and interactions if there are too few users', () => {
    const community = createCommunity({ ...SMALL, users: 3, items: 5, follows: 1_000, interactions: 1_000 });
    const follows = [...community.follows()];
    const interactions = [...community.interactions()];
    expect(follows.length).toBeLessThanOrEqual(6);
    expect(interactions.length).toBeLessThanOrEqual(30);
    expect(interactions.length).toBeGreaterThan(0);
  });
});

describe('large worlds', () => {
  longTest('stream in seconds and never hold all interactions', async () => {
    const options = {
      ...SMALL,
      users: 20_000,
      items: 40_000,
      follows: 400_000,
      interactions: 800_000,
      text: false,
    };
    const community = createCommunity(options);
    for (const name of STREAMS) {
      const started = process.cpuUsage();
      let count = 0;
      for (const _record of community[name]()) count++;
      const cpu_ms = process.cpuUsage(started).user / 1000;
      console.log(`${count} ${name}: ${cpu_ms.toFixed(0)} ms of CPU`);
      expect(Math.abs(count - options[name])).toBeLessThanOrEqual(options[name] / 1_000);
      expect(cpu_ms).toBeLessThan(20_000);
    }
  });

  longTest('need less than 100 bytes per interaction while they are read', async () => {
    const community = createCommunity({
      ...SMALL,
      users: 5_000,
      items: 10_000,
      interactions: 400_000,
      text: false,
    });
    const reader = community.interactions()[Symbol.iterator]();
    reader.next();
    Bun.gc(true);
    const before_bytes = process.memoryUsage().heapUsed;
    let highest_bytes = 0;
    for (let count = 1; !reader.next().done; count++) {
      if (count % 50_000 !== 0) continue;
      Bun.gc(true);
      highest_bytes = Math.max(highest_bytes, process.memoryUsage().heapUsed - before_bytes);
    }
    expect(highest_bytes).toBeLessThan(40_000_000);
  });
});

import { describe, expect, test } from 'bun:test';
import { ManualClock } from '../../src/clock.ts';
import { LIMITS } from '../../src/limits.ts';
import { AnswerCache, type SentAnswer } from '../../src/serve/answer-cache.ts';
import { NOW, Scene } from '../support/scene.ts';

const bytes = (length: number): SentAnswer => ({
  bytes: new Uint8Array(length),
  item_ids: [],
  viewer: undefined,
  reader: undefined,
  feeds: [],
});
/** Saved feeds that may not be read. */
const NO_FEEDS = { refers: () => false };
const named = (key: string | number, account = 'acme') => ({ account, key: String(key), digest: 'same' });

function open() {
  const clock = new ManualClock(NOW);
  const cache = new AnswerCache(new Scene().state, clock, NO_FEEDS, 0.7);
  let answers = 0;
  /** Sends a request, and returns whether the answer had to be built. */
  const ask = async (key: string | number, length = 10) => {
    const before = answers;
    const answer = async () => {
      answers++;
      return bytes(length);
    };
    const got = await cache.once(named(key), answer);
    expect(got.byteLength).toBe(length);
    return answers > before;
  };
  return { clock, cache, ask };
}

describe('cached answers', () => {
  test('are bounded in number, and the least recently used one is evicted first', async () => {
    const { cache, ask } = open();
    for (let key = 0; key <= LIMITS.cached_answers_max; key++) expect(await ask(key)).toBe(true);
    expect(cache.size).toBe(LIMITS.cached_answers_max);
    expect(await ask(1)).toBe(false);
    expect(await ask(0)).toBe(true);
  });

  test('are bounded in bytes, and the newest always stays', async () => {
    const { cache, ask } = open();
    const large = LIMITS.cached_answers_bytes_max / 4;
    for (let key = 0; key < 8; key++) await ask(key, large);
    expect(cache.size).toBe(3);
    expect(await ask(7, large)).toBe(false);
    expect(await ask('huge', LIMITS.cached_answers_bytes_max * 2)).toBe(true);
    expect(await ask('huge', LIMITS.cached_answers_bytes_max * 2)).toBe(false);
    expect(cache.size).toBe(1);
    await ask('small');
    expect(cache.size).toBe(1);
    expect(await ask('small')).toBe(false);
  });

  test('expire', async () => {
    const { clock, cache, ask } = open();
    for (let key = 0; key < 5; key++) await ask(key);
    clock.advance(LIMITS.cached_answer_seconds);
    expect(await ask(0)).toBe(false);
    clock.advance(1);
    await ask('new');
    expect(cache.size).toBe(1);
    expect(await ask(0)).toBe(true);
  });
});

describe('an answer that is being built', () => {
  test('is awaited by repeated requests, which share its failure, and is built again afterwards', async () => {
    const { cache, ask } = open();
    let fail: (error: Error) => void = () => {};
    const failing = new Promise<SentAnswer>((_, reject) => {
      fail = reject;
    });
    const first = cache.once(named('x'), () => failing);
    const second = cache.once(named('x'), async () => bytes(1));
    const both = Promise.allSettled([first, second]);
    fail(new Error('no store'));
    for (const { status } of await both) expect(status).toBe('rejected');
    expect(cache.size).toBe(0);
    expect(await ask('x')).toBe(true);
  });

  test('is not evicted by other answers', async () => {
    const { cache, ask } = open();
    let finish: (answer: SentAnswer) => void = () => {};
    const slow = cache.once(named('slow'), () => new Promise<SentAnswer>((resolve) => (finish = resolve)));
    for (let key = 0; key < LIMITS.cached_answers_max + 5; key++) await ask(key);
    const again = cache.once(named('slow'), async () => bytes(1));
    finish(bytes(7));
    expect([(await slow).byteLength, (await again).byteLength]).toEqual([7, 7]);
  });
});

describe('a cached answer', () => {
  test('with a retired item is not repeated, even if its ordinal is reused', async () => {
    const scene = new Scene().item('old').item('kept');
    const cache = new AnswerCache(scene.state, new ManualClock(NOW), NO_FEEDS, 0.7);
    let answers = 0;
    const ask = async (key: string, ...item_ids: string[]) => {
      const before = answers;
      await cache.once(named(key), async () => {
        answers++;
        return { bytes: new Uint8Array(1), item_ids, viewer: undefined, reader: undefined, feeds: [] };
      });
      return answers > before;
    };
    const old = scene.state.items.names.find('old');
    expect([await ask('one', 'old', 'kept'), await ask('two', 'kept')]).toEqual([true, true]);
    scene.retire('old').recycle().item('new');
    expect(scene.state.items.names.find('new')).toBe(old);
    expect([await ask('one', 'new', 'kept'), await ask('two', 'kept')]).toEqual([true, false]);
    expect(await ask('one')).toBe(false);
  });
});

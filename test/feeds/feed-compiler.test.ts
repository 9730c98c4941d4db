import { describe, expect, test } from 'bun:test';
import { FeedCompiler } from '../../src/feeds/plan.ts';
import { LIMITS } from '../../src/limits.ts';
import { builtIn } from '../support/scene.ts';

describe('FeedCompiler', () => {
  test('returns the same feed for the same description, with any other parameters', () => {
    const compiler = new FeedCompiler(builtIn());
    const first = compiler.compile('for-you', { filters: { channels: ['a'] }, top_k: 10 }, false);
    expect(compiler.compile('for-you', { filters: { channels: ['a'] }, top_k: 20 }, false)).toBe(first);
    expect(compiler.size).toBe(1);
  });

  test('compiles another feed for each defining parameter, type, and for plain pages', () => {
    const compiler = new FeedCompiler(builtIn());
    const compiled = [
      compiler.compile('popular', {}, false),
      compiler.compile('trending', {}, false),
      compiler.compile('popular', {}, true),
      compiler.compile('popular', { filters: {} }, false),
      compiler.compile('popular', { filters: { channels: ['a'] } }, false),
      compiler.compile('popular', { filters: { channels: ['b'] } }, false),
      compiler.compile('popular', { scoring: 'popular_v0.0.1' }, false),
      compiler.compile('popular', { time_decay: 'low' }, false),
      compiler.compile('popular', { show_interacted_items: true }, false),
      compiler.compile('popular', { remove_user_posts_from_feed: true }, false),
      compiler.compile('popular', { return_only_posts_with_social_proof: true }, false),
      compiler.compile('popular', { visibility_rules: { own_posts: {} } }, false),
      compiler.compile('popular', { feed_diversity_config: { max_posts_per_author: 1 } }, false),
    ];
    expect(new Set(compiled).size).toBe(compiled.length);
    expect(compiler.size).toBe(compiled.length);
  });

  test('rejects an invalid feed every time', () => {
    const compiler = new FeedCompiler(builtIn());
    const refused = () => compiler.compile('for-you', { filters: { nothing_like_it: true } }, false);
    expect(refused).toThrow();
    expect(refused).toThrow();
    expect(compiler.size).toBe(0);
  });

  test('does not confuse a number too large for JSON with null', () => {
    const compiler = new FeedCompiler(builtIn());
    const since = (start_timestamp: unknown) => () =>
      compiler.compile('popular', { filters: { start_timestamp } }, false);
    expect(since(Number.POSITIVE_INFINITY)).toThrow();
    expect(since(null)().filters).toEqual([]);
    expect(since(null)()).toBe(since(null)());
    for (const beyond of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(since(beyond)).toThrow();
      expect(() => compiler.compile('popular', { filters: { author_ids: [beyond] } }, false)).toThrow();
    }
    expect(since('Infinity')).toThrow();
    expect(compiler.size).toBe(1);
  });
});

describe('the cache of compiled feeds', () => {
  const channel = (name: string) => ({ filters: { channels: [name] } });

  test('is bounded in number and evicts the least recently used feed', () => {
    const compiler = new FeedCompiler(builtIn(), 2);
    const [one, two] = ['one', 'two'].map((name) => compiler.compile('for-you', channel(name), false));
    compiler.compile('for-you', channel('three'), false);
    expect(compiler.size).toBe(2);
    expect(compiler.compile('for-you', channel('two'), false)).toBe(two);
    expect(compiler.compile('for-you', channel('one'), false)).not.toBe(one);
    expect(compiler.size).toBe(2);
  });

  test('is bounded in size and evicts feeds until the newest fits', () => {
    const compiler = new FeedCompiler(builtIn(), 10, 2500);
    const compile = (name: string, length: number) =>
      compiler.compile('for-you', channel(name.repeat(length)), false);
    const [a, b] = [compile('a', 800), compile('b', 800)];
    expect(compile('a', 800)).toBe(a);
    compile('c', 800);
    expect(compiler.size).toBe(2);
    expect(compile('a', 800)).toBe(a);
    expect(compile('b', 800)).not.toBe(b);
    compile('d', 2000);
    expect(compiler.size).toBe(1);
  });

  test('does not contain feeds with very long descriptions', () => {
    const compiler = new FeedCompiler(builtIn());
    const author_ids = Array.from({ length: LIMITS.compiled_feed_key_length_max }, (_, id) => `${id}`);
    const long = { filters: { author_ids } };
    const first = compiler.compile('for-you', long, false);
    expect(compiler.compile('for-you', long, false)).not.toBe(first);
    expect(compiler.size).toBe(0);
  });
});

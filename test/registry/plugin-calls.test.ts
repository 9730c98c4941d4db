import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type PluginCall, PluginCalls, readCalls } from '../../src/registry/plugin-calls.ts';

const [OUTER, INNER]: PluginCall[] = ['outer', 'inner'].map((plugin) => ({
  plugin,
  call: 'compile',
  source: 'a.ts',
}));

function opened() {
  const calls = new PluginCalls();
  /** The plugin that the thread is in. */
  const current = () => readCalls(calls.memory).current?.plugin;
  const unended = () => readCalls(calls.memory).unended.map(({ plugin }) => plugin);
  return { calls, current, unended };
}

describe('marks of calls', () => {
  test('name the innermost call, and the outer one again when it has returned or thrown', () => {
    const { calls, current } = opened();
    const inner = calls.marked(INNER, (fails: boolean) => {
      if (fails) throw new Error(current());
      return current();
    });
    const outer = calls.marked(OUTER, (): unknown[] => {
      expect(() => inner(true)).toThrow('inner');
      return [current(), inner(false), current()];
    });
    expect([...outer(), current()]).toEqual(['outer', 'inner', 'outer', undefined]);
  });

  test('are on the functions that a function returns, with their arguments', () => {
    const { calls, current } = opened();
    const compile = calls.marked(OUTER, (scale: number) => (one: number, other: number) => (item: number) => [
      current(),
      scale * (one + other + item),
    ]);
    expect(compile(10)(1, 2)(3)).toEqual(['outer', 60]);
  });

  test('are on lazy lists while they are read', () => {
    const { calls, current } = opened();
    const list = calls.marked(OUTER, function* (): Generator<unknown> {
      yield current();
      yield current();
    });
    expect([...list(), current()]).toEqual(['outer', 'outer', undefined]);
  });

  test('leave lazy lists of the plugin as they are, also one that is frozen or returned twice', () => {
    const { calls, current } = opened();
    let ended = 0;
    const own = Object.freeze({
      next: () => ({ done: false, value: current() }),
      return: () => ({ done: true, value: ended++ }),
      [Symbol.iterator]: () => own,
    });
    const list = calls.marked(OUTER, (): Iterable<unknown> => own);
    for (const again of [list(), list()])
      for (const value of again) {
        expect(value).toBe('outer');
        break;
      }
    expect(ended).toBe(2);
  });

  test('are on a function alone if its result is to be kept as it is', async () => {
    const { calls, current, unended } = opened();
    const value = Object.assign((...all: number[]) => all.length, { errors: [] });
    expect(calls.markedAlone(OUTER, () => value)()).toBe(value);
    expect(calls.markedAlone(OUTER, current)()).toBe('outer');
    const end = Promise.withResolvers<void>();
    const run = calls.markedAlone(INNER, () => end.promise)();
    expect(unended()).toEqual(['inner']);
    end.resolve();
    await run;
    expect(unended()).toEqual([]);
  });

  test('leave a rejection unhandled that no one handles', () => {
    const script = `
      import { PluginCalls } from '${join(import.meta.dir, '../../src/registry/plugin-calls.ts')}';
      process.on('unhandledRejection', ({ message }) => console.log(message));
      new PluginCalls().marked({ plugin: 'a', call: 'compile', source: 'a.ts' }, async () => {
        throw new Error('the real cause');
      })();
    `;
    const { stdout } = Bun.spawnSync([process.execPath, '-e', script]);
    expect(stdout.toString()).toBe('the real cause\n');
  });

  test('say which asynchronous calls have not ended, whether they succeed or fail', async () => {
    const { calls, current, unended } = opened();
    const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = calls.marked(INNER, async (at: number) => ends[at].promise);
    const [first, second] = [run(0), run(1)];
    expect([current(), unended()]).toEqual([undefined, ['inner']]);
    ends[0].resolve();
    await first;
    expect(unended()).toEqual(['inner']);
    ends[1].reject(new Error('no'));
    await expect(second).rejects.toThrow('no');
    expect(unended()).toEqual([]);
  });

  test('are missing, and nothing else, when there are more calls than fit', () => {
    const { calls, current } = opened();
    for (let at = 0; at < 10_000; at++) calls.marked({ ...OUTER, call: `call ${at}` }, current);
    expect(calls.marked(INNER, current)()).toBeUndefined();
    expect(calls.marked({ ...OUTER, call: 'call 7' }, current)()).toBe('outer');
  });
});

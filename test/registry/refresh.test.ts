import { describe, expect, test } from 'bun:test';
import type { PluginLog } from '../../src/plugin/index.ts';
import { Refresh } from '../../src/registry/refresh.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';

/** A refresh every 10 seconds. The test ends its runs. */
class Refreshing {
  readonly timers = new ManualTimers();
  readonly logged: string[] = [];
  readonly runs: PromiseWithResolvers<string>[] = [];
  readonly refresh: Refresh<string>;

  constructor(initial?: string) {
    const note = (fields: object | string, message?: string) =>
      this.logged.push(`${message ?? ''} ${JSON.stringify(fields)}`);
    const log: PluginLog = { info: note, warn: note, error: note };
    const fn = () => {
      const run = Promise.withResolvers<string>();
      this.runs.push(run);
      return run.promise;
    };
    this.refresh = new Refresh({ name: 'list', seconds: 10, fn, initial }, this.timers, log);
  }

  async end(value: string): Promise<void> {
    this.runs.at(-1)?.resolve(value);
    await settled();
  }

  async fail(reason: string): Promise<void> {
    this.runs.at(-1)?.reject(new Error(reason));
    await settled();
  }
}

describe('a refreshed value', () => {
  test('is fetched immediately, and again the given number of seconds after each run', async () => {
    const list = new Refreshing();
    expect(list.runs).toHaveLength(1);
    expect(() => list.refresh.value).toThrow("'list' has no value yet");
    await list.end('one');
    expect(list.refresh.value).toBe('one');
    await list.refresh.first;
    await list.timers.pass(9.9);
    expect(list.runs).toHaveLength(1);
    await list.timers.pass(0.1);
    expect(list.runs).toHaveLength(2);
    expect(list.refresh.value).toBe('one');
    await list.end('two');
    expect(list.refresh.value).toBe('two');
  });

  test('never has two runs at the same time', async () => {
    const list = new Refreshing();
    await list.timers.pass(1000);
    expect(list.runs).toHaveLength(1);
    await list.end('one');
    await list.timers.pass(10);
    await list.timers.pass(1000);
    expect(list.runs).toHaveLength(2);
  });

  test('logs once that a later run has not ended after a minute', async () => {
    const list = new Refreshing();
    await list.end('one');
    await list.timers.pass(10 + 59);
    expect(list.logged).toEqual([]);
    await list.timers.pass(1000);
    expect(list.logged).toEqual([`'list' is still being fetched; its old value stays {"refresh":"list"}`]);
    await list.end('two');
    expect(list.refresh.value).toBe('two');
    list.refresh.stop();
    expect(list.timers.count).toBe(0);
  });

  test('keeps its old value if a run fails, logs the failure and continues', async () => {
    const list = new Refreshing();
    await list.end('one');
    await list.timers.pass(10);
    await list.fail('the source is away');
    expect(list.refresh.value).toBe('one');
    expect(list.logged).toHaveLength(1);
    expect(list.logged[0]).toContain("'list' could not be refreshed");
    expect(list.logged[0]).toContain('the source is away');
    await list.timers.pass(10);
    await list.end('two');
    expect(list.refresh.value).toBe('two');
  });

  test('rejects if the first run fails and there is no initial value', async () => {
    const without = new Refreshing();
    await without.fail('no connection');
    await expect(without.refresh.first).rejects.toThrow("refresh 'list': no connection");
    const list = new Refreshing('empty');
    expect(list.refresh.value).toBe('empty');
    await list.fail('no connection');
    await list.refresh.first;
    expect(list.refresh.value).toBe('empty');
    expect(list.logged).toHaveLength(1);
    await list.timers.pass(10);
    await list.end('one');
    expect(list.refresh.value).toBe('one');
  });

  test('delays the start by at most five seconds if there is an initial value', async () => {
    const list = new Refreshing('initial');
    let begun = false;
    list.refresh.first.then(() => (begun = true));
    await list.timers.pass(4.9);
    expect([begun, list.logged]).toEqual([false, []]);
    await list.timers.pass(0.1);
    expect(begun).toBe(true);
    expect(list.logged).toEqual([
      `'list' has not been fetched yet; the service starts with its initial value {"refresh":"list"}`,
    ]);
    expect(list.refresh.value).toBe('initial');
    await list.end('late');
    expect(list.refresh.value).toBe('late');
    await list.timers.pass(10);
    expect(list.runs).toHaveLength(2);
    list.refresh.stop();
    expect(list.timers.count).toBe(0);
  });

  test('starts no run after stop, and ignores the result of a current run', async () => {
    const list = new Refreshing();
    await list.end('one');
    await list.timers.pass(10);
    list.refresh.stop();
    await list.end('two');
    expect(list.refresh.value).toBe('one');
    expect(list.timers.count).toBe(0);
    const waiting = new Refreshing();
    await waiting.end('one');
    waiting.refresh.stop();
    await waiting.timers.pass(100);
    expect(waiting.runs).toHaveLength(1);
    const failing = new Refreshing();
    failing.refresh.stop();
    await failing.fail('too late');
    await failing.refresh.first;
    expect(failing.logged).toEqual([]);
  });

  test('accepts a function that throws or returns synchronously', async () => {
    const timers = new ManualTimers();
    const log: PluginLog = { info() {}, warn() {}, error() {} };
    const at_once = new Refresh({ name: 'n', seconds: 1, fn: () => 5, initial: undefined }, timers, log);
    await at_once.first;
    expect(at_once.value).toBe(5);
    const fn = () => {
      throw new Error('at once');
    };
    const throwing = new Refresh({ name: 'n', seconds: 1, fn, initial: undefined }, timers, log);
    await expect(throwing.first).rejects.toThrow('at once');
  });

  test.each([
    ['a period of 0', { seconds: 0 }],
    ['a negative period', { seconds: -1 }],
    ['a period that is not a number', { seconds: Number.NaN }],
    ['no name', { name: '' }],
    ['no function', { fn: undefined }],
  ])('rejects %s', (_, wrong) => {
    const options = { name: 'list', seconds: 1, fn: () => 1, initial: undefined, ...wrong };
    const log: PluginLog = { info() {}, warn() {}, error() {} };
    expect(() => new Refresh(options as never, new ManualTimers(), log)).toThrow('refresh');
  });

  test('with an initial value does not delay the start if the first run fails immediately', async () => {
    const timers = new ManualTimers();
    const logged: string[] = [];
    const note = (_: object | string, message?: string) => void logged.push(message ?? '');
    let runs = 0;
    const fn = (): number => {
      runs++;
      throw new Error('no file');
    };
    const log: PluginLog = { info: note, warn: note, error: note };
    const refresh = new Refresh({ name: 'list', seconds: 10, fn, initial: 7 }, timers, log);
    await refresh.first;
    await timers.pass(6);
    expect([refresh.value, logged]).toEqual([7, ["'list' could not be refreshed; its old value stays"]]);
    refresh.stop();
    await timers.pass(100);
    expect(runs).toBe(1);
  });
});

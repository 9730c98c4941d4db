import { describe, expect, test } from 'bun:test';
import type { PluginLog } from '../../src/plugin/index.ts';
import { Refresh } from '../../src/registry/refresh.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';

/** A refresh every 10 seconds whose runs end as the test says. */
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
  test('is fetched at once, then again so many seconds after each run', async () => {
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

  test('never has two runs at a time, however long one takes', async () => {
    const list = new Refreshing();
    await list.timers.pass(1000);
    expect(list.runs).toHaveLength(1);
    await list.end('one');
    await list.timers.pass(10);
    await list.timers.pass(1000);
    expect(list.runs).toHaveLength(2);
  });

  test('keeps its old value when a run fails, says so and goes on', async () => {
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

  test('reports a first run that fails, unless there is a value to start with', async () => {
    const without = new Refreshing();
    await without.fail('nobody there');
    await expect(without.refresh.first).rejects.toThrow("refresh 'list': nobody there");
    const list = new Refreshing('empty');
    expect(list.refresh.value).toBe('empty');
    await list.fail('nobody there');
    await list.refresh.first;
    expect(list.refresh.value).toBe('empty');
    expect(list.logged).toHaveLength(1);
    await list.timers.pass(10);
    await list.end('one');
    expect(list.refresh.value).toBe('one');
  });

  test('is waited for five seconds where there is a value to start with, and comes later', async () => {
    const list = new Refreshing('initial');
    let begun = false;
    list.refresh.first.then(() => (begun = true));
    await list.timers.pass(4.9);
    expect([begun, list.logged]).toEqual([false, []]);
    await list.timers.pass(0.1);
    expect(begun).toBe(true);
    expect(list.logged).toEqual([
      `'list' is not there yet; it starts with its initial value {"refresh":"list"}`,
    ]);
    expect(list.refresh.value).toBe('initial');
    await list.end('late');
    expect(list.refresh.value).toBe('late');
    await list.timers.pass(10);
    expect(list.runs).toHaveLength(2);
    list.refresh.stop();
    expect(list.timers.count).toBe(0);
  });

  test('stops: no run follows, and one under way changes nothing', async () => {
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

  test('takes a function that throws or returns at once', async () => {
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
    ['a period that is no number', { seconds: Number.NaN }],
    ['no name', { name: '' }],
    ['no function', { fn: undefined }],
  ])('needs more than %s', (_, wrong) => {
    const options = { name: 'list', seconds: 1, fn: () => 1, initial: undefined, ...wrong };
    const log: PluginLog = { info() {}, warn() {}, error() {} };
    expect(() => new Refresh(options as never, new ManualTimers(), log)).toThrow('refresh');
  });

  test('that fails at once is waited for no longer where there is an initial value, and stops when told', async () => {
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

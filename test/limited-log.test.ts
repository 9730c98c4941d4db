import { expect, test } from 'bun:test';
import { limitedLog, shortened } from '../src/limited-log.ts';
import type { PluginLog } from '../src/plugin/index.ts';

class Scene {
  now_ms = 0;
  readonly lines: [string, object, string][] = [];
  readonly log: PluginLog;

  constructor() {
    const note = (level: string) => (fields: object | string, message?: string) =>
      void this.lines.push([level, fields as object, message ?? '']);
    const log = { info: note('info'), warn: note('warn'), error: note('error') };
    this.log = limitedLog(log, () => this.now_ms);
  }

  /** The fields of a line as JSON values. */
  fieldsOf(fields: object): unknown {
    this.now_ms += 10_000;
    this.log.warn(fields, 'it');
    return JSON.parse(JSON.stringify(this.lines.at(-1)?.[1]));
  }
}

test('a limited log writes one line per ten seconds, level and message, and counts the others', () => {
  const scene = new Scene();
  const { warn, error } = scene.log;
  for (let count = 0; count < 5; count++) warn({ count }, 'it failed');
  error('it failed');
  warn('another message');
  scene.now_ms = 9_999;
  warn('it failed');
  scene.now_ms = 10_000;
  warn({ count: 6 }, 'it failed');
  expect(scene.lines).toEqual([
    ['warn', { count: 0, unlogged: undefined }, 'it failed'],
    ['error', { unlogged: undefined }, 'it failed'],
    ['warn', { unlogged: undefined }, 'another message'],
    ['warn', { count: 6, unlogged: 5 }, 'it failed'],
  ]);
});

test('a limited log writes at most 65 lines per ten seconds, whatever the messages are', () => {
  const scene = new Scene();
  for (const start of [0, 10_000, 20_000]) {
    scene.now_ms = start;
    for (let count = 0; count < 1_000; count++) scene.log.info(`number ${start + count}`);
    expect(scene.lines.splice(0)).toHaveLength(65);
  }
});

test('a limited log keeps ordinary fields as they are', () => {
  const scene = new Scene();
  const fields = { url: 'https://example.com', at: 3, is: true, no: null, list: [{ deep: ['x'] }] };
  expect(scene.fieldsOf(fields)).toEqual(fields);
  expect(scene.fieldsOf({ at: new Date(0), amount: 2n ** 70n })).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    amount: '1180591620717411303424',
  });
  expect(scene.fieldsOf({ error: new Error('no disk') })).toEqual({
    error: expect.stringContaining('Error: no disk\n'),
  });
  expect(scene.fieldsOf(new Error('no disk'))).toEqual({
    cause: expect.stringContaining('Error: no disk\n'),
  });
});

test('a limited log cuts fields of any shape', () => {
  const circular: Record<string, unknown> = {};
  circular.itself = circular;
  const shapes: object[] = [
    { text: 'x'.repeat(1_000_000) },
    { ['x'.repeat(1_000_000)]: 1 },
    { list: new Array(1_000_000).fill('xxx') },
    { sparse: new Array(2 ** 31) },
    Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`name ${at}`, 'x'.repeat(900)])),
    { bytes: new Uint8Array(100_000) },
    new Error('x'.repeat(1_000_000)),
    circular,
  ];
  const scene = new Scene();
  for (const shape of shapes) {
    const text = JSON.stringify(scene.fieldsOf(shape));
    expect(text).toContain('…');
    expect(text.length).toBeLessThan(6_000);
  }
});

test('a cut text ends with its former length, and not within a character', () => {
  expect(shortened('short')).toBe('short');
  expect(shortened(`${'x'.repeat(1_000)}`)).toHaveLength(1_000);
  expect(shortened('abcdef', 3)).toBe('abc… (6 characters)');
  expect(shortened('ab😀', 3).isWellFormed()).toBe(true);
});

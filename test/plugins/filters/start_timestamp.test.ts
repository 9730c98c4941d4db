import { describe, expect, test } from 'bun:test';
import { parseMoment } from '../../../src/plugin/index.ts';
import { kept, refused } from '../../support/extensions.ts';
import { DAY, HOUR, NOW, Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('before', { created_at: NOW - 7 * DAY - 0.001 })
  .item('at', { created_at: NOW - 7 * DAY })
  .item('hour', { created_at: NOW - HOUR })
  .item('now', { created_at: NOW });

describe('start_timestamp', () => {
  test('keeps items created at or after the moment, given in any form', () => {
    const moment = NOW - 7 * DAY;
    const forms = [
      'days_ago:7',
      'hours_ago:168',
      moment,
      String(moment),
      new Date(moment * 1000).toISOString(),
      new Date(moment * 1000).toISOString().slice(0, 19),
      `${new Date((moment + HOUR) * 1000).toISOString().slice(0, 19)}+01:00`,
      `${new Date(moment * 1000).toISOString().slice(0, 19).replace('T', ' ')}`,
      `${new Date(moment * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
      `${new Date(moment * 1000).toISOString().slice(0, 19).toLowerCase()}.000000z`,
    ];
    for (const form of forms) expect(kept(scene, 'start_timestamp', form)).toEqual(['at', 'hour', 'now']);
  });

  test('evaluates relative forms at the time of the request', () => {
    expect(kept(scene, 'start_timestamp', 'hours_ago:1')).toEqual(['hour', 'now']);
    expect(kept(scene, 'start_timestamp', 'hours_ago:1', { now: NOW + 1 })).toEqual(['now']);
    expect(kept(scene, 'start_timestamp', 'days_ago:0')).toEqual(['now']);
    expect(kept(scene, 'start_timestamp', 0)).toHaveLength(4);
  });

  test('treats a date as its first instant in UTC', () => {
    const midnight = Date.UTC(2023, 10, 14) / 1000;
    const days = new Scene()
      .item('before', { created_at: midnight - 0.001 })
      .item('at', { created_at: midnight });
    expect(kept(days, 'start_timestamp', '2023-11-14')).toEqual(['at']);
  });

  test('accepts ISO times before 1970, which keep every item', () => {
    for (const form of [
      '1969-12-31',
      '1969-01-01',
      '1968-02-29T12:00',
      '1960-01-01',
      '0099-06-01',
      '0000-01-01',
    ])
      expect(kept(scene, 'start_timestamp', form)).toHaveLength(4);
  });

  test('reports a day that does not exist', () => {
    for (const form of ['2023-02-30', '2023-13-01', '1900-02-29', '2023-01-01T24:00'])
      expect(() => parseMoment(form)).toThrow('this date or time of day does not exist');
  });

  test('names the likely unit of a number that is too large for seconds', () => {
    for (const [factor, unit] of [
      [1e3, 'milliseconds'],
      [1e6, 'microseconds'],
      [1e9, 'nanoseconds'],
    ] as const) {
      expect(() => parseMoment(NOW * factor)).toThrow(`expected seconds, this looks like ${unit}`);
      expect(() => parseMoment(String(NOW * factor))).toThrow(`expected seconds, this looks like ${unit}`);
    }
  });

  test('rejects all other values', () =>
    refused('start_timestamp', [
      -1,
      '-1',
      1e11 + 1,
      String(NOW * 1000),
      Number.NaN,
      Infinity,
      'days_ago',
      'days_ago:',
      'days_ago:-1',
      'days_ago:1.5',
      'days_ago: 1',
      'weeks_ago:1',
      'DAYS_AGO:1',
      'yesterday',
      '2023-11-14  12:00',
      '2023-02-30',
      '2023-13-01',
      '14.11.2023',
      '1e9',
      '0x10',
      true,
      ['days_ago:1'],
      { days: 1 },
    ]));
});

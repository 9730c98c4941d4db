import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { DAY, HOUR, NOW, Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('before', { created_at: NOW - 7 * DAY - 0.001 })
  .item('at', { created_at: NOW - 7 * DAY })
  .item('hour', { created_at: NOW - HOUR })
  .item('now', { created_at: NOW });

describe('start_timestamp', () => {
  test('keeps what was created since a moment, the moment included, in every form', () => {
    const moment = NOW - 7 * DAY;
    const forms = [
      'days_ago:7',
      'hours_ago:168',
      moment,
      String(moment),
      new Date(moment * 1000).toISOString(),
      new Date(moment * 1000).toISOString().slice(0, 19),
      `${new Date((moment + HOUR) * 1000).toISOString().slice(0, 19)}+01:00`,
    ];
    for (const form of forms) expect(kept(scene, 'start_timestamp', form)).toEqual(['at', 'hour', 'now']);
  });

  test('moves relative forms with the clock', () => {
    expect(kept(scene, 'start_timestamp', 'hours_ago:1')).toEqual(['hour', 'now']);
    expect(kept(scene, 'start_timestamp', 'hours_ago:1', { now: NOW + 1 })).toEqual(['now']);
    expect(kept(scene, 'start_timestamp', 'days_ago:0')).toEqual(['now']);
    expect(kept(scene, 'start_timestamp', 0)).toHaveLength(4);
  });

  test('takes a date for its first instant in UTC', () => {
    const midnight = Date.UTC(2023, 10, 14) / 1000;
    const days = new Scene()
      .item('before', { created_at: midnight - 0.001 })
      .item('at', { created_at: midnight });
    expect(kept(days, 'start_timestamp', '2023-11-14')).toEqual(['at']);
  });

  test('refuses everything else', () =>
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
      '2023-11-14 12:00',
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

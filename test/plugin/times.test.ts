import { expect, test } from 'bun:test';
import { parseIsoTime } from '../../src/plugin/index.ts';

test.each([
  '0000-01-01',
  '0000-02-29',
  '0099-12-31',
  '0100-01-01',
  '1582-10-15',
  '1968-12-31',
  '1969-01-01',
  '9999-12-31',
])('the day %s begins when it does', (day) => {
  expect(parseIsoTime(day)).toBe(Date.parse(`${day}T00:00:00Z`) / 1000);
  expect(parseIsoTime(`${day}T12:30:15.5+02:00`)).toBe(Date.parse(`${day}T10:30:15.5Z`) / 1000);
});

test('parseIsoTime maps earlier times to smaller numbers in every year', () => {
  const days = [
    '0000-01-01',
    '0050-01-01',
    '0099-12-31',
    '0100-01-01',
    '1900-01-01',
    '1968-12-31',
    '1969-01-01',
    '1970-01-01',
  ];
  const seconds = days.map((day) => Number(parseIsoTime(day)));
  expect(seconds.toSorted((one, other) => one - other)).toEqual(seconds);
});

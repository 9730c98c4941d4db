import { nowSeconds } from '../clock.ts';

const STEPS: readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const WHOLE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** `3 hr. ago`. @param at seconds since the epoch */
export function agoText(at: number, now: number = nowSeconds()): string {
  const passed = now - at;
  for (const [seconds, unit] of STEPS) {
    if (Math.abs(passed) >= seconds) return RELATIVE.format(-Math.round(passed / seconds), unit);
  }
  return 'just now';
}

/** A time as its age, with the whole date when the pointer rests on it. */
export function Ago({ at }: { at: number }) {
  const date = new Date(at * 1000);
  return (
    <time dateTime={date.toISOString()} title={WHOLE.format(date)}>
      {agoText(at)}
    </time>
  );
}

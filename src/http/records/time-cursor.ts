import { Text } from '../../answer/schema-parts.ts';
import { refuse } from '../../model/values/refusal.ts';
import { parameter } from '../transport/parameters.ts';

/** A place in a list that is ordered by time, newest first: behind `passed` entries of `time`, and all newer ones. */
export interface Place {
  time: number;
  passed: number;
}

export const FIRST_PLACE: Place = { time: Number.POSITIVE_INFINITY, passed: 0 };

const FORM = /^(\d{1,11}(?:\.\d{1,3})?)-(\d{1,9})$/;

/** The cursor of an answer. New entries do not move it, so a list that goes on repeats none. */
export const CURSOR = parameter<Place>(
  Text('The `cursor` of the last answer: goes on with older entries.'),
  (value) => {
    const [, time, passed] = FORM.exec(String(value)) ?? [];
    return time === undefined
      ? refuse('expected the cursor of an answer')
      : { time: Number(time), passed: Number(passed) };
  },
);

export function cursorOf({ time, passed }: Place): string {
  return `${time}-${passed}`;
}

/** The place behind one more entry. */
export function behind(place: Place, time: number): Place {
  return { time, passed: time === place.time ? place.passed + 1 : 1 };
}

import { shortened } from '../../ui/texts.ts';
import { isObject, isSame, objectOf, withKey } from './feed.ts';

/** A value that differs between two versions of a feed. Undefined: it is not set. */
export interface Change {
  path: readonly string[];
  from: unknown;
  to: unknown;
}

/** Where two objects differ. Lists count as one value. */
export function changesOf(from: object, to: object, path: readonly string[] = []): Change[] {
  const [before, after]: Record<string, unknown>[] = [{ ...from }, { ...to }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key): Change[] => {
    const place = [...path, key];
    const [old, next] = [before[key], after[key]];
    if (isSame(old, next)) return [];
    if (isObject(old) && isObject(next)) return changesOf(old, next, place);
    return [{ path: place, from: old, to: next }];
  });
}

/** Makes changes in another version. */
export function withChanges<T extends object>(object: T, changes: readonly Change[]): T {
  return changes.reduce((all, { path, to }) => withValue(all, path, to), object);
}

function withValue<T extends object>(object: T, [key, ...rest]: readonly string[], value: unknown): T {
  const next = rest.length === 0 ? value : withValue(objectOf(objectOf(object)[key]), rest, value);
  return withKey(object, key, next);
}

const SHOWN_MAX = 120;

/** `filters.languages: en → en, de` */
export function changeText({ path, from, to }: Change): string {
  const shown = path[0] === 'config' && path.length > 1 ? path.slice(1) : path;
  return `${shown.join('.')}: ${valueText(from)} → ${valueText(to)}`;
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  if (value === '') return 'empty';
  if (Array.isArray(value) && value.length === 0) return 'none';
  return shortened(entryText(value), SHOWN_MAX);
}

/** An object as `music threshold 0.8`: its first value says what it is. Other values are texts already. */
function entryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(entryText).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, one], index) => {
      if (index === 0 && typeof one === 'string') return one;
      return typeof one === 'object' ? `${key} (${entryText(one)})` : `${key} ${one}`;
    })
    .join(' ');
}

/**
 * The same changes as people read them: a line for each value of an object that was added or removed, and of lists whose
 * entries have many values.
 */
export function inLines(changes: readonly Change[]): Change[] {
  return changes.flatMap((change): Change[] => {
    const { path, from, to } = change;
    const is_whole = (from === undefined && isFilled(to)) || (to === undefined && isFilled(from));
    if (!is_whole && !isLong(from) && !isLong(to)) return [change];
    return inLines(changesOf(Object(from ?? {}), Object(to ?? {}), path));
  });
}

function isFilled(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

function isLong(value: unknown): boolean {
  return Array.isArray(value) && value.some((entry) => isObject(entry) && Object.keys(entry).length > 2);
}

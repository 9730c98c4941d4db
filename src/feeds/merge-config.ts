import { isPlainObject } from '../model/values/refusal.ts';

/**
 * Merges the `config` of a change into the saved one.
 *
 * Given keys of `config` and of `config.filters` replace saved ones, `null` removes, and all others stay.
 */
export function merged(
  given: Record<string, unknown>,
  saved: Record<string, unknown>,
): Record<string, unknown> {
  const { config } = given;
  if (!isPlainObject(config)) return given;
  const both = mergedKeys(config, saved);
  if (isPlainObject(config.filters) && isPlainObject(saved.filters)) {
    both.filters = mergedKeys(config.filters, saved.filters);
  }
  return { ...given, config: both };
}

function mergedKeys(given: Record<string, unknown>, saved: Record<string, unknown>): Record<string, unknown> {
  const all = Object.entries({ ...saved, ...given });
  return Object.fromEntries(all.filter(([key]) => !Object.hasOwn(given, key) || given[key] !== null));
}

/** Makes one warning that names the keys of a saved `config` and its `filters` that a new one lacks. */
export function droppedKeys(saved: unknown, now: unknown): string[] {
  if (!isPlainObject(saved) || !isPlainObject(now)) return [];
  const dropped = missingKeys(saved, now).map((key) => `config.${key}`);
  if (isPlainObject(saved.filters) && isPlainObject(now.filters)) {
    dropped.push(...missingKeys(saved.filters, now.filters).map((key) => `config.filters.${key}`));
  }
  if (dropped.length === 0) return [];
  return [
    `${dropped.join(', ')} had a saved value and is not in the new config, so it was removed; to keep it, send the whole config or use ?merge=true`,
  ];
}

function missingKeys(saved: Record<string, unknown>, now: Record<string, unknown>): string[] {
  return Object.keys(saved).filter((key) => !Object.hasOwn(now, key));
}

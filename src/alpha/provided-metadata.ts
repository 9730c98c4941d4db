import { reasonOf } from '../errors.ts';
import type { Metadata } from '../plugin/index.ts';
import { metadataProblem } from '../plugin/metadata-problem.ts';

/** What a provider returned, which is not trusted. */

/** Explains why an entry is not metadata of its item. */
export function entryProblem(entry: unknown): string | undefined {
  if (entry === undefined || entry === null) return undefined;
  return entry instanceof Error ? reasonOf(entry) : metadataProblem(entry);
}

/** Estimates the memory of plain JSON. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 32 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  const parts = Object.entries(value).map(([key, part]) => 2 * key.length + bytesOf(part));
  return parts.reduce((sum, bytes) => sum + bytes, 64);
}

/** Explains why an answer cannot be used. If entries are missing, the others cannot be assigned to items. */
export function listProblem(answers: unknown, count: number): string | undefined {
  if (!Array.isArray(answers)) return 'the answer is not a list';
  if (answers.length === count) return undefined;
  return `the answer has ${answers.length} entries for ${count} items; it must have one for each, in their order`;
}

/**
 * Copies metadata, so that later changes by the plugin do not affect the cache. Undefined if it is empty.
 *
 * The values of its fields are checked later.
 */
export function copied(metadata: unknown): Metadata | undefined {
  const copy = JSON.parse(JSON.stringify(metadata ?? {})) as Metadata;
  return Object.keys(copy).length === 0 ? undefined : copy;
}

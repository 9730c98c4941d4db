import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Option } from 'commander';
import { StartupError } from '../errors.ts';
import type { TestFile } from '../evaluate/protocol.ts';
import { readableBytes } from '../interchange/files.ts';
import { LIMITS } from '../limits.ts';
import { EVENT_TYPES, type EventType } from '../model/acts.ts';
import { FEED_TYPES, type FeedType } from '../plugin/index.ts';
import { oneOf, type Parse } from '../setting-values.ts';

/** Parsers for the options of `feedloom evaluate`. An error names the allowed values. */

export function refuse(message: string, remedy?: string): StartupError {
  return new StartupError('bad_setting', message, remedy);
}

/** An option whose errors name its flag. */
export function parsed<T>(flags: string, description: string, parse: Parse<T>): Option {
  const [flag] = flags.split(' ');
  return new Option(flags, description).argParser((text: string) => parse(text, flag));
}

export const feedType: Parse<FeedType> = oneOf(FEED_TYPES);

export function events(text: string): ReadonlySet<EventType> {
  const named = list(text);
  // Hides and reports are left out: a page should not predict them.
  const known: readonly string[] = EVENT_TYPES.filter((type) => type !== 'hide' && type !== 'report');
  const wrong = named.find((name) => !known.includes(name));
  if (wrong === undefined && named.length > 0) return new Set(named as EventType[]);
  throw refuse(`--events must be some of ${known.join(', ')}, separated by commas, not '${wrong ?? text}'`);
}

export function list(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}

/** @throws StartupError if `top_k` is above the maximum of the feed type */
export function checkTopK(top_k: number, type: FeedType): void {
  const most = type === 'for-you' ? LIMITS.top_k_max_for_you : LIMITS.top_k_max_ranked;
  if (top_k > most) throw refuse(`--top-k must be at most ${most} on ${type} feeds, not ${top_k}`);
}

export function testFile(path: string): TestFile {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new StartupError(
      'no_such_file',
      `there is no file '${path}'`,
      '--test names held-out acts in the form of interactions.csv, also with .gz.',
    );
  }
  return { kind: 'interactions', name: basename(path), path, bytes: readableBytes(path) };
}

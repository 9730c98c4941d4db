import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { Option } from 'commander';
import { StartupError } from '../errors.ts';
import type { TestFile } from '../evaluate/protocol.ts';
import { Scoring } from '../feeds/compiled-parameters.ts';
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

/** A scoring function, as a request names it. */
export interface NamedScoring {
  name: string;
  options?: unknown;
}

/** Ids and JSON objects, separated by commas. */
export function scorings(text: string): NamedScoring[] {
  const named = new Map<string, NamedScoring>();
  let open = '';
  for (const part of text.split(',')) {
    // A comma may be within an object.
    open = open === '' ? part.trim() : `${open},${part}`;
    if (open === '') continue;
    const scoring = open.startsWith('{') ? parsedScoring(open) : { name: open };
    if (scoring === undefined) continue;
    named.set(JSON.stringify(scoring), scoring);
    open = '';
  }
  if (open === '') return [...named.values()];
  throw refuse(
    `--scoring must be ids or objects like {"name":"weighted_v0.0.1","options":{…}}, not '${open}'`,
  );
}

/** Undefined if the text is not a complete object, or not one that names a function. */
function parsedScoring(text: string): NamedScoring | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(Scoring, value) && typeof value !== 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A percentage between 0 and 100, as a share. */
export const percent: Parse<number> = (text, name) => {
  const value = /^\d+(\.\d+)?%$/.test(text) ? Number(text.slice(0, -1)) : 0;
  if (value > 0 && value < 100) return value / 100;
  throw refuse(`${name} must be a percentage above 0% and below 100%, such as 20%, not '${text}'`);
};

/** The acts that a holdout predicts. @throws StartupError unless there is one of both */
export function heldOut({
  test,
  holdOut: share,
}: {
  test?: string;
  holdOut?: number;
}): { test: TestFile } | { share: number } {
  if (test !== undefined && share === undefined) return { test: testFile(test) };
  if (test === undefined && share !== undefined) return { share };
  const remedy =
    "--test names a file of held-out acts, and --hold-out 20% holds out the last of each user's acts.";
  throw refuse('name either --test or --hold-out', remedy);
}

/** @throws StartupError if `top_k` is above the maximum of the feed type */
export function checkTopK(top_k: number, type: FeedType): void {
  const most = type === 'for-you' ? LIMITS.top_k_max_for_you : LIMITS.top_k_max_ranked;
  if (top_k > most) throw refuse(`--top-k must be at most ${most} on ${type} feeds, not ${top_k}`);
}

function testFile(path: string): TestFile {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new StartupError(
      'no_such_file',
      `there is no file '${path}'`,
      '--test names held-out acts in the form of interactions.csv, also with .gz.',
    );
  }
  return { kind: 'interactions', name: basename(path), path, bytes: readableBytes(path) };
}

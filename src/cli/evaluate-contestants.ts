import { ServiceError, StartupError } from '../errors.ts';
import type { Contestant } from '../evaluate/contestant.ts';
import { contestantOf, readOwnFeeds } from '../evaluate/own-feeds.ts';
import { compileFeed, defaultScoring } from '../feeds/compile-feed.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Opened } from './evaluate-stage.ts';
import { checkTopK, type NamedScoring, refuse } from './evaluate-values.ts';

/** What is to be measured, as the options say. */
export interface Asked {
  feed?: string[];
  scoring?: NamedScoring[];
  type?: FeedType;
}

/**
 * The saved feeds and scoring functions to measure. Without names, all functions for this feed type, its default first.
 * @throws StartupError `bad_setting`, `no_such_feed`; ServiceError for a feed that cannot be built
 */
export async function contestantsFor(
  opened: Opened,
  { feed, scoring, type }: Asked,
  top_k: number,
): Promise<{ contestants: Contestant[]; feed_type: FeedType }> {
  if (feed?.length === 0) throw refuse('--feed names no feed');
  const feeds =
    feed === undefined ? [] : await readOwnFeeds(opened.registry, opened.feed_files, feed, opened.log);
  const [feed_type = 'for-you'] = [type, ...feeds.map((one) => one.feed_type)].filter(
    (one) => one !== undefined,
  );
  for (const { feed_id, feed_type: own } of feeds) {
    if (own !== feed_type)
      throw refuse(
        `'${feed_id}' is a ${own} feed, and these pages are ${feed_type} feeds: ${remedyFor(type)}`,
      );
  }
  checkTopK(top_k, feed_type);
  const functions = feeds.length > 0 && scoring === undefined ? [] : scoringFor(opened, feed_type, scoring);
  return { contestants: [...feeds.map(contestantOf), ...functions], feed_type };
}

function remedyFor(type: FeedType | undefined): string {
  return type === undefined
    ? 'measure feeds of one type at a time'
    : 'measure it by another protocol or --type';
}

/** The scoring functions to measure. Functions that need options are left out with a notice, unless they are named. */
function scoringFor(
  { registry, log }: Opened,
  type: FeedType,
  named: readonly NamedScoring[] | undefined,
): Contestant[] {
  const of_type = registry
    .all('scoring_functions')
    .filter(({ extension }) => extension.feeds?.includes(type) ?? true);
  const reasons = new Map<string, string>();
  for (const { id, options } of of_type) {
    const checked = options.check(undefined, '');
    if (checked.ok) continue;
    const messages = checked.faults.map(({ path, message }) => `${path.slice(1)} ${message}`.trimStart());
    reasons.set(id, messages.join('; '));
  }
  const standard = defaultScoring(type);
  const fitting = of_type
    .map(({ id }) => id)
    .filter((id) => !reasons.has(id))
    .sort((one, other) => Number(other === standard) - Number(one === standard));
  const learns = (name: string) => registry.get('scoring_functions', name)?.extension.learns !== undefined;
  const choice = `Choose ${fitting.join(', ')}.`;
  if (named?.length === 0) throw refuse('--scoring names no scoring function', choice);
  for (const { name, options } of named ?? []) {
    const reason = options === undefined ? reasons.get(name) : undefined;
    if (reason !== undefined) throw refuse(`'${name}' cannot be used without options: ${reason}`, choice);
    if (!of_type.some(({ id }) => id === name))
      throw refuse(`there is no scoring function '${name}' for ${type} feeds`, choice);
  }
  if (named === undefined) {
    for (const [id, reason] of reasons)
      log.print(`left out: ${id} (it cannot be used without options: ${reason})`);
    return fitting.map((id) => ({ name: id, learns: learns(id), request: { scoring: id } }));
  }
  return named.map((scoring) => {
    checkOptions(() => compileFeed(registry, type, { scoring }));
    const { name, options } = scoring;
    const is_only = named.filter((other) => other.name === name).length === 1;
    // Two rows of one function differ by their options.
    const row = options === undefined || is_only ? name : `${name} ${JSON.stringify(options)}`;
    return { name: row, learns: learns(name), request: { scoring } };
  });
}

function checkOptions(compile: () => unknown): void {
  try {
    compile();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors === undefined) throw error;
    const faults = error.errors.map(({ path, message }) => `${path.replace('/scoring/', '')} ${message}`);
    throw new StartupError('bad_setting', `--scoring: ${faults.join('; ')}`);
  }
}

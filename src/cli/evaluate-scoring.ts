import { defaultScoring } from '../feeds/compile-feed.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Opened } from './evaluate-stage.ts';
import { refuse } from './evaluate-values.ts';

/**
 * The ids of the scoring functions to measure.
 *
 * Without names, all functions for this feed type, its default first. Functions that need options are left out with a
 * notice.
 * @throws StartupError for an unknown function, one of another type, or one that needs options
 */
export function scoringFor({ registry, stage }: Opened, type: FeedType, named?: readonly string[]): string[] {
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
  const choice = `Choose ${fitting.join(', ')}.`;
  if (named?.length === 0) throw refuse('--scoring names no scoring function', choice);
  for (const id of named ?? []) {
    const reason = reasons.get(id);
    if (reason !== undefined) throw refuse(`'${id}' cannot be used without options: ${reason}`, choice);
    if (!fitting.includes(id)) throw refuse(`there is no scoring function '${id}' for ${type} feeds`, choice);
  }
  if (named !== undefined) return [...named];
  for (const [id, reason] of reasons)
    stage.log.print(`left out: ${id} (it cannot be used without options: ${reason})`);
  return fitting;
}

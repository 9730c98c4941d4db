import type { Seconds } from '../clock.ts';
import { type Fault, invalidValue } from '../errors.ts';
import { warningsFor } from '../feeds/check-parameters.ts';
import { LIMITS } from '../limits.ts';
import { identifier } from '../model/values/checks.ts';
import { type Check, clip, expected, isPlainObject, Refusal, refuse } from '../model/values/refusal.ts';
import { seconds } from '../model/values/time.ts';
import type { LeftOut, SeenReport } from '../serve/seen-reports.ts';
import { ofAnother } from './viewer-request.ts';

const { reports_of_seen_max, seen_report_items_max, page_id_seconds, future_tolerance_seconds } = LIMITS;

/** Who sends reports, and when. */
interface Sender {
  /** The viewer of the token. Undefined for keys. */
  viewer: string | undefined;
  now: Seconds;
}

/**
 * Checks the reports of a body.
 * @throws ServiceError `invalid_value` with the first faults; `forbidden` if a viewer token reports for another viewer
 */
export function readSeenReports(
  body: unknown,
  sender: Sender,
): { reports: SeenReport[]; warnings: string[] } {
  const several = Array.isArray(body) ? body : [body];
  if (several.length > reports_of_seen_max)
    throw invalidValue([
      { path: '', message: `must be a report or a list of at most ${reports_of_seen_max}` },
    ]);
  const faults: Fault[] = [];
  const unknown = new Set<string>();
  const reports = several.map((given: unknown, index) => {
    const at = Array.isArray(body) ? `/${index}` : '';
    const field = <T>(path: string, value: unknown, check: Check<T>): T | undefined => {
      if (value === undefined || value === null || faults.length >= LIMITS.faults_listed_max)
        return undefined;
      const checked = check(value);
      if (!(checked instanceof Refusal)) return checked;
      faults.push(...checked.faults.map((fault) => ({ ...fault, path: at + path + fault.path })));
      return undefined;
    };
    const report = field('', given ?? 0, (value) =>
      isPlainObject(value) ? value : refuse('must be a JSON object'),
    );
    const { user_id, item_ids, page_id, feed_id, timestamp, ...others } = report ?? {};
    for (const name of Object.keys(others)) unknown.add(name);
    if (report !== undefined && (user_id ?? sender.viewer) === undefined)
      faults.push({ path: `${at}/user_id`, message: 'is required, unless the request has a viewer token' });
    const viewer_id = field('/user_id', user_id, identifier) ?? sender.viewer ?? '';
    if (sender.viewer !== undefined && viewer_id !== sender.viewer) throw ofAnother('user_id');
    return {
      viewer_id,
      item_ids: field('/item_ids', report === undefined ? undefined : (item_ids ?? 0), itemIds) ?? [],
      page_id: field('/page_id', page_id, text),
      path: `${at}/page_id`,
      feed_id: field('/feed_id', feed_id, text),
      timestamp: field('/timestamp', timestamp, (value) => lately(value, sender.now)),
    };
  });
  if (faults.length > 0) throw invalidValue(faults);
  return { reports, warnings: warningsFor([...unknown], '', 'ignored') };
}

function itemIds(value: unknown): string[] | Refusal {
  const form = `a list of 1 to ${seen_report_items_max} item ids`;
  if (!Array.isArray(value) || value.length === 0 || value.length > seen_report_items_max)
    return refuse(`must be ${form}`);
  const ids: string[] = [];
  for (const [at, entry] of value.entries()) {
    const id = identifier(entry);
    if (id instanceof Refusal) return refuse(id.faults[0].message, `/${at}`);
    ids.push(id);
  }
  return ids;
}

function text(value: unknown): string | Refusal {
  return typeof value === 'string' ? value : expected('a text', value);
}

function lately(value: unknown, now: Seconds): Seconds | Refusal {
  const time = seconds(value);
  if (time instanceof Refusal) return time;
  if (time >= now - page_id_seconds && time <= now + future_tolerance_seconds) return Math.min(time, now);
  return refuse(`must be a time of the last ${page_id_seconds / 3_600} hours`);
}

/** Names the first items that were left out. */
export function leftOutWarnings({ unknown, elsewhere }: LeftOut): string[] {
  return [
    ...leftOut(unknown, 'unknown'),
    ...leftOut(elsewhere, 'not on the page of the page_id; report them with their own page_id or with none'),
  ];
}

function leftOut(ids: ReadonlySet<string>, why: string): string[] {
  if (ids.size === 0) return [];
  const named = [...ids].slice(0, LIMITS.warned_items_max).map((id) => `'${clip(id)}'`);
  const rest = ids.size > named.length ? ` and ${ids.size - named.length} more` : '';
  return [`item_ids: ${named.join(', ')}${rest} were left out, because they are ${why}`];
}

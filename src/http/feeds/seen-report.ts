import { Type } from '@sinclair/typebox';
import { ListOf } from '../../answer/schema-parts.ts';
import type { Seconds } from '../../clock.ts';
import { type Fault, invalidValue } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import {
  objectOf,
  omittable,
  optional,
  type RecordOf,
  recordType,
  required,
} from '../../model/values/record-type.ts';
import { clip, mapped } from '../../model/values/refusal.ts';
import * as type from '../../model/values/values.ts';
import type { LeftOut, SeenReport } from '../../serve/seen-reports.ts';
import { named } from '../openapi/schema.ts';
import { ofAnother } from './viewer-request.ts';

const { reports_of_seen_max, seen_report_items_max, page_id_seconds, future_tolerance_seconds } = LIMITS;

const SEEN_REPORT = recordType('SeenReport', 'Items that a viewer really saw.', {
  user_id: optional(
    type.Identifier,
    'The viewer. Only with a viewer token it may be left out.',
    EXAMPLE_IDS.viewer,
  ),
  item_ids: required(
    type.list(type.Identifier, 1, seen_report_items_max, 'item ids'),
    'The items in the order in which they were seen.',
    [EXAMPLE_IDS.item],
  ),
  page_id: omittable(
    type.AnyText,
    'The `page_id` of the answer that had the items. It wins over `feed_id`.',
    'AQAAJhVx2w8AAAHQzYmbAQ',
  ),
  feed_id: omittable(type.AnyText, 'The saved feed that had the items.', 'feed_1'),
  timestamp: optional(
    type.Time,
    'When they were seen: within the last 24 hours. Default: now.',
    1_767_225_600,
  ),
});

/** A report with its place in the body. */
type Placed = RecordOf<typeof SEEN_REPORT> & { at: string };

const ONE = objectOf(SEEN_REPORT);
const SEVERAL = type.list(ONE, 0, reports_of_seen_max, 'reports');
const SHOWN = named('SeenReport', SEEN_REPORT.schema);

/** A report or a list of reports. */
export const SEEN_REPORTS: type.ValueType<Placed[]> = {
  schema: Type.Union([SHOWN, ListOf(`Up to ${reports_of_seen_max} reports.`, SHOWN, reports_of_seen_max)]),
  check: (value) =>
    Array.isArray(value)
      ? mapped(SEVERAL.check(value), (reports) =>
          reports.map((report, index) => ({ ...report, at: `/${index}` })),
        )
      : mapped(ONE.check(value), (report) => [{ ...report, at: '' }]),
};

/**
 * The reports of a sender.
 * @param viewer the viewer of the token; undefined for keys
 * @throws ServiceError `invalid_value`; `forbidden` if a viewer token reports for another viewer
 */
export function reportsOf(given: readonly Placed[], viewer: string | undefined, now: Seconds): SeenReport[] {
  const faults: Fault[] = [];
  const reports = given.map(({ at, user_id, timestamp, ...report }) => {
    const viewer_id = user_id ?? viewer ?? '';
    if (viewer !== undefined && viewer_id !== viewer) throw ofAnother('user_id');
    if ((user_id ?? viewer) === undefined)
      faults.push({ path: `${at}/user_id`, message: 'is required, unless the request has a viewer token' });
    if (timestamp !== undefined && !isRecent(timestamp, now)) {
      const message = `must be a time of the last ${page_id_seconds / 3_600} hours`;
      faults.push({ path: `${at}/timestamp`, message });
    }
    const time = timestamp === undefined ? undefined : Math.min(timestamp, now);
    return { ...report, viewer_id, path: `${at}/page_id`, timestamp: time };
  });
  if (faults.length > 0) throw invalidValue(faults);
  return reports;
}

function isRecent(time: Seconds, now: Seconds): boolean {
  return time >= now - page_id_seconds && time <= now + future_tolerance_seconds;
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
  const shown = [...ids].slice(0, LIMITS.warned_items_max).map((id) => `'${clip(id)}'`);
  const rest = ids.size > shown.length ? ` and ${ids.size - shown.length} more` : '';
  return [`item_ids: ${shown.join(', ')}${rest} were left out, because they are ${why}`];
}

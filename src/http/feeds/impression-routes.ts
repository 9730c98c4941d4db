import { Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { Count, strict } from '../../answer/schema-parts.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { FEEDS } from '../identity/admissions.ts';
import { named } from '../openapi/schema.ts';
import { json, success } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route } from '../transport/route.ts';
import { leftOutWarnings, reportsOf, SEEN_REPORTS } from './seen-report.ts';

const RecordedSchema = named(
  'SeenAnswer',
  strict(
    {
      status: Type.Literal('success', { description: 'Everything is durable.' }),
      recorded: Count('Number of items that are recorded now and were not before.', 2),
      warnings: Type.Optional(WarningsSchema),
    },
    'What was recorded.',
  ),
);

/** `POST /v2/community/impressions`. */
export const impressionRoutes = [
  route('POST', `${CONTENT_PATH}/impressions`, {
    admit: FEEDS,
    answered_by: 'current',
    body: bodyOf(SEEN_REPORTS, {
      docs: {
        description: 'A report or a list of up to 100 reports.',
        examples: {
          one: {
            summary: 'One item',
            value: { user_id: EXAMPLE_IDS.viewer, item_ids: [EXAMPLE_IDS.item] },
          },
        },
      },
    }),
    answer: json(RecordedSchema),
    docs: {
      id: 'reportSeen',
      summary: 'Report what a viewer really saw',
      description:
        'Records items as seen, as `impression_count` does, for clients that know what was on the screen. Send `"mark_seen": false` with feed requests, and report the items with the `page_id` of the answer. The answer is sent when everything is durable. Sending a report again changes nothing. Without a `page_id`, items that were seen since the `timestamp` are not recorded again, nor without a `timestamp` those of the last ten minutes. Unknown items, and items that were not on the page, are left out and named in `warnings`. The first report for a viewer counts as a record of the quota.',
      tag: 'Feeds',
      errors: ['page_invalid', 'quota_exceeded', 'store_unavailable'],
    },
    async handle({ host, service, principal: { account, viewer }, body, warnings }) {
      const reports = reportsOf(body, viewer, service.clock.now());
      const quota = host.recordQuota();
      const done = await service.seen_reports.record(reports, (new_rows, record) =>
        quota.within(account, new_rows, record),
      );
      return success({ recorded: done.recorded }, [...warnings, ...leftOutWarnings(done.left_out)]);
    },
  }),
];

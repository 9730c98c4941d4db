import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { FOLLOW_LIST, followListOf } from '../../model/records/follow-list.ts';
import { objectOf } from '../../model/values/record-type.ts';
import { INGEST } from '../identity/admissions.ts';
import { DRY_RUN, ingestWith, notedDryRun } from '../ingest/dry-run.ts';
import { MembersAnswerSchema } from '../ingest/ingest-schemas.ts';
import { json, success } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import { identifierParameter } from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route, withTwin } from '../transport/route.ts';

/** Replaces the whole follow list of a user. */
export const followListRoutes = withTwin(
  'user_id',
  route('PUT', `${CONTENT_PATH}/users/:id/follows`, {
    admit: INGEST,
    answered_by: 'leader',
    ...DRY_RUN,
    params: { id: identifierParameter('user', EXAMPLE_IDS.actor) },
    body: bodyOf(objectOf(FOLLOW_LIST), {
      bytes_max: LIMITS.body_bytes_max,
      docs: {
        description: 'Up to 100,000 users. At most 16 MiB.',
        examples: { list: { summary: 'A whole list', value: FOLLOW_LIST.schema.example } },
      },
    }),
    answer: json(MembersAnswerSchema),
    docs: {
      tag: 'Ingest',
      id: 'putFollows',
      summary: 'Replace the follow list of a user',
      description:
        'Replaces the list atomically: no page sees half of it. Follow records that are older than the list are ignored afterwards. Sending the same list again changes nothing. The answer is sent when the list is durable and visible to the next request.',
      errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
    },
    async handle(context) {
      const { params, query, body, warnings } = context;
      const noted = [...warnings];
      const list = followListOf(params.id, body, noted);
      // Each user of the list counts as one record against the quota.
      const accepted = Math.max(1, list.target_user_ids.length);
      const result = await ingestWith(context, 'follows', accepted, async (into, account) => ({
        ...(await into.followList(list, account)),
        ...{ accepted, rejected_count: 0 },
      }));
      const { added, removed } = result;
      return success({ added, removed, ...notedDryRun(query.dry_run) }, [...noted, ...result.warnings]);
    },
  }),
);

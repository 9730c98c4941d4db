import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { type GivenPreferences, PREFERENCES, PreferencesPatch } from '../../model/records/preferences.ts';
import { objectOf } from '../../model/values/record-type.ts';
import type { ValueType } from '../../model/values/values.ts';
import { namedPreferences } from '../../state/named-preferences.ts';
import { ofAnother } from '../feeds/viewer-request.ts';
import { CHANGES_PREFERENCES, FEEDS } from '../identity/admissions.ts';
import { DRY_RUN, ingestWith, notedDryRun } from '../ingest/dry-run.ts';
import { PreferencesAnswerSchema, PreferencesSchema } from '../ingest/ingest-schemas.ts';
import { readRoutes } from '../records/read-routes.ts';
import { json, success } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import { identifierParameter } from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { type Method, type Route, route, withTwin } from '../transport/route.ts';

/** @throws ServiceError `forbidden` for the token of another viewer */
function requireOwn(viewer: string | undefined, user_id: string): void {
  if (viewer !== undefined && viewer !== user_id) throw ofAnother('user_id');
}

const read = readRoutes('users', 'preferences', {
  admit: FEEDS,
  answered_by: 'current',
  answer: json(PreferencesSchema),
  docs: {
    tag: 'Preferences',
    id: 'getPreferences',
    summary: 'Preferences of a viewer',
    description:
      'Returns what a viewer wants to get, and what not, also of viewers who set nothing. A viewer token reads those of its own viewer.',
    errors: ['store_unavailable'],
  },
  handle({ service, principal: { viewer }, params: { id } }) {
    requireOwn(viewer, id);
    return namedPreferences(service.state, id);
  },
});

interface Change {
  body: ValueType<GivenPreferences>;
  id: string;
  summary: string;
  description: string;
  example: GivenPreferences;
}

function changing(method: Method, { body, id, summary, description, example }: Change): Route[] {
  return withTwin(
    'user_id',
    route(method, `${CONTENT_PATH}/users/:id/preferences`, {
      admit: CHANGES_PREFERENCES,
      answered_by: 'leader',
      ...DRY_RUN,
      params: { id: identifierParameter('user', EXAMPLE_IDS.viewer) },
      body: bodyOf(body, {
        bytes_max: LIMITS.small_body_bytes_max,
        docs: {
          description: PREFERENCES.schema.description ?? '',
          examples: { mutes: { summary, value: example } },
        },
      }),
      answer: json(PreferencesAnswerSchema),
      docs: {
        tag: 'Preferences',
        id,
        summary,
        description: `${description} The next page of the viewer obeys, at any node. A viewer token changes those of its own viewer if it was created with \`"may":["preferences"]\`.`,
        errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
      },
      async handle(context) {
        const { params, principal, query, body: given, warnings } = context;
        requireOwn(principal.viewer, params.id);
        const record = { user_id: params.id, given, is_patch: method === 'PATCH' };
        const { preferences } = await ingestWith(context, 'preferences', 1, async (into, account) => ({
          ...(await into.preferences(record, account)),
          ...{ accepted: 1, rejected_count: 0 },
        }));
        return success({ preferences, ...notedDryRun(query.dry_run) }, warnings);
      },
    }),
  );
}

const put = changing('PUT', {
  body: objectOf(PREFERENCES),
  id: 'putPreferences',
  summary: 'Replace the preferences of a viewer',
  description: 'Replaces all preferences: what is not given has its default. An unknown user is created.',
  example: { muted: { authors: [EXAMPLE_IDS.other_viewer] } },
});

const patch = changing('PATCH', {
  body: PreferencesPatch,
  id: 'patchPreferences',
  summary: 'Change the preferences of a viewer',
  description:
    'Replaces the given fields, also those within `muted`; the others stay. `null` removes what is stored. An unknown user is created.',
  example: { muted: { labels: ['politics'] } },
});

/** Preferences of a user, named in the path or in the query. */
export const preferencesRoutes = [...read, ...put, ...patch];

import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { EXAMPLE_IDS } from '../ingest/records/example-ids.ts';
import { ADMISSIONS } from './bodies.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { described, type OperationDocs } from './openapi/operation.ts';
import { ReadForms } from './read-forms.ts';
import { ViewerInsightSchema } from './schemas/viewer-insight.ts';
import { identifierParameter, queryOf, strictParameters } from './url-parameters.ts';
import { IMPRESSION_CHANGES_MAX, viewerInsight } from './viewer-insight.ts';

const USER_ID = identifierParameter('user', EXAMPLE_IDS.viewer);

const DOCS: OperationDocs = {
  tag: 'Stored records',
  id: 'viewerInsight',
  summary: 'What a viewer likes',
  description: `For moderators and the console: the authors, channels, labels, languages and apps that the latest acts of a viewer speak for, whether the viewer is cold, and the latest items that were recorded as shown. Impressions are looked for in the latest ${IMPRESSION_CHANGES_MAX} stored changes.`,
  admission: ADMISSIONS.moderators,
  errors: ['invalid_value', 'not_found', 'store_unavailable'],
};

/** `GET /v2/<network>/users/<user_id>/insight`, and the same with the identifier in the query. */
export function viewerInsightRoutes(host: Host, network: string) {
  const forms = new ReadForms(host, 'users', 'insight', ADMISSIONS.moderators);
  const insight = (request: Request, user_id: string) =>
    viewerInsight(host.admitted(request).service, user_id, request.signal);
  const response = { 200: unchecked(ViewerInsightSchema) };
  return new Elysia({ prefix: `/v2/${network}` })
    .get('/users/:id/insight', async ({ request, params: { id } }) => insight(request, id), {
      transform: [forms.admitByPath, strictParameters],
      params: Type.Object({ id: USER_ID }),
      response,
      detail: described(DOCS),
    })
    .get(
      '/users/insight',
      async ({ request, query: { user_id } }) =>
        user_id === undefined ? forms.record(request) : insight(request, user_id),
      {
        transform: [forms.admitByQuery, strictParameters],
        query: queryOf({ user_id: Type.Optional(USER_ID) }),
        response,
        detail: described(forms.docs(DOCS)),
      },
    );
}

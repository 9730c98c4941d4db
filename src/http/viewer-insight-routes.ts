import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { ADMISSIONS } from './bodies.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { described } from './openapi/operation.ts';
import { ViewerInsightSchema } from './schemas/viewer-insight.ts';
import { identifierParameter, strictParameters } from './url-parameters.ts';
import { IMPRESSION_CHANGES_MAX, viewerInsight } from './viewer-insight.ts';

/** `GET /v2/<network>/users/<user_id>/insight`. */
export function viewerInsightRoutes(host: Host, network: string) {
  return new Elysia({ prefix: `/v2/${network}` })
    .onTransform(({ request }) => host.admit(request, ADMISSIONS.moderators))
    .onTransform(strictParameters)
    .get(
      '/users/:id/insight',
      async ({ request, params: { id } }) =>
        viewerInsight(host.admitted(request).service, id, request.signal),
      {
        params: Type.Object({ id: identifierParameter('user', '1000') }),
        response: { 200: unchecked(ViewerInsightSchema) },
        detail: described({
          tag: 'Stored records',
          id: 'viewerInsight',
          summary: 'What a viewer likes',
          description: `For moderators and the console: the authors, channels, labels, languages and apps that the latest acts of a viewer speak for, whether the viewer is cold, and the latest items that were recorded as shown. Impressions are looked for in the latest ${IMPRESSION_CHANGES_MAX} stored changes.`,
          admission: ADMISSIONS.moderators,
          errors: ['invalid_value', 'not_found', 'store_unavailable'],
        }),
      },
    );
}

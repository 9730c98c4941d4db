import { ADMISSIONS } from './bodies.ts';
import type { Host } from './host.ts';
import type { OperationDocs } from './openapi/operation.ts';
import { readRoutes } from './read-routes.ts';
import { ViewerInsightSchema } from './schemas/viewer-insight.ts';
import { IMPRESSION_CHANGES_MAX, viewerInsight } from './viewer-insight.ts';

const DOCS = {
  tag: 'Stored records',
  id: 'viewerInsight',
  summary: 'What a viewer likes',
  description: `For moderators and the console: the authors, channels, labels, languages and apps that the latest acts of a viewer speak for, whether the viewer is cold, and the latest items that were recorded as shown. Impressions are looked for in the latest ${IMPRESSION_CHANGES_MAX} stored changes.`,
  admission: ADMISSIONS.moderators,
  errors: ['invalid_value', 'not_found', 'store_unavailable'],
} as const satisfies OperationDocs;

/** `GET /v2/<network>/users/<user_id>/insight`, and the same with the identifier in the query. */
export function viewerInsightRoutes(host: Host, network: string) {
  return readRoutes(host, network, {
    kind: 'users',
    name: 'insight',
    docs: DOCS,
    query: {},
    answer: ViewerInsightSchema,
    read: (request, user_id) => viewerInsight(host.admitted(request).service, user_id, request.signal),
  });
}

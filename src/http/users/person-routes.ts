import { personExport } from '../../interchange/person-export.ts';
import type { OperationDocs } from '../openapi/operation.ts';
import { readRoutes } from '../records/read-routes.ts';
import { ADMISSIONS } from '../transport/bodies.ts';
import type { Host } from '../transport/host.ts';
import { Streamed } from '../transport/streamed-answers.ts';
import { PersonLineSchema } from './person-export-schema.ts';

const NDJSON = 'application/x-ndjson';

const DOCS = {
  tag: 'Stored records',
  id: 'exportPerson',
  summary: 'Export the data of a person',
  description:
    'Sends one JSON object per line; `kind` names its type: the profile, follows in both directions, blocks that the user set, their items, and the stored log of what they did, in order of arrival. Then follows each item that they saw, longest ago first. A viewer without a user record has a profile without fields, and what they saw. The last line has the kind `end`. Interests are computed per request and not stored, so they are not included. Blocks by other users are left out. The answer is streamed while the whole log is read, which may take a while.',
  admission: ADMISSIONS.ingest,
  errors: ['invalid_value', 'not_found', 'store_unavailable'],
} as const satisfies OperationDocs;

/** Routes that export the data of one person, named in the path or in the query. */
export function personRoutes(host: Host) {
  return readRoutes(host, {
    kind: 'users',
    name: 'export',
    docs: DOCS,
    query: {},
    answer: { ...PersonLineSchema, contentMediaType: NDJSON },
    read: async (request, user_id) => {
      const stop = new AbortController();
      const { service } = host.admitted(request);
      const chunks = await personExport(service, user_id, AbortSignal.any([request.signal, stop.signal]));
      return new Streamed(chunks, NDJSON, stop);
    },
  });
}

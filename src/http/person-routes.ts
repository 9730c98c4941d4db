import { Elysia } from 'elysia';
import { Text } from '../ingest/records/schema-parts.ts';
import type { Service } from '../service.ts';
import type { Host } from './host.ts';
import {
  BY_QUERY as BY_QUERY_NOTE,
  documented,
  type Operation,
  type Parameter,
} from './openapi/operation.ts';
import { personExport } from './person-export.ts';
import { inPath, optionalInQuery } from './request-url.ts';
import { PersonLineSchema } from './schemas/person-export.ts';
import { storedUser } from './stored-records.ts';
import { Streamed } from './streamed-answers.ts';

const NDJSON = 'application/x-ndjson';

const USER_ID: Parameter = {
  name: 'id',
  in: 'path',
  description: 'Identifier of the user, percent-encoded.',
  schema: Text,
  required: true,
  example: '1000',
};

const BY_QUERY: Parameter = { ...USER_ID, name: 'user_id', in: 'query', required: false };

const DOCS = {
  tag: 'Stored records',
  id: 'exportPerson',
  summary: 'Export the data of a person',
  description:
    'Sends one JSON object per line; `kind` names its type: the profile, follows in both directions, blocks that the user set, their items, and the stored log of what they did and were shown, in order of arrival. The last line has the kind `end`. Interests are computed per request and not stored, so they are not included. Blocks by other users are left out. The answer is streamed while the whole log is read, which may take a while.',
  key: 'ingest:write',
  answers: {
    200: { description: 'One JSON object per line.', content: { type: NDJSON, schema: PersonLineSchema } },
  },
  errors: ['invalid_value', 'not_found', 'store_unavailable'],
} satisfies Operation;

/** Routes that export the data of one person. */
export function personRoutes(host: Host, network: string) {
  const enter = (request: Request) => {
    const service = host.ready();
    host.authenticate(request, { scope: 'ingest:write' });
    return service;
  };
  const exported = (service: Service, user_id: string, { signal }: Request) => {
    const stop = new AbortController();
    const chunks = personExport(service, user_id, AbortSignal.any([signal, stop.signal]));
    return new Streamed(chunks, NDJSON, stop);
  };
  return new Elysia({ prefix: `/v2/${network}` })
    .get(
      '/users/:id/export',
      ({ request, params }) => exported(enter(request), inPath(request, params.id), request),
      documented({ ...DOCS, parameters: [USER_ID] }),
    )
    .get(
      '/users/export',
      ({ request }) => {
        const service = enter(request);
        const user_id = optionalInQuery(request, 'user_id');
        // A user may have the name `export`; then this is the path of their record.
        if (user_id === undefined) return storedUser(service, 'export', request.signal);
        return exported(service, user_id, request);
      },
      documented({
        ...DOCS,
        id: 'exportPersonByQuery',
        description: `${DOCS.description} ${BY_QUERY_NOTE} Without \`user_id\`, returns the stored record of the user with the identifier \`export\`.`,
        parameters: [BY_QUERY],
      }),
    );
}

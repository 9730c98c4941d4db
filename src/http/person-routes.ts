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
  summary: 'All that is known of a person',
  description:
    'A JSON object a line; `kind` tells what it is: profile, follows in both directions, whom they block, their items, and what they did and were shown as it is stored, in order of arrival. The last line is of kind `end`. Interests are worked out at each request and not stored, so there are no lines of them. Who blocks them is left out. Sent while it is read, which may take a while: the whole log is looked through.',
  key: 'ingest:write',
  answers: {
    200: { description: 'One object a line.', content: { type: NDJSON, schema: PersonLineSchema } },
  },
  errors: ['invalid_value', 'not_found', 'store_unavailable'],
} satisfies Operation;

/** What is known of one person, for those who ask what is. */
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
        // Also the path of a user of this name.
        if (user_id === undefined) return storedUser(service, 'export', request.signal);
        return exported(service, user_id, request);
      },
      documented({
        ...DOCS,
        id: 'exportPersonByQuery',
        description: `${DOCS.description} ${BY_QUERY_NOTE} Without \`user_id\` it is the stored record of a user of the name \`export\`.`,
        parameters: [BY_QUERY],
      }),
    );
}

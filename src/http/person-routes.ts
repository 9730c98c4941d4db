import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { EXAMPLE_IDS } from '../ingest/records/example-ids.ts';
import { ADMISSIONS } from './bodies.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { described, type OperationDocs } from './openapi/operation.ts';
import { personExport } from './person-export.ts';
import { ReadForms } from './read-forms.ts';
import { PersonLineSchema } from './schemas/person-export.ts';
import { Streamed } from './streamed-answers.ts';
import { identifierParameter, queryOf, strictParameters } from './url-parameters.ts';

const NDJSON = 'application/x-ndjson';

const DOCS: OperationDocs = {
  tag: 'Stored records',
  id: 'exportPerson',
  summary: 'Export the data of a person',
  description:
    'Sends one JSON object per line; `kind` names its type: the profile, follows in both directions, blocks that the user set, their items, and the stored log of what they did and were shown, in order of arrival. The last line has the kind `end`. Interests are computed per request and not stored, so they are not included. Blocks by other users are left out. The answer is streamed while the whole log is read, which may take a while.',
  admission: ADMISSIONS.ingest,
  errors: ['invalid_value', 'not_found', 'store_unavailable'],
};

const USER_ID = identifierParameter('user', EXAMPLE_IDS.viewer);
const RESPONSE = { 200: unchecked({ ...PersonLineSchema, contentMediaType: NDJSON }) };

/** Routes that export the data of one person, named in the path or in the query. */
export function personRoutes(host: Host, network: string) {
  const forms = new ReadForms(host, 'users', 'export', ADMISSIONS.ingest);
  const exported = (request: Request, user_id: string) => {
    const stop = new AbortController();
    const { service } = host.admitted(request);
    const chunks = personExport(service, user_id, AbortSignal.any([request.signal, stop.signal]));
    return new Streamed(chunks, NDJSON, stop);
  };
  return new Elysia({ prefix: `/v2/${network}` })
    .get('/users/:id/export', ({ request, params: { id } }) => exported(request, id), {
      transform: [forms.admitByPath, strictParameters],
      params: Type.Object({ id: USER_ID }),
      response: RESPONSE,
      detail: described(DOCS),
    })
    .get(
      '/users/export',
      async ({ request, query: { user_id } }) =>
        user_id === undefined ? forms.record(request) : exported(request, user_id),
      {
        transform: [forms.admitByQuery, strictParameters],
        query: queryOf({ user_id: Type.Optional(USER_ID) }),
        response: RESPONSE,
        detail: described(forms.docs(DOCS)),
      },
    );
}

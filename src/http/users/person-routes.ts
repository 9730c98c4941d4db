import { personExport } from '../../interchange/person-export.ts';
import { INGEST } from '../identity/admissions.ts';
import { readRoutes } from '../records/read-routes.ts';
import { streamed } from '../transport/answers.ts';
import { Streamed } from '../transport/streamed-answers.ts';
import { PersonLineSchema } from './person-export-schema.ts';

const NDJSON = 'application/x-ndjson';

/** Routes that export the data of one person, named in the path or in the query. */
export const personRoutes = readRoutes('users', 'export', {
  admit: INGEST,
  answered_by: 'current',
  answer: streamed({ ...PersonLineSchema, contentMediaType: NDJSON }),
  docs: {
    tag: 'Stored records',
    id: 'exportPerson',
    summary: 'Export the data of a person',
    description:
      'Sends one JSON object per line; `kind` names its type: the profile, preferences, follows in both directions, blocks that the user set, their items, and the stored log of what they did, in order of arrival. Then follows each item that they saw, longest ago first. A viewer without a user record has a profile without fields, and what they saw. The last line has the kind `end`. Interests are computed per request and not stored, so they are not included. Blocks by other users are left out. The answer is streamed while the whole log is read, which may take a while.',
    errors: ['not_found', 'store_unavailable'],
  },
  async handle({ service, params: { id }, given_up }) {
    const stop = new AbortController();
    const chunks = await personExport(service, id, AbortSignal.any([given_up, stop.signal]));
    return new Streamed(chunks, NDJSON, stop);
  },
});

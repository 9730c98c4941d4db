import { Type } from '@sinclair/typebox';
import { Count, ObjectOf } from '../../answer/schema-parts.ts';
import { ServiceError } from '../../errors.ts';
import type { Service } from '../../service.ts';
import { INGEST } from '../identity/admissions.ts';
import { json, success } from '../transport/answers.ts';
import { type Route, route } from '../transport/route.ts';

const DemoSchema = ObjectOf('The demo community is stored.', {
  status: Type.Literal('success', { description: 'All of it is stored.' }),
  users: Count('Number of users.'),
  items: Count('Number of items.'),
});

/** `POST /api/demo`. */
export function demoRoutes(): Route[] {
  let is_filling = false;
  const load = route('POST', '/api/demo', {
    admit: INGEST,
    answered_by: 'leader',
    answer: json(DemoSchema),
    docs: {
      tag: 'Operations',
      id: 'loadDemo',
      summary: 'Load the demo community',
      description:
        'Stores the sample community and the sample wallets of `feedloom demo`, to try the service out. The service must be empty: once it has a record, the answer is 409. The answer is sent when all of it is stored, after some seconds. To get rid of it, start with another data folder. It does not count towards the quota of records.',
      errors: ['not_found', 'not_empty', 'write_queue_full', 'store_unavailable', 'state_full'],
    },
    async handle({ host: { fillDemo }, service }) {
      if (is_filling) throw new ServiceError('not_empty', 'the demo community is being loaded');
      if (hasData(service)) {
        throw new ServiceError(
          'not_empty',
          'the service has data; the demo community is only loaded into an empty one',
        );
      }
      if (fillDemo === undefined) throw new ServiceError('not_found', 'there is no demo community');
      is_filling = true;
      try {
        await fillDemo(service);
      } finally {
        is_filling = false;
      }
      const { users, items } = service.state;
      return success({ users: users.size, items: items.size });
    },
  });
  return [load];
}

/** Whether anything was ever stored: people who try the service out must not mix samples with their data. */
function hasData({ state, alpha }: Service): boolean {
  return state.seq > 0 || alpha.community !== undefined;
}

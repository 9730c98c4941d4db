import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { ObjectOf } from '../../answer/schema-parts.ts';
import { ServiceError } from '../../errors.ts';
import type { Service } from '../../service.ts';
import { described } from '../openapi/operation.ts';
import { ADMISSIONS } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const DemoSchema = ObjectOf('The demo community is stored.', {
  status: Type.Literal('success', { description: 'All of it is stored.' }),
  users: Count('Number of users.'),
  items: Count('Number of items.'),
});

/** `POST /api/demo`. */
export function demoRoutes(host: Host) {
  let is_filling = false;
  return new Elysia({ prefix: '/api' })
    .onTransform(({ request }) => host.admit(request, ADMISSIONS.ingest))
    .post(
      '/demo',
      async ({ request }) => {
        const { service } = host.admitted(request);
        const { fillDemo } = host;
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
        return { status: 'success', users: users.size, items: items.size };
      },
      {
        response: { 200: unchecked(DemoSchema) },
        detail: described({
          tag: 'Operations',
          id: 'loadDemo',
          summary: 'Load the demo community',
          description:
            'Stores the sample community and the sample wallets of `feedloom demo`, to try the service out. The service must be empty: once it has a record, the answer is 409. The answer is sent when all of it is stored, after some seconds. To get rid of it, start with another data folder. It does not count towards the quota of records.',
          admission: ADMISSIONS.ingest,
          errors: ['not_found', 'not_empty', 'write_queue_full', 'store_unavailable', 'state_full'],
        }),
      },
    );
}

/** Whether anything was ever stored: people who try the service out must not mix samples with their data. */
function hasData({ state, alpha }: Service): boolean {
  return state.seq > 0 || alpha.community !== undefined;
}

import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { invalidValue } from '../errors.ts';
import { EXAMPLE_IDS } from '../ingest/records/example-ids.ts';
import { refuse } from '../ingest/records/refusal.ts';
import { LIMITS } from '../limits.ts';
import { ADMISSIONS } from './bodies.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { type Buckets, itemCounts } from './item-counts.ts';
import { described, type OperationDocs } from './openapi/operation.ts';
import { ReadForms } from './read-forms.ts';
import { ItemCountsSchema } from './schemas/item-counts.ts';
import {
  identifierParameter,
  parameter,
  queryOf,
  strictParameters,
  timeParameter,
} from './url-parameters.ts';

/** Per bucket length: its seconds, and the buckets of a request without `from`. */
const LENGTHS = { '1h': { seconds: 3_600, initial: 24 }, '1d': { seconds: 86_400, initial: 30 } } as const;
type Length = keyof typeof LENGTHS;
const NAMES = Object.keys(LENGTHS) as Length[];

const EVERY = parameter<Length>(
  Type.Union([Type.Literal('1h'), Type.Literal('1d')], {
    description: 'Length of a bucket: `1h` (default) or `1d`. Buckets begin at whole hours or days in UTC.',
    default: '1h',
    example: '1h',
  }),
  (value) => NAMES.find((name) => name === value) ?? refuse(`expected ${NAMES.join(' or ')}`),
);
const ITEM_ID = identifierParameter('item', EXAMPLE_IDS.item);
const BUCKETS = {
  every: EVERY,
  from: Type.Optional(
    timeParameter(
      `Time in the first bucket. Default: ${LENGTHS['1h'].initial} hours or ${LENGTHS['1d'].initial} days before \`to\`. At most ${LIMITS.count_buckets_max} buckets.`,
    ),
  ),
  to: Type.Optional(timeParameter('Time in the last bucket. Default: now.')),
};

const DOCS: OperationDocs = {
  tag: 'Stored records',
  id: 'itemCounts',
  summary: 'Counts of an item over time',
  description:
    'For moderators and the console: current views, likes, comments and shares of an item by the time when they happened, and the totals that the source sent. Interactions that were taken back, and those of hidden users, do not count. Totals of the source are known for 31 days.',
  admission: ADMISSIONS.moderators,
  errors: ['invalid_value', 'not_found'],
};

interface CountsQuery {
  every: Length;
  from?: number;
  to?: number;
}

/** `GET /v2/<network>/items/<item_id>/counts`, and the same with the identifier in the query. */
export function itemCountsRoutes(host: Host, network: string) {
  const forms = new ReadForms(host, 'items', 'counts', ADMISSIONS.moderators);
  const counts = (request: Request, item_id: string, { every, from, to }: CountsQuery) => {
    const { service } = host.admitted(request);
    return itemCounts(service, item_id, bucketsOf(every, from, to ?? service.clock.now()));
  };
  const response = { 200: unchecked(ItemCountsSchema) };
  return new Elysia({ prefix: `/v2/${network}` })
    .get('/items/:id/counts', ({ request, params: { id }, query }) => counts(request, id, query), {
      transform: [forms.admitByPath, strictParameters],
      params: Type.Object({ id: ITEM_ID }),
      query: queryOf(BUCKETS),
      response,
      detail: described(DOCS),
    })
    .get(
      '/items/counts',
      async ({ request, query: { item_id, ...query } }) =>
        item_id === undefined ? forms.record(request) : counts(request, item_id, query),
      {
        transform: [forms.admitByQuery, strictParameters],
        query: queryOf({ item_id: Type.Optional(ITEM_ID), ...BUCKETS }),
        response,
        detail: described(forms.docs(DOCS)),
      },
    );
}

function bucketsOf(every: Length, from: number | undefined, to: number): Buckets {
  const { seconds, initial } = LENGTHS[every];
  const last = Math.floor(to / seconds);
  const first = from === undefined ? last - initial + 1 : Math.floor(from / seconds);
  if (first > last) throw wrongFrom('expected a time that is not after to');
  const count = last - first + 1;
  const most = LIMITS.count_buckets_max;
  if (count > most) throw wrongFrom(`expected at most ${most} buckets, not ${count}`);
  return { from: first * seconds, count, every_seconds: seconds };
}

function wrongFrom(message: string) {
  return invalidValue([{ path: '/from', message }]);
}

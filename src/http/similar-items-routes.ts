import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { ServiceError } from '../errors.ts';
import { refuse } from '../ingest/records/refusal.ts';
import { LIMITS } from '../limits.ts';
import type { Service } from '../service.ts';
import { NONE } from '../state/change.ts';
import type { Admission } from './auth.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { described } from './openapi/operation.ts';
import { SimilarItemsSchema } from './schemas/similar-items.ts';
import {
  identifierParameter,
  integerParameter,
  parameter,
  queryOf,
  strictParameters,
} from './url-parameters.ts';

/** For apps that show similar items, and for those that send them. One of these scopes is enough. */
const ADMISSION = { scope: ['feed:read', 'ingest:write'] } as const satisfies Admission;

type SimilarBy = Parameters<Service['feeds']['similarItems']>[0]['by'];

const WAYS: readonly SimilarBy[] = ['both', 'acts', 'meaning'];

const BY = parameter<SimilarBy>(
  Type.Union(
    WAYS.map((way) => Type.Literal(way)),
    {
      description:
        'What counts: `acts` (users who acted on both items; a view counts a fifth of a like, comment, share or bookmark), `meaning` (their embeddings), or `both` (default).',
      default: 'both',
      example: 'both',
    },
  ),
  (value) => WAYS.find((way) => way === value) ?? refuse(`expected ${WAYS.join(', ')}`),
);

const QUERY = queryOf({
  by: BY,
  limit: integerParameter({ min: 1, max: LIMITS.similar_max, absent: 25 }, 'Number of items.'),
  user_id: Type.Optional(
    identifierParameter(
      'user who will see them: items that this user hid, and those of users in a block with them, are left out',
      '9152',
    ),
  ),
});

/** `GET /v2/<network>/items/<item_id>/similar`. */
export function similarItemsRoutes(host: Host, network: string) {
  return new Elysia({ prefix: `/v2/${network}` })
    .onTransform(({ request }) => host.admit(request, ADMISSION))
    .onTransform(strictParameters)
    .get(
      '/items/:id/similar',
      ({ request, params: { id }, query: { by, limit, user_id } }) =>
        similarTo(host.admitted(request).service, id, by, limit, user_id),
      {
        params: Type.Object({ id: identifierParameter('item', '0x07cb1f36') }),
        query: QUERY,
        response: { 200: unchecked(SimilarItemsSchema) },
        detail: described({
          tag: 'Stored records',
          id: 'similarItems',
          summary: 'Similar items',
          description:
            'Returns items that are similar to an item: by the users who acted on both, by their embeddings, or by both. Items that no feed may show are left out. An item that nobody has acted on has no similar items by `acts`, and one without `embedding` has none by `meaning`.',
          admission: ADMISSION,
          errors: ['invalid_value', 'not_found'],
        }),
      },
    );
}

/** @throws ServiceError `not_found` */
function similarTo(
  { state, feeds, clock }: Service,
  item_id: string,
  by: SimilarBy,
  limit: number,
  user_id: string | undefined,
): object {
  const { items, users } = state;
  const item = items.names.find(item_id);
  if (item === NONE || !items.described(item))
    throw new ServiceError('not_found', `there is no item '${item_id}'`);
  const viewer = user_id === undefined ? NONE : users.names.find(user_id);
  const similar = feeds.similarItems({ item, by, limit, viewer, now: clock.now() });
  return {
    item_id,
    items: similar.map(({ item: other, score, acts, meaning }) => ({
      item_id: items.names.id(other),
      score: rounded(score),
      acts: rounded(acts),
      meaning: rounded(meaning),
    })),
  };
}

/** To 6 digits, which is what 8-bit vectors can tell apart. */
function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

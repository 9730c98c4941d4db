import { ListOf, ObjectOf, Share, Text } from '../../answer/schema-parts.ts';
import { notFound, ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { NONE } from '../../model/key.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import type { Service } from '../../service.ts';
import { ofAnother } from '../feeds/viewer-request.ts';
import { SIMILAR_ITEMS } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { readRoutes } from '../records/read-routes.ts';
import { describedItem } from '../records/stored-records.ts';
import { json } from '../transport/answers.ts';
import {
  identifierParameter,
  integerParameter,
  optional,
  type ValuesOf,
  wordParameter,
} from '../transport/parameters.ts';

const SimilarItem = ObjectOf('A similar item.', {
  item_id: Text('Identifier of the item.', EXAMPLE_IDS.thread),
  score: Share('How similar it is: the part that was asked for, or the mean of both.'),
  acts: Share('By users who acted on both items, 1 for the most similar one. 0 if not asked for.'),
  meaning: Share('By embeddings, 1 for the same embedding. 0 if not asked for.'),
});

const SimilarItemsSchema = namedObject('SimilarItems', 'Items that are similar to one.', {
  item_id: Text('The item.', EXAMPLE_IDS.item),
  items: ListOf('Similar items, the most similar first.', SimilarItem, LIMITS.similar_max),
});

type SimilarBy = ReturnType<Parameters<Service['feeds']['similarItems']>[0]>['by'];

const WAYS: readonly SimilarBy[] = ['both', 'acts', 'meaning'];

const BY = wordParameter(
  WAYS,
  'What counts: `acts` (users who acted on both items; a view counts a fifth of a like, comment, share or bookmark), `meaning` (their embeddings), or `both` (default).',
  { default: 'both', example: 'both' },
);

const PAGE = {
  by: BY,
  limit: integerParameter({ min: 1, max: LIMITS.similar_max, absent: 25 }, 'Number of items.'),
  user_id: optional(
    identifierParameter(
      'user who will see them: items that this user hid, and those of users in a block with them, are left out. A viewer token names the user itself',
      EXAMPLE_IDS.viewer,
    ),
  ),
};

type SimilarQuery = ValuesOf<typeof PAGE>;

/** `GET /v2/community/items/<item_id>/similar`, and the same with the identifier in the query. */
export const similarItemsRoutes = readRoutes('items', 'similar', {
  admit: SIMILAR_ITEMS,
  answered_by: 'current',
  query: PAGE,
  answer: json(SimilarItemsSchema),
  docs: {
    tag: 'Stored records',
    id: 'similarItems',
    summary: 'Similar items',
    description:
      'Returns items that are similar to an item: by the users who acted on both, by their embeddings, or by both. Items that no feed may show are left out. An item that nobody has acted on has no similar items by `acts`, and one without `embedding` has none by `meaning`. While a start still indexes embeddings, only `acts` is answered, else 503 `loading`. With `user_id`, an item that this user may not see is not found. A viewer token reads them by `meaning` only: similar items by `acts` can tell what a single user viewed or bookmarked.',
    errors: ['not_found'],
  },
  handle: ({ service, principal: { viewer }, params: { id }, query, request: { signal } }) =>
    similarTo(service, id, viewer === undefined ? query : forToken(query, viewer), signal),
});

/** Restricts a request to the viewer of its token. @throws ServiceError `forbidden` */
function forToken(query: SimilarQuery, viewer: string): SimilarQuery {
  if (query.user_id !== undefined && query.user_id !== viewer) throw ofAnother('user_id');
  if (query.by !== 'meaning')
    throw new ServiceError(
      'forbidden',
      'by: a viewer token reads similar items by meaning only; send by=meaning',
    );
  return { ...query, user_id: viewer };
}

async function similarTo(
  { state, feeds, clock }: Service,
  item_id: string,
  { by, limit, user_id }: SimilarQuery,
  given_up: AbortSignal,
) {
  const { items, users } = state;
  const question = () => ({
    item: describedItem(items, item_id),
    by,
    limit,
    viewer: user_id === undefined ? NONE : users.names.find(user_id),
    only_visible: user_id !== undefined,
    now: clock.now(),
  });
  const similar = await feeds.similarItems(question, given_up);
  if (similar === undefined) throw notFound('item', item_id);
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

import { Type } from '@sinclair/typebox';
import { type Context, Elysia } from 'elysia';
import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { identifier } from '../../model/values/checks.ts';
import { objectOf } from '../../model/values/record-type.ts';
import { ACTIVE_DAYS, TOP_K_DEFAULT, TOP_K_MAX } from '../../people/bounds.ts';
import { forViewer, ofAnother } from '../feeds/viewer-request.ts';
import { described, type OperationDocs } from '../openapi/operation.ts';
import { readRoutes } from '../records/read-routes.ts';
import { ADMISSIONS, boundedBodies } from '../transport/bodies.ts';
import { bodyOf, unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { flagParameter, integerParameter, parameter, wordParameter } from '../transport/url-parameters.ts';
import { CONSISTENCIES, PEOPLE_REQUEST, peoplePage } from './people-request.ts';
import { PeopleAnswerSchema } from './people-schemas.ts';

const PAGE = {
  viewer_id: Type.Optional(
    parameter(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.id_length_max,
        description:
          'The user who gets the answer: never in it, and neither are users in a block with them. A viewer token names the viewer itself.',
      }),
      identifier,
    ),
  ),
  top_k: integerParameter({ min: 1, max: TOP_K_MAX, absent: TOP_K_DEFAULT }, 'Maximum number of users.'),
  cursor: Type.Optional(parameter(Type.String({ description: 'The cursor of the last answer.' }), String)),
  return_metadata: flagParameter('Adds names and pictures.'),
  explain: flagParameter('Adds the signals of each score.'),
  consistency: Type.Optional(
    wordParameter(CONSISTENCIES, 'As in feed requests. Default: the setting of the service.'),
  ),
};

const SIMILAR = {
  tag: 'People',
  id: 'similarUsers',
  summary: 'Users like another user',
  description: `Users with the same followers, acts on the same items, and similar channels and labels. Neither hidden users, nor users in a block with this user or the viewer, nor users who were inactive for ${ACTIVE_DAYS} days.`,
  admission: ADMISSIONS.feeds,
  errors: ['invalid_value', 'cursor_invalid', 'not_found', 'store_unavailable'],
} as const satisfies OperationDocs;

/** `POST /v2/community/users/recommended`, and users like another one in the path or in the query. */
export function peopleRoutes(host: Host) {
  const prefix = `${CONTENT_PATH}/users`;
  return new Elysia()
    .use(recommendedRoutes(host, prefix))
    .use(refusedRoutes(prefix))
    .use(similarRoutes(host));
}

function recommendedRoutes(host: Host, prefix: string) {
  return new Elysia({ prefix }).use(boundedBodies(host)).post(
    '/recommended',
    async ({ request, body: { value, warnings } }) => {
      const { service, viewer } = host.admitted(request);
      const ownerOf = (wallet: string) => service.feeds.ownerOf(wallet);
      if (viewer !== undefined) forViewer(value, viewer, ownerOf);
      const { user_id, wallet_address, page } = peoplePage(value, viewer);
      // An address that nobody listed stands for an unknown viewer.
      const viewer_id = user_id ?? ownerOf(wallet_address);
      const answer = await service.people.recommended(viewer_id, page, request.signal);
      return warnings.length > 0 ? { ...answer, warnings } : answer;
    },
    {
      parse: 'bounded_feed_request',
      body: bodyOf(objectOf(PEOPLE_REQUEST)),
      response: { 200: unchecked(PeopleAnswerSchema) },
      detail: described({
        tag: 'People',
        id: 'recommendedUsers',
        summary: 'Users to follow',
        description: `Users whom a viewer may want to follow, with reasons: common follows, acts on the same items, authors whose items they liked, similar taste. Never the viewer, users whom they follow, users in a block with them, hidden users, users of earlier pages of the cursor, and users who were inactive for ${ACTIVE_DAYS} days. A viewer of whom nothing is known gets active users with many followers. Nothing is recorded.`,
        admission: ADMISSIONS.feeds,
        body: {
          description: 'The viewer and the page.',
          examples: {
            viewer: {
              summary: 'Five users to follow',
              value: { user_id: EXAMPLE_IDS.viewer, top_k: 5, return_metadata: true },
            },
          },
        },
        errors: ['cursor_invalid', 'store_unavailable'],
      }),
    },
  );
}

/** The methods that `/users/<user_id>` has. Otherwise the path would stand for a user called `recommended`. */
function refusedRoutes(prefix: string) {
  const refused = ({ request: { method }, set }: Pick<Context, 'request' | 'set'>): never => {
    set.headers.allow = 'POST';
    throw new ServiceError(
      'method_not_allowed',
      `${method} is not allowed at ${prefix}/recommended; use POST. A user with this identifier is at ${prefix}?user_id=recommended`,
    );
  };
  const hidden = { detail: { hide: true } };
  return new Elysia({ prefix }).get('/recommended', refused, hidden).delete('/recommended', refused, hidden);
}

function similarRoutes(host: Host) {
  return readRoutes(host, {
    kind: 'users',
    name: 'similar',
    docs: SIMILAR,
    query: PAGE,
    answer: PeopleAnswerSchema,
    read: (request, user_id, { viewer_id, ...page }) => {
      const { service, viewer } = host.admitted(request);
      if (viewer !== undefined && viewer_id !== undefined && viewer_id !== viewer)
        throw ofAnother('viewer_id');
      const wanted = { ...page, exclude_user_ids: [] };
      return service.people.similar(user_id, viewer ?? viewer_id, wanted, request.signal);
    },
  });
}

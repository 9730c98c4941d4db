import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { identifier } from '../../model/values/checks.ts';
import { objectOf } from '../../model/values/record-type.ts';
import { ACTIVE_DAYS, TOP_K_DEFAULT, TOP_K_MAX } from '../../people/bounds.ts';
import { forViewer, ofAnother } from '../feeds/viewer-request.ts';
import { ANYONE, FEEDS } from '../identity/admissions.ts';
import { readRoutes } from '../records/read-routes.ts';
import { json, warned } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import {
  flagParameter,
  integerParameter,
  optional,
  parameter,
  wordParameter,
} from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { hiddenRoute, route } from '../transport/route.ts';
import { CONSISTENCIES, PEOPLE_REQUEST, peoplePage } from './people-request.ts';
import { PeopleAnswerSchema } from './people-schemas.ts';

const PAGE = {
  viewer_id: optional(
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
  cursor: optional(parameter(Type.String({ description: 'The cursor of the last answer.' }), String)),
  return_metadata: flagParameter('Adds names and pictures.'),
  explain: flagParameter('Adds the signals of each score.'),
  consistency: optional(
    wordParameter(CONSISTENCIES, 'As in feed requests. Default: the setting of the service.'),
  ),
};

const PATH = `${CONTENT_PATH}/users/recommended`;

const recommended = route('POST', PATH, {
  admit: FEEDS,
  // The answer itself waits for acknowledged writes, if its request does not accept less.
  answered_by: 'any',
  body: bodyOf(objectOf(PEOPLE_REQUEST), {
    docs: {
      description: 'The viewer and the page.',
      examples: {
        viewer: {
          summary: 'Five users to follow',
          value: { user_id: EXAMPLE_IDS.viewer, top_k: 5, return_metadata: true },
        },
      },
    },
  }),
  answer: json(PeopleAnswerSchema),
  docs: {
    tag: 'People',
    id: 'recommendedUsers',
    summary: 'Users to follow',
    description: `Users whom a viewer may want to follow, with reasons: common follows, acts on the same items, authors whose items they liked, similar taste. Never the viewer, users whom they follow, users in a block with them, hidden users, users of earlier pages of the cursor, and users who were inactive for ${ACTIVE_DAYS} days. A viewer of whom nothing is known gets active users with many followers. Nothing is recorded.`,
    errors: ['cursor_invalid', 'store_unavailable'],
  },
  async handle({ service, principal: { viewer }, body, warnings, given_up }) {
    const ownerOf = (wallet: string) => service.feeds.ownerOf(wallet);
    if (viewer !== undefined) forViewer(body, viewer, ownerOf);
    const { user_id, wallet_address, page } = peoplePage(body, viewer);
    // An address that nobody listed stands for an unknown viewer.
    const viewer_id = user_id ?? ownerOf(wallet_address);
    const answer = await service.people.recommended(viewer_id, page, given_up);
    return { ...answer, ...warned(warnings) };
  },
});

/** The methods that `/users/<user_id>` has. Otherwise the path would stand for a user called `recommended`. */
const refused = (['GET', 'DELETE'] as const).map((method) =>
  hiddenRoute(method, PATH, {
    admit: ANYONE,
    answered_by: 'any',
    handle({ set }) {
      set.headers.allow = 'POST';
      throw new ServiceError(
        'method_not_allowed',
        `${method} is not allowed at ${PATH}; use POST. A user with this identifier is at ${CONTENT_PATH}/users?user_id=recommended`,
      );
    },
  }),
);

const similar = readRoutes('users', 'similar', {
  admit: FEEDS,
  answered_by: 'any',
  query: PAGE,
  answer: json(PeopleAnswerSchema),
  docs: {
    tag: 'People',
    id: 'similarUsers',
    summary: 'Users like another user',
    description: `Users with the same followers, acts on the same items, and similar channels and labels. Neither hidden users, nor users in a block with this user or the viewer, nor users who were inactive for ${ACTIVE_DAYS} days.`,
    errors: ['cursor_invalid', 'not_found', 'store_unavailable'],
  },
  handle({ service, principal: { viewer }, params: { id }, query: { viewer_id, ...page }, given_up }) {
    if (viewer !== undefined && viewer_id !== undefined && viewer_id !== viewer) throw ofAnother('viewer_id');
    return service.people.similar(id, viewer ?? viewer_id, { ...page, exclude_user_ids: [] }, given_up);
  },
});

/** `POST /v2/community/users/recommended`, and users like another one in the path or in the query. */
export const peopleRoutes = [recommended, ...refused, ...similar];

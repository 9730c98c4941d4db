import { type Static, type TLiteral, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { EXAMPLE_IDS } from './records/example-ids.ts';

/** Why a user or an item is in an answer, in public facts: types with the users and items that they name. */

export const NAMED_PER_REASON_MAX = 3;

function reason<T extends string, Fields extends TProperties = Record<never, never>>(
  type: T,
  description: string,
  fields?: Fields,
): TObject<{ type: TLiteral<T> } & Fields> {
  const literal = Type.Literal(type, { description: `Always \`${type}\`.` });
  return Type.Object({ type: literal, ...fields } as { type: TLiteral<T> } & Fields, { description });
}

const Ids = (description: string, id: string) => Type.Array(Type.String(), { description, example: [id] });
const Count = (description: string, example: number) => Type.Integer({ minimum: 0, description, example });
const Many = (of: string) => Count(`Number of ${of}. A lower bound where there are very many.`, 4);

const Items = Ids(`Up to ${NAMED_PER_REASON_MAX} of the items.`, EXAMPLE_IDS.item);

export const UserReasonSchema = Type.Union(
  [
    reason('followed_by', 'Users whom the viewer follows follow them.', {
      user_ids: Ids(`Up to ${NAMED_PER_REASON_MAX} of these users.`, EXAMPLE_IDS.other_viewer),
      count: Many('these users'),
    }),
    reason('also_followed', 'They have followers in common with the other user.', {
      count: Many('common followers'),
    }),
    reason('liked_same', 'They liked, commented or shared the same items.', {
      item_ids: Items,
      count: Many('these items'),
    }),
    reason('author_of_liked', 'The viewer liked, commented or shared their items.', {
      item_ids: Items,
      count: Many('these items'),
    }),
    reason('follows_you', 'They follow the viewer.'),
    reason('similar_taste', 'They publish and like items with the same channels and labels.'),
    reason('popular', 'They have many followers. Given only without another reason.', {
      count: Count('Number of their followers.', 120),
    }),
  ],
  { description: 'Why the user is in the answer.', $id: 'PeopleReason' },
);

/** Why a user is recommended. `count` is a lower bound where only a part was read. */
export type UserReason = Static<typeof UserReasonSchema>;

export const ItemReasonSchema = Type.Union(
  [
    reason('followed_author', 'The viewer follows its author.', {
      user_ids: Ids('The author.', EXAMPLE_IDS.followed),
    }),
    reason('followed_liked', 'Users whom the viewer follows liked, commented or shared it.', {
      user_ids: Ids(
        `The latest ${NAMED_PER_REASON_MAX} of these users at most, as in \`social_proof\`.`,
        EXAMPLE_IDS.followed,
      ),
    }),
    reason('similar_taste', 'It fits what the viewer interacted with.'),
    reason('trending', 'It is gathering likes, comments and shares now.'),
    reason('popular', 'It has many likes, comments and shares, compared with the other items of the feed.'),
    reason('new_here', 'It is new or little known, or the viewer gets the feed of viewers without history.'),
    reason('more_of', 'The viewer wants more of its author, its channel, its labels or its words.'),
    reason('promoted', 'A promotion placed it.'),
    reason('fallback', 'The feed itself has no more items, and a fallback feed goes on.'),
    reason('seen_before', 'The viewer has seen it before, and nothing else is left.'),
  ],
  { description: 'Why the item is on the page.', $id: 'ItemReason' },
);

/** Why an item is on a page. */
export type ItemReason = Static<typeof ItemReasonSchema>;

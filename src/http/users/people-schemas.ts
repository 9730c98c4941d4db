import { Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { Amount, Count, ListOf, ObjectOf, Share, Text, Texts } from '../../answer/schema-parts.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { ACTIVE_DAYS, TOP_K_MAX } from '../../people/bounds.ts';
import { named, namedObject } from '../openapi/schema.ts';

const Items = Texts('Up to 3 of the items.', [EXAMPLE_IDS.item]);
const reason = (type: string, description: string, fields = {}) =>
  Type.Object(
    { type: Type.Literal(type, { description: `Always \`${type}\`.` }), ...fields },
    { description },
  );
const Many = (of: string) => Count(`Number of ${of}. A lower bound where there are very many.`, 4);

const ReasonSchema = named(
  'PeopleReason',
  Type.Union(
    [
      reason('followed_by', 'Users whom the viewer follows follow them.', {
        user_ids: Texts('Up to 3 of these users.', [EXAMPLE_IDS.other_viewer]),
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
    { description: 'Why the user is in the answer.' },
  ),
);

export const PeopleAnswerSchema = namedObject('PeopleAnswer', 'Users, with reasons.', {
  status_code: Type.Literal(200, { description: 'Always 200.' }),
  body: ListOf(
    `The users, best first. Users without a visible item and a public act in the last ${ACTIVE_DAYS} days are left out.`,
    ObjectOf('A user.', {
      user_id: Text('The user.', EXAMPLE_IDS.other_viewer),
      score: Amount('From 0 to 1, higher is better.', 0.42),
      reasons: ListOf('Why, the strongest kind of evidence first.', ReasonSchema),
      metadata: Type.Optional(
        ObjectOf('Only with `return_metadata`.', {
          username: Text('Username, or `""`.', 'ann'),
          display_name: Text('Name, or `""`.', 'Ann'),
          pfp_url: Text('Address of the picture, or `""`.', 'https://example.com/p.png'),
        }),
      ),
      explain: Type.Optional(
        ObjectOf('Only with `explain`.', {
          signals: ObjectOf('The signals, each from 0 to 1.', {
            follows: Share('Common follows or followers.'),
            acts: Share('Acts on the same items.'),
            author: Share('Acts of the viewer on their items.'),
            follows_back: Share('1 if they follow the viewer.'),
            taste: Share('Common channels and labels.'),
            popularity: Share('Share of all users who follow them.'),
          }),
        }),
      ),
    }),
    TOP_K_MAX,
  ),
  cursor: Type.Optional(
    Text('Send it in the next request to get further users. Absent: there are no more.', 'AQ…'),
  ),
  trace: Type.Optional(
    ObjectOf('Only with `explain`.', {
      candidates: ObjectOf('The candidates.', { scored: Count('Number of users who were scored.', 312) }),
    }),
  ),
  warnings: Type.Optional(WarningsSchema),
});

import { Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { Amount, Count, ListOf, ObjectOf, Share, Text } from '../../answer/schema-parts.ts';
import { UserReasonSchema } from '../../model/reasons.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { ACTIVE_DAYS, TOP_K_MAX } from '../../people/bounds.ts';
import { namedObject } from '../openapi/schema.ts';

export const PeopleAnswerSchema = namedObject('PeopleAnswer', 'Users, with reasons.', {
  status_code: Type.Literal(200, { description: 'Always 200.' }),
  body: ListOf(
    `The users, best first. Users without a visible item and a public act in the last ${ACTIVE_DAYS} days are left out.`,
    ObjectOf('A user.', {
      user_id: Text('The user.', EXAMPLE_IDS.other_viewer),
      score: Amount('From 0 to 1, higher is better.', 0.42),
      reasons: ListOf('Why, the strongest kind of evidence first.', UserReasonSchema),
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

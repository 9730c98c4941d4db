import { type TSchema, Type } from '@sinclair/typebox';
import { ObjectOf, Seconds } from '../../answer/schema-parts.ts';
import { EVENT_TYPES } from '../../model/acts.ts';
import { FEED_TYPES } from '../../plugin/index.ts';
import { named } from '../openapi/schema.ts';
import { StoredItemSchema, StoredUserSchema } from '../records/stored-record-schemas.ts';

const Id = (description: string) => Type.String({ description });

function line(kind: string, description: string, fields: Record<string, TSchema>) {
  return Type.Object(
    { kind: Type.Literal(kind, { description: 'Type of the line.' }), ...fields },
    { description },
  );
}

function wordOf(words: readonly string[], description: string) {
  return Type.Union(
    words.map((word) => Type.Literal(word)),
    { description },
  );
}

const { counts: _, follows: __, interactions: ___, ...profile } = StoredUserSchema.properties;
const { author_id: ____, ...item } = StoredItemSchema.properties;
const updated_at = Type.Optional(Seconds('Time of the version, if it was sent.'));

/** One line of the export of a person. */
export const PersonLineSchema = named(
  'PersonLine',
  Type.Union(
    [
      line('profile', 'The first line: the profile.', { ...profile, updated_at }),
      line('follow', 'A user whom they follow or followed.', {
        target_user_id: Id('Whom.'),
        action: wordOf(['follow', 'unfollow'], 'Whether they still follow the user.'),
        timestamp: Seconds('Since when.'),
      }),
      line('follower', 'A user who follows them.', {
        user_id: Id('Who.'),
        timestamp: Seconds('Since when.'),
      }),
      line('block', 'A user whom they block or blocked.', {
        target_user_id: Id('Identifier of the other user.'),
        action: wordOf(['block', 'unblock'], 'Whether they still block the user.'),
        timestamp: Seconds('Since when.'),
      }),
      line('item', 'An item that they wrote.', { ...item, updated_at }),
      line(
        'interaction',
        'An act on an item, in order of arrival, including acts that were replaced later.',
        {
          item_id: Id('The item.'),
          event_type: wordOf(EVENT_TYPES, 'Type of the act.'),
          action: wordOf(['add', 'remove'], 'Whether the act was added or taken back.'),
          timestamp: Seconds('When.'),
          event_id: Type.Optional(Id('Distinguishes comments.')),
        },
      ),
      line('impression', 'An item that they saw.', {
        item_id: Id('The item.'),
        timestamp: Seconds(
          'When they last saw it; if that is more than 48 hours ago, when they got the last page of that day (UTC).',
        ),
        experiment: Type.Optional(
          ObjectOf(
            'The variant of an experiment that decided the page, if it is not older than 48 hours, in the current or last period of the experiment.',
            {
              id: Id('Id of the experiment.'),
              variant: Type.String({ description: 'Name of the variant.' }),
            },
          ),
        ),
      }),
      line('shown', 'A page that was sent to them in the last seven days, as it is kept for learning.', {
        timestamp: Seconds('When.'),
        feed_type: wordOf(FEED_TYPES, 'Type of the feed.'),
        feed_id: Type.Optional(Id('The saved feed.')),
        item_ids: Type.Array(Id('An item.'), { description: 'The items in display order.' }),
      }),
      line('event', 'An event id of a follow, block, like, share or bookmark.', {
        event_id: Id('The event.'),
        item_id: Type.Optional(Id('Identifier of the item. Absent for follows and blocks.')),
        event_type: Type.Optional(wordOf(EVENT_TYPES, 'Type of the act on the item.')),
        target_user_id: Type.Optional(Id('Identifier of the followed or blocked user.')),
        action: wordOf(['add', 'remove'], 'Whether the event added the act or took it back.'),
        timestamp: Seconds('When.'),
      }),
      line('end', 'The last line. Without it the export is incomplete.', {
        lines: Type.Integer({ minimum: 2, description: 'Number of lines, including this one.' }),
      }),
    ],
    { description: 'The data about a person, one object per line. `kind` is the type of the line.' },
  ),
);

import { type TSchema, Type } from '@sinclair/typebox';
import { Seconds } from '../../answer/schema-parts.ts';
import { EVENT_TYPES } from '../../state/change.ts';
import { named } from '../openapi/schema.ts';
import { StoredItemSchema, StoredUserSchema } from './stored-records.ts';

const Id = (description: string) => Type.String({ description });

function line(kind: string, description: string, fields: Record<string, TSchema>) {
  return Type.Object(
    { kind: Type.Literal(kind, { description: 'What the line is about.' }), ...fields },
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
const updated_at = Type.Optional(Seconds('The time of the version, where it was sent.'));

/** A line of the export of a person. */
export const PersonLineSchema = named(
  'PersonLine',
  Type.Union(
    [
      line('profile', 'The first line: the profile.', { ...profile, updated_at }),
      line('follow', 'Somebody whom they follow, or did.', {
        target_user_id: Id('Whom.'),
        action: wordOf(['follow', 'unfollow'], 'Whether they still do.'),
        timestamp: Seconds('Since when.'),
      }),
      line('follower', 'Somebody who follows them.', {
        user_id: Id('Who.'),
        timestamp: Seconds('Since when.'),
      }),
      line('block', 'Somebody whom they block.', { target_user_id: Id('Whom.') }),
      line('item', 'An item that they wrote.', { ...item, updated_at }),
      line(
        'interaction',
        'What they did with an item, in order of arrival; what a later one replaced is there too.',
        {
          item_id: Id('The item.'),
          event_type: wordOf(EVENT_TYPES, 'What they did.'),
          action: wordOf(['add', 'remove'], 'Whether they did it, or took it back.'),
          timestamp: Seconds('When.'),
          event_id: Type.Optional(Id('Tells comments apart.')),
        },
      ),
      line('impression', 'An item of a page that was recorded as seen by them.', {
        item_id: Id('The item.'),
        timestamp: Seconds('When.'),
      }),
      line('event', 'The event of a network by which they followed, liked, shared or bookmarked.', {
        event_id: Id('The event.'),
        item_id: Type.Optional(Id('The item. Absent of a follow.')),
        event_type: Type.Optional(wordOf(EVENT_TYPES, 'What they did with the item.')),
        target_user_id: Type.Optional(Id('Whom they followed.')),
        action: wordOf(['add', 'remove'], 'Whether it did so, or was taken back.'),
        timestamp: Seconds('When.'),
      }),
      line('end', 'The last line. Without it something is missing.', {
        lines: Type.Integer({ minimum: 2, description: 'Lines, this one included.' }),
      }),
    ],
    { description: 'What is known of a person, a line each; `kind` tells what it is.' },
  ),
);

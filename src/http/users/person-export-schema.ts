import { Type } from '@sinclair/typebox';
import { ListOf, ObjectOf, OneOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { LINES, LOGGED, lineSchema } from '../../interchange/person-lines.ts';
import { PREFERENCES } from '../../model/records/preferences.ts';
import { FEED_TYPES } from '../../plugin/index.ts';
import { named } from '../openapi/schema.ts';
import { StoredItemSchema, StoredUserSchema } from '../records/stored-record-schemas.ts';

const { counts: _, follows: __, interactions: ___, ...profile } = StoredUserSchema.properties;
const { author_id: ____, ...item } = StoredItemSchema.properties;
const updated_at = Type.Optional(Seconds('Time of the version, if it was sent.'));

/** One line of the export of a person. */
export const PersonLineSchema = named(
  'PersonLine',
  Type.Union(
    [
      lineSchema('profile', 'The first line: the profile.', { ...profile, updated_at }),
      lineSchema('preferences', 'What they want to get, and what not.', PREFERENCES.schema.properties),
      LINES.follow.schema,
      lineSchema('follower', 'A user who follows them.', {
        user_id: Text('Who.'),
        timestamp: Seconds('Since when.'),
      }),
      LINES.block.schema,
      lineSchema('item', 'An item that they wrote.', { ...item, updated_at }),
      ...LOGGED.map(({ kind }) => LINES[kind].schema),
      lineSchema('impression', 'An item that they saw.', {
        item_id: Text('The item.'),
        timestamp: Seconds(
          'When they last saw it; if that is more than 48 hours ago, when they got the last page of that day (UTC).',
        ),
        experiment: Type.Optional(
          ObjectOf(
            'The variant of an experiment that decided the page, if it is not older than 48 hours, in the current or last period of the experiment.',
            {
              id: Text('Id of the experiment.'),
              variant: Type.Optional(Text('Name of the variant. Absent if variants are interleaved.')),
            },
          ),
        ),
      }),
      lineSchema(
        'shown',
        'A page that was sent to them in the last seven days, as it is kept for learning.',
        {
          timestamp: Seconds('When.'),
          feed_type: OneOf(FEED_TYPES, 'Type of the feed.'),
          feed_id: Type.Optional(Text('The saved feed.')),
          item_ids: ListOf('The items in display order.', Text('An item.')),
        },
      ),
      lineSchema('end', 'The last line. Without it the export is incomplete.', {
        lines: Type.Integer({ minimum: 2, description: 'Number of lines, including this one.' }),
      }),
    ],
    { description: 'The data about a person, one object per line. `kind` is the type of the line.' },
  ),
);

import { Type } from '@sinclair/typebox';
import { ObjectOf, strict } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { named } from '../openapi/schema.ts';
import { StoredItemSchema } from './stored-records.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const ReportsSchema = named(
  'Reports',
  strict(
    {
      reports: Type.Array(
        ObjectOf('An item that was hidden or reported.', {
          item_id: Type.String({ description: 'The item.' }),
          hides_count: Count('Number of users who hid it.'),
          reports_count: Count('Number of users who reported it.'),
          hidden: Type.Boolean({ description: 'Whether moderation already hides the item or its author.' }),
          item: Type.Union([StoredItemSchema, Type.Null()], {
            description: 'The stored item. null: it is not described, or was deleted.',
          }),
        }),
        { maxItems: LIMITS.reports_listed_max, description: 'The items, most hides and reports first.' },
      ),
      total: Count('Number of items in the list that was asked for: the open ones, or the dismissed ones.'),
      next_offset: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'Offset of the next page. null: there is none.',
      }),
    },
    'Items by hides and reports.',
  ),
);

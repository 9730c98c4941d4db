import { Type } from '@sinclair/typebox';
import { LIMITS } from '../../limits.ts';
import { named } from '../openapi/schema.ts';
import { StoredItemSchema } from './stored-records.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const ReportsSchema = named(
  'Reports',
  Type.Object(
    {
      reports: Type.Array(
        Type.Object(
          {
            item_id: Type.String({ description: 'The item.' }),
            hides_count: Count('Users who hid it.'),
            reports_count: Count('Users who reported it.'),
            hidden: Type.Boolean({ description: 'Moderation hides it, or its author, already.' }),
            item: Type.Union([StoredItemSchema, Type.Null()], {
              description: 'The item as it is stored. null: it is not described, or was deleted.',
            }),
          },
          { description: 'An item that was hidden or reported.' },
        ),
        { maxItems: LIMITS.reports_listed_max, description: 'The items, most hides and reports first.' },
      ),
      total: Count('Items that were hidden or reported.'),
      next_offset: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'Where to go on. null: this is the end.',
      }),
    },
    { description: 'Items by hides and reports.', additionalProperties: false },
  ),
);

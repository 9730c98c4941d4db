import { Type } from '@sinclair/typebox';
import { ObjectOf } from '../../answer/schema-parts.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const DemoSchema = ObjectOf('The demo community is stored.', {
  status: Type.Literal('success', { description: 'All of it is stored.' }),
  users: Count('Number of users.'),
  items: Count('Number of items.'),
});

import { Type } from '@sinclair/typebox';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const DemoSchema = Type.Object(
  {
    status: Type.Literal('success', { description: 'All of it is stored.' }),
    users: Count('Number of users.'),
    items: Count('Number of items.'),
  },
  { description: 'The demo community is stored.' },
);

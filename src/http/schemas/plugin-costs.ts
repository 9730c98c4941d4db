import { Type } from '@sinclair/typebox';
import { KINDS } from '../../registry/kinds.ts';
import { named } from '../openapi/schema.ts';

const PluginCostSchema = named(
  'PluginCost',
  Type.Object(
    {
      community: Type.Union([Type.Literal('content'), Type.Literal('wallets')], {
        description: 'Feeds of items, or of tokens and NFTs.',
      }),
      kind: Type.Union(
        KINDS.map((kind) => Type.Literal(kind)),
        { description: 'Kind of extension.' },
      ),
      id: Type.String({ description: 'Name of the extension in requests.', example: 'channels' }),
      pages: Type.Integer({ minimum: 0, description: 'Number of pages that used it.' }),
      milliseconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
        description:
          'Time spent in it, with the calls that it makes. null: not measured, because it runs once per item.',
      }),
    },
    { description: 'What a plugin has cost since the start of the process.' },
  ),
);

export const PluginCostsSchema = Type.Object(
  { data: Type.Array(PluginCostSchema, { description: 'Every plugin that a page has used.' }) },
  { description: 'What plugins cost.' },
);

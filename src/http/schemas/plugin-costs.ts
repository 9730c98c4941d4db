import { Type } from '@sinclair/typebox';
import { ListOf, ObjectOf, OneOf, Text } from '../../answer/schema-parts.ts';
import { KINDS } from '../../registry/kinds.ts';
import { namedObject } from '../openapi/schema.ts';

const PluginCostSchema = namedObject('PluginCost', 'What a plugin has cost since the start of the process.', {
  community: OneOf(['content', 'wallets'], 'Feeds of items, or of tokens and NFTs.'),
  kind: OneOf(KINDS, 'Kind of extension.'),
  id: Text('Name of the extension in requests.', 'channels'),
  pages: Type.Integer({ minimum: 0, description: 'Number of pages that used it.' }),
  milliseconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description:
      'Time spent in it, with the calls that it makes. null: not measured, because it runs once per item.',
  }),
});

export const PluginCostsSchema = ObjectOf('What plugins cost.', {
  data: ListOf('Every plugin that a page has used.', PluginCostSchema),
});

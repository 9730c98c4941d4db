import { Type } from '@sinclair/typebox';
import { KINDS } from '../../registry/kinds.ts';
import { named } from '../openapi/schema.ts';

export const HealthSchema = Type.Object(
  { status: Type.Literal('ok', { description: 'The process answers.' }) },
  { description: 'The process is up.' },
);

export const ReadinessSchema = Type.Object(
  {
    status: Type.Literal('ready', { description: 'The state is loaded.' }),
    changes: Type.Integer({ minimum: 0, description: 'Stored changes that were read at the start.' }),
    refused_plugins: Type.Array(
      Type.Object(
        {
          code: Type.String({ description: 'Why, for programs.', example: 'plugin_malformed' }),
          plugin: Type.String({ description: 'Its file; the log says more.', example: 'acme.ts' }),
        },
        { description: 'A plugin that was left out.' },
      ),
      { description: 'Plugins that were refused and left out.' },
    ),
  },
  { description: 'The service answers feed requests.' },
);

const PluginSchema = named(
  'Plugin',
  Type.Object(
    {
      id: Type.String({ description: 'Its name in requests.', example: 'channels' }),
      kind: Type.Union(
        KINDS.map((kind) => Type.Literal(kind)),
        { description: 'What it does.' },
      ),
      summary: Type.String({ description: 'One sentence.' }),
      options: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of its options.' }),
      source: Type.Union([Type.Literal('built-in'), Type.Literal('external')], {
        description: 'Whether it comes with the service.',
      }),
    },
    { description: 'A loaded plugin.' },
  ),
);

export const PluginsSchema = Type.Object(
  { data: Type.Array(PluginSchema, { description: 'Every loaded plugin, by kind.' }) },
  { description: 'Loaded plugins.' },
);

const LanguageSchema = named(
  'Language',
  Type.Object(
    {
      language: Type.String({ description: 'The primary subtag that items get.', example: 'he' }),
      name: Type.String({ description: 'Its name in English.', example: 'Hebrew' }),
      also: Type.Array(Type.String(), {
        description: 'Other subtags that match its items in the filter `languages`.',
        example: ['iw'],
      }),
    },
    { description: 'A language that is detected.' },
  ),
);

export const LanguagesSchema = Type.Object(
  { data: Type.Array(LanguageSchema, { description: 'Every language that is detected.' }) },
  { description: 'Languages that are detected.' },
);

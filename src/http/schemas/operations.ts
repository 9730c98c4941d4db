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
    changes: Type.Integer({
      minimum: 0,
      description: 'Number of stored changes that were read at the start.',
    }),
    role: Type.Literal('leader', { description: 'This process stores changes itself.' }),
    applied_seq: Type.Integer({
      minimum: 0,
      description: 'The last stored change that pages reflect.',
      example: 772_438,
    }),
    lag_seconds: Type.Number({
      minimum: 0,
      description: 'Seconds by which pages lag behind the stored changes. Always 0 for a leader.',
      example: 0,
    }),
    warming: Type.Boolean({
      description:
        'Whether rankings and neighbour lists are still being built after the start. Pages are complete, but take longer.',
      example: false,
    }),
    refused_plugins: Type.Array(
      Type.Object(
        {
          code: Type.String({ description: 'Error code.', example: 'plugin_malformed' }),
          plugin: Type.String({
            description: 'File of the plugin. The log contains details.',
            example: 'acme.ts',
          }),
        },
        { description: 'A plugin that was not loaded.' },
      ),
      { description: 'Plugins that were refused and not loaded.' },
    ),
  },
  { description: 'The service answers feed requests.' },
);

const PluginSchema = named(
  'Plugin',
  Type.Object(
    {
      id: Type.String({ description: 'Name of the extension in requests.', example: 'channels' }),
      kind: Type.Union(
        KINDS.map((kind) => Type.Literal(kind)),
        { description: 'Kind of extension.' },
      ),
      summary: Type.String({ description: 'One sentence.' }),
      options: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the options.' }),
      source: Type.Union([Type.Literal('built-in'), Type.Literal('external')], {
        description: '`built-in` if it is part of the service.',
      }),
    },
    { description: 'A loaded extension.' },
  ),
);

export const PluginsSchema = Type.Object(
  { data: Type.Array(PluginSchema, { description: 'Every loaded extension, by kind.' }) },
  { description: 'Loaded plugins.' },
);

const LanguageSchema = named(
  'Language',
  Type.Object(
    {
      language: Type.String({ description: 'Primary language subtag that items get.', example: 'he' }),
      name: Type.String({ description: 'English name of the language.', example: 'Hebrew' }),
      also: Type.Array(Type.String(), {
        description: 'Other subtags that match these items in the filter `languages`.',
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

import { Type } from '@sinclair/typebox';
import { KINDS } from '../../registry/kinds.ts';
import { named } from '../openapi/schema.ts';

export const HealthSchema = Type.Object(
  { status: Type.Literal('ok', { description: 'The process answers.' }) },
  { description: 'The process is up.' },
);

export const ReadinessSchema = Type.Object(
  {
    status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')], {
      description: '`degraded` if a connector is stalled. Feeds are answered nevertheless.',
      example: 'ready',
    }),
    version: Type.String({ description: 'The running version.', example: '0.1.0' }),
    changes: Type.Integer({
      minimum: 0,
      description: 'Number of stored changes that were read at the start.',
    }),
    role: Type.Union([Type.Literal('leader'), Type.Literal('follower')], {
      description: '`leader` if this process stores changes itself, `follower` if another node does.',
      example: 'leader',
    }),
    applied_seq: Type.Integer({
      minimum: 0,
      description: 'The last stored change that pages reflect.',
      example: 772_438,
    }),
    lag_seconds: Type.Number({
      minimum: 0,
      description:
        'Seconds by which pages may lag behind the stored changes. 0 for a leader whose database answers.',
      example: 0,
    }),
    process: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Number of the process that answers; null if it was started alone.',
      example: null,
    }),
    processes: Type.Array(
      Type.Object(
        {
          process: Type.Integer({ minimum: 1, description: 'Number of the process.', example: 1 }),
          state: Type.Union(
            ['leader', 'follower', 'starting'].map((state) => Type.Literal(state)),
            { description: '`starting` also while it waits to be started again.', example: 'leader' },
          ),
        },
        { description: 'A process.' },
      ),
      { description: 'All processes of `--processes`; none if the process was started alone.' },
    ),
    warming: Type.Boolean({
      description:
        'Whether rankings, neighbour lists and the index of embeddings are still being built after the start. Pages are complete, but take longer, and may lack items that are found by meaning alone. Similar items by meaning are answered with 503.',
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
    stalled_connectors: Type.Array(Type.String({ description: 'Name of a connector.', example: 'bluesky' }), {
      description:
        'Connectors that failed or were silent and have stored nothing since. They are being retried.',
    }),
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

const ConnectorSchema = named(
  'Connector',
  Type.Object(
    {
      connector: Type.String({ description: 'Id and label, as configured.', example: 'bluesky' }),
      state: Type.Union(
        ['starting', 'running', 'stalled', 'ended', 'stopped'].map((state) => Type.Literal(state)),
        {
          description:
            '`starting`: has stored nothing so far. `stalled`: failed or was silent, and is being retried. `ended`: the source has no more.',
          example: 'running',
        },
      ),
      cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Last stored cursor, in the form of the source.',
        example: '1767225600000000',
      }),
      records_per_second: Type.Number({
        description: 'Stored records per second over the last minute.',
        example: 412.5,
      }),
      records_count: Type.Integer({ description: 'Records stored since the start.', example: 1_250_000 }),
      rejected_count: Type.Integer({ description: 'Invalid records skipped since the start.', example: 3 }),
      restarts_count: Type.Integer({ description: 'Retries since the start.', example: 1 }),
      last_error: Type.Union([Type.String(), Type.Null()], {
        description: 'Reason of the last failure. Of URLs it has no more than the host.',
        example: 'the connection was closed (code 1006)',
      }),
      last_error_at: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Its time.',
        example: 1_767_225_600,
      }),
      last_stored_at: Type.Union([Type.Integer(), Type.Null()], {
        description: 'When records or a cursor were last stored.',
        example: 1_767_225_660,
      }),
    },
    { description: 'A configured connector.' },
  ),
);

export const ConnectorsSchema = Type.Object(
  { data: Type.Array(ConnectorSchema, { description: 'Every configured connector.' }) },
  { description: 'Connectors.' },
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

const NodeSchema = named(
  'Node',
  Type.Object(
    {
      node_id: Type.Union([Type.String(), Type.Null()], {
        description: 'Drawn at each start. Null without a cluster.',
        example: '0d0f3c1e-8c0e-4b8a-9a51-2f1f5d1f7a10',
      }),
      url: Type.Union([Type.String(), Type.Null()], {
        description:
          'Where the other nodes reach it. Null without a cluster, for a process of `--processes`, and for keys without `config:write`.',
        example: 'http://10.0.0.5:3000',
      }),
      process: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'Number of the process if `--processes` started it beside the one that answers.',
        example: null,
      }),
      role: Type.Union([Type.Literal('leader'), Type.Literal('follower')], {
        description: '`leader` if it stores changes itself.',
        example: 'follower',
      }),
      release: Type.String({ description: 'Its version.', example: '0.1.0' }),
      applied_seq: Type.Integer({
        description: 'The last stored change that its pages reflect.',
        example: 772_438,
      }),
      lag_changes: Type.Integer({
        minimum: 0,
        description: 'Changes by which it is behind the node that has most. Up to two seconds old.',
        example: 0,
      }),
      silent_seconds: Type.Number({
        minimum: 0,
        description: 'Seconds since it was seen.',
        example: 0.4,
      }),
    },
    { description: 'A process that serves the data.' },
  ),
);

export const NodesSchema = Type.Object(
  { data: Type.Array(NodeSchema, { description: 'Every node.' }) },
  { description: 'Nodes.' },
);

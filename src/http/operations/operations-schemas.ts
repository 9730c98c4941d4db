import { Type } from '@sinclair/typebox';
import {
  Amount,
  Count,
  Flag,
  Integer,
  IntegerOrNull,
  ListOf,
  ObjectOf,
  OneOf,
  Text,
  TextOrNull,
} from '../../answer/schema-parts.ts';
import { KINDS } from '../../registry/kinds.ts';
import { namedObject } from '../openapi/schema.ts';

export const HealthSchema = ObjectOf('The process is up.', {
  status: Type.Literal('ok', { description: 'The process answers.' }),
});

export const ReadinessSchema = ObjectOf('The service answers feed requests.', {
  status: OneOf(
    ['ready', 'degraded'],
    '`degraded` if a connector is stalled. Feeds are answered nevertheless.',
    'ready',
  ),
  version: Text('The running version.', '0.1.0'),
  changes: Count('Number of stored changes that were read at the start.'),
  role: OneOf(
    ['leader', 'follower'],
    '`leader` if this process stores changes itself, `follower` if another node does.',
    'leader',
  ),
  applied_seq: Count('The last stored change that pages reflect.', 772_438),
  lag_seconds: Amount(
    'Seconds by which pages may lag behind the stored changes. 0 for a leader whose database answers.',
    0,
  ),
  warming: Flag(
    'Whether rankings, neighbour lists and the index of embeddings are still being built after the start. Pages are complete, but take longer, and may lack items that are found by meaning alone. Similar items by meaning are answered with 503.',
    false,
  ),
  refused_plugins: ListOf(
    'Plugins that were refused and not loaded.',
    ObjectOf('A plugin that was not loaded.', {
      code: Text('Error code.', 'plugin_malformed'),
      plugin: Text('File of the plugin. The log contains details.', 'acme.ts'),
    }),
  ),
  stalled_connectors: ListOf(
    'Connectors that failed and have stored nothing since. They are being retried.',
    Text('Name of a connector.', 'bluesky'),
  ),
  fallen_back_feeds: ListOf(
    'Saved feeds that learn and serve their default scoring function now, because pages by what they had learnt had fewer acts.',
    Text('Id of a feed.', 'feed_1'),
  ),
});

const PluginSchema = namedObject('Plugin', 'A loaded extension.', {
  id: Text('Name of the extension in requests.', 'channels'),
  kind: OneOf(KINDS, 'Kind of extension.'),
  summary: Text('One sentence.'),
  options: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the options.' }),
  source: OneOf(['built-in', 'external'], '`built-in` if it is part of the service.'),
  proposes_as: Type.Optional(
    Text('Name in explanations and metrics of a signal that proposes candidates.', 'walk'),
  ),
});

export const PluginsSchema = ObjectOf('Loaded plugins.', {
  data: ListOf('Every loaded extension, by kind.', PluginSchema),
});

const ConnectorSchema = namedObject('Connector', 'A configured connector.', {
  connector: Text('Id and label, as configured.', 'bluesky'),
  state: OneOf(
    ['starting', 'running', 'quiet', 'stalled', 'ended', 'stopped'],
    '`starting`: has stored nothing so far. `quiet`: the source was reached, and has sent nothing for a while. `stalled`: failed or did not reach the source, and is being retried. `ended`: the source has no more.',
    'running',
  ),
  cursor: TextOrNull('Last stored cursor, in the form of the source.', '1767225600000000'),
  records_per_second: Type.Number({
    description: 'Stored records per second over the last minute.',
    example: 412.5,
  }),
  records_count: Integer('Records stored since the start.', 1_250_000),
  rejected_count: Integer('Invalid records skipped since the start.', 3),
  restarts_count: Integer('Retries since the start.', 1),
  last_error: TextOrNull(
    'Reason of the last failure. Of URLs it has no more than the host.',
    'the connection was closed (code 1006)',
  ),
  last_error_at: IntegerOrNull('Its time.', 1_767_225_600),
  warnings: ListOf(
    'What needs attention while the connector runs on.',
    Text('One sentence.', 'the log behind the slot has 1,200 MB'),
  ),
  last_stored_at: IntegerOrNull('When records or a cursor were last stored.', 1_767_225_660),
});

export const ConnectorsSchema = ObjectOf('Connectors.', {
  data: ListOf('Every configured connector.', ConnectorSchema),
});

const LanguageSchema = namedObject('Language', 'A language that is detected.', {
  language: Text('Primary language subtag that items get.', 'he'),
  name: Text('English name of the language.', 'Hebrew'),
  also: Type.Array(Type.String(), {
    description: 'Other subtags that match these items in the filter `languages`.',
    example: ['iw'],
  }),
});

export const LanguagesSchema = ObjectOf('Languages that are detected.', {
  data: ListOf('Every language that is detected.', LanguageSchema),
});

export const NodeSchema = namedObject('Node', 'A process that serves the data.', {
  node_id: TextOrNull('Drawn at each start. Null without a cluster.', '0d0f3c1e-8c0e-4b8a-9a51-2f1f5d1f7a10'),
  url: TextOrNull(
    'Where the other nodes reach it. Null without a cluster, and for keys without `config:write`.',
    'http://10.0.0.5:3000',
  ),
  role: OneOf(['leader', 'follower'], '`leader` if it stores changes itself.', 'follower'),
  release: Text('Its version.', '0.1.0'),
  applied_seq: Integer('The last stored change that its pages reflect.', 772_438),
  lag_changes: Count('Changes by which it is behind the node that has most. Up to two seconds old.', 0),
  silent_seconds: Amount('Seconds since it was seen.', 0.4),
});

export const NodesSchema = ObjectOf('Nodes.', { data: ListOf('Every node.', NodeSchema) });

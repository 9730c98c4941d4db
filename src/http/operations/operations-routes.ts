import { basename } from 'node:path';
import { Type } from '@sinclair/typebox';
import pkg from '../../../package.json' with { type: 'json' };
import { detectedLanguages } from '../../ingest/detect-language.ts';
import { fallenBack } from '../../ingest/learnt-models.ts';
import { KINDS, type Kind, type KindMap } from '../../registry/kinds.ts';
import type { Registered, Registry } from '../../registry/registry.ts';
import { ANY_KEY, ANYONE } from '../identity/admissions.ts';
import { shownNodes } from '../nodes/nodes.ts';
import { json, written } from '../transport/answers.ts';
import { route } from '../transport/route.ts';
import { Written } from '../transport/written-answer.ts';
import {
  ConnectorsSchema,
  HealthSchema,
  LanguagesSchema,
  NodesSchema,
  PluginsSchema,
  ReadinessSchema,
} from './operations-schemas.ts';

const METRICS = Type.String({
  contentMediaType: 'text/plain',
  description: 'Metrics in the text format of Prometheus.',
});

const OPEN = { admit: ANYONE, answered_by: 'any' } as const;
const KEYED = { admit: ANY_KEY, answered_by: 'any' } as const;

/** `GET /metrics`, on the port of the service or on a separate port. */
export const metricsRoutes = [
  route('GET', '/metrics', {
    ...OPEN,
    answer: written(METRICS),
    docs: {
      tag: 'Operations',
      id: 'metrics',
      summary: 'Metrics',
      description: 'Metrics in the text format of Prometheus, updated at most once a second.',
    },
    handle: async ({ host: { metrics } }) => new Written(await metrics.text(), metrics.content_type),
  }),
];

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** Health, readiness, the list of plugins and the list of languages. */
export const operationsRoutes = [
  route('GET', '/healthz', {
    ...OPEN,
    answer: json(HealthSchema),
    docs: {
      tag: 'Operations',
      id: 'health',
      summary: 'Liveness check',
      description: 'Answers 200 as soon as the process listens.',
    },
    handle: () => ({ status: 'ok' as const }),
  }),
  route('GET', '/readyz', {
    ...OPEN,
    answer: json(ReadinessSchema),
    docs: {
      tag: 'Operations',
      id: 'readiness',
      summary: 'Readiness check',
      description:
        'Answers 503 while the state is loading, while the service shuts down, and while the store has not answered for 15 s. Also answers 503 permanently when nothing can be written any more; then the service must be restarted. If a connector is stalled, it answers 200 with the status `degraded`.',
      errors: ['overloaded', 'loading', 'shutting_down', 'store_unavailable'],
    },
    handle({ host }) {
      const { unready } = host;
      if (unready !== undefined) throw unready;
      const { loaded, refused_plugins, state, saved_feeds, feeds, alpha, connectors, cluster } = host.ready();
      const { stalled } = connectors;
      return {
        status: stalled.length === 0 ? 'ready' : 'degraded',
        version: pkg.version,
        changes: loaded.changes,
        role: cluster?.role ?? 'leader',
        applied_seq: cluster?.applied_seq ?? state.seq,
        lag_seconds: cluster?.lag_seconds ?? 0,
        warming: feeds.upkeep.lists.warming || alpha.community?.feeds.upkeep.lists.warming === true,
        refused_plugins: refused_plugins.map(({ code, source }) => ({ code, plugin: basename(source) })),
        stalled_connectors: stalled,
        fallen_back_feeds: fallenBack(state, (feed_id) => saved_feeds.typeOf(feed_id)),
      };
    },
  }),
  route('GET', '/api/plugins', {
    ...KEYED,
    answer: json(PluginsSchema),
    docs: {
      tag: 'Operations',
      id: 'plugins',
      summary: 'Loaded plugins',
      description: 'Lists every loaded extension by kind, with the schema of its options.',
    },
    handle({ service: { registry, alpha } }) {
      const data = KINDS.flatMap((kind) =>
        allOf(kind, [registry, alpha.registry]).map(({ id, extension, source, options }) => ({
          id,
          kind,
          summary: extension.summary,
          options: options.schema,
          source: source === 'built-in' ? source : ('external' as const),
          ...proposesAs(id, extension),
        })),
      );
      return { data };
    },
  }),
  route('GET', '/api/connectors', {
    ...KEYED,
    answer: json(ConnectorsSchema),
    docs: {
      tag: 'Operations',
      id: 'connectors',
      summary: 'Connectors',
      description:
        'Lists the connectors that read other networks: their state, their cursor and their last error.',
    },
    handle: ({ service }) => ({ data: service.connectors.statuses }),
  }),
  route('GET', '/api/nodes', {
    ...KEYED,
    answer: json(NodesSchema),
    docs: {
      tag: 'Operations',
      id: 'nodes',
      summary: 'Nodes',
      description:
        'Lists the nodes that serve these data: one process, or the nodes of a cluster that were seen within ten seconds.',
    },
    handle: ({ service, principal }) => ({ data: shownNodes(service, principal) }),
  }),
  route('GET', '/api/languages', {
    ...KEYED,
    answer: json(LanguagesSchema),
    docs: {
      tag: 'Operations',
      id: 'languages',
      summary: 'Languages that are detected',
      description:
        'Lists the languages that can be detected. If an item record has no `language`, it is detected from a text of at least 20 characters. For other languages, send `language` with the item.',
    },
    handle() {
      const data = detectedLanguages().map(({ language, also }) => ({
        language,
        name: LANGUAGE_NAMES.of(language) ?? language,
        also: [...also],
      }));
      return { data };
    },
  }),
];

/** The name of the candidate source that an extension is. */
function proposesAs(id: string, extension: KindMap[Kind]): { proposes_as?: string } {
  const proposes = 'proposes' in extension ? extension.proposes : undefined;
  return proposes === undefined ? {} : { proposes_as: proposes.name ?? id };
}

/** The extensions of all registries, each id once. */
function allOf<K extends Kind>(kind: K, registries: readonly Registry[]): Registered<KindMap[K]>[] {
  const by_id = new Map<string, Registered<KindMap[K]>>();
  for (const registry of registries)
    for (const registered of registry.all(kind))
      if (!by_id.has(registered.id)) by_id.set(registered.id, registered);
  return [...by_id.values()];
}

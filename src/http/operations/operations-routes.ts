import { basename } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import pkg from '../../../package.json' with { type: 'json' };
import { detectedLanguages } from '../../ingest/detect-language.ts';
import { KINDS, type Kind, type KindMap } from '../../registry/kinds.ts';
import type { Registered, Registry } from '../../registry/registry.ts';
import { shownNodes } from '../nodes/nodes.ts';
import { described } from '../openapi/operation.ts';
import { ANY_KEY } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { Written } from '../transport/written-answer.ts';
import {
  ConnectorsSchema,
  HealthSchema,
  LanguagesSchema,
  NodesSchema,
  PluginsSchema,
  ReadinessSchema,
} from './operations-schemas.ts';

const DOCS = {
  health: described({
    tag: 'Operations',
    id: 'health',
    summary: 'Liveness check',
    description: 'Answers 200 as soon as the process listens.',
  }),
  readiness: described({
    tag: 'Operations',
    id: 'readiness',
    summary: 'Readiness check',
    description:
      'Answers 503 while the state is loading, while the service shuts down, and while the store has not answered for 15 s. Also answers 503 permanently when nothing can be written any more; then the service must be restarted. If a connector is stalled, it answers 200 with the status `degraded`.',
    errors: ['overloaded', 'loading', 'shutting_down', 'store_unavailable'],
  }),
  metrics: described({
    tag: 'Operations',
    id: 'metrics',
    summary: 'Metrics',
    description: 'Metrics in the text format of Prometheus, updated at most once a second.',
  }),
  plugins: described({
    tag: 'Operations',
    id: 'plugins',
    summary: 'Loaded plugins',
    description: 'Lists every loaded extension by kind, with the schema of its options.',
    admission: ANY_KEY,
  }),
  connectors: described({
    tag: 'Operations',
    id: 'connectors',
    summary: 'Connectors',
    description:
      'Lists the connectors that read other networks: their state, their cursor and their last error.',
    admission: ANY_KEY,
  }),
  nodes: described({
    tag: 'Operations',
    id: 'nodes',
    summary: 'Nodes',
    description:
      'Lists the nodes that serve these data: one process, or the nodes of a cluster that were seen within ten seconds.',
    admission: ANY_KEY,
  }),
  languages: described({
    tag: 'Operations',
    id: 'languages',
    summary: 'Languages that are detected',
    description:
      'Lists the languages that can be detected. If an item record has no `language`, it is detected from a text of at least 20 characters. For other languages, send `language` with the item.',
    admission: ANY_KEY,
  }),
};

const METRICS = unchecked(
  Type.String({ contentMediaType: 'text/plain', description: 'Metrics in the text format of Prometheus.' }),
);

/** `GET /metrics`, on the port of the service or on a separate port. */
export function metricsRoutes(host: Host) {
  return new Elysia().get(
    '/metrics',
    async () => new Written(await host.metrics.text(), host.metrics.content_type),
    { response: { 200: METRICS }, detail: DOCS.metrics },
  );
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** Health, readiness, the list of plugins and the list of languages. */
export function operationsRoutes(host: Host) {
  const admit = ({ request }: { request: Request }) => host.admit(request, ANY_KEY);
  return new Elysia()
    .get('/healthz', () => ({ status: 'ok' }), {
      response: { 200: unchecked(HealthSchema) },
      detail: DOCS.health,
    })
    .get(
      '/readyz',
      () => {
        const { unready } = host;
        if (unready !== undefined) throw unready;
        const { loaded, refused_plugins, state, feeds, alpha, connectors, cluster } = host.ready();
        const { stalled } = connectors;
        const refused = refused_plugins.map(({ code, source }) => ({ code, plugin: basename(source) }));
        return {
          status: stalled.length === 0 ? 'ready' : 'degraded',
          version: pkg.version,
          changes: loaded.changes,
          role: cluster?.role ?? 'leader',
          applied_seq: cluster?.applied_seq ?? state.seq,
          lag_seconds: cluster?.lag_seconds ?? 0,
          warming: feeds.upkeep.lists.warming || alpha.community?.feeds.upkeep.lists.warming === true,
          refused_plugins: refused,
          stalled_connectors: stalled,
        };
      },
      { response: { 200: unchecked(ReadinessSchema) }, detail: DOCS.readiness },
    )
    .get(
      '/api/plugins',
      ({ request }) => {
        const { registry, alpha } = host.admitted(request).service;
        const data = KINDS.flatMap((kind) =>
          allOf(kind, [registry, alpha.registry]).map(({ id, extension, source, options }) => ({
            id,
            kind,
            summary: extension.summary,
            options: options.schema,
            source: source === 'built-in' ? source : 'external',
            ...proposesAs(id, extension),
          })),
        );
        return { data };
      },
      { transform: admit, response: { 200: unchecked(PluginsSchema) }, detail: DOCS.plugins },
    )
    .get('/api/connectors', ({ request }) => ({ data: host.admitted(request).service.connectors.statuses }), {
      transform: admit,
      response: { 200: unchecked(ConnectorsSchema) },
      detail: DOCS.connectors,
    })
    .get('/api/nodes', ({ request }) => ({ data: shownNodes(host.admitted(request)) }), {
      transform: admit,
      response: { 200: unchecked(NodesSchema) },
      detail: DOCS.nodes,
    })
    .get(
      '/api/languages',
      () => {
        const data = detectedLanguages().map(({ language, also }) => ({
          language,
          name: LANGUAGE_NAMES.of(language),
          also,
        }));
        return { data };
      },
      { transform: admit, response: { 200: unchecked(LanguagesSchema) }, detail: DOCS.languages },
    );
}

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

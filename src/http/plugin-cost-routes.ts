import { Elysia } from 'elysia';
import type { Kind } from '../registry/kinds.ts';
import type { FeedMeter, PluginTotals } from '../serve/feed-meter.ts';
import { ADMISSIONS } from './bodies.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { described } from './openapi/operation.ts';
import { PluginCostsSchema } from './schemas/plugin-costs.ts';

/** `GET /api/metrics/plugins`. */
export function pluginCostRoutes(host: Host) {
  return new Elysia({ prefix: '/api' })
    .onTransform(({ request }) => host.admit(request, ADMISSIONS.configs))
    .get(
      '/metrics/plugins',
      ({ request }) => {
        const { feeds, alpha } = host.admitted(request).service;
        const wallets = alpha.community;
        const data = [
          ...costsOf('content', feeds.meter),
          ...(wallets === undefined ? [] : costsOf('wallets', wallets.feeds.meter)),
        ];
        return { data };
      },
      {
        response: { 200: unchecked(PluginCostsSchema) },
        detail: described({
          tag: 'Operations',
          id: 'pluginCosts',
          summary: 'What each plugin costs',
          description:
            'Lists the plugins that pages used since the start of the process. `GET /metrics` has the same as `feedloom_plugin_requests_total` and `feedloom_plugin_seconds_total`.',
          admission: ADMISSIONS.configs,
        }),
      },
    );
}

function costsOf(community: 'content' | 'wallets', meter: FeedMeter): object[] {
  const timed = [
    ...costs('scoring_functions', meter.scoring, timeOf),
    ...costs('candidate_sources', meter.sources, timeOf),
  ];
  const untimed = [
    ...costs('filters', meter.filters, () => null),
    ...costs('visibility_rules', meter.rules, () => null),
    ...costs('promotion_strategies', meter.promotions, () => null),
  ];
  return [...timed, ...untimed].map((cost) => ({ community, ...cost }));
}

function timeOf({ milliseconds }: PluginTotals): number {
  return Math.round(milliseconds * 1000) / 1000;
}

function costs(
  kind: Kind,
  totals: ReadonlyMap<string, PluginTotals>,
  time: (totals: PluginTotals) => number | null,
): object[] {
  return [...totals].map(([id, total]) => ({ kind, id, pages: total.requests, milliseconds: time(total) }));
}

import { Type } from '@sinclair/typebox';
import { Count, ListOf, ObjectOf, OneOf, Text } from '../../answer/schema-parts.ts';
import type { FeedMeter, PluginTotals } from '../../serve/feed-meter.ts';
import { CONFIGS } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { json } from '../transport/answers.ts';
import { route } from '../transport/route.ts';

const COSTING = [
  'scoring_functions',
  'candidate_sources',
  'filters',
  'visibility_rules',
  'promotion_strategies',
] as const;

const PluginCostSchema = namedObject('PluginCost', 'What a plugin has cost since the start of the process.', {
  community: OneOf(['content', 'wallets'], 'Feeds of items, or of tokens and NFTs.'),
  kind: OneOf(COSTING, 'Kind of extension, or `candidate_sources` for the signals that propose candidates.'),
  id: Text('Name of the extension in requests, or of the source in explanations.', 'channels'),
  pages: Count('Number of pages that used it.'),
  milliseconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description:
      'Time spent in it, with the calls that it makes. null: not measured, because it runs once per item.',
  }),
});

const PluginCostsSchema = ObjectOf('What plugins cost.', {
  data: ListOf('Every plugin that a page has used.', PluginCostSchema),
});

/** `GET /api/metrics/plugins`. */
export const pluginCostRoutes = [
  route('GET', '/api/metrics/plugins', {
    admit: CONFIGS,
    answered_by: 'any',
    answer: json(PluginCostsSchema),
    docs: {
      tag: 'Operations',
      id: 'pluginCosts',
      summary: 'What each plugin costs',
      description:
        'Lists the plugins that pages used since the start of the process. `GET /metrics` has the same as `feedloom_plugin_requests_total` and `feedloom_plugin_seconds_total`.',
    },
    handle({ service: { feeds, alpha } }) {
      const wallets = alpha.community;
      const data = [
        ...costsOf('content', feeds.meter),
        ...(wallets === undefined ? [] : costsOf('wallets', wallets.feeds.meter)),
      ];
      return { data };
    },
  }),
];

function costsOf(community: 'content' | 'wallets', meter: FeedMeter) {
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
  kind: (typeof COSTING)[number],
  totals: ReadonlyMap<string, PluginTotals>,
  time: (totals: PluginTotals) => number | null,
) {
  return [...totals].map(([id, total]) => ({ kind, id, pages: total.requests, milliseconds: time(total) }));
}

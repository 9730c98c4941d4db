import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { withFolder } from '../interchange/support.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { deployText, deployYaml } from './support.ts';

interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

const [{ groups }] = deployYaml('prometheus/alerts.yaml') as [
  { groups: { name: string; rules: AlertRule[] }[] },
];
const RULES = groups.flatMap(({ rules }) => rules);

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}
const DASHBOARD: { panels: Panel[]; templating: { list: { name: string; definition?: string }[] } } =
  JSON.parse(deployText('grafana/feedloom.json'));
const TARGETS = DASHBOARD.panels.flatMap(({ targets = [] }) => targets);

const EXPRESSIONS = [
  ...RULES.map(({ alert, expr }) => ({ of: alert, expr })),
  // Grafana puts in the interval and the chosen instances.
  ...TARGETS.map(({ expr }) => ({ of: 'dashboard', expr: expr.replaceAll('$__rate_interval', '5m') })),
];

/** The types of metrics by the names of their samples, and the label names of each sample that a scrape has. */
interface Scrape {
  types: Map<string, string>;
  labels: Map<string, Set<string>>;
}

function parseScrape(text: string): Scrape {
  const types = new Map<string, string>();
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    if (type === 'histogram')
      for (const part of ['bucket', 'sum', 'count']) types.set(`${name}_${part}`, 'counter');
    else types.set(name, type);
  }
  const labels = new Map<string, Set<string>>();
  for (const [, name, list = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.get(name) ?? new Set();
    for (const [, label] of list.matchAll(/(\w+)="/g)) known.add(label);
    labels.set(name, known);
  }
  return { types, labels };
}

let scrape: Scrape;

/** A service that has done one of everything that has a metric with labels. */
beforeAll(async () => {
  scrape = await withFolder({}, async (data) => {
    // Nothing listens there. The metrics of traces exist all the same.
    const tracing = { FEEDLOOM_OTLP_ENDPOINT: 'http://127.0.0.1:9', FEEDLOOM_TRACES_SAMPLER_ARG: '0' };
    const { address, stop } = await startService(data, { env: tracing });
    const post = async (path: string, body: unknown) => {
      const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
      return (await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    expect(
      await post('/v2/farcaster/items', { item_id: 'a', author_id: 'b', created_at: 1_795_000_000 }),
    ).toBe(200);
    expect(await post('/v2/farcaster/feeds/for-you', { user_id: 'u' })).toBe(200);
    expect(await post('/v2/farcaster/feeds/popular', {})).toBe(200);
    const text = await (await fetch(`${address}/metrics`)).text();
    await stop();
    return parseScrape(text);
  });
}, 60_000);
afterAll(killAll);

function nodesOf(expr: string, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      if (node.type.name === name) found.push(node.node);
    },
  });
  return found;
}

function syntaxErrorsOf(expr: string): number[] {
  const errors: number[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, from }) => {
      if (type.isError) errors.push(from);
    },
  });
  return errors;
}

interface Selector {
  metric: string;
  /** Labels that it selects by, and those by which the aggregations around it group. */
  labels: string[];
  /** The function whose range it is, such as `rate`. */
  of_function: string | undefined;
}

/** Labels by which the aggregations around a node group. */
function groupingAround(node: SyntaxNode): SyntaxNode[] {
  const groups: SyntaxNode[] = [];
  for (let around = node.parent; around !== null; around = around.parent) {
    const labels = around.getChild('AggregateModifier')?.getChild('GroupingLabels');
    groups.push(...(labels?.getChildren('LabelName') ?? []));
  }
  return groups;
}

function selectorsOf(expr: string): Selector[] {
  const text = ({ from, to }: SyntaxNode) => expr.slice(from, to);
  return nodesOf(expr, 'VectorSelector').map((selector) => {
    const matchers = selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    const names = [...matchers.map((each) => each.getChild('LabelName')!), ...groupingAround(selector)];
    const is_range = selector.parent?.type.name === 'MatrixSelector';
    const call = is_range ? selector.parent?.parent?.parent : undefined;
    const name = call?.getChild('FunctionIdentifier');
    return {
      metric: text(selector.getChild('Identifier')!),
      labels: names.map(text),
      of_function: name ? text(name) : undefined,
    };
  });
}

/** Labels that Prometheus adds. */
const ADDED = ['instance', 'job'];

describe('the expressions of the alerts and of the dashboard', () => {
  test('are valid', () => {
    expect(RULES.length).toBeGreaterThan(10);
    expect(TARGETS.length).toBeGreaterThan(20);
    const wrong = EXPRESSIONS.filter(({ expr }) => syntaxErrorsOf(expr).length > 0);
    expect(wrong).toEqual([]);
    expect(syntaxErrorsOf('sum by (code (rate(a[5m]))')).not.toEqual([]);
  });

  test('use only metrics that /metrics serves', () => {
    const unknown = EXPRESSIONS.flatMap(({ of, expr }) =>
      selectorsOf(expr)
        .filter(({ metric }) => !scrape.types.has(metric))
        .map(({ metric }) => `${of}: ${metric}`),
    );
    expect(unknown).toEqual([]);
  });

  test('use only labels that the metrics have', () => {
    const unknown = EXPRESSIONS.flatMap(({ of, expr }) => {
      return selectorsOf(expr).flatMap(({ metric, labels }) => {
        const known = scrape.labels.get(metric);
        // Metrics of things that this service does not have, such as third-party plugins.
        if (known === undefined) return [];
        const used = labels.filter((label) => !ADDED.includes(label) && !known.has(label));
        return used.map((label) => `${of}: ${metric} has no label ${label}`);
      });
    });
    expect(unknown).toEqual([]);
  });

  test('ask for rates of counters, and for differences of levels', () => {
    const types = { rate: 'counter', increase: 'counter', delta: 'gauge' };
    const wrong = EXPRESSIONS.flatMap(({ of, expr }) =>
      selectorsOf(expr)
        .map(({ metric, of_function }) => ({ of, metric, of_function, type: scrape.types.get(metric) }))
        .filter(
          ({ of_function, type }) =>
            of_function !== undefined && types[of_function as keyof typeof types] !== type,
        ),
    );
    expect(wrong).toEqual([]);
  });
});

describe('an alert rule', () => {
  test.each(RULES.map((rule) => [rule.alert, rule] as const))(
    '%s has a name, a severity and texts',
    (name, rule) => {
      expect(name).toMatch(/^Feedloom[A-Z]\w+$/);
      expect(['warning', 'critical']).toContain(rule.labels.severity);
      expect(rule.for ?? '1m').toMatch(/^\d+m$/);
      expect(rule.annotations.summary).not.toBe('');
      const used = [...rule.annotations.description.matchAll(/\{\{ \$labels\.(\w+) \}\}/g)].map(
        ([, label]) => label,
      );
      const grouped = nodesOf(rule.expr, 'GroupingLabels');
      for (const list of grouped) {
        const kept = list.getChildren('LabelName').map(({ from, to }) => rule.expr.slice(from, to));
        expect(used.filter((label) => !kept.includes(label))).toEqual([]);
      }
    },
  );

  test('has a name of its own', () => {
    expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
  });
});

describe('the dashboard', () => {
  test('has panels that do not overlap', () => {
    const { panels } = DASHBOARD;
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)},${y + Math.floor(nth / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  test('shows the instances that a metric names', () => {
    const query = DASHBOARD.templating.list.find(({ name }) => name === 'instance')?.definition;
    const [, metric] = /^label_values\((\w+), instance\)$/.exec(query ?? '') ?? [];
    expect(scrape.types.has(metric)).toBe(true);
  });

  test('explains each line by labels that its expression keeps', () => {
    const wrong = TARGETS.filter(({ expr, legendFormat }) => {
      const used = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      const kept = nodesOf(expr, 'GroupingLabels').flatMap((list) =>
        list.getChildren('LabelName').map(({ from, to }) => expr.slice(from, to)),
      );
      const [metric] = selectorsOf(expr.replaceAll('$__rate_interval', '5m')).map((each) => each.metric);
      const possible = kept.length > 0 ? kept : [...(scrape.labels.get(metric) ?? []), ...ADDED];
      return used.some((label) => !possible.includes(label));
    });
    expect(wrong).toEqual([]);
  });
});

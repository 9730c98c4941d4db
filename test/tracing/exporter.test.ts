import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { Exporter } from '../../src/tracing/exporter.ts';
import type { Span } from '../../src/tracing/span.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { Collector } from './collector.ts';

const SPAN: Span = {
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  span_id: '00f067aa0ba902b7',
  parent_id: undefined,
  name: 'page',
  kind: 'internal',
  start_ms: 1_795_000_000_000.25,
  end_ms: 1_795_000_000_001,
  attributes: { items: 3, share: 0.5, of: 'all' },
  has_failed: false,
};

/** An exporter with a log and a clock of its own. */
function exporterTo(endpoint: string) {
  const log: string[] = [];
  const time = { ms: 0 };
  const exporter = new Exporter({
    endpoint,
    headers: {},
    resource: { service_name: 'feedloom', version: '1.0.0', instance_id: 'one' },
    timers: new ManualTimers(),
    monotonicMs: () => time.ms,
    log: pino({ base: undefined }, { write: (line: string) => void log.push(line) }),
  });
  return { exporter, log, time };
}

/** Adds spans. */
function addTo(exporter: Exporter, spans: number): void {
  for (let added = 0; added < spans; added++) exporter.add(SPAN);
}

describe('the exporter of spans', () => {
  test('sends times in nanoseconds and attributes by their types', async () => {
    await using collector = new Collector();
    const { exporter } = exporterTo(`${collector.endpoint}/base/`);
    addTo(exporter, 1);
    await exporter.close();
    expect(collector.faults).toEqual([]);
    expect(collector.requests[0].path).toBe('/base/v1/traces');
    expect(collector.spans[0]).toMatchObject({
      startTimeUnixNano: '1795000000000250000',
      endTimeUnixNano: '1795000000001000000',
      attributes: [
        { key: 'items', value: { intValue: '3' } },
        { key: 'share', value: { doubleValue: 0.5 } },
        { key: 'of', value: { stringValue: 'all' } },
      ],
    });
    expect(exporter.figures).toEqual({ exported: 1, dropped: { queue_full: 0, failed: 0, rejected: 0 } });
  });

  test('keeps a bounded number of spans while an export is under way, and counts the others', async () => {
    const gate = Promise.withResolvers<void>();
    await using collector = new Collector(async () => {
      await gate.promise;
      return Response.json({});
    });
    const { exporter } = exporterTo(collector.endpoint);
    addTo(exporter, 512 + 2_048 + 7);
    expect(exporter.figures.dropped.queue_full).toBe(7);
    gate.resolve();
    await exporter.close();
    expect(collector.spans.length).toBe(512 + 2_048);
    expect(exporter.figures.exported).toBe(512 + 2_048);
  });

  test.each<[string, () => Response, number, number]>([
    ['a failure', () => new Response('no', { status: 503 }), 3, 0],
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/', 307), 3, 0],
    ['a part that is rejected', () => Response.json({ partialSuccess: { rejectedSpans: '2' } }), 0, 2],
    ['an answer that is not JSON', () => new Response('fine'), 0, 0],
  ])('counts spans that the collector does not take: %s', async (_, answer, failed, rejected) => {
    await using collector = new Collector(answer);
    const { exporter, log } = exporterTo(collector.endpoint);
    addTo(exporter, 3);
    await exporter.close();
    expect(exporter.figures).toEqual({
      exported: 3 - failed - rejected,
      dropped: { queue_full: 0, failed, rejected },
    });
    expect(log.length).toBe(failed > 0 ? 1 : 0);
  });

  test('logs failures at most once a minute, with the number of those between', async () => {
    await using collector = new Collector(() => new Response('', { status: 500 }));
    const { exporter, log, time } = exporterTo(collector.endpoint);
    for (const ms of [0, 1_000, 2_000, 61_000]) {
      time.ms = ms;
      addTo(exporter, 1);
      await exporter.close();
    }
    expect(log.map((line) => JSON.parse(line).unlogged)).toEqual([undefined, 2]);
    expect(JSON.parse(log[0]).cause).toContain('the collector answers 500');
  });
});

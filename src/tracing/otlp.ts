import type { Span } from './span.ts';

export interface Resource {
  service_name: string;
  version: string;
  /** Unique among the processes of the service. */
  instance_id: string;
}

interface KeyValue {
  key: string;
  value: { stringValue: string } | { intValue: string } | { doubleValue: number };
}

/** Values of the protocol's enumerations. */
const KINDS = { internal: 1, server: 2 } as const;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;
/** Span flags: the W3C flag "sampled". */
const FLAGS = 1;

/**
 * The body of an export request: `ExportTraceServiceRequest` of the OpenTelemetry protocol 1.x in its JSON form.
 *
 * Identifiers are hexadecimal, 64-bit numbers are texts.
 */
export function exportRequest(
  spans: readonly Span[],
  { service_name, version, instance_id }: Resource,
): object {
  const resource = {
    'service.name': service_name,
    'service.version': version,
    'service.instance.id': instance_id,
  };
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: 'feedloom', version }, spans: spans.map(spanMessage) }],
      },
    ],
  };
}

function spanMessage({ trace_id, span_id, parent_id, name, kind, ...span }: Span): object {
  return {
    traceId: trace_id,
    spanId: span_id,
    parentSpanId: parent_id,
    flags: FLAGS,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(span.start_ms),
    endTimeUnixNano: nanoseconds(span.end_ms),
    attributes: keyValues(span.attributes),
    status: { code: span.has_failed ? STATUS_ERROR : STATUS_UNSET },
  };
}

/** Nanoseconds do not fit a number, so microseconds are rounded. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}

function keyValues(attributes: Readonly<Record<string, string | number>>): KeyValue[] {
  return Object.entries(attributes).map(([key, value]) => {
    if (typeof value === 'string') return { key, value: { stringValue: value } };
    return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
  });
}

/** The context of a caller's span, from the header `traceparent`. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all 0. */
  trace_id: string;
  /** 16 lower-case hexadecimal digits, not all 0. */
  span_id: string;
  is_sampled: boolean;
}

/** Version, trace id, parent id, flags, and what later versions may add. */
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZERO = /^0+$/;
const SAMPLED = 1;

/**
 * Reads a `traceparent` (W3C Trace Context, section 3.2).
 * @returns undefined for a missing or malformed header, which must be ignored
 */
export function readTraceparent(header: string | null): TraceContext | undefined {
  const [, version, trace_id, span_id, flags, rest] = FORM.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  if (ZERO.test(trace_id) || ZERO.test(span_id)) return undefined;
  return { trace_id, span_id, is_sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export function writeTraceparent({ trace_id, span_id }: Pick<TraceContext, 'trace_id' | 'span_id'>): string {
  return `00-${trace_id}-${span_id}-01`;
}

export function newTraceId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** A new span id: the last digits of a random UUID, all of which are random. */
export function newSpanId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(-16);
}

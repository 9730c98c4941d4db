/** A finished span. Its attributes hold no identifier, no text and no key of a user. */
export interface Span {
  trace_id: string;
  span_id: string;
  /** Undefined for the first span of a trace. */
  parent_id: string | undefined;
  name: string;
  kind: 'server' | 'internal';
  /** Milliseconds since the Unix epoch, with fractions. */
  start_ms: number;
  end_ms: number;
  attributes: Readonly<Record<string, string | number>>;
  has_failed: boolean;
}

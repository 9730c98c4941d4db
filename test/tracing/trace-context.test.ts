import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newSpanId, newTraceId, readTraceparent, writeTraceparent } from '../../src/tracing/trace-context.ts';
import { check } from '../support/long.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('the header traceparent', () => {
  test.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    // Only the lowest flag is about sampling.
    [`00-${TRACE}-${SPAN}-03`, true],
    [`00-${TRACE}-${SPAN}-02`, false],
    // Later versions may add parts.
    [`01-${TRACE}-${SPAN}-01`, true],
    [`cc-${TRACE}-${SPAN}-01-what-comes-later`, true],
  ])('is read: %s', (header, is_sampled) => {
    expect(readTraceparent(header)).toEqual({ trace_id: TRACE, span_id: SPAN, is_sampled });
  });

  test.each([
    [null],
    [''],
    [`ff-${TRACE}-${SPAN}-01`],
    [`00-${TRACE}-${SPAN}-01-more`],
    [`00-${TRACE}-${SPAN}-01-`],
    [`cc-${TRACE}-${SPAN}-01more`],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`],
    [`00-${'0'.repeat(32)}-${SPAN}-01`],
    [`00-${TRACE}-${'0'.repeat(16)}-01`],
    [`00-${TRACE.slice(1)}-${SPAN}-01`],
    [`00-${TRACE}-${SPAN}-1`],
    [`00-${TRACE}-${SPAN}`],
    [` 00-${TRACE}-${SPAN}-01`],
    [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    [`00_${TRACE}_${SPAN}_01`],
  ])('is ignored: %s', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });

  test('is written as it is read', () => {
    const context = { trace_id: newTraceId(), span_id: newSpanId() };
    expect(readTraceparent(writeTraceparent(context))).toEqual({ ...context, is_sampled: true });
    expect(newSpanId()).not.toBe(newSpanId());
  });

  test('never fails, whatever it holds', () => {
    check(100, [fc.string()], (text) => void readTraceparent(text));
  });
});

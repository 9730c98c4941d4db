import type { Test } from '../feeds/compiled-feed.ts';

const pass: Test = () => true;

/**
 * Combines tests: all must pass, in order.
 *
 * Each test has its own call site. The engine can then inline the test of the last page, which it cannot do in a
 * loop.
 */
export function allOf(tests: readonly Test[]): Test {
  if (tests.length <= 1) return tests[0] ?? pass;
  const [a = pass, b = pass, c = pass, d = pass, e = pass, f = pass, ...others] = tests;
  const first: Test = (item) => a(item) && b(item) && c(item) && d(item) && e(item) && f(item);
  if (others.length === 0) return first;
  const rest = allOf(others);
  return (item) => first(item) && rest(item);
}

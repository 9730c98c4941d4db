import type { Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';

type Value = (item: Ordinal) => number;
const NOTHING: Value = () => 0;

/**
 * Makes a scoring function from a formula of up to six signals, which are in the order of the formula's parameters.
 *
 * In explanations, each part is the change of the score when that signal is added after the ones before it. `base` is
 * the value of the formula when all signals are 0.
 * @param lowering signals that can only lower the score; only items near the top are asked for them
 * @example { summary, options, ...blended(['interest_all', 'popular'], (interest, popular) => interest + popular /
 * 10) }
 */
export function blended(
  signals: readonly string[],
  formula: (...values: number[]) => number,
  lowering: readonly string[] = [],
) {
  const bind = (request: RequestContext, without: readonly string[] = []): Value[] =>
    signals.map((name) => (without.includes(name) ? NOTHING : request.signal(name)));
  const score = (request: RequestContext, without?: readonly string[]): Value => {
    const [a = NOTHING, b = NOTHING, c = NOTHING, d = NOTHING, e = NOTHING, f = NOTHING] = bind(
      request,
      without,
    );
    return (item) => formula(a(item), b(item), c(item), d(item), e(item), f(item));
  };
  return {
    signals: () => signals,
    compile: () => (request: RequestContext) => score(request),
    ceiling: lowering.length > 0 ? () => (request: RequestContext) => score(request, lowering) : undefined,
    parts: () => (request: RequestContext) => {
      const bound = bind(request);
      return (item: Ordinal) => {
        const values = bound.map((value) => value(item));
        const taken = values.map(() => 0);
        let score = formula(...taken);
        const parts: Record<string, number> = { base: score };
        for (const [index, name] of signals.entries()) {
          taken[index] = values[index];
          const next = formula(...taken);
          parts[name] = next - score;
          score = next;
        }
        return parts;
      };
    },
  };
}

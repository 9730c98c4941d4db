import { type Static, Type } from '@sinclair/typebox';
import type { Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Makes `options`, `per_item` and `compile` of a candidate source that proposes the items with the highest values of a
 * signal.
 * @param per_item default number of proposals per item of the page, above 0 and up to 100
 * @example { summary, proposes_for: 'interest_all', ...bestOf('interest_all', 1.5) }
 */
export function bestOf(signal: string, per_item: number) {
  const options = Type.Object(
    {
      per_item: Type.Number({
        exclusiveMinimum: 0,
        maximum: 100,
        default: per_item,
        description: 'a number above 0, up to 100',
      }),
    },
    { additionalProperties: false },
  );
  return {
    options,
    per_item: ({ per_item }: Static<typeof options>): number => per_item,
    compile:
      () =>
      (request: RequestContext, wanted: number): Iterable<Ordinal> =>
        request.best(signal, wanted),
  };
}

import { type Static, Type } from '@sinclair/typebox';
import type { Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Makes `options` and `compile` of a candidate source that proposes the items with the highest values of a signal.
 *
 * Under load the number is reduced, but not below one page. If `per_item` is less than 1, it is never reduced.
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
    compile:
      ({ per_item }: Static<typeof options>) =>
      (request: RequestContext): Iterable<Ordinal> => {
        const kept = Math.max(Math.min(1, per_item), request.effort * per_item);
        return request.best(signal, Math.ceil(kept * request.page_length));
      },
  };
}

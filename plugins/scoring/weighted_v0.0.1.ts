import { defineScoringFunction, Type } from 'feedloom/plugin';

const DEFAULT_WEIGHTS: Record<string, number> = { interest_all: 1, affinity_all: 0.5, momentum: 0.5 };

/**
 * A sum of signals with weights of the operator's choice, so that a feed is blended without code:
 * `{"weights": {"interest_all": 1, "trending": 0.5}}`.
 */
export default defineScoringFunction({
  summary: 'A weighted sum of signals that the options name.',
  options: Type.Object(
    {
      // No default of the schema's: it would be added to what is given.
      weights: Type.Optional(
        Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1e6 }), {
          minProperties: 1,
          maxProperties: 32,
          description: `weights of signals, which are from 0 to 1; default ${JSON.stringify(DEFAULT_WEIGHTS)}`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  signals: ({ weights = DEFAULT_WEIGHTS }) =>
    // By name where weights are the same: members of JSON have no order.
    Object.keys(weights).sort((one, other) => weights[other] - weights[one] || (one < other ? -1 : 1)),
  compile:
    ({ weights = DEFAULT_WEIGHTS }) =>
    (request) => {
      const terms = Object.entries(weights).map(([name, weight]) => ({
        weight,
        value: request.signal(name),
      }));
      return (item) => {
        let score = 0;
        for (const { weight, value } of terms) score += weight * value(item);
        return score;
      };
    },
  parts:
    ({ weights = DEFAULT_WEIGHTS }) =>
    (request) => {
      const terms = Object.entries(weights).map(([name, weight]) => ({
        name,
        weight,
        value: request.signal(name),
      }));
      return (item) =>
        Object.fromEntries(terms.map(({ name, weight, value }) => [name, weight * value(item)]));
    },
});

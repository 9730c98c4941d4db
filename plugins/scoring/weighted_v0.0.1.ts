import { defineScoringFunction, Type } from 'feedloom/plugin';

/**
 * A weighted sum of signals. Operators set the weights, so a new blend needs no code.
 *
 * Example: `{"weights": {"interest_all": 1, "trending": 0.5}}`.
 */
export default defineScoringFunction({
  summary: 'A weighted sum of signals that the options name.',
  candidate_limit: 500,
  options: Type.Object(
    {
      weights: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1e6 }), {
        minProperties: 1,
        maxProperties: 32,
        default: { interest_all: 1, affinity_all: 0.5, momentum: 0.5 },
        description: 'weights by signal, such as {"interest_all": 1}; name at least one signal',
      }),
    },
    { additionalProperties: false },
  ),
  signals: ({ weights }) =>
    // Equal weights are ordered by name, since members of JSON objects have no order.
    Object.keys(weights).sort((one, other) => weights[other] - weights[one] || (one < other ? -1 : 1)),
  compile:
    ({ weights }) =>
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
    ({ weights }) =>
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

import { defineFilter, InvalidOptions, type Ordinal, type RequestContext, Type } from 'feedloom/plugin';

const count = Type.Optional(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'an integer of at least 0' }),
);

const COLUMNS = ['likes_count', 'comments_count', 'shares_count'] as const;

/** Keeps items whose likes, comments and shares lie within inclusive bounds. Spec 1.1 (engagement). */
export default defineFilter({
  summary: 'Only content whose likes, comments and shares lie within bounds.',
  depends_on: 'item',
  kind: 'inclusion',
  options: Type.Object(
    {
      min_likes_count: count,
      max_likes_count: count,
      min_comments_count: count,
      max_comments_count: count,
      min_shares_count: count,
      max_shares_count: count,
    },
    {
      additionalProperties: false,
      description: 'an object of min_ and max_ bounds of likes_count, comments_count and shares_count',
      examples: [{ min_likes_count: 10 }],
    },
  ),
  compile(options) {
    const all = COLUMNS.map((column) => ({
      column,
      least: options[`min_${column}`] ?? 0,
      most: options[`max_${column}`] ?? Number.POSITIVE_INFINITY,
    }));
    const faults = all
      .filter(({ least, most }) => least > most)
      .map(({ column }) => ({ path: `/min_${column}`, message: `must not be above max_${column}` }));
    if (faults.length > 0) throw new InvalidOptions(faults);
    const bounds = all.filter(({ least, most }) => least > 0 || most < Number.POSITIVE_INFINITY);
    return (request: RequestContext) => (item: Ordinal) =>
      bounds.every(({ column, least, most }) => {
        const value = request.item[column](item);
        return value >= least && value <= most;
      });
  },
});

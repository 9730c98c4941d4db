import { defineFilter, isRelativeMoment, MOMENT_FORMS, parseMoment, Type } from 'feedloom/plugin';

/**
 * Keeps items created at or after a moment. Spec 1.1 (time period), 2.3.
 *
 * Relative forms are evaluated at each request.
 */
export default defineFilter({
  summary: 'Only content created since a moment, for example days_ago:7.',
  kind: 'inclusion',
  options: Type.Union([Type.String(), Type.Number()], {
    description: MOMENT_FORMS,
    examples: ['days_ago:7'],
  }),
  postings(options) {
    const since = parseMoment(options);
    return (request) => ({ created_since: since(request) });
  },
  depends_on: (options) => (isRelativeMoment(options) ? 'time' : 'content'),
  compile(options) {
    const since = parseMoment(options);
    return (request) => {
      const start = since(request);
      return (item) => request.item.created_at(item) >= start;
    };
  },
});

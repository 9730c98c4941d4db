import { defineFilter, isRelativeMoment, MOMENT_FORMS, parseMoment, Type } from 'feedloom/plugin';

/** Keeps items created at or before a moment. Accepts the forms of `start_timestamp`. Spec 1.1 (time period). */
export default defineFilter({
  summary: 'Only content created until a moment, for example hours_ago:1.',
  kind: 'inclusion',
  options: Type.Union([Type.String(), Type.Number()], {
    description: MOMENT_FORMS,
    examples: ['hours_ago:1'],
  }),
  postings(options) {
    const until = parseMoment(options);
    return (request) => ({ created_until: until(request) });
  },
  depends_on: (options) => (isRelativeMoment(options) ? 'time' : 'content'),
  compile(options) {
    const until = parseMoment(options);
    return (request) => {
      const end = until(request);
      return (item) => request.item.created_at(item) <= end;
    };
  },
});

import { defineFilter, InvalidOptions, MOMENT_FORMS, parseMoment, Type } from 'feedloom/plugin';

/**
 * Only items created at or after a moment. Relative forms move with the clock at every request.
 * Spec 1.1 (time period), 2.3.
 */
export default defineFilter({
  summary: 'Only content created since a moment, for example days_ago:7.',
  kind: 'inclusion',
  options: Type.Union([Type.String(), Type.Number()], {
    description: MOMENT_FORMS,
    examples: ['days_ago:7'],
  }),
  postings(options) {
    const since = sinceOf(options);
    return (request) => ({ created_since: since(request.now) });
  },
  compile(options) {
    const since = sinceOf(options);
    return (request) => {
      const start = since(request.now);
      return (item) => request.created_at(item) >= start;
    };
  },
});

function sinceOf(options: string | number): (now: number) => number {
  const since = parseMoment(options);
  if (typeof since === 'string') throw new InvalidOptions(since);
  return since;
}

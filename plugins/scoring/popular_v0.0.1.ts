import { defineScoringFunction, Type } from 'feedloom/plugin';

/** The default of popular feeds: all-time engagement, the signal `popular` and nothing else. Spec 1. */
export default defineScoringFunction({
  summary: 'Content with the most engagement of all time (the default of popular feeds).',
  feeds: ['popular'],
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => request.signal('popular'),
  parts: () => (request) => {
    const popular = request.signal('popular');
    return (item) => ({ popular: popular(item) });
  },
});

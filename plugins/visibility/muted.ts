import { defineVisibilityRule, Type } from 'feedloom/plugin';

/** Drops items that the viewer mutes by their preferences. */
export default defineVisibilityRule({
  summary: 'Drops items of authors, channels and labels that the viewer mutes.',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => !request.viewer.is_muted(item),
});

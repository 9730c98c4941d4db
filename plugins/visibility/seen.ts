import { defineVisibilityRule, Type } from 'feedloom/plugin';

/** Drops items that the viewer viewed or received on an earlier page (`impression_count`). Spec 1.3. */
export default defineVisibilityRule({
  summary: 'Drops items that the viewer has seen.',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => !request.viewer.has_seen(item),
});

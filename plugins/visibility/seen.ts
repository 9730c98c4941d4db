import { defineVisibilityRule, Type } from 'feedloom/plugin';

/** Items the viewer was shown (`impression_count`) or viewed are not shown again. Spec 1.3. */
export default defineVisibilityRule({
  summary: 'Drops items that the viewer has seen.',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => !request.has_seen(item),
});

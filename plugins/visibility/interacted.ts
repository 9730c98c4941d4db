import { defineVisibilityRule, Type } from 'feedloom/plugin';

/** Drops items that the viewer liked, commented, shared or bookmarked, unless requested. Spec 1.3. */
export default defineVisibilityRule({
  summary: 'Drops items that the viewer interacted with.',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => !request.viewer.has_interacted(item),
});

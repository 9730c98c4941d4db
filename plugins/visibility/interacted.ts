import { defineVisibilityRule, Type } from 'feedloom/plugin';

/** Items the viewer liked, commented, shared or bookmarked are not shown, unless asked for. Spec 1.3. */
export default defineVisibilityRule({
  summary: 'Drops items that the viewer interacted with.',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => !request.has_interacted(item),
});

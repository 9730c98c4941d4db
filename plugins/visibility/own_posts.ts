import { defineVisibilityRule, NONE, Type } from 'feedloom/plugin';

/** Drops the viewer's own items. Spec 1.3. */
export default defineVisibilityRule({
  summary: "Drops the viewer's own items.",
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) =>
    request.viewer.user === NONE || request.item.author(item) !== request.viewer.user,
});

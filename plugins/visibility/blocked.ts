import { defineVisibilityRule, Type } from 'feedloom/plugin';

/** Drops items across a block, in both directions. */
export default defineVisibilityRule({
  summary: 'Drops items of authors that the viewer blocks or that block the viewer.',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => !request.viewer.is_blocked(request.item.author(item)),
});

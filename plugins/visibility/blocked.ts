import { defineVisibilityRule, Type } from 'feedloom/plugin';

/** Blocks work both ways: neither side's items reach the other. */
export default defineVisibilityRule({
  summary: 'Drops items of authors whom the viewer blocks or who block the viewer.',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => !request.is_blocked(request.author(item)),
});

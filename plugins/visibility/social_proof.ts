import { defineVisibilityRule, Type } from 'feedloom/plugin';

/** Keeps items that users followed by the viewer liked, commented or shared. Spec 1.3. */
export default defineVisibilityRule({
  summary: 'Keeps only items that followed users liked, commented or shared.',
  options: Type.Object({}, { additionalProperties: false }),
  allows: () => (request) => {
    const items: number[] = [];
    request.viewer.reach('social_proof', {}).forEach((item) => {
      items.push(item);
    });
    return items;
  },
  compile: () => (request) => {
    const proven = request.viewer.reach('social_proof', {});
    return (item) => proven.weight(item) > 0;
  },
});

import { anyLabelAbove, defineFilter, LabelEntries } from 'feedloom/plugin';

/** Drops items whose score for any of the labels is above its threshold. Spec 1.1 (AI labels), 2.3. */
export default defineFilter({
  summary: 'Drops content tagged with the given labels.',
  depends_on: () => 'content',
  kind: 'exclusion',
  options: LabelEntries,
  compile: (entries) => (request) => {
    const tagged = anyLabelAbove(entries)(request);
    return (item) => !tagged(item);
  },
});

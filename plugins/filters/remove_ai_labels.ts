import { anyLabelAbove, defineFilter, LabelEntries, labelNames, valuesNamed } from 'feedloom/plugin';

/** Drops items whose score for any of the labels is above its threshold. Spec 1.1 (AI labels), 2.3. */
export default defineFilter({
  summary: 'Drops content tagged with the given labels.',
  depends_on: () => 'content',
  kind: 'exclusion',
  options: LabelEntries,
  named_values: (entries) => valuesNamed('label', labelNames(entries)),
  compile: (entries) => (request) => {
    const tagged = anyLabelAbove(entries)(request);
    return (item) => !tagged(item);
  },
});

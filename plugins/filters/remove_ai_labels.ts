import { anyLabelAbove, defineFilter, LabelEntries, labelNames, valuesNamed } from 'feedloom/plugin';

/** Drops items with a score above the threshold for at least one of the labels. Spec 1.1 (AI labels), 2.3. */
export default defineFilter({
  summary: 'Drops content tagged with the given labels.',
  depends_on: 'content',
  kind: 'exclusion',
  options: LabelEntries,
  named_values: (entries) => valuesNamed('label', labelNames(entries)),
  compile: (entries) => (request) => {
    const tagged = anyLabelAbove(entries)(request);
    return (item) => !tagged(item);
  },
});

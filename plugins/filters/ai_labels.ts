import {
  anyLabelAbove,
  defineFilter,
  LabelEntries,
  labelNames,
  postingsOf,
  valuesNamed,
} from 'feedloom/plugin';

/** Keeps items with a score above the threshold for at least one of the labels. Spec 1.1 (AI labels), 2.3. */
export default defineFilter({
  summary: 'Only content tagged with the given labels.',
  depends_on: 'content',
  kind: 'inclusion',
  options: LabelEntries,
  compile: (entries) => (entries.length === 0 ? () => () => true : anyLabelAbove(entries)),
  postings: (entries) => postingsOf('label', labelNames(entries)),
  named_values: (entries) => valuesNamed('label', labelNames(entries)),
});

import {
  anyLabelAbove,
  defineFilter,
  LabelEntries,
  labelNames,
  postingsOf,
  valuesNamed,
} from 'feedloom/plugin';

/** Only items whose score for any of the labels is above its threshold. Spec 1.1 (AI labels), 2.3. */
export default defineFilter({
  summary: 'Only content tagged with the given labels.',
  depends_on: () => 'content',
  kind: 'inclusion',
  options: LabelEntries,
  compile: (entries) => (entries.length === 0 ? () => () => true : anyLabelAbove(entries)),
  postings: (entries) => postingsOf('label', labelNames(entries)),
  named_values: (entries) => valuesNamed('label', labelNames(entries)),
});

import { defineFilter, OtherLabels } from 'feedloom/plugin';

/** Drops items that have one of the labels of others, or whose author has it. */
export default defineFilter({
  summary: 'Drops content that a labeler gave one of the given labels, or whose author has it.',
  depends_on: 'time',
  kind: 'exclusion',
  options: OtherLabels,
  compile: (labels) => (request) => {
    const labelled = request.item.labelled(labels, request.now);
    return (item) => !labelled(item);
  },
});

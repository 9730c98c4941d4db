import { defineFilter, OtherLabels } from 'feedloom/plugin';

/** Keeps items that have one of the labels of others, or whose author has it. */
export default defineFilter({
  summary: 'Only content that a labeler gave one of the given labels, or whose author has it.',
  depends_on: 'time',
  kind: 'inclusion',
  options: OtherLabels,
  compile: (labels) => (request) =>
    labels.length === 0 ? () => true : request.item.labelled(labels, request.now),
  postings: (labels) =>
    labels.length === 0
      ? undefined
      : (request) => {
          const items = request.item.labelled_items(labels);
          return items && { items };
        },
});

import { type Static, Type } from '@sinclair/typebox';
import { listOf } from './list-of.ts';
import { NONE, type Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';

const LABEL_FORM = 'a label of 1 to 64 characters';
const Label = Type.String({ minLength: 1, maxLength: 64, description: LABEL_FORM });

/** Every item is asked for its score of every label. */
const LABELS_MAX = 1_000;

/** Options of filters over AI labels: names, or names with a threshold of their own. */
export const LabelEntries = listOf(
  Type.Union(
    [
      Label,
      Type.Object(
        {
          label: Label,
          threshold: Type.Optional(
            Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' }),
          ),
        },
        { additionalProperties: false },
      ),
    ],
    { description: `${LABEL_FORM}, or {"label":"…","threshold":0..1} with such a label` },
  ),
  'labels, each "label" or {"label":"…","threshold":0..1}',
  ['music', { label: 'gaming', threshold: 0.8 }],
  LABELS_MAX,
);

/**
 * Whether an item's score for any of the labels is strictly above its threshold, compared exactly; without
 * a threshold the service's default applies.
 */
export function anyLabelAbove(
  entries: Static<typeof LabelEntries>,
): (request: RequestContext) => (item: Ordinal) => boolean {
  const labels = entries.map((entry) =>
    typeof entry === 'string' ? { label: entry, threshold: undefined } : entry,
  );
  return (request) => {
    const wanted = labels
      .map(({ label, threshold = request.defaults.ai_label_threshold }) => ({
        code: request.code('label', label),
        threshold,
      }))
      .filter(({ code }) => code !== NONE);
    return (item) => wanted.some(({ code, threshold }) => request.label_score(item, code) > threshold);
  };
}

/** The names of the labels. */
export function labelNames(entries: Static<typeof LabelEntries>): string[] {
  return entries.map((entry) => (typeof entry === 'string' ? entry : entry.label));
}

import { type Static, Type } from '@sinclair/typebox';
import { listOf } from './list-of.ts';
import { NONE, type Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';

const LABEL_FORM = 'a label of 1 to 64 characters';
const Label = Type.String({ minLength: 1, maxLength: 64, description: LABEL_FORM });

/** Labels have up to 64 characters, so this list can be about as large as other lists of maximum length. */
const LABELS_MAX = 1_000;

/** Options of filters on AI labels: names, or names with individual thresholds. */
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
 * Makes a test for items with a score strictly above the threshold for at least one of the labels.
 *
 * The comparison is exact. Without an individual threshold the service's default applies.
 */
export function anyLabelAbove(
  entries: Static<typeof LabelEntries>,
): (request: RequestContext) => (item: Ordinal) => boolean {
  const labels = entries.map((entry) =>
    typeof entry === 'string' ? { label: entry, threshold: undefined } : entry,
  );
  return (request) => {
    const least = new Map<number, number>();
    for (const { label, threshold = request.defaults.ai_label_threshold } of labels) {
      const code = request.item.code('label', label);
      if (code !== NONE) least.set(code, Math.min(threshold, least.get(code) ?? threshold));
    }
    const isAbove = (code: number, score: number): boolean => {
      const threshold = least.get(code);
      return threshold !== undefined && score > threshold;
    };
    return (item) => request.item.has('label', item, isAbove);
  };
}

/** The names of the labels in the options of a filter. */
export function labelNames(entries: Static<typeof LabelEntries>): string[] {
  return entries.map((entry) => (typeof entry === 'string' ? entry : entry.label));
}

import { percent } from '../../ui/texts.ts';
import { type Comparison, liftText, METRICS } from './experiment.ts';

/** The result of a comparison: `open` is not decided, `little` is not enough data for any test. */
type Verdict = 'better' | 'worse' | 'open' | 'little';

export const VERDICTS: Readonly<Record<Verdict, { text: string; next: string }>> = {
  better: { text: 'Better', next: 'If no guardrail got worse, give its feed to everybody.' },
  worse: { text: 'Worse', next: 'Stop it, or find out why before you go on.' },
  open: {
    text: 'Not decided',
    next: 'Go on, or stop and keep the feed as it is. This does not show that the variants are equal.',
  },
  little: {
    text: 'Too little data',
    next: 'A comparison needs 100 viewers in each variant, and about 25 of them who do what is counted.',
  },
};

export function verdictOf({ metric, lift, ci_low, decided }: Comparison): Verdict {
  if (lift === null || ci_low === null) return 'little';
  if (!decided) return 'open';
  const is_less = lift < 0;
  return is_less === (METRICS[metric].is_harm === true) ? 'better' : 'worse';
}

/** `12.3% more likes per viewer than control`. */
function differenceText({ metric, lift }: Comparison, control: string): string {
  const noun = METRICS[metric].title.toLowerCase();
  if (lift === null || lift === 0) return `as many ${noun} as ${control}`;
  const amount = liftText(Math.abs(lift)).replace('+', '');
  return `${amount} ${lift < 0 ? 'fewer' : 'more'} ${noun} than ${control}`;
}

/** The result of a comparison of interleaved variants as a sentence: `newer first gets 62% of likes, and control 38%.` */
export function creditConclusionOf(comparison: Comparison, control: string): string {
  const { variant, metric, lift, ci_low, ci_high } = comparison;
  const verdict = verdictOf(comparison);
  if (lift === null || verdict === 'little') return `${variant} and ${control} cannot be compared yet.`;
  const shareOf = (end: number | null): string => percent((1 + (end ?? 0)) / 2);
  const acts = METRICS[metric].title.replace(' per viewer', '').toLowerCase();
  const has = `${variant} gets ${shareOf(lift)} of ${acts} on posts of either team, and ${control} ${shareOf(-lift)}`;
  const range = `${shareOf(ci_low)} and ${shareOf(ci_high)}`;
  if (verdict === 'open') return `${has} so far. Its true share may be anywhere between ${range}.`;
  return `${has}. Its true share is likely between ${range}; chance alone hardly explains it.`;
}

/** The result of a comparison as a sentence. */
export function conclusionOf(comparison: Comparison, control: string): string {
  const { variant, ci_low, ci_high } = comparison;
  const range = `${liftText(ci_low)} and ${liftText(ci_high)}`;
  const has = `${variant} has ${differenceText(comparison, control)}`;
  const verdict = verdictOf(comparison);
  if (verdict === 'little') return `${variant} and ${control} cannot be compared yet.`;
  if (verdict === 'open') return `${has} so far. The true difference may be anywhere between ${range}.`;
  return `${has}. The true difference is likely between ${range}; chance alone hardly explains it.`;
}

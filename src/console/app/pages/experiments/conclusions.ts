import { type Comparison, liftText, metricText } from './experiment.ts';

/** What a comparison says: `open` is not decided, `little` is not enough data for any test. */
export type Verdict = 'better' | 'worse' | 'open' | 'little';

export const VERDICTS: Readonly<Record<Verdict, string>> = {
  better: 'Better',
  worse: 'Worse',
  open: 'Not decided',
  little: 'Too little data',
};

export function verdictOf({ metric, lift, ci_low, decided }: Comparison): Verdict {
  if (lift === null || ci_low === null) return 'little';
  if (!decided) return 'open';
  const is_less = lift < 0;
  return is_less === (metricText(metric).is_harm === true) ? 'better' : 'worse';
}

/** `12.3% more likes per viewer than control`. */
function differenceText({ metric, lift }: Comparison, control: string): string {
  const { noun } = metricText(metric);
  if (lift === null || lift === 0) return `as many ${noun} as ${control}`;
  const amount = liftText(Math.abs(lift)).replace('+', '');
  return `${amount} ${lift < 0 ? 'fewer' : 'more'} ${noun} than ${control}`;
}

/** What a comparison says, and what to do about it. */
export function conclusionOf(comparison: Comparison, control: string): { says: string; next: string } {
  const { variant, ci_low, ci_high } = comparison;
  const range = `${liftText(ci_low)} and ${liftText(ci_high)}`;
  const has = `${variant} has ${differenceText(comparison, control)}`;
  switch (verdictOf(comparison)) {
    case 'better':
      return {
        says: `${has}. The true difference is likely between ${range}; chance alone hardly explains it.`,
        next: 'If no guardrail got worse, give its feed to everybody.',
      };
    case 'worse':
      return {
        says: `${has}. The true difference is likely between ${range}; chance alone hardly explains it.`,
        next: 'Stop it, or find out why before you go on.',
      };
    case 'open':
      return {
        says: `${has} so far. The true difference may be anywhere between ${range}.`,
        next: 'Go on, or stop and keep the feed as it is. This does not show that the variants are equal.',
      };
    case 'little':
      return {
        says: `${variant} and ${control} cannot be compared yet.`,
        next: 'A comparison needs 100 viewers in each variant, and about 25 of them who do what is counted.',
      };
  }
}

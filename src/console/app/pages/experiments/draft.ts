import { useSignal } from '@preact/signals';
import { LIMITS } from '../../../../limits.ts';
import { goTo } from '../../router.ts';
import { api } from '../../session.ts';
import { useSubmit } from '../../ui/form.tsx';
import { CREDIT_METRICS, type Method, type Metric } from './experiment.ts';

export interface DraftVariant {
  /** Tells rows apart. */
  row: number;
  name: string;
  /** Undefined: the feed itself. */
  feed_id?: string;
  percent?: number;
}

interface Draft {
  name: string;
  feed_id: string;
  method: Method;
  metric: Metric;
  attribution_hours?: number;
  variants: readonly DraftVariant[];
}

/** No feed is chosen yet. */
export const NO_FEED = '';

const NEW: Draft = {
  name: '',
  feed_id: NO_FEED,
  method: 'split',
  metric: 'interactions',
  attribution_hours: LIMITS.attribution_hours_default,
  variants: [
    { row: 0, name: 'control', percent: 50 },
    { row: 1, name: 'treatment', percent: 50 },
  ],
};

export type DraftForm = ReturnType<typeof useDraft>;

/** What is typed for a new experiment, and its creation. @param first_feed_id the feed that is chosen at first, or `NO_FEED` */
export function useDraft(first_feed_id: string) {
  const draft = useSignal<Draft>({ ...NEW, feed_id: first_feed_id });
  const change = (changes: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...changes };
  };
  const changeVariants = (made: (variants: readonly DraftVariant[]) => readonly DraftVariant[]): void =>
    change({ variants: made(draft.value.variants) });
  const { submit, ...sending } = useSubmit(async () => {
    const { data } = await api().call('POST', '/api/experiments', { body: bodyOf(draft.value) });
    goTo(['experiments', data.experiment_id]);
  });
  return {
    ...{ draft: draft.value, create: submit, change, ...sending },
    /** Two variants can be interleaved, and compared by acts alone. */
    chooseMethod: (method: Method): void => {
      const { variants, metric } = draft.value;
      const interleaved = { variants: variants.slice(0, 2), metric: creditMetric(metric) };
      change({ method, ...(method === 'interleaving' ? interleaved : {}) });
    },
    /** The variants' feeds may be of another type, so they are chosen again. */
    chooseFeed: (feed_id: string): void =>
      change({ feed_id, variants: draft.value.variants.map((one) => ({ ...one, feed_id: undefined })) }),
    changeVariant: (row: number, changes: Partial<DraftVariant>): void =>
      changeVariants((all) => all.map((one) => (one.row === row ? { ...one, ...changes } : one))),
    addVariant: (): void =>
      changeVariants((all) => {
        const row = Math.max(...all.map((one) => one.row)) + 1;
        return [...all, { row, name: `treatment ${row}`, percent: 0 }];
      }),
    removeVariant: (row: number): void => changeVariants((all) => all.filter((one) => one.row !== row)),
  };
}

function creditMetric(metric: Metric): Metric {
  return CREDIT_METRICS.includes(metric) ? metric : NEW.metric;
}

/** Interleaved variants have all viewers; fewer by a change of the percents. */
function bodyOf({ name, feed_id, method, variants, ...rest }: Draft) {
  return {
    ...{ ...rest, name: name.trim(), feed_id, method },
    variants: variants.map((one) => ({
      name: one.name.trim(),
      feed_id: one.feed_id ?? feed_id,
      ...(method === 'split' ? { percent: one.percent ?? 0 } : {}),
    })),
  };
}

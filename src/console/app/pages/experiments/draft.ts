import { useSignal } from '@preact/signals';
import { goTo } from '../../router.ts';
import { api } from '../../session.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { METRIC_NAMES, type Metric } from './experiment.ts';

export interface DraftVariant {
  /** Tells rows apart. */
  row: number;
  name: string;
  /** Undefined: the feed itself. */
  feed_id?: string;
  percent?: number;
}

export interface Draft {
  name: string;
  feed_id: string;
  metric: Metric;
  attribution_hours?: number;
  variants: readonly DraftVariant[];
}

/** No feed is chosen yet. */
export const NO_FEED = '';

const ATTRIBUTION_HOURS = 24;
const PERCENT = 50;

const NEW: Draft = {
  name: '',
  feed_id: NO_FEED,
  metric: METRIC_NAMES[0],
  attribution_hours: ATTRIBUTION_HOURS,
  variants: [
    { row: 0, name: 'control', percent: PERCENT },
    { row: 1, name: 'treatment', percent: PERCENT },
  ],
};

/** What is typed for a new experiment, and its creation. @param first_feed_id the feed that is chosen at first, or `NO_FEED` */
export function useDraft(first_feed_id: string) {
  const draft = useSignal<Draft>({ ...NEW, feed_id: first_feed_id });
  const change = (changes: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...changes };
  };
  /** The variants' feeds may be of another type, so they are chosen again. */
  const chooseFeed = (feed_id: string): void => {
    change({ feed_id, variants: draft.value.variants.map((one) => ({ ...one, feed_id: undefined })) });
  };
  const changeVariant = (row: number, changes: Partial<DraftVariant>): void => {
    change({ variants: draft.value.variants.map((one) => (one.row === row ? { ...one, ...changes } : one)) });
  };
  const addVariant = (): void => {
    const { variants } = draft.value;
    const row = Math.max(...variants.map((one) => one.row)) + 1;
    change({ variants: [...variants, { row, name: `treatment ${row}`, percent: 0 }] });
  };
  const removeVariant = (row: number): void => {
    change({ variants: draft.value.variants.filter((one) => one.row !== row) });
  };
  const { submit, ...sending } = useSubmit(async () => {
    const { data } = await api().call('POST', '/api/experiments', { body: bodyOf(draft.value) });
    goTo(['experiments', data.experiment_id]);
  });
  return {
    ...{ change, chooseFeed, changeVariant, addVariant, removeVariant, ...sending },
    draft: draft.value,
    create: submit,
  };
}

function bodyOf({ name, feed_id, metric, attribution_hours, variants }: Draft) {
  return {
    ...{ name: name.trim(), feed_id, metric, attribution_hours },
    variants: variants.map((one) => ({
      name: one.name.trim(),
      feed_id: one.feed_id ?? feed_id,
      percent: one.percent ?? 0,
    })),
  };
}

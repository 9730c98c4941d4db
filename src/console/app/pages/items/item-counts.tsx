import { useState } from 'preact/hooks';
import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { nowSeconds } from '../../clock.ts';
import { Chart } from '../../ui/chart.tsx';
import { SelectField } from '../../ui/inputs.tsx';
import { useAnswer } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';

type Counts = AnswerOf<'GET', '/v2/{network}/items/counts'>;
type Bucket = Counts['buckets'][number];

const DAY_SECONDS = 86_400;
/** Items that are older are shown by day at first. */
const HOURLY_SECONDS = 2 * DAY_SECONDS;

const STEPS = [
  { value: '1h', text: 'Per hour, last day' },
  { value: '1d', text: 'Per day, last month' },
] as const;

/** Interactions per hour or day, and what the source has counted. */
export function ItemCounts({ item_id, created_at }: { item_id: string; created_at: number }) {
  const is_new = nowSeconds() - created_at < HOURLY_SECONDS;
  const [every, setEvery] = useState<'1h' | '1d'>(is_new ? '1h' : '1d');
  const counts = useAnswer('/v2/{network}/items/counts', { query: { item_id, every } });
  return (
    <section aria-label="Over time" class="over-time">
      <div class="head">
        <h2>Over time</h2>
        <SelectField label="Counts" hidden_label value={every} options={STEPS} onChange={setEvery} />
      </div>
      <Loaded resource={counts} lines={6}>
        {(data) => <Charts counts={data} />}
      </Loaded>
    </section>
  );
}

const INTERACTIONS: Readonly<Record<string, (bucket: Bucket) => number | null>> = {
  Views: ({ views }) => views,
  Likes: ({ likes }) => likes,
  Comments: ({ comments }) => comments,
  Shares: ({ shares }) => shares,
};

const TOTALS: typeof INTERACTIONS = {
  Likes: ({ source }) => source.likes_count,
  Comments: ({ source }) => source.comments_count,
  Shares: ({ source }) => source.shares_count,
};

function Charts({ counts: { buckets, complete_from, every_seconds } }: { counts: Counts }) {
  const has_days = every_seconds >= DAY_SECONDS;
  const times = buckets.map(({ at }) => at);
  const has_source = buckets.some(({ source }) => Object.values(source).some((count) => count !== null));
  const series = (reads: typeof INTERACTIONS) =>
    Object.entries(reads).map(([name, read]) => ({ name, values: buckets.map(read) }));
  return (
    <>
      <Chart title="Interactions" times={times} series={series(INTERACTIONS)} has_days={has_days} />
      {complete_from > (times.at(0) ?? 0) && (
        <p class="help">The post has very many interactions. The first part of the chart is not complete.</p>
      )}
      {has_source && (
        <Chart title="Totals from the source" times={times} series={series(TOTALS)} has_days={has_days} />
      )}
    </>
  );
}

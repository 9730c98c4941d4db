import { useState } from 'preact/hooks';
import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { nowSeconds } from '../../clock.ts';
import { api } from '../../session.ts';
import { Chart } from '../../ui/chart.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';

type Counts = AnswerOf<'GET', '/v2/{network}/items/counts'>;

/** Items that are older are shown by day at first. */
const HOURLY_SECONDS = 2 * 86_400;

/** Interactions per hour or day, and what the source has counted. */
export function ItemCounts({ item_id, created_at }: { item_id: string; created_at: number }) {
  const is_new = nowSeconds() - created_at < HOURLY_SECONDS;
  const [every, setEvery] = useState<'1h' | '1d'>(is_new ? '1h' : '1d');
  const counts = useResource(
    (signal) => api().call('GET', '/v2/{network}/items/counts', { query: { item_id, every }, signal }),
    [item_id, every],
  );
  return (
    <section aria-label="Over time" class="over-time">
      <div class="head">
        <h2>Over time</h2>
        <Field label="Counts" hidden_label>
          <Select
            value={every}
            options={[
              { value: '1h', text: 'Per hour, last day' },
              { value: '1d', text: 'Per day, last month' },
            ]}
            onChange={setEvery}
          />
        </Field>
      </div>
      <Loaded resource={counts} lines={6}>
        {(data) => <Charts counts={data} />}
      </Loaded>
    </section>
  );
}

function Charts({ counts: { buckets, complete_from } }: { counts: Counts }) {
  const times = buckets.map(({ at }) => at);
  const has_source = buckets.some(({ source }) => Object.values(source).some((count) => count !== null));
  return (
    <>
      <Chart
        title="Interactions"
        times={times}
        series={[
          { name: 'Views', values: buckets.map(({ views }) => views) },
          { name: 'Likes', values: buckets.map(({ likes }) => likes) },
          { name: 'Comments', values: buckets.map(({ comments }) => comments) },
          { name: 'Shares', values: buckets.map(({ shares }) => shares) },
        ]}
      />
      {complete_from > (times.at(0) ?? 0) && (
        <p class="help">The post has very many interactions. The first part of the chart is not complete.</p>
      )}
      {has_source && (
        <Chart
          title="Totals from the source"
          times={times}
          series={[
            { name: 'Likes', values: buckets.map(({ source }) => source.likes_count) },
            { name: 'Comments', values: buckets.map(({ source }) => source.comments_count) },
            { name: 'Shares', values: buckets.map(({ source }) => source.shares_count) },
          ]}
        />
      )}
    </>
  );
}

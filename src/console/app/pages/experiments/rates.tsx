import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import { IntervalChart } from '../../ui/interval-chart.tsx';
import { Table } from '../../ui/table.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { intervalText, metricText, type Results, rateText } from './experiment.ts';

export function Rates({ results, has_comparison }: { results: Results; has_comparison: boolean }) {
  const [metric, setMetric] = useState(results.metric);
  const { title, help } = metricText(metric);
  const rows = results.variants.map(({ name, rates, latency }) => {
    const rate = rates.find((one) => one.metric === metric);
    const { value = null, ci_low = null, ci_high = null } = rate ?? {};
    return { name, value, low: ci_low, high: ci_high, latency };
  });
  const comparisons = results.comparison.filter((one) => one.metric === metric);
  return (
    <section class="card" aria-labelledby="rates">
      <h2 id="rates">Rates</h2>
      <Field label="Metric" help={help}>
        <Select
          value={metric}
          onChange={setMetric}
          options={results.variants[0].rates.map((rate) => ({
            value: rate.metric,
            text: metricText(rate.metric).title,
          }))}
        />
      </Field>
      <IntervalChart title={title} rows={rows} textOf={(value) => rateText(value, metric)} />
      <Table
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Variant', kind: 'name', cell: ({ name }) => name },
          { title, kind: 'number', cell: ({ value }) => rateText(value, metric) },
          {
            title: '95% interval',
            kind: 'number',
            cell: ({ low, high }) => intervalText(low, high, (end) => rateText(end, metric)),
          },
          {
            title: 'Time to build a page',
            kind: 'number',
            is_extra: true,
            cell: ({ latency }) => (latency?.pages ? `${latency.mean_ms.toFixed(1)} ms` : '–'),
          },
        ]}
      />
      <p class="help">Each interval is about one variant. Whether two overlap does not compare them.</p>
      {has_comparison && metric !== results.metric && (
        <>
          <h3>Difference to {results.variants[0].name}</h3>
          <ComparisonTable comparisons={comparisons} />
          <p class="help">This metric was not chosen to decide, so take it as a hint.</p>
        </>
      )}
    </section>
  );
}

import type { ComponentChildren } from 'preact';
import { Icon } from '../../ui/icon.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { countText, type Experiment, percentText, pValueSentence, type Results } from './experiment.ts';

type Row = Results['variants'][number];

const NAME: Column<Row> = { title: 'Variant', kind: 'name', cell: ({ name }) => name };

const COUNTS: readonly Column<Row>[] = [
  { title: 'Viewers', kind: 'number', cell: ({ viewers }) => countText(viewers) },
  { title: 'Pages', kind: 'number', is_extra: true, cell: ({ pages }) => countText(pages) },
  { title: 'Posts shown', kind: 'number', is_extra: true, cell: ({ impressions }) => countText(impressions) },
];

/** Former percents are not known, so this is only for the current period. */
function percentOf({ variants }: Experiment): Column<Row> {
  const percents = new Map(variants.map(({ name, percent }) => [name, percent]));
  return { title: 'Percent', kind: 'number', cell: ({ name }) => percentText(percents.get(name) ?? 0) };
}

/** Whether the variants may be compared at all. It comes before every other result. */
export function SampleRatio(props: {
  experiment: Experiment;
  results: Results;
  children: ComponentChildren;
}) {
  const { experiment, results, children } = props;
  const { p_value, ok } = results.sample_ratio;
  const columns =
    results.period === experiment.period ? [NAME, percentOf(experiment), ...COUNTS] : [NAME, ...COUNTS];
  return (
    <section class={ok ? 'card' : 'card mismatch'} aria-labelledby="ratio">
      <h2 id="ratio">Are the groups comparable?</h2>
      <p class={ok ? 'state good' : 'state warn'} role={ok ? undefined : 'alert'}>
        <Icon name={ok ? 'check' : 'warning'} />
        {ok ? headlineOf(p_value) : 'No. Do not compare these variants.'}
      </p>
      {!ok && (
        <>
          <p>
            The numbers of viewers do not fit the percents, and chance does not explain it (
            {pValueSentence(p_value)}). So some viewers are missing from a variant, or counted twice, and
            those who are left are not alike. Any difference below may come from that.
          </p>
          <p>Look for:</p>
          <ul>
            <li>a variant whose pages are empty or fail, so that nothing is recorded as seen;</li>
            <li>a program that caches pages, or asks some viewers' feed by another id;</li>
            <li>bots that land in one variant.</li>
          </ul>
          <p>
            Mend the cause, then change the percents or start again: a new period begins without these
            viewers.
          </p>
        </>
      )}
      <Table columns={columns} rows={results.variants} keyOf={({ name }) => name} />
      {children}
    </section>
  );
}

function headlineOf(p_value: number | null): string {
  if (p_value === null) return 'Too few viewers to check yet';
  return `Yes. The numbers of viewers fit the percents (${pValueSentence(p_value)}).`;
}

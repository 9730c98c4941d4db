import { VERDICTS, verdictOf } from './conclusions.ts';
import { type Comparison, liftText, metricText, pValueText } from './experiment.ts';

/** Comparisons as text. @param has_metric they are about several metrics */
export function ComparisonTable(props: { comparisons: readonly Comparison[]; has_metric?: boolean }) {
  const { comparisons, has_metric = false } = props;
  return (
    <table class="list">
      <thead>
        <tr>
          {has_metric && <th scope="col">Metric</th>}
          <th scope="col">Variant</th>
          <th scope="col" class="number">
            Difference
          </th>
          <th scope="col" class="number extra">
            Between
          </th>
          <th scope="col" class="number extra">
            p-value
          </th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {comparisons.map((comparison) => {
          const { metric, variant, lift, ci_low, ci_high, p_value_sequential } = comparison;
          const verdict = verdictOf(comparison);
          return (
            <tr key={`${metric} ${variant}`}>
              {has_metric && <th scope="row">{metricText(metric).title}</th>}
              {has_metric ? <td>{variant}</td> : <th scope="row">{variant}</th>}
              <td class="number">{liftText(lift)}</td>
              <td class="number extra">
                {ci_low === null ? '–' : `${liftText(ci_low)} to ${liftText(ci_high)}`}
              </td>
              <td class="number extra">{pValueText(p_value_sequential)}</td>
              <td>
                <span class={`finding ${verdict}`}>{VERDICTS[verdict]}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

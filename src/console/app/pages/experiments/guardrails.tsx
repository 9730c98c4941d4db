import { Icon } from '../../ui/icon.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { verdictOf } from './conclusions.ts';
import { metricText, type Results } from './experiment.ts';

/** Metrics that should not get worse, whatever the experiment is about. */
export function Guardrails({ results }: { results: Results }) {
  const guarded = results.comparison.filter(({ metric }) => results.guardrails.includes(metric));
  const worse = guarded.filter((comparison) => verdictOf(comparison) === 'worse');
  const names = worse.map(({ metric, variant }) => `${metricText(metric).title.toLowerCase()} (${variant})`);
  return (
    <section class="card" aria-labelledby="guardrails">
      <h2 id="guardrails">Guardrails</h2>
      {worse.length > 0 ? (
        <p class="state warn">
          <Icon name="warning" /> Got worse: {names.join(', ')}
        </p>
      ) : (
        <p>No guardrail is known to be worse. Rare acts need many viewers, so small harm may not show yet.</p>
      )}
      <ComparisonTable comparisons={guarded} has_metric />
    </section>
  );
}

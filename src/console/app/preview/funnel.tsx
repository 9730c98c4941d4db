import type { Plugin, Trace } from '../../../../openapi/client/src/index.ts';
import { STAGES, type Stage, type Summaries, useSummaries } from './words.ts';

type Step = Trace['stages'][number];

/** Some names stand for several plugins. In each stage, one kind is meant. */
const KINDS: Readonly<Record<Stage, Plugin['kind']>> = {
  candidates: 'candidate_sources',
  ranking: 'scoring_functions',
  visibility: 'visibility_rules',
  mixing: 'promotion_strategies',
};

const MICROSECONDS_PER_MS = 1_000;

/** How many posts each stage of a page let through, and how long it took. */
export function Funnel({ trace }: { trace: Trace }) {
  const summaries = useSummaries();
  const { stages, config_revision } = trace;
  const feeds = [...new Set(stages.map(({ source_feed }) => source_feed))];
  const total = stages.reduce((sum, { microseconds }) => sum + microseconds, 0);
  return (
    <div class="funnel">
      {config_revision !== null && <p>Revision {config_revision} of the feed.</p>}
      {feeds.map((feed) => (
        <Steps
          key={feed}
          caption={feed}
          steps={stages.filter(({ source_feed }) => source_feed === feed)}
          summaries={summaries}
        />
      ))}
      <p class="help">All steps took {milliseconds(total)} ms together.</p>
    </div>
  );
}

function Steps(props: { caption: string; steps: readonly Step[]; summaries: Summaries }) {
  const { caption, steps, summaries } = props;
  return (
    <table class="list steps">
      <caption>
        <code>{caption}</code>
      </caption>
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">Step</th>
          <th scope="col">In</th>
          <th scope="col">Out</th>
          <th scope="col">ms</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, index) => (
          <tr key={`${step.stage} ${step.plugin}`} class={step.out < step.in ? 'drops' : undefined}>
            <td>{steps[index - 1]?.stage === step.stage ? '' : STAGES[step.stage].title}</td>
            <td>
              <code>{step.plugin}</code> <small>{summaries(step.plugin, KINDS[step.stage])}</small>
            </td>
            <td>{step.in.toLocaleString('en')}</td>
            <td>{step.out.toLocaleString('en')}</td>
            <td>{milliseconds(step.microseconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function milliseconds(microseconds: number): string {
  return (microseconds / MICROSECONDS_PER_MS).toFixed(1);
}

/** The step that dropped the most posts, for a page on which nothing is left. */
export function narrowest({ stages }: Trace): Step | undefined {
  const dropped = ({ in: given, out }: Step): number => given - out;
  const [most] = stages.toSorted((one, other) => dropped(other) - dropped(one));
  return most !== undefined && dropped(most) > 0 ? most : undefined;
}

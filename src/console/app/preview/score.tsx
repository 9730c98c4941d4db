import type { ItemExplanation } from '../../../../openapi/client/src/index.ts';
import { shortNumber, sum } from '../ui/texts.ts';
import type { Summaries } from './words.ts';

const PERCENT = 100;

const FACTORS: Record<string, string> = {
  time_decay: 'The feed lowers scores with age.',
  repeat_author_decay: 'The viewer was shown items of this author in the last 24 hours.',
  more: 'The viewer wants more of this.',
  less: 'The viewer wants less of this.',
};

/** How a score came about: its parts, the signals behind them, and who proposed the item. */
export function Score(props: { explain: ItemExplanation; summaries: Summaries }) {
  const { explain, summaries } = props;
  const { score_parts, signals, factors, sources } = explain;
  const changing = Object.entries(factors).filter(([, factor]) => factor !== 1);
  const parts = Object.entries(score_parts).toSorted(([, one], [, other]) => other - one);
  return (
    <>
      <h3>Parts of the score</h3>
      {'intercept' in score_parts && <LearntScore logit={sum(Object.values(score_parts))} />}
      <Numbers
        caption="Parts of the score"
        entries={parts}
        none="This scoring function does not name parts."
        summaries={summaries}
      />
      {changing.length > 0 && (
        <>
          <h3>Then multiplied by</h3>
          <Numbers caption="Factors" entries={changing} none="" summaries={(name) => FACTORS[name] ?? ''} />
        </>
      )}
      <h3>Signals, from 0 to 1</h3>
      <Numbers
        caption="Signals"
        entries={Object.entries(signals)}
        none="The scoring function read none."
        summaries={summaries}
      />
      <h3>Who proposed it</h3>
      {sources.length === 0 && <p class="help">No source proposed it.</p>}
      <ul class="sources">
        {sources.map((name) => (
          <li key={name}>
            <code>{name}</code> <small>{summaries(name, 'signals')}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the parts of a learnt score are. */
function LearntScore({ logit }: { logit: number }) {
  return (
    <p class="help">
      This score is <a href="docs/ranking-learning">learnt</a>: it is the chance that the viewer acts on the
      post. Each part is what a signal adds by its weight. Together they are {shortNumber(logit)}, the
      logarithm of the odds. A part above 0 raises the chance, one below 0 lowers it.
    </p>
  );
}

function Numbers(props: {
  caption: string;
  entries: readonly (readonly [name: string, value: number])[];
  none: string;
  summaries: Summaries;
}) {
  const { caption, entries, none, summaries } = props;
  if (entries.length === 0) return <p class="help">{none}</p>;
  const largest = Math.max(...entries.map(([, value]) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <table class="numbers">
      <caption class="for-readers">{caption}</caption>
      <tbody>
        {entries.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              <small>{summaries(name, 'signals')}</small>
            </th>
            <td>{shortNumber(value)}</td>
            <td aria-hidden="true">
              <div
                class={value < 0 ? 'bar minus' : 'bar'}
                style={{ width: `${(Math.abs(value) / largest) * PERCENT}%` }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import type { Trace } from '../../../../openapi/client/src/index.ts';
import { type Column, Table } from '../ui/table.tsx';
import { whole } from '../ui/texts.ts';
import { STAGES, type Summaries, useSummaries } from './words.ts';

type Step = Trace['stages'][number];

const MICROSECONDS_PER_MS = 1_000;

/** How many posts each stage of a page let through, and how long it took. */
export function Funnel({ trace }: { trace: Trace }) {
  const summaries = useSummaries();
  const { stages, config_revision } = trace;
  const by_feed = [...Map.groupBy(stages, ({ source_feed }) => source_feed)];
  const total = stages.reduce((sum, { microseconds }) => sum + microseconds, 0);
  return (
    <div class="funnel">
      {config_revision !== null && <p>Revision {config_revision} of the feed.</p>}
      {by_feed.map(([feed, steps]) => (
        <Table
          key={feed}
          kind="steps"
          caption={<code>{feed}</code>}
          columns={columnsOf(steps, summaries)}
          rows={steps}
          rowKind={(step) => (dropped(step) > 0 ? 'drops' : undefined)}
        />
      ))}
      <p class="help">All steps took {milliseconds(total)} ms together.</p>
    </div>
  );
}

function columnsOf(steps: readonly Step[], summaries: Summaries): readonly Column<Step>[] {
  return [
    {
      title: 'Stage',
      // Named once, at its first step.
      cell: ({ stage }, index) => (steps[index - 1]?.stage === stage ? '' : STAGES[stage].title),
    },
    {
      title: 'Step',
      cell: ({ plugin, stage }) => (
        <>
          <code>{plugin}</code> <small>{summaries(plugin, STAGES[stage].kind)}</small>
        </>
      ),
    },
    { title: 'In', kind: 'number', cell: (step) => whole(step.in) },
    { title: 'Out', kind: 'number', cell: (step) => whole(step.out) },
    { title: 'ms', kind: 'number', cell: ({ microseconds }) => milliseconds(microseconds) },
  ];
}

function milliseconds(microseconds: number): string {
  return (microseconds / MICROSECONDS_PER_MS).toFixed(1);
}

function dropped({ in: given, out }: Step): number {
  return given - out;
}

/** The step that dropped the most posts, for a page on which nothing is left. */
export function narrowest({ stages }: Trace): Step | undefined {
  const [most] = stages.toSorted((one, other) => dropped(other) - dropped(one));
  return most !== undefined && dropped(most) > 0 ? most : undefined;
}

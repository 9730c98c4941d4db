import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { BodyOf } from '../../../../../openapi/client/src/index.ts';
import { goTo } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { saveAs } from '../../ui/code.tsx';
import { Confirm } from '../../ui/form.tsx';
import { NumberField } from '../../ui/inputs.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attempt, tell } from '../../ui/toast.tsx';
import type { Experiment } from './experiment.ts';
import { resultsCsv } from './results-csv.ts';
import { PERCENT, RestText } from './variant-rows.tsx';

/** What can be done with an experiment after a question. */
interface Question {
  title: string;
  action: string;
  kind?: 'primary';
  text: ComponentChildren;
}

const QUESTIONS = {
  percents: {
    title: 'Change percents',
    action: 'Change',
    kind: 'primary',
    text: 'Counting goes on. A variant that grows gets only viewers who have none, and one that shrinks gives some back. Let all variants grow at once: viewers who joined at different times are not compared.',
  },
  repin: {
    title: 'Take the current feeds',
    action: 'Begin a new period',
    kind: 'primary',
    text: 'The variants show their feeds as they are now. Viewers keep their variants, and counting starts again. The results so far stay as a period of their own.',
  },
  stop: {
    title: 'Stop this experiment',
    action: 'Stop',
    text: 'All viewers get the feed unchanged at once. The totals stay as they are; the rows of single viewers are removed, so download them before.',
  },
  start: {
    title: 'Start again',
    action: 'Start',
    kind: 'primary',
    text: 'A new period begins, with the same percents and without the viewers of the last one.',
  },
  delete: {
    title: 'Delete this experiment',
    action: 'Delete',
    text: 'Everything that was counted is deleted, too. This cannot be undone.',
  },
} as const satisfies Record<string, Question>;

/** What can be done with an experiment. @param onChange called after a change */
export function ExperimentActions(props: { experiment: Experiment; onChange: () => void }) {
  const { experiment, onChange } = props;
  const [asked, setAsked] = useState<keyof typeof QUESTIONS>();
  const { experiment_id, status } = experiment;
  const path = { id: experiment_id };
  const downloadViewers = async (): Promise<void> =>
    saveAs(
      'text/csv',
      `${experiment_id}-viewers.csv`,
      await api().call('GET', '/api/experiments/{id}/viewers.csv', { path }),
    );
  return (
    <>
      {status === 'running' ? (
        <>
          <Button onClick={() => setAsked('percents')}>Change percents</Button>
          <Button onClick={() => setAsked('repin')}>Take the current feeds</Button>
          <Button kind="danger" onClick={() => setAsked('stop')}>
            Stop
          </Button>
        </>
      ) : (
        <Button onClick={() => setAsked('start')}>Start again</Button>
      )}
      <Menu label={`Actions for ${experiment.name}`}>
        <Button
          kind="quiet"
          icon="data"
          onClick={() => saveAs('text/csv', `${experiment_id}.csv`, resultsCsv(experiment))}
        >
          Results as CSV
        </Button>
        {status === 'running' && (
          <Button kind="quiet" icon="data" onClick={() => attempt(downloadViewers)}>
            Viewers as CSV
          </Button>
        )}
        <Button kind="danger" icon="close" onClick={() => setAsked('delete')}>
          Delete
        </Button>
      </Menu>
      {asked && <Window {...{ experiment, asked, onChange }} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** Asks about what was chosen, and does it. */
function Window(props: {
  experiment: Experiment;
  asked: keyof typeof QUESTIONS;
  onClose: () => void;
  onChange: () => void;
}) {
  const { experiment, asked, onClose, onChange } = props;
  const { text, ...question }: Question = QUESTIONS[asked];
  const variants = useSignal<readonly { name: string; percent?: number }[]>(experiment.variants);
  const percents = variants.value.map(({ percent = 0 }) => percent);
  const is_shared = experiment.method === 'interleaving';
  const path = { id: experiment.experiment_id };
  const patch = async (body: BodyOf<'PATCH', '/api/experiments/{id}'>, message: string): Promise<void> => {
    const { warnings = [] } = await api().call('PATCH', '/api/experiments/{id}', { path, body });
    onClose();
    tell([message, ...warnings].join('. '));
    onChange();
  };
  const work = async (): Promise<void> => {
    if (asked === 'stop') return patch({ status: 'stopped' }, 'The experiment is stopped');
    if (asked === 'start') return patch({ status: 'running' }, 'The experiment runs again');
    if (asked === 'repin') return patch({ repin: true }, 'A new period has begun');
    if (asked === 'percents') {
      const changed = variants.value.map(({ name, percent = 0 }) => ({ name, percent }));
      return patch({ variants: changed }, 'The percents are changed');
    }
    await api().call('DELETE', '/api/experiments/{id}', { path });
    tell(`Deleted ${experiment.name}`);
    goTo(['experiments']);
  };
  const change = (changed: string, percent: number | undefined): void => {
    variants.value = variants.value.map((one) =>
      one.name === changed || is_shared ? { name: one.name, percent } : one,
    );
  };
  return (
    <Confirm
      {...{ ...question, onClose, work }}
      fields={
        asked !== 'percents'
          ? undefined
          : ({ faultAt, error }) => (
              <>
                {variants.value.slice(0, is_shared ? 1 : undefined).map(({ name, percent }, index) => (
                  <NumberField
                    key={name}
                    label={is_shared ? 'Viewers with both variants, percent' : name}
                    error={faultAt(`/variants/${index}/percent`)}
                    {...PERCENT}
                    value={percent}
                    onChange={(next) => change(name, next)}
                  />
                ))}
                <RestText
                  percents={is_shared ? percents.slice(0, 1) : percents}
                  fault={faultAt('/variants') ?? error}
                />
              </>
            )
      }
    >
      {text}
    </Confirm>
  );
}

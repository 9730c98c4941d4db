import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { goTo } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { NumberInput } from '../../ui/inputs.tsx';
import { Menu } from '../../ui/menu.tsx';
import { saveAs } from '../../ui/save-as.ts';
import { tell, tellFailure } from '../../ui/toast.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import type { Experiment } from './experiment.ts';
import { resultsCsv } from './results-csv.ts';
import { RestText } from './variant-rows.tsx';

function ChangePercents(props: { experiment: Experiment; onClose: () => void; onChange: () => void }) {
  const { experiment, onClose, onChange } = props;
  const variants = useSignal<readonly { name: string; percent?: number }[]>(experiment.variants);
  const { submit, is_busy, faultAt, error } = useSubmit(async () => {
    const body = { variants: variants.value.map(({ name, percent = 0 }) => ({ name, percent })) };
    const path = { id: experiment.experiment_id };
    await api().call('PATCH', '/api/experiments/{id}', { path, body });
    onChange();
  });
  return (
    <Dialog title="Change percents" onClose={onClose}>
      <Form class="stack" onSubmit={submit}>
        <p>
          A new period begins: some viewers change their variant, and counting starts again. The results so
          far stay as a period of their own.
        </p>
        {variants.value.map(({ name, percent }, index) => (
          <Field key={name} label={name} error={faultAt(`/variants/${index}/percent`)}>
            <NumberInput
              {...{ min: 0, max: 100, step: 'any' }}
              value={percent}
              onChange={(next) => {
                variants.value = variants.value.map((one) =>
                  one.name === name ? { name, percent: next } : one,
                );
              }}
            />
          </Field>
        ))}
        <RestText
          percents={variants.value.map(({ percent = 0 }) => percent)}
          fault={faultAt('/variants') ?? error}
        />
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={is_busy}>
            Begin a new period
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

type Window = 'percents' | 'stop' | 'start' | 'delete';

/** What can be done with an experiment. @param onChange called after a change */
export function ExperimentActions({
  experiment,
  onChange,
}: {
  experiment: Experiment;
  onChange: () => void;
}) {
  const [shown, setShown] = useState<Window>();
  const { experiment_id, status } = experiment;
  return (
    <>
      {status === 'running' ? (
        <>
          <Button onClick={() => setShown('percents')}>Change percents</Button>
          <Button kind="danger" onClick={() => setShown('stop')}>
            Stop
          </Button>
        </>
      ) : (
        <Button onClick={() => setShown('start')}>Start again</Button>
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
          <Button kind="quiet" icon="data" onClick={() => void downloadViewers(experiment_id)}>
            Viewers as CSV
          </Button>
        )}
        <Button kind="danger" icon="close" onClick={() => setShown('delete')}>
          Delete
        </Button>
      </Menu>
      <Windows {...{ experiment, shown, onChange }} onClose={() => setShown(undefined)} />
    </>
  );
}

/** The window that asks about what was chosen. */
function Windows(props: {
  experiment: Experiment;
  shown: Window | undefined;
  onClose: () => void;
  onChange: () => void;
}) {
  const { experiment, shown, onClose, onChange } = props;
  const path = { id: experiment.experiment_id };
  const done = (text: string): void => {
    onClose();
    tell(text);
    onChange();
  };
  const setStatus = async (status: 'running' | 'stopped'): Promise<void> => {
    await api().call('PATCH', '/api/experiments/{id}', { path, body: { status } });
    done(status === 'running' ? 'The experiment runs again' : 'The experiment is stopped');
  };
  const remove = async (): Promise<void> => {
    await api().call('DELETE', '/api/experiments/{id}', { path });
    tell(`Deleted ${experiment.name}`);
    goTo(['experiments']);
  };
  switch (shown) {
    case 'percents':
      return <ChangePercents {...{ experiment, onClose }} onChange={() => done('A new period has begun')} />;
    case 'stop':
      return (
        <Confirm
          title="Stop this experiment"
          action="Stop"
          onClose={onClose}
          work={() => setStatus('stopped')}
        >
          All viewers get the feed unchanged at once. The totals stay as they are; the rows of single viewers
          are removed, so download them before.
        </Confirm>
      );
    case 'start':
      return (
        <Confirm
          title="Start again"
          action="Start"
          kind="primary"
          onClose={onClose}
          work={() => setStatus('running')}
        >
          A new period begins, with the same percents and without the viewers of the last one.
        </Confirm>
      );
    case 'delete':
      return (
        <Confirm title="Delete this experiment" action="Delete" onClose={onClose} work={remove}>
          Everything that was counted is deleted, too. This cannot be undone.
        </Confirm>
      );
    case undefined:
      return null;
  }
}

async function downloadViewers(experiment_id: string): Promise<void> {
  try {
    const path = { id: experiment_id };
    const text = await api().call('GET', '/api/experiments/{id}/viewers.csv', { path });
    saveAs('text/csv', `${experiment_id}-viewers.csv`, text);
  } catch (error) {
    tellFailure(error);
  }
}

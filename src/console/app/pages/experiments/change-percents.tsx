import { useSignal } from '@preact/signals';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { NumberInput } from '../../ui/inputs.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import type { Experiment } from './experiment.ts';
import { RestText } from './variant-rows.tsx';

export function ChangePercents(props: { experiment: Experiment; onClose: () => void; onChange: () => void }) {
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

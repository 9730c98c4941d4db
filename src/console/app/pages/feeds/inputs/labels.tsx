import { Button } from '../../../ui/button.tsx';
import { LookUp } from '../../../ui/look-up.tsx';
import { listOf, objectOf } from '../feed.ts';
import type { Edited } from './form.ts';
import { searchFor } from './look-up.ts';

interface Label {
  label: string;
  /** Undefined: that of the service. */
  threshold?: number;
}

/** Where a slider begins when the threshold is that of the service. */
const MIDDLE = 0.5;

function labelOf(entry: unknown): Label {
  if (typeof entry === 'string') return { label: entry };
  const { label, threshold } = objectOf(entry);
  return { label: String(label), threshold: typeof threshold === 'number' ? threshold : undefined };
}

/** Labels, each with the score above which it counts. */
export function LabelsInput({ name, value, onChange }: Edited) {
  const labels = listOf(value).map(labelOf);
  const search = searchFor(name);
  const change = (next: readonly Label[]): void =>
    onChange(next.map(({ label, threshold }) => (threshold === undefined ? label : { label, threshold })));
  const is_new = (label: string): boolean => !labels.some((other) => other.label === label);
  return (
    <div class="stack">
      {labels.map((one) => (
        <LabelRow
          key={one.label}
          {...one}
          onChange={(threshold) =>
            change(labels.map((other) => (other === one ? { ...other, threshold } : other)))
          }
          onRemove={() => change(labels.filter((other) => other !== one))}
        />
      ))}
      <LookUp
        placeholder="Find or type a label"
        search={
          search &&
          (async (typed, signal) => (await search(typed, signal)).filter(({ value }) => is_new(value)))
        }
        free={(typed) => typed}
        onChoose={(label) => {
          if (is_new(label)) change([...labels, { label }]);
        }}
        onBack={() => change(labels.slice(0, -1))}
      />
    </div>
  );
}

function LabelRow(
  props: Label & { onChange: (threshold: number | undefined) => void; onRemove: () => void },
) {
  const { label, threshold, onChange, onRemove } = props;
  return (
    <div class="label-row">
      <span class="chip">
        {label}
        <Button kind="quiet" icon="close" label={`Remove ${label}`} onClick={onRemove} />
      </span>
      <input
        type="range"
        class={threshold === undefined ? 'unset' : undefined}
        aria-label={`Least score of ${label}`}
        min={0}
        max={1}
        step={0.05}
        value={threshold ?? MIDDLE}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <output>{threshold === undefined ? 'usual score' : `above ${threshold}`}</output>
      {threshold !== undefined && (
        <Button kind="quiet" onClick={() => onChange(undefined)} label={`Usual score for ${label}`}>
          Usual
        </Button>
      )}
    </div>
  );
}

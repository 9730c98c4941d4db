import { Button } from '../../../ui/button.tsx';
import { searchFor } from '../../../ui/finders.ts';
import { LookUp } from '../../../ui/look-up.tsx';
import { listOf, objectOf, withKey } from '../feed.ts';
import { titleOf } from '../schemas.ts';
import { type Edited, useForm } from './form.ts';

/** Names with a number each. */

const STEP = 0.05;
/** Where a slider begins when the threshold is that of the service. */
const MIDDLE = 0.5;
/** Where sliders of weights end, unless a weight is above it. */
const WEIGHT_MAX = 2;

function SliderRow(props: {
  name: string;
  /** What the number is, for screen readers. */
  label: string;
  /** Undefined: that of the service. */
  value: number | undefined;
  max: number;
  /** How the number is written. */
  figure: string;
  onChange: (value: number | undefined) => void;
  onRemove: () => void;
  /** Whether it may have the number of the service. */
  has_usual?: boolean;
}) {
  const { name, label, value, max, figure, onChange, onRemove, has_usual = false } = props;
  return (
    <div class="label-row">
      <span class="chip">
        {name}
        <Button kind="quiet" icon="close" label={`Remove ${name}`} onClick={onRemove} />
      </span>
      <input
        type="range"
        class={value === undefined ? 'unset' : undefined}
        aria-label={label}
        min={0}
        max={max}
        step={STEP}
        value={value ?? MIDDLE}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <output>{figure}</output>
      {has_usual && value !== undefined && (
        <Button kind="quiet" onClick={() => onChange(undefined)} label={`Usual score for ${name}`}>
          Usual
        </Button>
      )}
    </div>
  );
}

interface Label {
  label: string;
  /** Undefined: that of the service. */
  threshold?: number;
}

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
        <SliderRow
          key={one.label}
          name={one.label}
          label={`Least score of ${one.label}`}
          value={one.threshold}
          max={1}
          figure={one.threshold === undefined ? 'usual score' : `above ${one.threshold}`}
          has_usual
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
        is_free
        onChoose={(label) => {
          if (is_new(label)) change([...labels, { label }]);
        }}
        onBack={() => change(labels.slice(0, -1))}
      />
    </div>
  );
}

/** Numbers that have names, such as the weights of signals. */
export function NumbersByName({ name, value, onChange }: Edited) {
  const { forms } = useForm();
  const numbers = Object.entries(objectOf(value)).map(([key, number]) => [key, Number(number)] as const);
  const known = name === 'weights' ? forms.plugins.filter(({ kind }) => kind === 'signals') : [];
  const set = (key: string, number: number | undefined): void =>
    onChange(withKey(objectOf(value), key, number));
  return (
    <div class="stack">
      {numbers.map(([key, number]) => (
        <SliderRow
          key={key}
          name={titleOf(key)}
          label={titleOf(key)}
          value={number}
          max={Math.max(WEIGHT_MAX, number)}
          figure={String(number)}
          onChange={(next) => set(key, next)}
          onRemove={() => set(key, undefined)}
        />
      ))}
      <LookUp
        placeholder={known.length > 0 ? 'Add a signal' : 'Add a name'}
        search={(typed) =>
          known
            .filter(({ id }) => !numbers.some(([key]) => key === id) && id.includes(typed.toLowerCase()))
            .map(({ id, summary }) => ({ value: id, text: titleOf(id), note: summary }))
        }
        is_free={known.length === 0}
        onChoose={(key) => set(key, 1)}
      />
    </div>
  );
}

import { Button } from '../../../ui/button.tsx';
import { LookUp } from '../../../ui/look-up.tsx';
import { objectOf, withKey } from '../feed.ts';
import { titleOf } from '../schemas.ts';
import { type Edited, useForm } from './form.ts';

/** Where sliders of weights end, unless a weight is above it. */
const WEIGHT_MAX = 2;

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
        <div class="label-row" key={key}>
          <span class="chip">
            {titleOf(key)}
            <Button
              kind="quiet"
              icon="close"
              label={`Remove ${titleOf(key)}`}
              onClick={() => set(key, undefined)}
            />
          </span>
          <input
            type="range"
            aria-label={titleOf(key)}
            min={0}
            max={Math.max(WEIGHT_MAX, number)}
            step={0.05}
            value={number}
            onInput={(event) => set(key, event.currentTarget.valueAsNumber)}
          />
          <output>{number}</output>
        </div>
      ))}
      <LookUp
        placeholder={known.length > 0 ? 'Add a signal' : 'Add a name'}
        search={(typed) =>
          known
            .filter(({ id }) => !numbers.some(([key]) => key === id) && id.includes(typed.toLowerCase()))
            .map(({ id, summary }) => ({ value: id, text: titleOf(id), note: summary }))
        }
        free={known.length > 0 ? undefined : (typed) => typed}
        onChoose={(key) => set(key, 1)}
      />
    </div>
  );
}

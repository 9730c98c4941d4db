import type { FieldIds } from './field.tsx';

interface Valued<T> {
  value: T;
  onChange: (value: T) => void;
  ids?: FieldIds;
  disabled?: boolean;
}

export function TextInput(
  props: Valued<string> & {
    placeholder?: string;
    type?: 'text' | 'search' | 'url';
  },
) {
  const { value, onChange, ids, type = 'text', ...rest } = props;
  const all = {
    ...rest,
    ...ids,
    value,
    autocomplete: 'off',
    spellcheck: false,
    onInput: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  };
  if (type === 'search') return <input {...all} type="search" />;
  return type === 'url' ? <input {...all} type="url" /> : <input {...all} type="text" />;
}

/** Undefined: the field is empty. */
export function NumberInput(
  props: Valued<number | undefined> & {
    min?: number;
    max?: number;
    step?: number | 'any';
    placeholder?: string;
  },
) {
  const { value, onChange, ids, ...rest } = props;
  return (
    <input
      {...rest}
      {...ids}
      type="number"
      value={value ?? ''}
      onInput={({ currentTarget: { value: text, valueAsNumber } }) =>
        onChange(text === '' || Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
      }
    />
  );
}

export function Slider(props: Valued<number> & { min: number; max: number; step: number; unit?: string }) {
  const { value, onChange, ids, unit = '', ...rest } = props;
  return (
    <div class="slider">
      <input
        {...rest}
        {...ids}
        type="range"
        value={value}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <output>
        {value}
        {unit}
      </output>
    </div>
  );
}

export function Select<T extends string>(
  props: Valued<T> & { options: readonly { value: T; text: string }[] },
) {
  const { value, onChange, ids, options, disabled } = props;
  return (
    <select
      {...ids}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
}

export function Switch({ value, onChange, text, disabled }: Valued<boolean> & { text: string }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={value}
        aria-checked={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{text}</span>
    </label>
  );
}

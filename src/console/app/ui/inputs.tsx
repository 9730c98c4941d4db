import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useFieldIds } from './field.tsx';

interface Valued<T> {
  value: T;
  onChange: (value: T) => void;
  disabled?: boolean;
}

export function TextInput(
  props: Valued<string> & {
    placeholder?: string;
    type?: 'text' | 'search' | 'url' | 'password';
    /** The page begins in this field. */
    is_first?: boolean;
  },
) {
  const { value, onChange, type = 'text', is_first = false, ...rest } = props;
  const ref = useRef<HTMLInputElement>(null);
  // Not later: the first key is for the field.
  useLayoutEffect(() => {
    if (is_first) ref.current?.focus();
  }, []);
  const all = {
    ...rest,
    ...useFieldIds(),
    ref,
    value,
    autocomplete: 'off',
    spellcheck: false,
    onInput: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  };
  if (type === 'search') return <input {...all} type="search" />;
  if (type === 'password') return <input {...all} type="password" />;
  return type === 'url' ? <input {...all} type="url" /> : <input {...all} type="text" />;
}

/** @param kind its class */
export function TextArea({ value, onChange, kind, rows }: Valued<string> & { kind: string; rows: number }) {
  return (
    <textarea
      {...useFieldIds()}
      class={kind}
      rows={rows}
      spellcheck={false}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
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
  const { value, onChange, ...rest } = props;
  return (
    <input
      {...rest}
      {...useFieldIds()}
      type="number"
      value={value ?? ''}
      onInput={({ currentTarget: { value: text, valueAsNumber } }) =>
        onChange(text === '' || Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
      }
    />
  );
}

export function Slider(props: Valued<number> & { min: number; max: number; step: number; unit?: string }) {
  const { value, onChange, unit = '', ...rest } = props;
  return (
    <div class="slider">
      <input
        {...rest}
        {...useFieldIds()}
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

/** @param children options in groups, before the others */
export function Select<T extends string>(
  props: Valued<T> & { options?: readonly { value: T; text: string }[]; children?: ComponentChildren },
) {
  const { value, onChange, options = [], disabled, children } = props;
  return (
    <select
      {...useFieldIds()}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    >
      {children}
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

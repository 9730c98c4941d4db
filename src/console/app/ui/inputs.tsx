import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext, useId, useLayoutEffect, useRef } from 'preact/hooks';

/** Fields of forms, and the inputs in them. */

/** Attributes that connect an input with the label, help and error of the field around it. */
interface FieldIds {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

const IdsContext = createContext<FieldIds>({});

/** For the one input of a field. Empty outside of a field. */
export function useFieldIds(): FieldIds {
  return useContext(IdsContext);
}

/** An error beside a group of fields, or of an input that checks its text; nothing without one. */
export function ErrorText({ text, id }: { text: string | undefined; id?: string }) {
  if (text === undefined) return null;
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}

interface Labelled {
  label: string;
  help?: ComponentChildren;
  error?: string;
  /** The label is read out but not shown. */
  hidden_label?: boolean;
}

export function Field(props: Labelled & { children: ComponentChildren }) {
  const { label, help, error, hidden_label = false, children } = props;
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  const ids: FieldIds = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
  };
  return (
    <div class={error === undefined ? 'field' : 'field invalid'}>
      <label for={id} class={hidden_label ? 'for-readers' : undefined}>
        {label}
      </label>
      <IdsContext.Provider value={ids}>{children}</IdsContext.Provider>
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** An input with its field around it. */
function inField<P extends object>(Input: ComponentType<P>) {
  return ({ label, help, error, hidden_label, ...input }: P & Labelled) => (
    <Field {...{ label, help, error, hidden_label }}>
      <Input {...(input as P & Labelled)} />
    </Field>
  );
}

interface Valued<T> {
  value: T;
  onChange: (value: T) => void;
  disabled?: boolean;
}

export function TextInput(
  props: Valued<string> & {
    placeholder?: string;
    type?: 'text' | 'search' | 'url' | 'password';
    /** The page begins in this field. Windows begin in their first field anyway. */
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

export const TextField = inField(TextInput);

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

export const NumberField = inField(NumberInput);

export function Slider(props: Valued<number> & { min: number; max: number; step: number }) {
  const { value, onChange, ...rest } = props;
  return (
    <div class="slider">
      <input
        {...rest}
        {...useFieldIds()}
        type="range"
        value={value}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <output>{value}</output>
    </div>
  );
}

type SelectProps<T> = Valued<T> & {
  options?: readonly { value: T; text: string }[];
  /** Options in groups, before the others. */
  children?: ComponentChildren;
};

export function Select<T extends string>(props: SelectProps<T>) {
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

export function SelectField<T extends string>(props: SelectProps<T> & Labelled) {
  const { label, help, error, hidden_label, ...rest } = props;
  return (
    <Field {...{ label, help, error, hidden_label }}>
      <Select {...rest} />
    </Field>
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

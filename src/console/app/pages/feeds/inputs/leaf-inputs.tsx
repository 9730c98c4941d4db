import { NumberInput, Select, Slider } from '../../../ui/inputs.tsx';
import { type Schema, titleOf } from '../schemas.ts';
import type { Edited } from './form.ts';

/** The values of a schema that allows only some. */
export function choicesOf({ enum: values, anyOf, const: only }: Schema): readonly unknown[] | undefined {
  if (values !== undefined) return values;
  if (only !== undefined) return [only];
  if (anyOf === undefined || anyOf.some((schema) => schema.const === undefined)) return undefined;
  return anyOf.map((schema) => schema.const);
}

export function ChoiceInput(
  props: Pick<Edited, 'value' | 'onChange'> & {
    choices: readonly unknown[];
    required: boolean;
  },
) {
  const { value, onChange, choices, required } = props;
  const options = choices.map((choice, index) => ({ value: String(index), text: titleOf(String(choice)) }));
  const at = choices.indexOf(value);
  return (
    <Select
      value={at < 0 ? '' : String(at)}
      options={required && at >= 0 ? options : [{ value: '', text: 'Not set' }, ...options]}
      onChange={(index) => onChange(index === '' ? undefined : choices[Number(index)])}
    />
  );
}

/** Ranges up to this length are set by a slider. */
const SLIDER_RANGE_MAX = 100;

/** A number, as a slider if it must be set and its range is short. */
export function Numeric(props: Pick<Edited, 'schema' | 'value' | 'onChange'> & { required: boolean }) {
  const { schema, value, onChange, required } = props;
  const { minimum, exclusiveMinimum, maximum, type } = schema;
  const number = typeof value === 'number' ? value : undefined;
  const is_whole = type === 'integer';
  if (required && minimum !== undefined && maximum !== undefined && maximum - minimum <= SLIDER_RANGE_MAX) {
    const step = is_whole ? 1 : (maximum - minimum) / 100;
    return <Slider step={step} min={minimum} max={maximum} value={number ?? minimum} onChange={onChange} />;
  }
  return (
    <NumberInput
      min={minimum ?? exclusiveMinimum}
      max={maximum}
      step={is_whole ? 1 : 'any'}
      value={number}
      placeholder={required ? undefined : 'Not set'}
      onChange={onChange}
    />
  );
}

import { ErrorText, Field, NumberInput, Select, Slider, Switch, TextInput } from '../../../ui/inputs.tsx';
import { isObject, listOf, objectOf, withKey } from '../feed.ts';
import { helpOf, initialOf, type Schema, saysAll, titleOf } from '../schemas.ts';
import { FoldedFields } from './folded.tsx';
import { below, type Edited, useDeepFault, useFault } from './form.ts';
import { JsonInput } from './json-input.tsx';
import { Many } from './many.tsx';
import { NumbersByName } from './slider-rows.tsx';
import { SPECIAL } from './special.tsx';

/** A field that is made from the schema of its value, with its name, help and errors. */
export function SchemaField(props: Edited & { label?: string; help?: string; required?: boolean }) {
  const { name, schema, value, onChange, path } = props;
  const {
    label = titleOf(name),
    help = saysAll(name, schema) ? '' : helpOf(schema),
    required = false,
  } = props;
  const [fault, fault_within] = [useFault(path), useDeepFault(path)];
  if (SPECIAL[name] === undefined && schema.type === 'object' && schema.properties !== undefined)
    return (
      <fieldset>
        <legend>{label}</legend>
        {help && <p class="help">{help}</p>}
        <ErrorText text={fault} />
        <ObjectFields {...{ name, schema, value, onChange, path }} />
      </fieldset>
    );
  if (schema.type === 'boolean')
    return (
      <div class="field">
        <Switch
          value={value === true}
          onChange={(on) => onChange(on || required ? on : undefined)}
          text={label}
        />
        {help && <p class="help">{help}</p>}
        <ErrorText text={fault_within} />
      </div>
    );
  return (
    <Field label={label} help={help} error={fault_within}>
      <SchemaInput {...props} required={required} />
    </Field>
  );
}

export function ObjectFields(props: Edited & { except?: readonly string[] }) {
  const { name: of, schema, value, onChange, path, except = [] } = props;
  const object = objectOf(value);
  const names = Object.keys(schema.properties ?? {}).filter((name) => !except.includes(name));
  return (
    <div class="fields">
      <FoldedFields
        {...{ of, names, path }}
        values={object}
        field={(name) => (
          <SchemaField
            key={name}
            name={name}
            schema={schema.properties?.[name] ?? {}}
            value={object[name]}
            required={schema.required?.includes(name)}
            path={below(path, name)}
            onChange={(next) => onChange(withKey(object, name, next))}
          />
        )}
      />
    </div>
  );
}

function SchemaInput(props: Edited & { required?: boolean }) {
  const { name, schema, value, onChange, required = false } = props;
  const Special = SPECIAL[name];
  if (Special !== undefined) return <Special {...props} />;
  const choices = choicesOf(schema);
  if (choices !== undefined) return <ChoiceInput {...{ value, onChange, choices, required }} />;
  if (schema.anyOf !== undefined) return <FormsInput {...props} />;
  switch (schema.type) {
    case 'number':
    case 'integer':
      return <Numeric {...{ schema, value, onChange, required }} />;
    case 'string':
      return (
        <TextInput
          value={typeof value === 'string' ? value : ''}
          placeholder={exampleText(schema)}
          onChange={(text) => onChange(text === '' && !required ? undefined : text)}
        />
      );
    case 'boolean':
      return <Switch value={value === true} onChange={onChange} text={titleOf(name)} />;
    case 'array':
      return schema.items !== undefined && takesText(schema.items) ? (
        <Many name={name} value={listOf(value)} onChange={(list) => onChange(typed(list, schema))} />
      ) : (
        <JsonInput {...props} />
      );
    case 'object':
      return schema.patternProperties === undefined ? (
        <ObjectFields {...props} />
      ) : (
        <NumbersByName {...props} />
      );
    default:
      return <JsonInput {...props} />;
  }
}

function exampleText({ examples = [] }: Schema): string | undefined {
  return typeof examples[0] === 'string' ? `Such as ${examples[0]}` : undefined;
}

function takesText({ type, anyOf = [] }: Schema): boolean {
  return type === 'string' || anyOf.some(takesText);
}

/** Entries that the schema wants as numbers. */
function typed(list: readonly unknown[], { items = {} }: Schema): unknown[] {
  return items.type === 'number' || items.type === 'integer' ? list.map(Number) : [...list];
}

/** The values of a schema that allows only some. */
function choicesOf({ enum: values, anyOf, const: only }: Schema): readonly unknown[] | undefined {
  if (values !== undefined) return values;
  if (only !== undefined) return [only];
  if (anyOf === undefined || anyOf.some((schema) => schema.const === undefined)) return undefined;
  return anyOf.map((schema) => schema.const);
}

const NOT_SET = { value: '', text: 'Not set' };

function ChoiceInput(
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
      options={required && at >= 0 ? options : [NOT_SET, ...options]}
      onChange={(index) => onChange(index === '' ? undefined : choices[Number(index)])}
    />
  );
}

/** Ranges up to this length are set by a slider. */
const SLIDER_RANGE_MAX = 100;

/** A number, as a slider if it must be set and its range is short. */
function Numeric(props: Pick<Edited, 'schema' | 'value' | 'onChange'> & { required: boolean }) {
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

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  object: 'Own value',
  array: 'A list',
  string: 'A text',
  number: 'A number',
  integer: 'A number',
  boolean: 'On or off',
};

/** A value in one of several forms: first its form is chosen, then what the form needs. */
function FormsInput(props: Edited) {
  const { name, schema, value, onChange, path } = props;
  const forms = schema.anyOf ?? [];
  const at = forms.findIndex((form) => fits(value, form));
  const options = forms.map((form, index) => ({ value: String(index), text: textOf(form) }));
  const form = forms[at];
  return (
    <div class="stack">
      <Select
        value={at < 0 ? '' : String(at)}
        options={[NOT_SET, ...options]}
        onChange={(index) => onChange(index === '' ? undefined : initialOf(forms[Number(index)]))}
      />
      {form !== undefined && form.const === undefined && (
        <div class="stack">
          {form.type === 'object' && form.properties !== undefined ? (
            <ObjectFields {...{ name, schema: form, value, onChange, path }} />
          ) : (
            <Field label={`${titleOf(name)}: ${textOf(form)}`} hidden_label>
              <SchemaInput {...props} schema={form} required />
            </Field>
          )}
        </div>
      )}
    </div>
  );
}

function textOf({ const: only, type = '' }: Schema): string {
  return only === undefined ? (TYPE_TEXTS[type] ?? 'Something else') : titleOf(String(only));
}

/** Whether a value has a form. */
function fits(value: unknown, { const: only, enum: values, type }: Schema): boolean {
  if (only !== undefined) return value === only;
  if (values !== undefined) return values.includes(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return typeof value === 'number';
  if (type === 'object') return isObject(value);
  return typeof value === type;
}

import { useLayoutEffect, useState } from 'preact/hooks';
import { ErrorText } from '../../../ui/error-text.tsx';
import { Field, useFieldIds } from '../../../ui/field.tsx';
import { Select, Switch, TextInput } from '../../../ui/inputs.tsx';
import { listOf, objectOf, withKey } from '../feed.ts';
import { helpOf, initialOf, type Schema, saysAll, titleOf } from '../schemas.ts';
import { FoldedFields } from './folded.tsx';
import { below, type Edited, useFault, useForm } from './form.ts';
import { ChoiceInput, choicesOf, Numeric } from './leaf-inputs.tsx';
import { Many } from './many.tsx';
import { NumbersByName } from './numbers-by-name.tsx';
import { SPECIAL } from './special.tsx';

/** A value for which there is no better input. */
function JsonInput({ value, onChange, path }: Edited) {
  const { setUnreadable } = useForm();
  const ids = useFieldIds();
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [error, setError] = useState<string>();
  useLayoutEffect(() => () => setUnreadable(path, false), [path]);
  const change = (next: string): void => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setError(undefined);
      setUnreadable(path, false);
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason));
      setUnreadable(path, true);
    }
  };
  return (
    <>
      <textarea
        {...ids}
        rows={4}
        spellcheck={false}
        placeholder="JSON"
        aria-invalid={error !== undefined || ids['aria-invalid']}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <ErrorText text={error} />
    </>
  );
}

/** A field that is made from the schema of its value, with its name, help and errors. */
export function SchemaField(props: Edited & { label?: string; help?: string; required?: boolean }) {
  const { name, schema, value, onChange, path } = props;
  const {
    label = titleOf(name),
    help = saysAll(name, schema) ? '' : helpOf(schema),
    required = false,
  } = props;
  const is_group = isGroup(name, schema);
  const fault = useFault(path, !is_group);
  if (is_group)
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
        <ErrorText text={fault} />
      </div>
    );
  return (
    <Field label={label} help={help} error={fault}>
      <SchemaInput {...props} required={required} />
    </Field>
  );
}

/** Whether a value is a group of fields. */
function isGroup(name: string, schema: Schema): boolean {
  return SPECIAL[name] === undefined && schema.type === 'object' && schema.properties !== undefined;
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
  if (schema.type === 'number' || schema.type === 'integer')
    return <Numeric {...{ schema, value, onChange, required }} />;
  if (schema.type === 'string')
    return (
      <TextInput
        value={typeof value === 'string' ? value : ''}
        placeholder={exampleText(schema)}
        onChange={(text) => onChange(text === '' && !required ? undefined : text)}
      />
    );
  if (schema.type === 'boolean')
    return <Switch value={value === true} onChange={onChange} text={titleOf(name)} />;
  if (schema.type === 'array' && schema.items !== undefined && takesText(schema.items))
    return <Many name={name} value={listOf(value)} onChange={(list) => onChange(typed(list, schema))} />;
  if (schema.type === 'object' && schema.patternProperties !== undefined) return <NumbersByName {...props} />;
  if (schema.type === 'object') return <ObjectFields {...props} />;
  return <JsonInput {...props} />;
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
        options={[{ value: '', text: 'Not set' }, ...options]}
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
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

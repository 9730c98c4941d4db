import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import { objectOf } from './feed.ts';
import { below, type Edited, useFault, useForm } from './inputs/form.ts';
import { ObjectFields } from './inputs/schema-field.tsx';
import { initialOf, type Schema, summaryOf, titleOf } from './schemas.ts';

/** The scoring function, and its options if it has any. */
export function Scoring({ schema, value, onChange, path }: Edited) {
  const { forms } = useForm();
  const { ids, optionsOf } = functionsOf(schema);
  const given = typeof value === 'string' ? { name: value } : objectOf(value);
  const name = typeof given.name === 'string' ? given.name : '';
  const options = optionsOf(name);
  const has_options = Object.keys(options?.properties ?? {}).length > 0;
  const faults = [useFault(path, !has_options), useFault(has_options ? below(path, 'options') : path)];
  const fault = faults.find((message) => message !== undefined);
  const textOf = (id: string): string => {
    const summary = summaryOf(forms, 'scoring_functions', id);
    return summary === '' ? titleOf(id) : `${summary.replace(/\.$/, '')} (${id})`;
  };
  const listed = name === '' || ids.includes(name) ? ids : [...ids, name];
  return (
    <>
      <Field label="Order by" error={fault}>
        <Select
          value={name === 'all' ? '' : name}
          options={[
            { value: '', text: 'The default of this type' },
            ...listed.filter((id) => id !== 'all').map((id) => ({ value: id, text: textOf(id) })),
          ]}
          onChange={(id) => onChange(chosen(id, optionsOf(id)))}
        />
      </Field>
      {has_options && options !== undefined && (
        <ObjectFields
          name="options"
          schema={options}
          value={given.options ?? {}}
          onChange={(next) => onChange({ name, options: next })}
          path={below(path, 'options')}
        />
      )}
    </>
  );
}

function chosen(id: string, options: Schema | undefined): unknown {
  if (id === '') return undefined;
  const has_options = Object.keys(options?.properties ?? {}).length > 0;
  return has_options && options !== undefined ? { name: id, options: initialOptions(options) } : id;
}

/** Options that begin with a default are shown with it. */
function initialOptions({ properties = {} }: Schema): object {
  const given = Object.entries(properties).filter(([, schema]) => schema.default !== undefined);
  return Object.fromEntries(given.map(([name, schema]) => [name, initialOf(schema)]));
}

/** The functions of a feed type, and the schema of the options of each. */
function functionsOf({ anyOf = [] }: Schema): {
  ids: readonly string[];
  optionsOf: (id: string) => Schema | undefined;
} {
  const ids = anyOf.flatMap((form) => form.enum ?? []).map(String);
  const optionsOf = (id: string): Schema | undefined =>
    anyOf.find(({ properties }) => properties?.name?.const === id)?.properties?.options;
  return { ids, optionsOf };
}

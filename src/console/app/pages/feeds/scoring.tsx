import { SelectField } from '../../ui/inputs.tsx';
import { objectOf } from './feed.ts';
import { below, type Edited, useDeepFault, useFault, useForm } from './inputs/form.ts';
import { ObjectFields } from './inputs/schema-field.tsx';
import { initialOf, type Schema, summaryOf, titleOf } from './schemas.ts';

/** The scoring function, and its options if it has any. */
export function Scoring({ schema, value, onChange, path }: Edited) {
  const { forms } = useForm();
  const ids = (schema.anyOf ?? []).flatMap((form) => form.enum ?? []).map(String);
  const given = typeof value === 'string' ? { name: value } : objectOf(value);
  const name = typeof given.name === 'string' ? given.name : '';
  const options = optionsOf(schema, name);
  const in_options = below(path, 'options');
  const [at_function, at_all] = [useFault(path, in_options), useDeepFault(path)];
  const textOf = (id: string): string => {
    const summary = summaryOf(forms, 'scoring_functions', id);
    return summary === '' ? titleOf(id) : `${summary.replace(/\.$/, '')} (${id})`;
  };
  const listed = name === '' || ids.includes(name) ? ids : [...ids, name];
  return (
    <>
      <SelectField
        label="Order by"
        error={options === undefined ? at_all : at_function}
        value={name === 'all' ? '' : name}
        options={[
          { value: '', text: 'The default of this type' },
          ...listed.filter((id) => id !== 'all').map((id) => ({ value: id, text: textOf(id) })),
        ]}
        onChange={(id) => onChange(chosen(id, optionsOf(schema, id)))}
      />
      {options && (
        <ObjectFields
          name="options"
          schema={options}
          value={given.options ?? {}}
          onChange={(next) => onChange({ name, options: next })}
          path={in_options}
        />
      )}
    </>
  );
}

/** The schema of the options of a function; undefined: it has none. */
function optionsOf({ anyOf = [] }: Schema, id: string): Schema | undefined {
  const form = anyOf.find(({ properties }) => properties?.name?.const === id);
  const options = form?.properties?.options;
  return Object.keys(options?.properties ?? {}).length > 0 ? options : undefined;
}

/** Options that begin with a default are shown with it. */
function chosen(id: string, options: Schema | undefined): unknown {
  if (id === '' || options === undefined) return id || undefined;
  const given = Object.entries(options.properties ?? {}).filter(
    ([, { default: value }]) => value !== undefined,
  );
  const initial = given.map(([name, schema]) => [name, initialOf(schema)]);
  return { name: id, options: Object.fromEntries(initial) };
}

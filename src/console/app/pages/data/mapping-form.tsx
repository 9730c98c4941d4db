import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/inputs.tsx';
import type { ChosenFile, FieldChoice } from './chosen-file.ts';
import type { TimeUnit } from './record-reader.ts';
import type { RecordField } from './schema.ts';

const NO_COLUMN = { value: '', text: 'The same for all lines' };
const UNITS: readonly { value: TimeUnit; text: string }[] = [
  { value: 's', text: 'Seconds since 1970, or dates' },
  { value: 'ms', text: 'Milliseconds since 1970' },
  { value: 'us', text: 'Microseconds since 1970' },
];

export function MappingForm(props: {
  chosen: ChosenFile;
  fields: readonly RecordField[];
  onChange: (change: Partial<ChosenFile>) => void;
}) {
  const { chosen, fields, onChange } = props;
  const { choices, preview, time_unit } = chosen;
  const change = (field: string, changes: Partial<FieldChoice>): void =>
    onChange({ choices: choices.map((one) => (one.field === field ? { ...one, ...changes } : one)) });
  const others = fields.filter(({ name }) => choices.every(({ field }) => field !== name));
  return (
    <div class="mapping">
      {choices.map((choice) => {
        const field = fields.find(({ name }) => name === choice.field);
        return (
          field && (
            <FieldRow
              key={choice.field}
              field={field}
              choice={choice}
              columns={preview.columns}
              onChange={(changes) => change(choice.field, changes)}
              onRemove={() =>
                onChange({ choices: choices.filter(({ field: name }) => name !== choice.field) })
              }
            />
          )
        );
      })}
      <Field label="Add a field">
        <Select
          value=""
          options={[
            { value: '', text: 'Choose a field' },
            ...others.map(({ name }) => ({ value: name, text: name })),
          ]}
          onChange={(field) => onChange({ choices: [...choices, { field, text: '', replacements: '' }] })}
        />
      </Field>
      <Field label="Times are">
        <Select value={time_unit} options={UNITS} onChange={(unit) => onChange({ time_unit: unit })} />
      </Field>
    </div>
  );
}

function FieldRow(props: {
  field: RecordField;
  choice: FieldChoice;
  columns: readonly string[];
  onChange: (changes: Partial<FieldChoice>) => void;
  onRemove: () => void;
}) {
  const { field, choice, columns, onChange, onRemove } = props;
  const { name, is_required, values } = field;
  const options = [NO_COLUMN, ...columns.map((column) => ({ value: column, text: column }))];
  const is_missing = is_required && choice.column === undefined && choice.text === '';
  return (
    <div class="field-row">
      <Field
        label={is_required ? `${name} (required)` : name}
        error={is_missing ? 'Choose a column, or a text for all lines.' : undefined}
      >
        <Select
          value={choice.column ?? ''}
          options={options}
          onChange={(column) => onChange({ column: column === '' ? undefined : column })}
        />
      </Field>
      {choice.column === undefined ? (
        <Field label={`Text for ${name}`}>
          {values === undefined ? (
            <TextInput value={choice.text} onChange={(text) => onChange({ text })} />
          ) : (
            <Select
              value={choice.text}
              options={[{ value: '', text: 'Choose' }, ...values.map((value) => ({ value, text: value }))]}
              onChange={(text) => onChange({ text })}
            />
          )}
        </Field>
      ) : (
        values && (
          <Field label={`Replace texts of ${name}`} help={`from:to, from:to. Allowed: ${values.join(', ')}.`}>
            <TextInput
              value={choice.replacements}
              placeholder="star:like, read:view"
              onChange={(replacements) => onChange({ replacements })}
            />
          </Field>
        )
      )}
      {!is_required && <Button kind="quiet" icon="close" label={`Leave out ${name}`} onClick={onRemove} />}
    </div>
  );
}

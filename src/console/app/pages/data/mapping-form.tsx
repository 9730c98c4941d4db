import type { TimeUnit } from '../../../../model/values/time.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/inputs.tsx';
import type { ChosenFile, FieldChoice } from './chosen-file.ts';
import type { RecordField } from './kinds.ts';

const UNITS: readonly { value: TimeUnit; text: string }[] = [
  { value: 's', text: 'Seconds since 1970, or dates' },
  { value: 'ms', text: 'Milliseconds since 1970' },
  { value: 'us', text: 'Microseconds since 1970' },
];

/** Texts as options, after one that stands for none of them. */
function optionsOf(none: string, values: readonly string[]) {
  return [{ value: '', text: none }, ...values.map((value) => ({ value, text: value }))];
}

export function MappingForm(props: {
  chosen: ChosenFile;
  fields: readonly RecordField[];
  onChange: (change: Partial<ChosenFile>) => void;
}) {
  const { chosen, fields, onChange } = props;
  const { choices, preview, time_unit } = chosen;
  const others = fields.filter(({ name }) => choices.every(({ field }) => field !== name));
  const set = (next: readonly FieldChoice[]): void => onChange({ choices: next });
  return (
    <div class="mapping">
      {choices.map((choice) => {
        const field = fields.find(({ name }) => name === choice.field);
        return (
          field && (
            <FieldRow
              key={choice.field}
              {...{ field, choice, columns: preview.columns }}
              onChange={(changes) =>
                set(choices.map((one) => (one === choice ? { ...one, ...changes } : one)))
              }
              onRemove={() => set(choices.filter((one) => one !== choice))}
            />
          )
        );
      })}
      <SelectField
        label="Add a field"
        value=""
        options={optionsOf(
          'Choose a field',
          others.map(({ name }) => name),
        )}
        onChange={(field) => set([...choices, { field, text: '', replacements: '' }])}
      />
      <SelectField
        label="Times are"
        value={time_unit}
        options={UNITS}
        onChange={(unit) => onChange({ time_unit: unit })}
      />
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
  const { column, text, replacements } = choice;
  const is_missing = is_required && column === undefined && text === '';
  const of_text = { label: `Text for ${name}`, value: text, onChange: (text: string) => onChange({ text }) };
  return (
    <div class="field-row">
      <SelectField
        label={is_required ? `${name} (required)` : name}
        error={is_missing ? 'Choose a column, or a text for all lines.' : undefined}
        value={column ?? ''}
        options={optionsOf('The same for all lines', columns)}
        onChange={(chosen) => onChange({ column: chosen === '' ? undefined : chosen })}
      />
      {column === undefined && values === undefined && <TextField {...of_text} />}
      {column === undefined && values && <SelectField {...of_text} options={optionsOf('Choose', values)} />}
      {column !== undefined && values && (
        <TextField
          label={`Replace texts of ${name}`}
          help={`from:to, from:to. Allowed: ${values.join(', ')}.`}
          value={replacements}
          placeholder="star:like, read:view"
          onChange={(next) => onChange({ replacements: next })}
        />
      )}
      {!is_required && <Button kind="quiet" icon="close" label={`Leave out ${name}`} onClick={onRemove} />}
    </div>
  );
}

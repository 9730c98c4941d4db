import { useState } from 'preact/hooks';
import { type GuessedPart, guessField, guessSkip } from '../../../../mapping/guess.ts';
import { type FieldSource, type FileMap, MapFault, type Rule, UNITS } from '../../../../mapping/map.ts';
import { parseMap, parseRules } from '../../../../mapping/parse-map.ts';
import { rulesText, writeMap } from '../../../../mapping/write-map.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/inputs.tsx';
import type { ChosenFile } from './chosen-file.ts';
import type { RecordField } from './kinds.ts';

const UNIT_TEXTS: Readonly<Record<string, string>> = {
  '': 'Seconds since 1970, or dates such as 2026-11-26',
  s: 'Seconds since 1970',
  ms: 'Milliseconds since 1970',
  us: 'Microseconds since 1970',
  ns: 'Nanoseconds since 1970',
};

const UNIT_OPTIONS = ['', ...UNITS].map((value) => ({
  value,
  text: UNIT_TEXTS[value] ?? `Dates as ${value}`,
}));

/** Texts as options, after one that stands for none of them. */
function optionsOf(none: string, values: readonly string[]) {
  return [{ value: '', text: none }, ...values.map((value) => ({ value, text: value }))];
}

export function MappingForm(props: {
  chosen: ChosenFile;
  map: FileMap;
  fields: readonly RecordField[];
  onChange: (change: Partial<Pick<ChosenFile, 'map' | 'doubts'>>) => void;
}) {
  const { map, fields } = props;
  const { sample, doubts } = props.chosen;
  const onChange = (next: FileMap): void => props.onChange({ map: next });
  const { columns } = sample;
  const shown = fields.filter(
    ({ name, is_required }) => map.fields.has(name) || (is_required && !columns.includes(name)),
  );
  const change = (field: string, source: FieldSource | undefined): void => {
    const next = new Map(map.fields);
    if (source === undefined) next.delete(field);
    else next.set(field, source);
    onChange({ ...map, fields: next });
  };
  /** Adds what the values of a column say. The doubts of before are about another column, or none. */
  const add = (about: string, part: GuessedPart): void =>
    props.onChange({
      map: {
        ...map,
        fields: new Map([...map.fields, ...part.fields]),
        skips: [...map.skips, ...part.skips],
      },
      doubts: [...doubts.filter(({ field }) => field !== about), ...part.doubts],
    });
  const doubtOf = (field: string) => doubts.find((doubt) => doubt.field === field)?.text;
  return (
    <div class="mapping">
      {shown.map((field) => (
        <FieldRow
          key={field.name}
          {...{ field, columns, source: map.fields.get(field.name), doubt: doubtOf(field.name) }}
          onChange={(source) => change(field.name, source)}
          onColumn={(column) => add(field.name, guessField(map.kind, sample, field.name, column))}
        />
      ))}
      <Skips {...{ map, doubtOf, onChange }} />
      <SelectField
        label="Add a field"
        value=""
        options={optionsOf(
          'Choose a field',
          fields.filter((field) => !shown.includes(field)).map(({ name }) => name),
        )}
        onChange={(field) => change(field, { constant: '' })}
      />
      <SelectField
        label="Leave out rows by"
        value=""
        options={optionsOf('Choose a column', columns)}
        onChange={(column) => add(`skip=${column}`, guessSkip(map.kind, sample, column))}
      />
      <MapField map={map} onChange={onChange} />
    </div>
  );
}

/** Columns that decide which rows stay out. */
function Skips(props: {
  map: FileMap;
  doubtOf: (field: string) => string | undefined;
  onChange: (map: FileMap) => void;
}) {
  const { map, doubtOf, onChange } = props;
  return (
    <>
      {map.skips.map((skip, at) => (
        <div class="field-row" key={at}>
          <RulesField
            label={`Rows stay out by ${skip.column}`}
            help={helpOf(
              'text:keep for rows that are imported, *:skip for all others.',
              doubtOf(`skip=${skip.column}`),
            )}
            rules={skip.rules}
            onChange={(rules) => onChange({ ...map, skips: map.skips.with(at, { ...skip, rules }) })}
          />
          <Button
            kind="quiet"
            icon="close"
            label={`Leave out no rows by ${skip.column}`}
            onClick={() => onChange({ ...map, skips: map.skips.toSpliced(at, 1) })}
          />
        </div>
      ))}
    </>
  );
}

function helpOf(help: string | undefined, doubt: string | undefined) {
  if (doubt === undefined) return help;
  return (
    <>
      <strong class="doubt">Not sure: {doubt}.</strong> {help}
    </>
  );
}

function FieldRow(props: {
  field: RecordField;
  source: FieldSource | undefined;
  columns: readonly string[];
  doubt: string | undefined;
  onChange: (source: FieldSource | undefined) => void;
  onColumn: (column: string) => void;
}) {
  const { field, source, columns, doubt, onChange, onColumn } = props;
  const { name, is_required, is_time, values } = field;
  const text = source !== undefined && 'constant' in source ? source.constant : '';
  const column = source !== undefined && 'column' in source ? source : undefined;
  const is_missing = is_required && column === undefined && text === '';
  const of_text = {
    label: `Text for ${name}`,
    value: text,
    onChange: (constant: string) => onChange({ constant }),
  };
  const known =
    column === undefined || columns.includes(column.column) ? columns : [...columns, column.column];
  const choose = (chosen: string): void => (chosen === '' ? onChange({ constant: '' }) : onColumn(chosen));
  return (
    <div class="field-row">
      <SelectField
        label={is_required ? `${name} (required)` : name}
        help={helpOf(undefined, doubt)}
        error={is_missing ? 'Choose a column, or a text for all lines.' : undefined}
        value={column?.column ?? ''}
        options={optionsOf('The same for all lines', known)}
        onChange={choose}
      />
      {column === undefined && values === undefined && <TextField {...of_text} />}
      {column === undefined && values && <SelectField {...of_text} options={optionsOf('Choose', values)} />}
      {column !== undefined && is_time && (
        <SelectField
          label={`Times of ${name}`}
          value={column.unit ?? ''}
          options={UNIT_OPTIONS}
          onChange={(unit) => onChange({ ...column, unit: UNITS.find((each) => each === unit) })}
        />
      )}
      {column !== undefined && (values !== undefined || column.rules.length > 0) && (
        <RulesField
          label={`Replace texts of ${name}`}
          help={`from:to, from:to.${values === undefined ? '' : ` Allowed: ${values.join(', ')}.`}`}
          rules={column.rules}
          onChange={(rules) => onChange({ ...column, rules })}
        />
      )}
      {!is_required && (
        <Button kind="quiet" icon="close" label={`Leave out ${name}`} onClick={() => onChange(undefined)} />
      )}
    </div>
  );
}

/** A text that is a part of a map. What is typed stays while it cannot be understood. */
function ParsedField<T>(props: {
  label: string;
  help?: ReturnType<typeof helpOf>;
  placeholder?: string;
  value: T;
  write: (value: T) => string;
  /** @throws MapFault */
  parse: (text: string) => T;
  onChange: (value: T) => void;
}) {
  const { value, write, parse, onChange, ...field } = props;
  const [typed, setTyped] = useState({ text: write(value), value, error: '' });
  const shown = typed.value === value ? typed : { text: write(value), error: '' };
  const change = (text: string): void => {
    try {
      const next = parse(text);
      setTyped({ text, value: next, error: '' });
      onChange(next);
    } catch (error) {
      if (!(error instanceof MapFault)) throw error;
      setTyped({ text, value, error: error.message });
    }
  };
  return <TextField {...field} value={shown.text} error={shown.error || undefined} onChange={change} />;
}

function RulesField(props: {
  label: string;
  help: ReturnType<typeof helpOf>;
  rules: readonly Rule[];
  onChange: (rules: readonly Rule[]) => void;
}) {
  const { rules, ...field } = props;
  return (
    <ParsedField
      {...field}
      placeholder="star:like, *:skip"
      value={rules}
      write={rulesText}
      parse={parseRules}
    />
  );
}

/** Everything as one line, as the command takes it. */
function MapField({ map, onChange }: { map: FileMap; onChange: (map: FileMap) => void }) {
  const { file } = map;
  return (
    <div class="whole-map">
      <ParsedField
        label="As a map"
        help={
          <>
            The same as one line for feedloom import --map-file.{' '}
            <a href="docs/import-maps">How maps are written</a>.
          </>
        }
        value={map}
        write={writeMap}
        parse={(text) => ({ ...parseMap(text), file })}
        onChange={onChange}
      />
    </div>
  );
}

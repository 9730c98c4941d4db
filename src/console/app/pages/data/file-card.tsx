import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import { type ChosenFile, guessedChoices, isPlain, missingField } from './chosen-file.ts';
import { KIND_SPECS, KINDS, type Kind } from './kinds.ts';
import { MappingForm } from './mapping-form.tsx';
import { fieldsOf, type Schemas } from './schema.ts';

const UNITS = ['B', 'kB', 'MB', 'GB'];
const AMOUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `3.2 MB` */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${AMOUNT.format(bytes / 1000 ** power)} ${UNITS[power]}`;
}

/** The keyboard scrolls what has the focus. */
const SCROLLED = { role: 'region', tabIndex: 0 } as const;
const KIND_OPTIONS: readonly { value: Kind | ''; text: string }[] = [
  { value: '', text: 'Leave out' },
  ...KINDS.map((kind) => ({ value: kind, text: KIND_SPECS[kind].text })),
];

/** A chosen file: what it is, its first rows, and which column is what. */
export function FileCard(props: {
  chosen: ChosenFile;
  schemas: Schemas;
  onChange: (change: Partial<ChosenFile>) => void;
  onRemove: () => void;
}) {
  const { chosen, schemas, onChange, onRemove } = props;
  const { file, kind, preview } = chosen;
  const fields = kind === undefined ? [] : fieldsOf(kind, schemas[kind]);
  const missing = kind === undefined ? undefined : missingField(chosen, fields);
  const choose = (value: Kind | ''): void =>
    onChange(
      value === '' ? { kind: undefined } : { kind: value, choices: guessedChoices(value, preview, schemas) },
    );
  return (
    <article class="file-card" aria-label={file.name}>
      <header>
        <h3>{file.name}</h3>
        <small>{sizeText(file.size)}</small>
        <Button kind="quiet" icon="close" label={`Remove ${file.name}`} onClick={onRemove} />
      </header>
      <Field label="What it has">
        <Select value={kind ?? ''} options={KIND_OPTIONS} onChange={choose} />
      </Field>
      <div class="first-rows" {...SCROLLED} {...{ 'aria-label': `First rows of ${file.name}` }}>
        <table class="list">
          <thead>
            <tr>
              {preview.columns.map((column, index) => (
                <th scope="col" key={`${column} ${index}`}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.map((row, line) => (
              <tr key={line}>
                {preview.columns.map((column, index) => (
                  <td key={`${column} ${index}`}>{shortened(row[index] ?? '')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {kind !== undefined && (
        <details open={missing !== undefined || !isPlain(chosen)}>
          <summary>Which column is what</summary>
          <MappingForm chosen={chosen} fields={fields} onChange={onChange} />
        </details>
      )}
    </article>
  );
}

const CELL_LENGTH_MAX = 80;

function shortened(text: string): string {
  return text.length > CELL_LENGTH_MAX ? `${text.slice(0, CELL_LENGTH_MAX)}…` : text;
}

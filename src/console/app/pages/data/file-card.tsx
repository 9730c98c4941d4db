import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/inputs.tsx';
import { scrolled } from '../../ui/layout.tsx';
import { Table } from '../../ui/table.tsx';
import { shortened } from '../../ui/texts.ts';
import { type ChosenFile, guessedChoices, isPlain, missingField } from './chosen-file.ts';
import { fieldsOf, KIND_SPECS, KINDS, type Kind } from './kinds.ts';
import { MappingForm } from './mapping-form.tsx';

const UNITS = ['B', 'kB', 'MB', 'GB'];
const AMOUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `3.2 MB` */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${AMOUNT.format(bytes / 1000 ** power)} ${UNITS[power]}`;
}

const KIND_OPTIONS: readonly { value: Kind | ''; text: string }[] = [
  { value: '', text: 'Leave out' },
  ...KINDS.map((kind) => ({ value: kind, text: KIND_SPECS[kind].text })),
];

const CELL_LENGTH_MAX = 80;

/** A chosen file: what it is, its first rows, and which column is what. */
export function FileCard(props: {
  chosen: ChosenFile;
  onChange: (change: Partial<ChosenFile>) => void;
  onRemove: () => void;
}) {
  const { chosen, onChange, onRemove } = props;
  const { file, kind, preview } = chosen;
  const choose = (value: Kind | ''): void =>
    onChange(value === '' ? { kind: undefined } : { kind: value, choices: guessedChoices(value, preview) });
  return (
    <article class="file-card" aria-label={file.name}>
      <header>
        <h3>{file.name}</h3>
        <small>{sizeText(file.size)}</small>
        <Button kind="quiet" icon="close" label={`Remove ${file.name}`} onClick={onRemove} />
      </header>
      <SelectField label="What it has" value={kind ?? ''} options={KIND_OPTIONS} onChange={choose} />
      <div class="first-rows" {...scrolled(`First rows of ${file.name}`)}>
        <Table
          rows={preview.rows}
          columns={preview.columns.map((title, at) => ({
            ...{ title, cell: (row: readonly string[]) => shortened(row[at] ?? '', CELL_LENGTH_MAX) },
          }))}
        />
      </div>
      {kind !== undefined && (
        <details open={missingField(chosen) !== undefined || !isPlain(chosen)}>
          <summary>Which column is what</summary>
          <MappingForm chosen={chosen} fields={fieldsOf(kind)} onChange={onChange} />
        </details>
      )}
    </article>
  );
}

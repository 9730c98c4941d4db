import type { Sample } from '../../../../mapping/sample.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/inputs.tsx';
import { scrolled } from '../../ui/layout.tsx';
import { Table } from '../../ui/table.tsx';
import { shortened } from '../../ui/texts.ts';
import { asKind, type ChosenFile, faultOf, isPlain } from './chosen-file.ts';
import { isSent, KINDS, recordFields, SENT_KINDS, type SentKind } from './kinds.ts';
import { MappingForm } from './mapping-form.tsx';

const UNITS = ['B', 'kB', 'MB', 'GB'];
const AMOUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `3.2 MB` */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${AMOUNT.format(bytes / 1000 ** power)} ${UNITS[power]}`;
}

const KIND_OPTIONS: readonly { value: SentKind | ''; text: string }[] = [
  { value: '', text: 'Leave out' },
  ...KINDS.map((kind) => ({ value: kind, text: SENT_KINDS[kind].text })),
];

const ROWS_SHOWN = 5;
const CELL_LENGTH_MAX = 80;

/** A chosen file: what it is, its first rows, and which column is what. @param is_again whether it stands above, too */
export function FileCard(props: {
  chosen: ChosenFile;
  is_again: boolean;
  onChange: (change: Partial<ChosenFile>) => void;
  onAgain: () => void;
  onRemove: () => void;
}) {
  const { chosen, is_again, onChange, onAgain, onRemove } = props;
  const { file, map, sample, reason, doubts } = chosen;
  const kind = map !== undefined && isSent(map.kind) ? map.kind : '';
  const name = is_again
    ? `${file.name} as ${kind === '' ? 'something else' : SENT_KINDS[kind].text}`
    : file.name;
  const of_file = doubts.filter(({ field }) => field === undefined).map(({ text }) => text);
  return (
    <article class="file-card" aria-label={name}>
      <header>
        <h3>{name}</h3>
        <small>{sizeText(file.size)}</small>
        <Button kind="quiet" icon="close" label={`Remove ${name}`} onClick={onRemove} />
      </header>
      <SelectField
        label="What it has"
        help={
          kind === ''
            ? reason && `Left out: ${reason}.`
            : of_file.length > 0 && <strong class="doubt">Not sure: {of_file.join('; ')}.</strong>
        }
        value={kind}
        options={KIND_OPTIONS}
        onChange={(value) => onChange(value === '' ? { map: undefined, doubts: [] } : asKind(chosen, value))}
      />
      {!is_again && (
        <div class="first-rows" {...scrolled(`First rows of ${file.name}`)}>
          <Table
            rows={sample.rows.slice(0, ROWS_SHOWN)}
            columns={sample.columns.map((title) => ({
              ...{
                title,
                cell: (row: Sample['rows'][number]) => shortened(row[title] ?? '', CELL_LENGTH_MAX),
              },
            }))}
          />
        </div>
      )}
      {map !== undefined && (
        <details open={faultOf(chosen) !== undefined || !isPlain(chosen)}>
          <summary>Which column is what</summary>
          <MappingForm
            {...{ chosen, map, fields: recordFields(map.kind) }}
            onChange={(change) => onChange({ ...change, preset: undefined })}
          />
        </details>
      )}
      {!is_again && (
        <Button kind="quiet" icon="plus" onClick={onAgain}>
          Read it as something else, too
        </Button>
      )}
    </article>
  );
}

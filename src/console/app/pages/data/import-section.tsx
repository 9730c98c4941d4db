import { useRef, useState } from 'preact/hooks';
import { textOf } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { useResource } from '../../ui/resource.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { type ChosenFile, chosenFile, mappingOf, missingField } from './chosen-file.ts';
import { DropZone } from './drop-zone.tsx';
import { FileCard } from './file-card.tsx';
import { ImportProgress } from './import-progress.tsx';
import { current_run, ImportRun, type ReadyFile } from './import-run.ts';
import { KINDS, unreadable } from './kinds.ts';
import { fieldsOf, loadSchemas, type Schemas } from './schema.ts';

interface Ignored {
  name: string;
  reason: string;
}

/** Files are chosen, mapped, checked and sent. */
export function ImportSection() {
  const schemas = useResource(loadSchemas, []);
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([]);
  const [ignored, setIgnored] = useState<readonly Ignored[]>([]);
  const run = current_run.value;
  const last_id = useRef(0);
  if (schemas.data === undefined) {
    return schemas.error === undefined ? (
      <Loading />
    ) : (
      <Failure error={schemas.error} retry={schemas.reload} />
    );
  }
  const known = schemas.data;
  const add = async (files: readonly File[]): Promise<void> => {
    setIgnored([]);
    for (const file of files.filter(({ name }) => !name.startsWith('.'))) {
      last_id.current++;
      const found = await read(last_id.current, file, known);
      if ('reason' in found) setIgnored((before) => [...before, found]);
      else setChosen((before) => [...before.filter((one) => one.file.name !== file.name), found]);
    }
  };
  const start = (is_check: boolean): void => {
    const next = new ImportRun(readyFiles(chosen, known), is_check);
    current_run.value = next;
    void next.run();
  };
  if (run !== undefined) {
    const close = (): void => {
      current_run.value = undefined;
    };
    return <ImportProgress run={run} onClose={close} />;
  }
  const change = (id: number, changes: Partial<ChosenFile>): void =>
    setChosen(chosen.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  return (
    <section aria-labelledby="import">
      <h2 id="import">Import</h2>
      <DropZone onFiles={(files) => void add(files)} />
      {ignored.length > 0 && (
        <ul class="ignored" role="status">
          {ignored.map(({ name, reason }) => (
            <li key={name}>
              <b>{name}</b> is left out: {reason}.
            </li>
          ))}
        </ul>
      )}
      {chosen.map((one) => (
        <FileCard
          key={one.id}
          chosen={one}
          schemas={known}
          onChange={(changes) => change(one.id, changes)}
          onRemove={() => setChosen(chosen.filter(({ id }) => id !== one.id))}
        />
      ))}
      {chosen.length > 0 && <Start chosen={chosen} schemas={known} onStart={start} />}
    </section>
  );
}

function Start(props: {
  chosen: readonly ChosenFile[];
  schemas: Schemas;
  onStart: (is_check: boolean) => void;
}) {
  const { chosen, schemas, onStart } = props;
  const used = chosen.filter(({ kind }) => kind !== undefined);
  const incomplete = used.find(
    (one) => one.kind !== undefined && missingField(one, fieldsOf(one.kind, schemas[one.kind])) !== undefined,
  );
  const is_disabled = used.length === 0 || incomplete !== undefined;
  return (
    <>
      {incomplete !== undefined && (
        <p class="help">{incomplete.file.name} has required fields without a source.</p>
      )}
      <div class="actions">
        <Button kind="primary" disabled={is_disabled} onClick={() => onStart(false)}>
          Import
        </Button>
        <Button disabled={is_disabled} onClick={() => onStart(true)}>
          Check only
        </Button>
      </div>
    </>
  );
}

async function read(id: number, file: File, schemas: Schemas): Promise<ChosenFile | Ignored> {
  const reason = unreadable(file.name);
  if (reason !== undefined) return { name: file.name, reason };
  try {
    return await chosenFile(id, file, schemas);
  } catch (error) {
    return { name: file.name, reason: textOf(error) };
  }
}

/** In the order in which the records are best known to the service: people before their acts. */
function readyFiles(chosen: readonly ChosenFile[], schemas: Schemas): ReadyFile[] {
  return KINDS.flatMap((kind) =>
    chosen
      .filter((one) => one.kind === kind)
      .map((one) => ({
        ...{ file: one.file, kind, is_csv: one.is_csv, time_unit: one.time_unit },
        mapping: mappingOf(one),
        schema: schemas[kind],
      })),
  );
}

import { useRef, useState } from 'preact/hooks';
import { textOf } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/layout.tsx';
import { type ChosenFile, chosenFile, missingField } from './chosen-file.ts';
import { DropZone } from './drop-zone.tsx';
import { FileCard } from './file-card.tsx';
import { ImportProgress } from './import-progress.tsx';
import { current_run, ImportRun } from './import-run.ts';
import { unreadable } from './kinds.ts';

interface Ignored {
  name: string;
  reason: string;
}

/** Files are chosen, mapped, checked and sent. */
export function ImportSection() {
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([]);
  const [ignored, setIgnored] = useState<readonly Ignored[]>([]);
  const run = current_run.value;
  const last_id = useRef(0);
  const add = async (files: readonly File[]): Promise<void> => {
    setIgnored([]);
    for (const file of files.filter(({ name }) => !name.startsWith('.'))) {
      last_id.current++;
      const found = await read(last_id.current, file);
      if ('reason' in found) setIgnored((before) => [...before, found]);
      else setChosen((before) => [...before.filter((one) => one.file.name !== file.name), found]);
    }
  };
  const start = (is_check: boolean): void => {
    const next = new ImportRun(chosen, is_check);
    current_run.value = next;
    void next.run();
  };
  if (run !== undefined) {
    const close = (): void => {
      current_run.value = undefined;
    };
    return <ImportProgress run={run} onClose={close} />;
  }
  return (
    <Section title="Import">
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
          onChange={(changes) =>
            setChosen(chosen.map((other) => (other === one ? { ...one, ...changes } : other)))
          }
          onRemove={() => setChosen(chosen.filter((other) => other !== one))}
        />
      ))}
      {chosen.length > 0 && <Start chosen={chosen} onStart={start} />}
    </Section>
  );
}

function Start({ chosen, onStart }: { chosen: readonly ChosenFile[]; onStart: (is_check: boolean) => void }) {
  const incomplete = chosen.find((one) => missingField(one) !== undefined);
  const is_disabled = incomplete !== undefined || chosen.every(({ kind }) => kind === undefined);
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

async function read(id: number, file: File): Promise<ChosenFile | Ignored> {
  const { name } = file;
  const reason = unreadable(name);
  if (reason !== undefined) return { name, reason };
  return chosenFile(id, file).catch((error: unknown) => ({ name, reason: textOf(error) }));
}

import { useState } from 'preact/hooks';
import { PRESET_NAMES, type PresetName } from '../../../../mapping/presets/index.ts';
import { textOf } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/inputs.tsx';
import { Section } from '../../ui/layout.tsx';
import {
  again,
  type ChosenFile,
  faultOf,
  type LeftOut,
  leftOutOf,
  type SampledFile,
  unreadable,
  waysOf,
} from './chosen-file.ts';
import { DropZone } from './drop-zone.tsx';
import { FileCard } from './file-card.tsx';
import { sampleOfFile } from './file-rows.ts';
import { ImportProgress } from './import-progress.tsx';
import { current_run, ImportRun } from './import-run.ts';
import { LeftOutFiles } from './left-out-files.tsx';

const PRESET_OPTIONS: readonly { value: PresetName | ''; text: string }[] = [
  { value: '', text: 'By names and values' },
  ...PRESET_NAMES.map((value) => ({ value, text: `Preset ${value}` })),
];

/** Files are chosen, mapped, checked and sent. */
export function ImportSection() {
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([]);
  const [ignored, setIgnored] = useState<readonly LeftOut[]>([]);
  const [preset, setPreset] = useState<PresetName>();
  const run = current_run.value;
  const add = async (files: readonly File[]): Promise<void> => {
    const read = await Promise.all(files.filter(({ name }) => !name.startsWith('.')).map(readFirst));
    setIgnored(read.flatMap((one) => ('reason' in one ? [one] : [])));
    const added = read.flatMap((one) => ('sample' in one ? [one] : []));
    const is_new = ({ file: { name } }: SampledFile) => added.every(({ file }) => file.name !== name);
    setChosen((before) => [...before.filter(is_new), ...waysOf(added, preset)]);
  };
  const readBy = (name: PresetName | ''): void => {
    const next = name === '' ? undefined : name;
    setPreset(next);
    setChosen(
      waysOf(
        chosen.filter((one) => !isAgain(chosen, one)),
        next,
      ),
    );
  };
  const start = (is_check: boolean): void => {
    const next = new ImportRun(chosen, is_check, [...ignored, ...leftOutOf(chosen)]);
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
      <LeftOutFiles files={ignored} />
      {chosen.length > 0 && (
        <SelectField
          label="How files are read"
          value={preset ?? ''}
          options={PRESET_OPTIONS}
          onChange={readBy}
        />
      )}
      {chosen.map((one) => (
        <FileCard
          key={keyIn(chosen, one)}
          chosen={one}
          is_again={isAgain(chosen, one)}
          onChange={(changes) =>
            setChosen(chosen.map((other) => (other === one ? { ...one, ...changes } : other)))
          }
          onAgain={() => setChosen(chosen.toSpliced(chosen.indexOf(one) + 1, 0, again(one)))}
          onRemove={() => setChosen(chosen.filter((other) => other !== one))}
        />
      ))}
      {chosen.length > 0 && <Start chosen={chosen} onStart={start} />}
    </Section>
  );
}

function keyIn(chosen: readonly ChosenFile[], one: ChosenFile): string {
  return `${one.file.name} ${chosen.filter(({ file }) => file === one.file).indexOf(one)}`;
}

/** Whether the same file stands above. */
function isAgain(chosen: readonly ChosenFile[], one: ChosenFile): boolean {
  return chosen.find(({ file }) => file === one.file) !== one;
}

function Start({ chosen, onStart }: { chosen: readonly ChosenFile[]; onStart: (is_check: boolean) => void }) {
  const fault = chosen.map(faultOf).find((each) => each !== undefined);
  const is_disabled = fault !== undefined || chosen.every(({ map }) => map === undefined);
  return (
    <>
      {fault !== undefined && <p class="help">{fault}</p>}
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

async function readFirst(file: File): Promise<SampledFile | LeftOut> {
  const { name } = file;
  const reason = unreadable(name);
  if (reason !== undefined) return { name, reason };
  try {
    return { file, sample: await sampleOfFile(file) };
  } catch (error) {
    return { name, reason: textOf(error) };
  }
}

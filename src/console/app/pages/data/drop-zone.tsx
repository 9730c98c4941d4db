import { useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { useWindowEvent } from '../../ui/keys.ts';
import { tellFailure } from '../../ui/toast.tsx';

/** The files in what was dropped, also those in folders. */
async function droppedFiles(items: DataTransferItemList): Promise<File[]> {
  // Both must be taken before anything is awaited: the list is emptied after the event.
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = dropped.map(async ({ entry, file }) => {
    if (entry !== null) return await filesIn(entry);
    return file === null ? [] : [file];
  });
  return (await Promise.all(found)).flat();
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry instanceof FileSystemFileEntry)
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!(entry instanceof FileSystemDirectoryEntry)) return [];
  const reader = entry.createReader();
  const files: File[] = [];
  for (;;) {
    // A reader gives a part of a large folder at a time.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return files;
    files.push(...(await Promise.all(part.map(filesIn))).flat());
  }
}

/** The types of the library do not have it. */
const FOLDER = { webkitdirectory: true };

/** Where files and folders are dropped, or chosen by a button. They may be dropped anywhere on the page. */
export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const is_over = useDrops(onFiles);
  const chooser = {
    type: 'file',
    hidden: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      onFiles([...(currentTarget.files ?? [])]);
      // The same file can be chosen again.
      currentTarget.value = '';
    },
  } as const;
  return (
    <div class={is_over ? 'drop-zone over' : 'drop-zone'}>
      <p>Drop files or a folder here: CSV or JSON, also with .gz.</p>
      <div class="actions">
        <Button icon="plus" onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button onClick={() => folder.current?.click()}>Choose a folder</Button>
      </div>
      <input
        {...chooser}
        ref={files}
        multiple
        aria-label="Files"
        accept=".csv,.tsv,.jsonl,.ndjson,.json,.gz"
      />
      <input {...chooser} {...FOLDER} ref={folder} aria-label="Folder" />
      <p class="help">
        Files of <code>feedloom export</code> need no settings. <a href="docs/import">All fields</a>,{' '}
        <a href="docs/import-presets">exports of other software</a>.
      </p>
    </div>
  );
}

/** Takes what is dropped on the page, which the browser would open otherwise. @returns whether files are above it */
function useDrops(onFiles: (files: readonly File[]) => void): boolean {
  const [is_over, setOver] = useState(false);
  useWindowEvent('dragover', (event) => {
    event.preventDefault();
    setOver(true);
  });
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    // It is also sent for every element that the pointer leaves.
    if (relatedTarget === null) setOver(false);
  });
  useWindowEvent('drop', (event) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer !== null) droppedFiles(event.dataTransfer.items).then(onFiles, tellFailure);
  });
  return is_over;
}

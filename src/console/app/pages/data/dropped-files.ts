/** The files in what was dropped, also those in folders. */
export async function droppedFiles(items: DataTransferItemList): Promise<File[]> {
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

/** Saves a text as a file. A link alone cannot load it, because the key is in a header. @param type media type */
export function saveAs(type: string, name: string, ...parts: readonly string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...parts], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

import { useState } from 'preact/hooks';

/** The free fields of a record, written when they are opened: they can be long. */
export function Metadata({ metadata }: { metadata: object | null | undefined }) {
  const [is_open, setOpen] = useState(false);
  if (!metadata) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Metadata</summary>
      {is_open && <pre>{JSON.stringify(metadata, null, 2)}</pre>}
    </details>
  );
}

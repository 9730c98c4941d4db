import type { LeftOut } from './chosen-file.ts';

/** Names the files of which nothing is read, and why. */
export function LeftOutFiles({ files }: { files: readonly LeftOut[] }) {
  if (files.length === 0) return null;
  return (
    <div role="status">
      <ul class="ignored">
        {files.map(({ name, reason }) => (
          <li key={name}>
            <b>{name}</b> is left out: {reason}.
          </li>
        ))}
      </ul>
    </div>
  );
}

import { type Change, changeText, inLines } from './diff.ts';

export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p class="help">Nothing that is shown here.</p>;
  return (
    <ul class="changes">
      {inLines(changes).map((change) => (
        <li key={change.path.join('/')}>{changeText(change)}</li>
      ))}
    </ul>
  );
}

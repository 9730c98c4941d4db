import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Ago } from '../../ui/time.tsx';
import { Changes } from './changes.tsx';
import { type Change, changesOf } from './diff.ts';
import type { Editor } from './editor.ts';
import { fieldsOf } from './feed.ts';

/** Somebody else saved the feed while it was edited here: what both changed, and what can be done. */
export function Conflict({ editor }: { editor: Editor }) {
  const { base, draft, theirs } = editor;
  const ignore = (): void => editor.ignoreTheirs();
  if (theirs === undefined) return null;
  const before = fieldsOf(base);
  const their_changes = changesOf(before, fieldsOf(theirs.feed));
  const my_changes = changesOf(before, draft);
  const twice = my_changes.filter((mine) => their_changes.some((other) => overlap(mine, other)));
  return (
    <Dialog title="Somebody else changed this feed" onClose={ignore} wide>
      <p>
        Revision {theirs.feed.revision} was saved <Ago at={theirs.feed.updated_at} /> by {theirs.by}. Your
        changes are not saved yet.
      </p>
      <h3>They changed</h3>
      <Changes changes={their_changes} />
      <h3>You changed</h3>
      <Changes changes={my_changes} />
      {twice.length > 0 && (
        <p>
          Both changed {twice.map(({ path }) => path.join('.')).join(', ')}. If you save, your value stays.
        </p>
      )}
      <div class="row end">
        <Button onClick={ignore}>Go on editing</Button>
        <Button kind="danger" onClick={() => editor.reset(theirs.feed)}>
          Discard my changes
        </Button>
        <Button kind="primary" onClick={() => void editor.saveOnTop()}>
          Keep both and save
        </Button>
      </div>
    </Dialog>
  );
}

/** Whether two changes concern the same value, or one is inside of the other. */
function overlap({ path: left }: Change, { path: right }: Change): boolean {
  const common = Math.min(left.length, right.length);
  return left.slice(0, common).join('\n') === right.slice(0, common).join('\n');
}

import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorText } from './error-text.tsx';
import { useSubmit } from './use-submit.ts';

/** Asks before something is done. @param work leaves the window if it succeeds */
export function Confirm(props: {
  title: string;
  action: string;
  kind?: 'danger' | 'primary';
  children: ComponentChildren;
  onClose: () => void;
  work: () => Promise<void>;
}) {
  const { title, action, kind = 'danger', children, onClose, work } = props;
  const { submit, is_busy, error } = useSubmit(work);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <ErrorText text={error} />
      <div class="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={kind} disabled={is_busy} onClick={() => void submit()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

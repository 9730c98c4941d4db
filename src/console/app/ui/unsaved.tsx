import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { checkLeaving } from '../router.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks before a page with unsaved changes is left. @param save resolves to whether it worked */
export function Unsaved({ is_dirty, save }: { is_dirty: boolean; save: () => Promise<boolean> }) {
  const [target, setTarget] = useState<string>();
  const [is_leaving, setLeaving] = useState(false);
  const is_held = is_dirty && !is_leaving;
  // Not later: a link may be followed before the page is drawn.
  useLayoutEffect(() => {
    if (!is_held) return;
    // Only while there are changes: browsers may not keep a page with this listener for their Back button.
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    const endCheck = checkLeaving((next) => {
      setTarget(next);
      return false;
    });
    return () => {
      removeEventListener('beforeunload', onUnload);
      endCheck();
    };
  }, [is_held]);
  useEffect(() => {
    // The check above has ended by now.
    if (is_leaving && target !== undefined) location.hash = target;
  }, [is_leaving]);
  if (target === undefined || is_leaving) return null;
  const stay = (): void => setTarget(undefined);
  return (
    <Dialog title="Leave without saving?" onClose={stay}>
      <p>This page has changes that are not saved.</p>
      <div class="row end">
        <Button onClick={stay}>Stay</Button>
        <Button kind="danger" onClick={() => setLeaving(true)}>
          Discard changes
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            void save().then((is_saved) => (is_saved ? setLeaving(true) : stay()));
          }}
        >
          Save and leave
        </Button>
      </div>
    </Dialog>
  );
}

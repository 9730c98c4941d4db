import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { checkLeaving } from '../router.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useWindowEvent } from './keys.ts';

/** Asks before a page with unsaved changes is left. @param save resolves to whether it worked */
export function Unsaved({ is_dirty, save }: { is_dirty: boolean; save: () => Promise<boolean> }) {
  const [target, setTarget] = useState<string>();
  const [is_leaving, setLeaving] = useState(false);
  const is_held = is_dirty && !is_leaving;
  useWindowEvent('beforeunload', (event) => {
    if (is_held) event.preventDefault();
  });
  // Not later: a link may be followed before the page is drawn.
  useLayoutEffect(() => {
    if (!is_held) return;
    return checkLeaving((next) => {
      setTarget(next);
      return false;
    });
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

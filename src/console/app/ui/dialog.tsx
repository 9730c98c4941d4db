import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { Toasts, useWindow } from './toast.tsx';

const FIELDS = ':is(input, select, textarea):enabled';

/**
 * A window in front of the page. It begins in its first field. Escape and a click beside it close it; the focus returns
 * to where it was.
 */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const { title, onClose, wide = false, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const depth = useWindow();
  // Not later: the next key is for the window.
  useLayoutEffect(() => {
    ref.current?.showModal();
    // The browser chooses the button that closes the window.
    ref.current?.querySelector<HTMLElement>(FIELDS)?.focus();
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current) ref.current?.close();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.stopPropagation();
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" icon="close" label="Close" onClick={() => ref.current?.close()} />
        </header>
        {children}
      </div>
      <Toasts depth={depth} />
    </dialog>
  );
}

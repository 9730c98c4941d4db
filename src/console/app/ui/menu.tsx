import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** Actions behind a button with three dots. Escape, a choice, and leaving it close it. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (ref.current !== null) ref.current.open = false;
  };
  const closeAndFocus = (): void => {
    close();
    ref.current?.querySelector('summary')?.focus();
  };
  return (
    <details
      ref={ref}
      class="menu"
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('.actions') !== null)
          // A window that the choice opens gives the focus back to where it was, which must still be shown.
          closeAndFocus();
      }}
      onMouseDown={(event) => {
        // Some browsers give the focus to nothing, which would close the menu before the click.
        if (event.target instanceof Element && event.target.closest('.actions') !== null)
          event.preventDefault();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeAndFocus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && ref.current?.contains(relatedTarget))) close();
      }}
    >
      <summary class="button quiet only-icon" aria-label={label} title={label}>
        <Icon name="more" />
      </summary>
      <div class="actions">{children}</div>
    </details>
  );
}

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';

/** A text field that chooses from the list below it. */
const COMBOBOX = {
  type: 'text',
  role: 'combobox',
  list: undefined,
  autocomplete: 'off',
  'aria-expanded': true,
} as const;

/** What entries of the list have, beside `role="option"` and `tabIndex={-1}`. */
interface OptionAttributes {
  id: string;
  'aria-selected': boolean;
}

/** A window with a field and what was found for its text. Arrows choose, Enter opens. */
export function FindWindow<T>(props: {
  title: string;
  wide?: boolean;
  onClose: () => void;
  label: string;
  value: string;
  onInput: (text: string) => void;
  found: readonly T[];
  /** @param chosen undefined if nothing was found, or not yet */
  onEnter: (chosen: T | undefined) => void;
  /** Between the field and the list. */
  status?: ComponentChildren;
  option: (one: T, attributes: OptionAttributes) => JSX.Element;
}) {
  const { title, wide, onClose, label, value, onInput, found, onEnter, status, option } = props;
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const at = Math.min(chosen, found.length - 1);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      <input
        {...COMBOBOX}
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${at}` : undefined}
        aria-label={label}
        value={value}
        onInput={(event) => {
          setChosen(0);
          onInput(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined && found.length > 0) {
            event.preventDefault();
            setChosen((at + step + found.length) % found.length);
          } else if (event.key === 'Enter') onEnter(found[at]);
        }}
      />
      {status}
      <div class="found" id="found" role="listbox" aria-label="Found" ref={list}>
        {found.map((one, index) => option(one, { id: `found-${index}`, 'aria-selected': index === at }))}
      </div>
    </Dialog>
  );
}

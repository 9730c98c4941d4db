import { useRef, useState } from 'preact/hooks';
import type { FieldIds } from './field.tsx';
import { useResource, useSettled } from './resource.ts';

/** Something that can be chosen. */
export interface Choice {
  value: string;
  /** Default: the value. */
  text?: string;
  /** What people want to know before they choose it. */
  hint?: string;
}

/** Waits until the typing has paused. */
const PAUSE_MS = 100;

/** Attributes of a text field that chooses from a list. */
function combobox(is_expanded: boolean) {
  return {
    ...({ type: 'text', role: 'combobox', list: undefined, 'aria-autocomplete': 'list' } as const),
    'aria-expanded': is_expanded,
  };
}

interface LookupProps {
  ids?: FieldIds;
  label?: string;
  placeholder?: string;
  /** What can be chosen, the best first. */
  search: (typed: string, signal: AbortSignal) => readonly Choice[] | Promise<readonly Choice[]>;
  onChoose: (value: string) => void;
  /** Whether a text that is not found can be taken, and how it is written. Undefined: the text is not allowed. */
  free?: (typed: string) => string | undefined;
  /** Called when Backspace is pressed in the empty field. */
  onBack?: () => void;
  /** Takes a text with several entries, typed or pasted. Returns whether it is one. */
  onSeveral?: (text: string) => boolean;
}

/** A text field that finds choices. Arrows choose, Enter takes the choice, or what is typed if that is allowed. */
export function Lookup(props: LookupProps) {
  const { ids, label, placeholder, search, onChoose, free, onBack, onSeveral } = props;
  const [typed, setTyped] = useState('');
  const [is_open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  // What is not taken yet. A field that goes away when it is full is left before it is drawn again.
  const open_text = useRef('');
  const choices = useChoices(typed, is_open, search, free);
  const at = Math.min(chosen, choices.length - 1);
  const list = `${ids?.id ?? label?.replaceAll(' ', '-')}-choices`;
  const take = (value: string | undefined): void => {
    if (value === undefined) return;
    open_text.current = '';
    setTyped('');
    setChosen(0);
    setOpen(false);
    onChoose(value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) {
      event.preventDefault();
      if (is_open) setChosen((at + step + choices.length) % choices.length);
      setOpen(true);
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // It saves the page. What is typed is a part of it.
      if (typed.trim() !== '') take(free?.(typed.trim()));
    } else if (event.key === 'Enter' && is_open) {
      event.preventDefault();
      take(choices[at]?.value ?? free?.(typed.trim()));
    } else if (event.key === 'Escape' && is_open) {
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Backspace' && typed === '') onBack?.();
  };
  return (
    <div class="lookup">
      <input
        {...combobox(is_open && choices.length > 0)}
        {...ids}
        aria-label={label}
        aria-controls={list}
        aria-activedescendant={is_open && at >= 0 ? `${list}-${at}` : undefined}
        value={typed}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          if (open_text.current !== '') take(free?.(open_text.current));
        }}
        onInput={(event) => {
          const { currentTarget } = event;
          if (onSeveral?.(currentTarget.value) === true) currentTarget.value = '';
          open_text.current = currentTarget.value.trim();
          setTyped(currentTarget.value);
          setChosen(0);
          setOpen(true);
        }}
        onPaste={(event) => {
          if (onSeveral?.(event.clipboardData?.getData('text') ?? '') === true) event.preventDefault();
        }}
        onKeyDown={onKeyDown}
      />
      <Choices list={list} choices={is_open ? choices : []} at={at} take={take} />
    </div>
  );
}

function Choices(props: {
  list: string;
  choices: readonly Choice[];
  at: number;
  take: (value: string) => void;
}) {
  const { list, choices, at, take } = props;
  return (
    <div class="choices" id={list} role="listbox" aria-label="Choices" hidden={choices.length === 0}>
      {choices.map(({ value, text = value, hint }, index) => (
        // The keyboard stays in the text field, which says by `aria-activedescendant` what is chosen.
        <div
          key={value}
          id={`${list}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          ref={(element) => {
            if (index === at) element?.scrollIntoView({ block: 'nearest' });
          }}
          onMouseDown={(event) => {
            // The text field keeps the focus.
            event.preventDefault();
            take(value);
          }}
        >
          <span>{text}</span>
          {hint && <small>{hint}</small>}
        </div>
      ))}
    </div>
  );
}

/** What is found, and at the end what is typed, if that is allowed. Choices for an older text are not shown. */
function useChoices(
  typed: string,
  is_open: boolean,
  search: LookupProps['search'],
  free: LookupProps['free'],
): readonly Choice[] {
  const wanted = useSettled(typed.trim(), PAUSE_MS);
  const found = useResource(
    is_open ? async (signal) => ({ for_text: wanted, choices: await search(wanted, signal) }) : undefined,
    [wanted, is_open],
  );
  const now = typed.trim();
  const choices = found.data !== undefined && found.data.for_text === now ? found.data.choices : [];
  const as_typed = now === '' ? undefined : free?.(now);
  if (as_typed === undefined || choices.some(({ value }) => value === as_typed)) return choices;
  return [...choices, { value: as_typed, text: `“${as_typed}”`, hint: 'as typed' }];
}

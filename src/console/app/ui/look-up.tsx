import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { textOf } from '../session.ts';
import type { FieldIds } from './field.tsx';
import { useResource, useSettled } from './resource.ts';

/** A text field that finds records while somebody types, and gives the identifier of the chosen one. */

/** Something that was found. */
export interface Found {
  /** The identifier. */
  value: string;
  text: string;
  note?: string;
}

/** What a field looks up. */
export interface Kind {
  placeholder: string;
  find: (search: string, signal: AbortSignal) => Promise<readonly Found[]>;
}

/** How long typing must rest before a search is sent. */
const TYPING_MS = 120;
/** How long Enter waits for an answer. */
const ENTER_MS = 2_000;

/** Note of the option that is the typed text itself. */
const AS_TYPED = 'as typed';

/** A text field that chooses from a list below it. */
const COMBOBOX = {
  type: 'text',
  role: 'combobox',
  'aria-autocomplete': 'list',
  autocomplete: 'off',
  spellcheck: false,
} as const;

interface BoxProps {
  kind: Kind;
  typed: string;
  onType: (text: string) => void;
  onChoose: (value: string) => void;
  /** Called when the typed text counts as it is. */
  onLeave: () => void;
  ids?: FieldIds;
}

/** What is typed, what was found for it, and which of that is chosen. */
function useSearch({ kind, typed, onChoose, onLeave }: BoxProps) {
  const [is_open, showList] = useState(false);
  const [chosen, setChosen] = useState(0);
  // Keys may come faster than the page is drawn, so handlers read this.
  const open_now = useRef(false);
  const setOpen = (open: boolean): void => {
    open_now.current = open;
    showList(open);
  };
  const search = useSettled(typed.trim(), TYPING_MS);
  const { data, error, is_loading } = useResource(
    is_open ? async (signal) => ({ search, found: await kind.find(search, signal) }) : undefined,
    [is_open, search],
  );
  const options = is_open ? offered(data?.found ?? [], typed.trim()) : [];
  const at = Math.min(chosen, options.length - 1);
  const take = (one: Found | undefined): void => {
    setOpen(false);
    setChosen(0);
    if (one === undefined || one.note === AS_TYPED) onLeave();
    else onChoose(one.value);
  };
  /** Enter may come before the answer for what was typed, and before the page is drawn. */
  const takeTyped = async (text: string): Promise<void> => {
    const is_drawn = text === typed.trim() && is_open;
    if (is_drawn && (chosen > 0 || data?.search === text)) return take(options.at(at));
    const found = await kind.find(text, AbortSignal.timeout(ENTER_MS)).catch(() => []);
    take(found.at(0));
  };
  return { is_open, open_now, setOpen, setChosen, options, at, take, takeTyped, error, is_loading };
}

/** The field and its list. Arrows move in the list, Enter takes, Escape closes it. */
function Box(props: BoxProps) {
  const { kind, typed, onType, onLeave, ids } = props;
  const { is_open, open_now, setOpen, setChosen, ...search } = useSearch(props);
  const { options, at, take, takeTyped, error, is_loading } = search;
  const list = useId();
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }): void => {
    const text = event.currentTarget.value.trim();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!is_open) setOpen(true);
      else if (options.length > 0) setChosen((at + step + options.length) % options.length);
    } else if (event.key === 'Enter' && open_now.current && (text !== '' || options.length > 0)) {
      event.preventDefault();
      void takeTyped(text);
    } else if (event.key === 'Enter') {
      onLeave();
    } else if (event.key === 'Escape' && is_open) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div class="look-up">
      <input
        {...COMBOBOX}
        {...{ 'aria-expanded': is_open }}
        {...ids}
        aria-controls={list}
        aria-activedescendant={options.length > 0 ? `${list}-${at}` : undefined}
        placeholder={kind.placeholder}
        value={typed}
        onInput={(event) => {
          onType(event.currentTarget.value);
          setChosen(0);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          onLeave();
        }}
        onKeyDown={onKeyDown}
      />
      <Options list={list} options={options} at={at} is_open={is_open} onChoose={take} />
      <span class="for-readers" role="status">
        {is_open && !is_loading && `${options.length} found`}
      </span>
      {is_open && error !== undefined && <p class="error">{textOf(error)}</p>}
    </div>
  );
}

/** What was found, and the typed text itself if it is no identifier among them. */
function offered(found: readonly Found[], text: string): readonly Found[] {
  if (text === '' || found.some(({ value }) => value === text)) return found;
  return [...found, { value: text, text, note: AS_TYPED }];
}

function Options(props: {
  list: string;
  options: readonly Found[];
  at: number;
  is_open: boolean;
  onChoose: (one: Found) => void;
}) {
  const { list, options, at, is_open, onChoose } = props;
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest' }), [at]);
  return (
    <div
      id={list}
      role="listbox"
      aria-label="Found"
      class="options"
      hidden={!is_open || options.length === 0}
    >
      {options.map((one, index) => (
        <div
          key={one.value}
          id={`${list}-${index}`}
          ref={index === at ? chosen : undefined}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(one)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onChoose(one);
          }}
        >
          {one.text}
          {one.note !== undefined && <small>{one.note}</small>}
        </div>
      ))}
    </div>
  );
}

/** One identifier. It is given when it is chosen, or when the field is left. */
export function LookUpInput(props: {
  kind: Kind;
  value: string;
  onChange: (value: string) => void;
  ids?: FieldIds;
}) {
  const { kind, value, onChange, ids } = props;
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const give = (next: string): void => {
    setTyped(next);
    if (next !== value) onChange(next);
  };
  return (
    <Box
      kind={kind}
      ids={ids}
      typed={typed}
      onType={(text) => {
        setTyped(text);
        if (text === '') give('');
      }}
      onChoose={give}
      onLeave={() => give(typed.trim())}
    />
  );
}

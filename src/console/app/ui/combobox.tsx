import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Field } from './field.tsx';
import { type Resource, useResource, useSettled } from './resource.ts';
import { Failure } from './states.tsx';

/** Something that can be chosen. */
export interface Choice {
  value: string;
  text: string;
  /** Tells it from others with the same text. */
  note?: string;
}

type Find = (typed: string, signal: AbortSignal) => Promise<readonly Choice[]>;

/** A search starts when nothing was typed for this long. */
const SETTLED_MS = 80;

/** A text field that chooses from the list below it. */
const COMBOBOX = {
  role: 'combobox',
  'aria-autocomplete': 'list',
  autocomplete: 'off',
  spellcheck: false,
} as const;

interface ComboboxProps {
  label: string;
  help?: string;
  placeholder?: string;
  /** What is chosen, as shown while nothing is typed. */
  shown: string;
  /** Offered above what is found, while nothing is typed. */
  pinned?: readonly Choice[];
  find: Find;
  onChoose: (choice: Choice) => void;
}

/** A text field that searches for what is typed. Arrows choose, Enter takes, Escape leaves it as it was. */
export function Combobox(props: ComboboxProps) {
  const { label, help, placeholder, shown } = props;
  const { typed, setTyped, choices, at, setAt, found, choose, enter } = useSearch(props);
  const list = useId();
  const is_open = typed !== undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!is_open) setTyped('');
      else if (choices.length > 0) setAt((at + step + choices.length) % choices.length);
    } else if (event.key === 'Enter' && is_open) {
      event.preventDefault();
      enter();
    } else if (event.key === 'Escape' && is_open) {
      event.preventDefault();
      event.stopPropagation();
      setTyped(undefined);
    }
  };
  return (
    <div class="combobox">
      <Field label={label} help={help}>
        {(ids) => (
          <input
            {...ids}
            {...COMBOBOX}
            {...{ 'aria-expanded': is_open }}
            aria-controls={is_open ? list : undefined}
            aria-activedescendant={is_open && choices.length > 0 ? `${list}-${at}` : undefined}
            type="text"
            placeholder={placeholder}
            value={typed ?? shown}
            onFocus={(event) => event.currentTarget.select()}
            onClick={() => {
              if (!is_open) setTyped('');
            }}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onBlur={() => setTyped(undefined)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      {is_open && (
        <Choices list={list} label={label} choices={choices} at={at} onChoose={choose}>
          <Nothing found={found} />
        </Choices>
      )}
    </div>
  );
}

function useSearch({ pinned = [], find, onChoose }: ComboboxProps) {
  const [typed, setText] = useState<string>();
  const [at, setAt] = useState(0);
  const wanted = typed?.trim();
  const settled = useSettled(wanted, SETTLED_MS);
  const load = async (signal: AbortSignal) => ({
    of: settled,
    choices: await find(settled ?? '', signal),
  });
  const found = useResource(settled === undefined ? undefined : load, [settled]);
  const of_search = found.data?.choices ?? [];
  const choices = wanted === '' ? [...pinned, ...of_search] : withTyped(of_search, wanted);
  const setTyped = (text: string | undefined): void => {
    setText(text);
    setAt(0);
  };
  const choose = (choice: Choice | undefined): void => {
    if (choice !== undefined) onChoose(choice);
    setTyped(undefined);
  };
  const enter = async (): Promise<void> => {
    // Enter may come before the search for the last letters has answered.
    const is_current = wanted === '' || found.data?.of === wanted;
    if (is_current) return choose(choices[at]);
    const answered = await find(wanted ?? '', new AbortController().signal).catch(() => []);
    choose(withTyped(answered, wanted)[0]);
  };
  return { typed, setTyped, choices, at, setAt, found, choose, enter: () => void enter() };
}

/** What is found, and what is typed in case it is an identifier that is not found. */
function withTyped(found: readonly Choice[], typed: string | undefined): readonly Choice[] {
  if (typed === undefined || typed === '' || found.some(({ value }) => value === typed)) return found;
  return [...found, { value: typed, text: typed, note: 'as typed' }];
}

function Choices(props: {
  list: string;
  label: string;
  choices: readonly Choice[];
  at: number;
  onChoose: (choice: Choice) => void;
  /** Shown if there are no choices. */
  children: ComponentChildren;
}) {
  const { list, label, choices, at, onChoose, children } = props;
  return (
    <div class="combobox-list">
      <div id={list} role="listbox" aria-label={label}>
        {choices.map((choice, index) => (
          <div
            key={choice.value}
            id={`${list}-${index}`}
            class="combobox-option"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') onChoose(choice);
            }}
          >
            <span>{choice.text}</span>
            {choice.note && <small>{choice.note}</small>}
          </div>
        ))}
      </div>
      {choices.length === 0 && children}
    </div>
  );
}

function Nothing({ found: { data, error, is_loading } }: { found: Resource<unknown> }) {
  if (error !== undefined) return <Failure error={error} />;
  return <p class="help">{data === undefined || is_loading ? 'Searching' : 'Nothing is found.'}</p>;
}

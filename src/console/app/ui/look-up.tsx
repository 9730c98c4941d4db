import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { textOf } from '../session.ts';
import { ErrorText, useFieldIds } from './inputs.tsx';
import { type Choice, type LookUpOptions, LookUpState } from './look-up-state.ts';

const COMBOBOX = {
  type: 'text',
  role: 'combobox',
  list: undefined,
  'aria-autocomplete': 'list',
  autocomplete: 'off',
  spellcheck: false,
} as const;

interface LookUpProps extends LookUpOptions {
  /** If there is no label beside the field. */
  label?: string;
  placeholder?: string;
  /** Called when Backspace is pressed in the empty field. */
  onBack?: () => void;
  /** Takes a text with several entries, typed or pasted. Returns whether it is one. */
  onSeveral?: (text: string) => boolean;
}

/** A text field that finds choices. Arrows choose, Enter takes the choice, Escape closes the list. */
export function LookUp(props: LookUpProps) {
  const { label, placeholder, shown, onSeveral } = props;
  const latest = useRef(props);
  latest.current = props;
  const [state] = useState(() => new LookUpState(latest));
  useLayoutEffect(() => () => state.close(), []);
  const list = useId();
  const choices = state.is_open.value ? state.choices : [];
  return (
    <div class="look-up">
      <input
        {...COMBOBOX}
        {...{ 'aria-expanded': state.is_open.value }}
        {...useFieldIds()}
        aria-label={label}
        aria-controls={list}
        aria-activedescendant={choices.length > 0 ? `${list}-${state.at.value}` : undefined}
        value={state.typed.value ?? shown ?? ''}
        placeholder={placeholder}
        onFocus={(event) => {
          if (shown === undefined) state.open();
          else event.currentTarget.select();
        }}
        onClick={() => state.open()}
        onBlur={() => state.leave()}
        onInput={({ currentTarget }) => {
          if (onSeveral?.(currentTarget.value) === true) currentTarget.value = '';
          state.type(currentTarget.value);
        }}
        onPaste={(event) => {
          if (onSeveral?.(event.clipboardData?.getData('text') ?? '') === true) event.preventDefault();
        }}
        onKeyDown={(event) => onKey(state, event, latest.current)}
      />
      <Choices {...{ list, choices, state }} has_search={props.search !== undefined} />
    </div>
  );
}

/** Keys read the state, not what is drawn: a key may come before the page shows what was typed. */
function onKey(state: LookUpState, event: KeyboardEvent, { onBack, drops_typed }: LookUpProps): void {
  const { key } = event;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  const is_open = state.is_open.value;
  const is_empty = (state.typed.value ?? '') === '';
  // Enter also ends the composition of a character.
  if (event.isComposing) return;
  if (step !== undefined) {
    event.preventDefault();
    state.move(step);
  } else if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    // It saves the page. What is typed is a part of it.
    if (drops_typed !== true) state.takeTyped();
  } else if (key === 'Enter' && is_open && (!is_empty || state.choices.length > 0)) {
    event.preventDefault();
    state.confirm();
  } else if (key === 'Enter') {
    state.takeTyped();
  } else if (key === 'Escape' && is_open) {
    event.preventDefault();
    event.stopPropagation();
    state.escape();
  } else if (key === 'Backspace' && is_empty) onBack?.();
}

function Choices(props: {
  list: string;
  choices: readonly Choice[];
  state: LookUpState;
  has_search: boolean;
}) {
  const { list, choices, state, has_search } = props;
  const is_open = state.is_open.value;
  const error = is_open ? state.error.value : undefined;
  const is_searching = is_open && state.is_searching;
  const is_empty = is_open && has_search && choices.length === 0;
  return (
    // Browsers stop at what scrolls when Tab is pressed.
    <div class="look-up-list" tabIndex={-1} hidden={choices.length === 0 && !is_empty && error === undefined}>
      <div id={list} role="listbox" aria-label="Found" hidden={choices.length === 0}>
        {choices.map((choice, index) => (
          <Option
            key={choice.value}
            id={`${list}-${index}`}
            choice={choice}
            is_chosen={index === state.at.value}
            onChoose={() => state.take(choice.value)}
          />
        ))}
      </div>
      <p class={is_empty ? 'help' : 'for-readers'} role="status">
        {is_searching && 'Searching'}
        {is_open && !is_searching && (is_empty ? 'Nothing is found.' : `${choices.length} found`)}
      </p>
      <ErrorText text={error === undefined ? undefined : textOf(error)} />
    </div>
  );
}

function Option(props: { id: string; choice: Choice; is_chosen: boolean; onChoose: () => void }) {
  const { id, choice, is_chosen, onChoose } = props;
  const { value, text = value, note } = choice;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (is_chosen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [is_chosen]);
  return (
    // The focus stays in the text field, which says by `aria-activedescendant` what is chosen.
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={is_chosen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChoose();
      }}
    >
      <span>{text}</span>
      {note && <small>{note}</small>}
    </div>
  );
}

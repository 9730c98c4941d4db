import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import type { Hit, Search } from './search.ts';

/** A text field that chooses from the list below it. */
const COMBOBOX = {
  type: 'search',
  role: 'combobox',
  list: undefined,
  autocomplete: 'off',
  'aria-expanded': true,
} as const;

/** Searches all documents. Arrows choose, Enter opens. */
export function Find({ load, onClose }: { load: () => Promise<Search>; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [search, setSearch] = useState<Search>();
  const [failure, setFailure] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    load().then(
      (loaded) => setSearch(() => loaded),
      (error) => setFailure(String(error)),
    );
  }, []);
  const hits = search?.(typed) ?? [];
  const at = Math.min(chosen, hits.length - 1);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  /** Enter may come before the search has loaded. */
  const open = async (query: string, index: number): Promise<void> => {
    const hit = (await load())(query)[index];
    if (hit === undefined) return;
    onClose();
    location.assign(hit.href);
  };
  return (
    <Dialog title="Search the documents" wide onClose={onClose}>
      <input
        {...COMBOBOX}
        ref={field}
        aria-controls="found"
        aria-activedescendant={at >= 0 ? `found-${at}` : undefined}
        aria-label="Words to find"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined && hits.length > 0) {
            event.preventDefault();
            setChosen((at + step + hits.length) % hits.length);
          } else if (event.key === 'Enter') void open(event.currentTarget.value, Math.max(0, at));
        }}
      />
      <p class="help" role="status">
        {statusOf(typed, search === undefined, hits.length, failure)}
      </p>
      <div class="found" id="found" role="listbox" aria-label="Found" ref={list}>
        {hits.map((hit, index) => (
          <HitLink
            key={hit.href}
            hit={hit}
            id={`found-${index}`}
            is_chosen={index === at}
            onClick={onClose}
          />
        ))}
      </div>
    </Dialog>
  );
}

function statusOf(typed: string, is_loading: boolean, count: number, failure: string | undefined): string {
  if (failure !== undefined) return `The search did not load: ${failure}`;
  if (typed.trim() === '') return 'A field, an error code, a command, a word. Arrows choose, Enter opens.';
  if (is_loading) return 'Loading';
  return count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'section' : 'sections'}, best first`;
}

function HitLink(props: { hit: Hit; id: string; is_chosen: boolean; onClick: () => void }) {
  const { hit, id, is_chosen, onClick } = props;
  return (
    <a
      class="hit"
      role="option"
      tabIndex={-1}
      id={id}
      href={hit.href}
      aria-selected={is_chosen}
      onClick={onClick}
    >
      <b>{hit.title}</b> <small>{hit.page}</small>
      <span>
        {hit.snippet.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
      </span>
    </a>
  );
}

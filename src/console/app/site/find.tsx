import { useEffect, useState } from 'preact/hooks';
import { FindWindow } from '../ui/find-window.tsx';
import type { Hit, Search } from './section-search.ts';

/** Searches all documents. */
export function Find({ load, onClose }: { load: () => Promise<Search>; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState<Search>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    load().then(
      (loaded) => setSearch(() => loaded),
      (error) => setFailure(String(error)),
    );
  }, []);
  const hits = search?.(typed) ?? [];
  /** Enter may come before the search has loaded. */
  const open = async (chosen: Hit | undefined): Promise<void> => {
    const hit = chosen ?? (await load())(typed)[0];
    if (hit === undefined) return;
    onClose();
    location.assign(hit.href);
  };
  return (
    <FindWindow
      title="Search the documents"
      wide
      onClose={onClose}
      label="Words to find"
      value={typed}
      onInput={setTyped}
      found={hits}
      onEnter={(chosen) => void open(chosen)}
      status={
        <p class="help" role="status">
          {statusOf(typed, search === undefined, hits.length, failure)}
        </p>
      }
      option={({ href, page, title, snippet }, attributes) => (
        <a key={href} {...attributes} role="option" tabIndex={-1} class="hit" href={href} onClick={onClose}>
          <b>{title}</b> <small>{page}</small>
          <span>
            {snippet.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
          </span>
        </a>
      )}
    />
  );
}

function statusOf(typed: string, is_loading: boolean, count: number, failure: string | undefined): string {
  if (failure !== undefined) return `The search did not load: ${failure}`;
  if (typed.trim() === '') return 'A field, an error code, a command, a word. Arrows choose, Enter opens.';
  if (is_loading) return 'Loading';
  return count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'section' : 'sections'}, best first`;
}

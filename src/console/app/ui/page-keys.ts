import { useLayoutEffect, useRef } from 'preact/hooks';

/** After `g` the next letter names a page. The same time as in the frame. */
const PAGE_KEY_MS = 1_500;

/** Runs what single keys mean on this page, unless somebody types, a window is open or `g` came before. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Not later: the first key may come before the page is drawn.
  useLayoutEffect(() => {
    let g_until = 0;
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, timeStamp } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || isField(target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const names_page = timeStamp < g_until;
      g_until = key === 'g' ? timeStamp + PAGE_KEY_MS : 0;
      const run = latest.current[key];
      if (names_page || run === undefined) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
}

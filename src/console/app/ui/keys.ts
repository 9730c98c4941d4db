import { useLayoutEffect, useRef } from 'preact/hooks';

/** How long `g` waits for the key of a page. */
const PAGE_KEY_MS = 1_500;

/** Handles an event of the window while the component is there, by the handler of the last render. */
export function useWindowEvent<K extends keyof WindowEventMap>(
  type: K,
  handle: (event: WindowEventMap[K]) => void,
): void {
  const latest = useRef(handle);
  latest.current = handle;
  // Not later: the first key may come before the page is drawn.
  useLayoutEffect(() => {
    const onEvent = (event: WindowEventMap[K]): void => latest.current(event);
    addEventListener(type, onEvent);
    return () => removeEventListener(type, onEvent);
  }, []);
}

/** Whether Ctrl, or Command on a Mac, is held while a key is pressed. */
export function hasCtrl({ ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey;
}

export function isWindowOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** Runs what single keys mean, and `g` with the key after it, unless somebody types or a window is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const g_until = useRef(0);
  useWindowEvent('keydown', (event) => {
    const { key, timeStamp } = event;
    if (hasCtrl(event) || event.altKey || isTyping(event) || isWindowOpen()) return;
    const run = keys[timeStamp < g_until.current ? `g ${key}` : key];
    g_until.current = key === 'g' ? timeStamp + PAGE_KEY_MS : 0;
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

/** Whether somebody is typing, so that single keys are letters. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // The field of a window that was just closed may keep the focus for a moment.
  if (target.closest('dialog:not([open])') !== null) return false;
  return target.closest('input, textarea, select, [contenteditable]') !== null;
}

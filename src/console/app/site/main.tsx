import './site.css';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { nextTheme, theme } from '../theme.ts';
import { Button } from '../ui/button.tsx';
import { hasCtrl, isWindowOpen, useWindowEvent } from '../ui/keys.ts';
import { Find } from './find.tsx';
import { loadSearch } from './search.ts';
import type { Search } from './section-search.ts';

/** What pages of documents do beyond showing their text: search, copy code, choose colours. */

function Tools({ load }: { load: () => Promise<Search> }) {
  /** Number of the search window that is open; 0 for none. A window tells a moment later that it was closed. */
  const [shown, setShown] = useState(0);
  const open = (): void => setShown((last) => last + 1);
  useWindowEvent('keydown', (event) => {
    const is_find = event.key === '/' || (event.key === 'k' && hasCtrl(event));
    if (!is_find || isWindowOpen()) return;
    event.preventDefault();
    open();
  });
  return (
    <>
      <Button icon="search" class="find" onClick={open}>
        Search <kbd>/</kbd>
      </Button>
      <Button kind="quiet" icon="theme" label={`Colours: ${theme.value}`} onClick={nextTheme} />
      {shown > 0 && (
        <Find key={shown} load={load} onClose={() => setShown((last) => (last === shown ? 0 : last))} />
      )}
    </>
  );
}

/** Copies a block of code. Browsers refuse it for pages that are not served over HTTPS: the code is selected then. */
function Copy({ code }: { code: HTMLElement }) {
  const [label, setLabel] = useState('Copy the code');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      setLabel('Copied');
    } catch {
      getSelection()?.selectAllChildren(code);
      setLabel('Selected: press Ctrl C');
    }
  };
  return <Button icon={label === 'Copied' ? 'check' : 'copy'} label={label} onClick={() => void copy()} />;
}

/** Loads the search once. After a failure, the next call tries again. */
function onceLoaded(): () => Promise<Search> {
  let loaded: Promise<Search> | undefined;
  return () => {
    loaded ??= loadSearch().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

function start(): void {
  const tools = document.getElementById('tools');
  if (tools !== null) render(<Tools load={onceLoaded()} />, tools);
  for (const block of document.querySelectorAll('.code-block')) {
    const code = block.querySelector('pre');
    const place = block.appendChild(document.createElement('div'));
    if (code !== null) render(<Copy code={code} />, place);
  }
  // On a phone, what is chosen in the list must not stay covered by it.
  addEventListener('hashchange', () => {
    for (const open of document.querySelectorAll<HTMLElement>(':popover-open')) open.hidePopover();
  });
  const current = document.querySelector('nav [aria-current]');
  current?.scrollIntoView({ block: 'nearest' });
}

// The colours are set while the head is read. The rest needs the whole page.
addEventListener('DOMContentLoaded', start);

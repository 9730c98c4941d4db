import { computed } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { is_online } from './connection.ts';
import { PAGES, type PageEntry } from './page-list.ts';
import { type Command, Palette } from './palette.tsx';
import { goTo, linkTo, place } from './router.ts';
import { may, type Session, signOut } from './session.ts';
import { nextTheme, theme } from './theme.ts';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Icon } from './ui/icon.tsx';
import { hasCtrl, useKeys, useWindowEvent } from './ui/keys.ts';
import { Empty } from './ui/states.tsx';

/** The keys, for people. */
const KEYS: readonly [keys: string, what: string][] = [
  ['Ctrl K', 'find a page or a feed'],
  ['/', 'search on this page'],
  ['?', 'this list'],
  ...PAGES.map(({ shortcut, title }): [string, string] => [`g ${shortcut}`, title]),
  ['Ctrl Enter', 'save what is being edited'],
  ['Escape', 'close a window'],
];

function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The first page that the key may open. */
const FIRST_PAGE = computed(() => PAGES.find(({ scopes }) => may(...scopes)) ?? PAGES[0]);

/** The frame of all pages: navigation, account, keyboard. */
export function Shell({ session }: { session: Session }) {
  const { path } = place.value;
  const page = PAGES.find((one) => one.path === path[0]) ?? FIRST_PAGE.value;
  const [window_shown, setWindow] = useState<'palette' | 'shortcuts'>();
  const [has_menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const first_place = useRef(true);
  const where = path.join('/');
  useEffect(() => {
    document.title = `${page.title} – Feedloom`;
    setMenu(false);
    // Readers of the screen hear the new page; the first one is read from its beginning anyway. A page may have put the
    // focus into a field of its own.
    const has_focus = main.current?.contains(document.activeElement) === true;
    if (!first_place.current) {
      if (!has_focus) main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    first_place.current = false;
  }, [where]);
  // A window tells that it was closed a moment later, when another may be open already.
  const close = (closed: 'palette' | 'shortcuts'): void => {
    setWindow((shown) => (shown === closed ? undefined : shown));
  };
  useKeyboard(setWindow);
  return (
    <div class="shell">
      <a
        class="skip"
        href={`#/${where}`}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the page
      </a>
      <header class="top">
        <Button
          kind="quiet"
          icon="menu"
          class="menu-button"
          label={has_menu ? 'Close the menu' : 'Open the menu'}
          pressed={has_menu}
          onClick={() => setMenu(!has_menu)}
        />
        <a class="brand" href={linkTo([FIRST_PAGE.value.path])}>
          Feedloom
        </a>
        <Button icon="search" class="find" onClick={() => setWindow('palette')}>
          Find <kbd>Ctrl K</kbd>
        </Button>
        <Account session={session} />
      </header>
      <Navigation page={page} is_open={has_menu} onShortcuts={() => setWindow('shortcuts')} />
      <main ref={main} tabIndex={-1}>
        {!is_online.value && (
          <p class="offline" role="status">
            There is no connection. What you see may be old.
          </p>
        )}
        <PageOrRefusal page={page} rest={path.slice(1)} />
      </main>
      {window_shown === 'palette' && <Palette commands={COMMANDS} onClose={() => close('palette')} />}
      {window_shown === 'shortcuts' && <Shortcuts onClose={() => close('shortcuts')} />}
    </div>
  );
}

function Navigation(props: { page: PageEntry; is_open: boolean; onShortcuts: () => void }) {
  const { page, is_open, onShortcuts } = props;
  return (
    <nav aria-label="Pages" class={is_open ? 'open' : undefined}>
      {PAGES.filter(({ unlisted }) => unlisted !== true).map((one) => (
        <a
          key={one.path}
          href={linkTo([one.path])}
          aria-current={one === page ? 'page' : undefined}
          aria-disabled={may(...one.scopes) ? undefined : true}
        >
          <Icon name={one.icon} />
          {one.title}
        </a>
      ))}
      <div class="links">
        <a href="docs">Documents</a>
        <a href="swagger">API</a>
        <button type="button" onClick={onShortcuts}>
          Keyboard
        </button>
      </div>
    </nav>
  );
}

const COMMANDS: readonly Command[] = [
  ...PAGES.map(({ path, title, icon }): Command => ({ title, icon, run: () => goTo([path]) })),
  { title: 'New feed', icon: 'plus', run: () => goTo(['feeds', 'new']) },
  { title: 'Change the colours', icon: 'theme', run: nextTheme },
  { title: 'Sign out', icon: 'out', run: signOut },
];

function PageOrRefusal({
  page: { Page, scopes, title },
  rest,
}: {
  page: PageEntry;
  rest: readonly string[];
}) {
  if (may(...scopes)) return <Page rest={rest} />;
  return (
    <Empty title={`The page ${title} needs the scope ${scopes.join(' or ')}`}>
      <p>
        Your key does not have it. <code>feedloom keys create --account NAME --scope {scopes[0]}</code> makes
        one that has.
      </p>
    </Empty>
  );
}

function Account({ session: { account, key_name, scopes } }: { session: Session }) {
  return (
    <div class="account">
      <Button kind="quiet" icon="theme" label={`Colours: ${theme.value}`} onClick={nextTheme} />
      <span class="who" title={`Scopes: ${scopes.join(', ')}`}>
        {account}
        <small>{key_name ?? scopes.join(', ')}</small>
      </span>
      <Button kind="quiet" icon="out" label="Sign out" onClick={signOut} />
    </div>
  );
}

/** What `g` and the key of a page do. */
const PAGE_KEYS = Object.fromEntries(
  PAGES.map(({ shortcut, path }) => [`g ${shortcut}`, () => goTo([path])]),
);

/** Ctrl K finds, `?` lists the keys, `g` and a letter go to a page, `/` goes to the search of the page. */
function useKeyboard(show: (window: 'palette' | 'shortcuts') => void): void {
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !hasCtrl(event)) return;
    event.preventDefault();
    show('palette');
  });
  useKeys({
    ...PAGE_KEYS,
    '?': () => show('shortcuts'),
    '/': () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus(),
  });
}

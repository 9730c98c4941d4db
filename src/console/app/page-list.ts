import { FeedsPage } from './pages/feeds.tsx';
import type { PageEntry } from './pages.ts';

/** All pages, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  { path: 'feeds', title: 'Feeds', icon: 'feeds', shortcut: 'f', scope: 'config:write', Page: FeedsPage },
];

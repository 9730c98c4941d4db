import { ComparePage } from './pages/compare.tsx';
import { FeedsPage } from './pages/feeds.tsx';
import { WalletsPage } from './pages/wallets.tsx';
import { WhyPage } from './pages/why.tsx';
import type { PageEntry } from './pages.ts';

/** All pages, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  { path: 'feeds', title: 'Feeds', icon: 'feeds', shortcut: 'f', scope: 'config:write', Page: FeedsPage },
  {
    path: 'compare',
    title: 'Compare',
    icon: 'copy',
    shortcut: 'c',
    scope: 'config:write',
    Page: ComparePage,
  },
  { path: 'why', title: 'Why', icon: 'search', shortcut: 'y', scope: 'config:write', Page: WhyPage },
  {
    path: 'wallets',
    title: 'Wallets',
    icon: 'wallets',
    shortcut: 'w',
    scope: 'feed:read',
    Page: WalletsPage,
  },
];

import { CommunityPage } from './pages/community.tsx';
import { ComparePage } from './pages/compare.tsx';
import { DataPage } from './pages/data.tsx';
import { ExperimentsPage } from './pages/experiments.tsx';
import { FeedsPage } from './pages/feeds.tsx';
import { FirstRunPage } from './pages/first-run.tsx';
import { HealthPage } from './pages/health.tsx';
import { ItemsPage } from './pages/items.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { ReportsPage } from './pages/reports.tsx';
import { ViewersPage } from './pages/viewers.tsx';
import { WalletsPage } from './pages/wallets.tsx';
import { WhyPage } from './pages/why.tsx';
import type { PageEntry } from './pages.ts';

/** All pages, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  {
    path: 'overview',
    title: 'Overview',
    icon: 'overview',
    shortcut: 'o',
    scope: 'config:write',
    Page: OverviewPage,
  },
  { path: 'feeds', title: 'Feeds', icon: 'feeds', shortcut: 'f', scope: 'config:write', Page: FeedsPage },
  {
    path: 'compare',
    title: 'Compare',
    icon: 'copy',
    shortcut: 'c',
    scope: 'config:write',
    Page: ComparePage,
  },
  {
    path: 'experiments',
    title: 'Experiments',
    icon: 'experiments',
    shortcut: 'e',
    scope: 'config:write',
    Page: ExperimentsPage,
  },
  { path: 'why', title: 'Why', icon: 'search', shortcut: 'y', scope: 'config:write', Page: WhyPage },
  {
    path: 'viewers',
    title: 'Viewers',
    icon: 'users',
    shortcut: 'v',
    scope: 'ingest:write',
    Page: ViewersPage,
  },
  { path: 'posts', title: 'Posts', icon: 'items', shortcut: 'p', scope: 'ingest:write', Page: ItemsPage },
  {
    path: 'reports',
    title: 'Reports',
    icon: 'reports',
    shortcut: 'r',
    scope: 'ingest:write',
    Page: ReportsPage,
  },
  {
    path: 'wallets',
    title: 'Wallets',
    icon: 'wallets',
    shortcut: 'w',
    scope: 'feed:read',
    Page: WalletsPage,
  },
  {
    path: 'community',
    title: 'Community',
    icon: 'community',
    shortcut: 'm',
    scope: 'config:write',
    Page: CommunityPage,
  },
  { path: 'health', title: 'Health', icon: 'health', shortcut: 'h', scope: 'config:write', Page: HealthPage },
  { path: 'data', title: 'Data', icon: 'data', shortcut: 'd', scope: 'ingest:write', Page: DataPage },
  {
    path: 'start',
    title: 'Get started',
    icon: 'plus',
    shortcut: 's',
    scope: 'ingest:write',
    unlisted: true,
    Page: FirstRunPage,
  },
];

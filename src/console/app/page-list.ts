import type { ComponentType } from 'preact';
import { CommunityPage } from './pages/community.tsx';
import { ComparePage } from './pages/compare.tsx';
import { DataPage } from './pages/data.tsx';
import { ExperimentsPage } from './pages/experiments.tsx';
import { FeedsPage } from './pages/feeds.tsx';
import { FirstRunPage } from './pages/first-run.tsx';
import { HealthPage } from './pages/health.tsx';
import { ItemsPage } from './pages/items.tsx';
import { ListsPage } from './pages/lists.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { ReportsPage } from './pages/reports.tsx';
import { ViewersPage } from './pages/viewers.tsx';
import { WalletsPage } from './pages/wallets.tsx';
import { WhyPage } from './pages/why.tsx';
import type { Scope } from './session.ts';
import type { IconName } from './ui/icon.tsx';

/** @param rest the other parts of the path */
type PageComponent = ComponentType<{ rest: readonly string[] }>;

export interface PageEntry {
  /** First part of its path. */
  path: string;
  title: string;
  icon: IconName;
  /** Key that opens it after `g`. */
  shortcut: string;
  /** Its calls need one of these scopes. */
  scopes: readonly Scope[];
  Page: PageComponent;
  /** The page is linked and found, but not in the navigation. */
  unlisted?: boolean;
}

type Row = readonly [
  path: string,
  title: string,
  icon: IconName,
  shortcut: string,
  scopes: Scope | readonly Scope[],
  Page: PageComponent,
  unlisted?: boolean,
];

/** In the order of the navigation. */
const ROWS: readonly Row[] = [
  ['overview', 'Overview', 'overview', 'o', 'config:write', OverviewPage],
  ['feeds', 'Feeds', 'feeds', 'f', 'config:write', FeedsPage],
  ['compare', 'Compare', 'copy', 'c', 'config:write', ComparePage],
  ['experiments', 'Experiments', 'experiments', 'e', 'config:write', ExperimentsPage],
  ['why', 'Why', 'search', 'y', 'config:write', WhyPage],
  ['viewers', 'Viewers', 'users', 'v', ['ingest:write', 'config:write'], ViewersPage],
  ['lists', 'Lists', 'lists', 'l', ['config:write', 'ingest:write'], ListsPage],
  ['posts', 'Posts', 'items', 'p', 'ingest:write', ItemsPage],
  ['reports', 'Reports', 'reports', 'r', 'ingest:write', ReportsPage],
  ['wallets', 'Wallets', 'wallets', 'w', 'feed:read', WalletsPage],
  ['community', 'Community', 'community', 'm', 'config:write', CommunityPage],
  ['health', 'Health', 'health', 'h', 'config:write', HealthPage],
  ['data', 'Data', 'data', 'd', 'ingest:write', DataPage],
  ['start', 'Get started', 'plus', 's', 'ingest:write', FirstRunPage, true],
];

/** All pages. */
export const PAGES: readonly PageEntry[] = ROWS.map(
  ([path, title, icon, shortcut, scopes, Page, unlisted = false]) => ({
    ...{ path, title, icon, shortcut, scopes: [scopes].flat(), Page, unlisted },
  }),
);

import type { ComponentType } from 'preact';
import type { Scope } from './session.ts';
import type { IconName } from './ui/icon.tsx';

export interface PageEntry {
  /** First part of its path. */
  path: string;
  title: string;
  icon: IconName;
  /** Key that opens it after `g`. */
  shortcut: string;
  /** The page is linked and found, but not in the navigation. */
  unlisted?: true;
  /** The scope that its calls need. */
  scope: Scope;
  /** @param rest the other parts of the path */
  Page: ComponentType<{ rest: readonly string[] }>;
}

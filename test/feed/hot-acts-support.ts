import { expect } from 'bun:test';
import type fc from 'fast-check';
import { CHANGES_KEPT, KEEP_UP } from '../../src/state/change-ring.ts';
import type { Act, Community, page } from './social-proof-support.ts';

type Page = typeof page extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** What may happen to a community and its pages. */
export type Step =
  | { kind: 'acts'; acts: Act[] }
  | { kind: 'follow' | 'block'; pair: [string, string] }
  | { kind: 'erase'; user: string }
  | { kind: 'delete'; item: string; again: boolean }
  | { kind: 'retire'; items: string[]; again: string[]; recycled: boolean }
  | { kind: 'warm'; items: string[] }
  | { kind: 'flood' | 'keep up' }
  | { kind: 'pages'; pages: Page[] };

/** Follows steps, compares all pages, and counts what was said of hot items on the way. */
export class Course {
  told = 0;

  constructor(readonly community: Community) {}

  take(step: Step): void {
    const { community } = this;
    switch (step.kind) {
      case 'acts':
        for (const act of step.acts) community.act(act);
        break;
      case 'follow':
      case 'block':
        community[step.kind](...step.pair);
        break;
      case 'erase':
        community.erase(step.user);
        break;
      case 'delete':
        community.delete(step.item);
        if (step.again) community.post(step.item);
        break;
      case 'retire':
        community.retire(step.items);
        if (step.recycled) community.scene.recycle();
        for (const item of step.again) community.post(item);
        break;
      case 'warm':
        this.warm(step.items);
        break;
      case 'flood':
        community.flood(CHANGES_KEPT + 1);
        break;
      case 'keep up':
        community.flood(KEEP_UP).keepUp();
        break;
      case 'pages':
        for (const { viewer, items } of step.pages) this.compare(viewer, items);
    }
  }

  warm(items: readonly string[]): void {
    const { community } = this;
    const known = items.filter((item) => community.knows(item));
    community.warm(known);
    expect([...community.hot()]).toEqual(expect.arrayContaining(known));
  }

  compare(viewer: string | undefined, asked: readonly string[]): void {
    const { community } = this;
    const items = asked.filter((item) => community.knows(item));
    const before = community.hot();
    const expected = community.expected(viewer, items);
    expect(community.read(viewer, items)).toEqual(expected);
    const after = community.hot();
    for (const [place, item] of items.entries())
      if (before.has(item) && after.has(item) && expected[place].social_proof.length > 0) this.told++;
  }
}

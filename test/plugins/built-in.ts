import type { TestInteraction, TestWorld } from 'feedloom/plugin/testing';
import { BUILT_IN, FOR_WALLETS } from '../../plugins/index.ts';
import type { Plugin } from '../../src/plugin/index.ts';

/** The built-in extensions as one plugin, and what the tests of them share. */

export const builtIn: Plugin = {
  meta: { name: 'built-in', version: '1.0.0', api: 2 },
  ...BUILT_IN,
  scoring_functions: { ...BUILT_IN.scoring_functions, ...FOR_WALLETS.scoring_functions },
};

export const HOUR = 3600;
export const DAY = 24 * HOUR;

type EventType = TestInteraction['event_type'];

/** Acts of a user of one type on items, by default now. */
export function acts(
  user_id: string,
  event_type: EventType,
  item_ids: string | readonly string[],
  more: Partial<TestInteraction> = {},
): TestInteraction[] {
  const items = typeof item_ids === 'string' ? [item_ids] : item_ids;
  return items.map((item_id) => ({ user_id, item_id, event_type, ...more }));
}

/** Options, what is expected with them, and how the request or the world differs. */
export type Row<E> = [options: unknown, expect: E, more?: TestWorld];

/** Cases by the sentence that all of them show. */
export function sentences<E>(rows: Readonly<Record<string, readonly Row<E>[]>>) {
  return Object.entries(rows).flatMap(([name, cases]) =>
    cases.map(([options, expect, more]) => ({ name, options, expect, ...more })),
  );
}

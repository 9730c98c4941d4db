import { type ChangeOf, defineChange } from '../define-change.ts';
import { mentions } from '../member.ts';

/**
 * Removes items for good because of their age, with all acts on them.
 *
 * It is stored, so a fold gives the same result whatever the setting is by then.
 */
export const RETIREMENT = defineChange({
  kind: 'retirement',
  table: 'retirements',
  since: '0004_retirements',
  members: { items: mentions('item') },
});

export type RetirementChange = ChangeOf<typeof RETIREMENT>;

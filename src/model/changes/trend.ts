import { type ChangeOf, defineChange } from '../define-change.ts';
import { numbers } from '../member.ts';

/** The trend as learned so far. A fold continues from it, whatever came before (`Trend.numbers`). */
export const TREND = defineChange({ kind: 'trend', table: 'trends', members: { numbers } });

export type TrendChange = ChangeOf<typeof TREND>;

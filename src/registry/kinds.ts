import type { Extensions } from '../plugin/index.ts';
import type { KindData } from './kind-data.ts';
import { filters } from './kinds/filters.ts';
import { integrations } from './kinds/integrations.ts';
import { promotion_strategies } from './kinds/promotion-strategies.ts';
import { scoring_functions } from './kinds/scoring-functions.ts';
import { signals } from './kinds/signals.ts';
import { visibility_rules } from './kinds/visibility-rules.ts';

/** A kind of extension, by its name in a plugin file. */
export type Kind = keyof Extensions;

export type KindMap = { [K in Kind]: Required<Extensions>[K][string] };

/** Everything that lists the kinds is made from this table, in its order. */
export const KIND_DATA: { readonly [K in Kind]: KindData<KindMap[K]> } = {
  filters,
  scoring_functions,
  visibility_rules,
  signals,
  promotion_strategies,
  integrations,
};

export const KINDS = Object.keys(KIND_DATA) as Kind[];

/** The members of an extension by name, also those of its class. */
export function membersOf(kind: Kind, extension: object): [string, unknown][] {
  const names = ['summary', 'options', ...Object.keys(KIND_DATA[kind].members)];
  const all = names.map((name): [string, unknown] => [name, Reflect.get(extension, name)]);
  return all.filter(([, member]) => member !== undefined);
}

/** Whether the extensions of a kind get requests, so that they can read fields. */
export function getsRequest(kind: Kind): boolean {
  return 'reads' in KIND_DATA[kind].members;
}

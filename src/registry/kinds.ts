import type {
  Filter,
  Integration,
  PromotionStrategy,
  ScoringFunction,
  Signal,
  VisibilityRule,
} from '../plugin/index.ts';

/** The extension kinds, by their names in a plugin file. */
export interface KindMap {
  filters: Filter;
  scoring_functions: ScoringFunction;
  visibility_rules: VisibilityRule;
  signals: Signal;
  promotion_strategies: PromotionStrategy;
  integrations: Integration;
}

export type Kind = keyof KindMap;

export const KINDS: readonly Kind[] = [
  'filters',
  'scoring_functions',
  'visibility_rules',
  'signals',
  'promotion_strategies',
  'integrations',
];

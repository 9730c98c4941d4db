/**
 * What a signal says to a viewer about an item that it lifts: a reason of an answer with `reasons`.
 *
 * `followed`: users whom the viewer follows published the item or acted on it. An answer names them if they may be named.
 */
export type SignalReason = (typeof SIGNAL_REASONS)[number];

export const SIGNAL_REASONS = [
  'followed',
  'similar_taste',
  'trending',
  'popular',
  'new_here',
  'more_of',
] as const;

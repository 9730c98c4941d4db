/**
 * `feedloom/plugin`: the public contract. Plugins import nothing else of the service, and neither do the built-in
 * ones.
 *
 * The `define…` functions return their argument. They exist so that TypeScript infers the option types.
 */
import type { TSchema } from '@sinclair/typebox';
import type { Integration } from './integration.ts';
import type { Filter, Plugin, PromotionStrategy, ScoringFunction, Signal, VisibilityRule } from './kinds.ts';

export { type Static, type TSchema, Type } from '@sinclair/typebox';
export { anyOf, postingsOf } from './any-of.ts';
export { PLUGIN_API } from './api.ts';
export {
  AuthorForms,
  authorsDependOn,
  authorsNamed,
  idText,
  parseAuthors,
  postingsOfAuthors,
} from './authors.ts';
export { blended } from './blended.ts';
export {
  type ConnectorHost,
  type ConnectorRecord,
  type ConnectorRecordKind,
  EMITTED_RECORDS_MAX,
  type Emitted,
  type StandingKind,
} from './connector.ts';
export type { DependsOn } from './depends-on.ts';
export type { GroupColumn } from './group-column.ts';
export type * from './host.ts';
export type { Integration } from './integration.ts';
export { InvalidOptions, type OptionFault, readEach } from './invalid-options.ts';
export { type JsonReading, parseJson } from './json.ts';
export { parseLongJson } from './json-long.ts';
export type { JsonPath } from './json-members.ts';
export { TooNested } from './json-scanner.ts';
export * from './kinds.ts';
export { languagesOf, normaliseLanguage, primaryLanguage } from './languages.ts';
export { listOf } from './list-of.ts';
export type * from './metadata.ts';
export { valuesNamed } from './named-values.ts';
export { nearAny, PlaceList } from './near.ts';
export { NONE, type Ordinal } from './ordinal.ts';
export { OtherLabels } from './other-labels.ts';
export {
  AnswerTooLong,
  fetchBounded,
  type OpenSocket,
  type OutgoingAnswer,
  type OutgoingRequest,
  openSocket,
  UnusableAnswer,
} from './outgoing.ts';
export { popularWithin, saturated } from './popular.ts';
export type { ItemField, Read, UserField } from './reads.ts';
export type { SignalReason } from './reason.ts';
export type * from './request-context.ts';
export { scoredBy } from './scored-by.ts';
export type * from './table-map.ts';
export { anyLabelAbove, LabelEntries, labelNames } from './tagged.ts';
export * from './times.ts';
export { nextTurn } from './turn.ts';
export * from './values.ts';
export type { WebhookSignature } from './webhook.ts';
export {
  parseWordEntries,
  parseWordEntry,
  WORD_ENTRY_FORM,
  WordEntries,
  type WordEntry,
} from './word-entries.ts';
export { hashtagsOf, tagOf, wordsOf } from './words.ts';

export const definePlugin = (plugin: Plugin): Plugin => plugin;
export const defineFilter = <O extends TSchema>(filter: Filter<O>): Filter<O> => filter;
export const defineScoringFunction = <O extends TSchema>(scoring: ScoringFunction<O>): ScoringFunction<O> =>
  scoring;
export const defineVisibilityRule = <O extends TSchema>(rule: VisibilityRule<O>): VisibilityRule<O> => rule;
export const defineSignal = <O extends TSchema>(signal: Signal<O>): Signal<O> => signal;
export const definePromotionStrategy = <O extends TSchema>(
  strategy: PromotionStrategy<O>,
): PromotionStrategy<O> => strategy;
export const defineIntegration = <O extends TSchema>(integration: Integration<O>): Integration<O> =>
  integration;

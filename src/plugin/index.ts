/**
 * `feedloom/plugin`: the public contract. Plugins, built in or not, import this and nothing else of the
 * service. The `define…` functions return their argument; they exist so that option types are inferred.
 */
import type { TSchema } from '@sinclair/typebox';
import type { CandidateSource, Filter, Plugin, ScoringFunction, Signal, VisibilityRule } from './kinds.ts';

export { type Static, type TSchema, Type } from '@sinclair/typebox';
export type * from './kinds.ts';
export { NONE, type Ordinal } from './ordinal.ts';
export type * from './request-context.ts';

/** Version of this contract; a plugin states the one it was written for in `meta.api`. */
export const PLUGIN_API = 1;

export const definePlugin = (plugin: Plugin): Plugin => plugin;
export const defineFilter = <O extends TSchema>(filter: Filter<O>): Filter<O> => filter;
export const defineScoringFunction = <O extends TSchema>(scoring: ScoringFunction<O>): ScoringFunction<O> =>
  scoring;
export const defineVisibilityRule = <O extends TSchema>(rule: VisibilityRule<O>): VisibilityRule<O> => rule;
export const defineSignal = <O extends TSchema>(signal: Signal<O>): Signal<O> => signal;
export const defineCandidateSource = <O extends TSchema>(source: CandidateSource<O>): CandidateSource<O> =>
  source;

/**
 * Thrown by `compile` for options that fit the schema and are wrong all the same; the caller gets a 400
 * with this message, which should say what is allowed.
 */
export class InvalidOptions extends Error {
  override name = 'InvalidOptions';
}

import type { Kind } from '../registry/kinds.ts';
import type { CaseOf } from './case-types.ts';
import type { PluginUnderTest } from './plugin-under-test.ts';
import type { Invariant } from './trials.ts';

/** How the extensions of one kind are tested. */
export interface KindTests<K extends Kind> {
  /** What every extension of the kind must satisfy. */
  invariants(subject: PluginUnderTest, id: string): Invariant[];
  /** Runs a case of an author. Throws or rejects if it does not hold. */
  run(subject: PluginUnderTest, id: string, given: CaseOf[K]): void | Promise<void>;
}

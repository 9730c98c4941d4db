import type { PluginLog } from '../host.ts';
import type { Plugin } from '../kinds.ts';
import type { CaseOf, Tests } from './case-types.ts';
import { caseInvariants, refusalInvariants } from './cases.ts';
import { optionsInvariant } from './invariants.ts';
import { filterInvariants, ruleInvariants, signalInvariants, sourceInvariants } from './kind-invariants.ts';
import { type KnownSignals, ON_TRUST } from './known-signals.ts';
import { connectorInvariants, providerInvariants, strategyInvariants } from './mix-invariants.ts';
import { scoringInvariants } from './scoring-invariants.ts';
import { type Invariant, type Kind, Subject } from './subject.ts';
import { webhookInvariants } from './webhook-cases.ts';

/** The invariants of the extensions of one plugin. */
export class Kit {
  private readonly subject: Subject;

  /**
   * @param known the signals of other plugins; default: any name that is requested
   * @param log receives the lines of `host.log`; default: they are discarded
   */
  constructor(plugin: Plugin, known: KnownSignals = () => ON_TRUST, log?: PluginLog) {
    this.subject = new Subject(plugin, known, log);
  }

  /** Runs the plugin's `setup`. Await it before running any invariant. */
  setUp(): Promise<void> {
    return this.subject.setUp();
  }

  tearDown(): Promise<void> {
    return this.subject.tearDown();
  }

  invariants(kind: Kind, id: string): Invariant[] {
    return [optionsInvariant(this.subject.extension(kind, id)), ...this.ofKind(kind, id)];
  }

  cases<K extends Kind>(kind: K, id: string, { cases = [], refuses = [] }: Tests<CaseOf[K]>): Invariant[] {
    const refused = refusalInvariants(this.subject.extension(kind, id), refuses);
    return [...caseInvariants(this.subject, kind, id, cases), ...refused];
  }

  private ofKind(kind: Kind, id: string): Invariant[] {
    const { subject } = this;
    switch (kind) {
      case 'scoring_functions':
        return scoringInvariants(subject, subject.extension(kind, id));
      case 'filters':
        return filterInvariants(subject, subject.extension(kind, id));
      case 'visibility_rules':
        return ruleInvariants(subject, subject.extension(kind, id));
      case 'signals':
        return signalInvariants(subject, subject.extension(kind, id));
      case 'candidate_sources':
        return sourceInvariants(subject, subject.extension(kind, id));
      case 'promotion_strategies':
        return strategyInvariants(subject.extension(kind, id));
      case 'metadata_providers':
        return providerInvariants(subject.extension(kind, id));
      case 'connectors':
        return connectorInvariants(subject.extension(kind, id));
      case 'webhooks':
        return webhookInvariants(subject.extension(kind, id));
    }
  }
}

import type { Plugin, PluginLog } from '../plugin/index.ts';
import type { Kind } from '../registry/kinds.ts';
import type { CaseOf, Tests } from './case-types.ts';
import { expectError, isExpectedError } from './expectations.ts';
import type { KindTests } from './kind-tests.ts';
import { filters } from './kinds/filters.ts';
import { integrations } from './kinds/integrations.ts';
import { visibility_rules } from './kinds/rules.ts';
import { scoring_functions } from './kinds/scoring.ts';
import { signals } from './kinds/signals.ts';
import { promotion_strategies } from './kinds/strategies.ts';
import { optionsProblem, rejects } from './options.ts';
import type { OtherSignals } from './other-signals.ts';
import { PluginUnderTest } from './plugin-under-test.ts';
import { type Invariant, originOf } from './trials.ts';

const KIND_TESTS: { [K in Kind]: KindTests<K> } = {
  filters,
  scoring_functions,
  visibility_rules,
  signals,
  promotion_strategies,
  integrations,
};

/** The tests of the extensions of one plugin. */
export class Kit {
  private readonly subject: PluginUnderTest;

  /**
   * @param others the signals of other plugins; default: any name of a plugin
   * @param log receives the lines of `host.log`; default: they are discarded
   * @throws StartupError if the service would refuse the plugin
   */
  constructor(plugin: Plugin, others?: OtherSignals, log?: PluginLog) {
    this.subject = new PluginUnderTest(plugin, others, log);
  }

  /** Runs the plugin's `setup`. Await it before running any test. */
  setUp(): Promise<void> {
    return this.subject.setUp();
  }

  tearDown(): Promise<void> {
    return this.subject.tearDown();
  }

  /** What every extension must satisfy. @throws Error if the plugin has no such extension */
  invariants(kind: Kind, id: string): Invariant[] {
    const { subject } = this;
    const registered = subject.extension(kind, id);
    const options: Invariant = {
      name: 'has valid examples or defaults, so that it can be tested',
      run() {
        const problem = optionsProblem(registered);
        if (problem !== undefined) throw new Error(problem);
      },
    };
    return [options, ...KIND_TESTS[kind].invariants(subject, id)].map(asThrown);
  }

  /** The author's cases of an extension. @throws Error if the plugin has no such extension */
  cases<K extends Kind>(kind: K, id: string, tests: Tests<CaseOf[K]> | undefined): Invariant[] {
    const { subject } = this;
    const { cases = [], refuses = [], ...shared } = tests ?? {};
    const registered = subject.extension(kind, id);
    const held = cases.map((own): Invariant => {
      const given = { ...shared, ...own } as CaseOf[K];
      const name = given.name ?? `with ${JSON.stringify(given.options)}`;
      const run = () => KIND_TESTS[kind].run(subject, id, given);
      const { expect } = given;
      return { name, run: isExpectedError(expect) ? () => expectError(run, expect) : run };
    });
    const refused = refuses.map(
      (options): Invariant => ({
        name: `refuses ${JSON.stringify(options)}`,
        run() {
          if (!rejects(registered, options)) throw new Error('these options are accepted');
        },
      }),
    );
    return [...held, ...refused].map(asThrown);
  }
}

/** Lets errors of the plugin be reported as it threw them. */
function asThrown({ name, run }: Invariant): Invariant {
  return {
    name,
    async run() {
      try {
        await run();
      } catch (error) {
        throw originOf(error);
      }
    },
  };
}

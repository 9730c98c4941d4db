import { listItems } from '../../feeds/guard.ts';
import type { PageContext } from '../../page/page-context.ts';
import type { Ordinal } from '../../plugin/index.ts';
import { DEFAULT_PER_ITEM, usuallyWanted } from '../../plugin/wanted.ts';
import { expectSame } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import { withoutClock } from '../traps.ts';
import { each, nameOf, type Trial } from '../trials.ts';

export const candidate_sources: KindTests<'candidate_sources'> = {
  invariants(subject, id) {
    const registered = subject.extension('candidate_sources', id);
    const propose = (trial: Trial) => proposals(subject, id, trial.world.request());
    const check = (run: (trial: Trial) => void) => each(subject, registered, () => () => () => 0, run);
    return [
      {
        name: 'lists items, each once',
        run: check((trial) => {
          const listed = propose(trial);
          const twice = listed.find((item, at) => listed.indexOf(item) !== at);
          if (twice !== undefined) throw new Error(`it lists ${nameOf(trial.world, twice)} twice`);
        }),
      },
      {
        name: 'lists the same items again with the same seed',
        run: check((trial) => {
          const [one, other] = [propose(trial), propose(trial)];
          if (String(one) !== String(other)) throw new Error('it lists other items the second time');
        }),
      },
      {
        name: 'uses neither the clock nor Math.random',
        run: check((trial) => void withoutClock(() => propose(trial))),
      },
      {
        name: 'proposes for an existing signal',
        run() {
          const { proposes_for } = registered.extension;
          if (proposes_for !== undefined) subject.signal(proposes_for);
        },
      },
    ];
  },
  run(subject, id, given) {
    const world = subject.enter(given);
    expectSame(
      proposals(subject, id, world.request()).map((item) => world.idOf(item)),
      given.expect,
    );
  },
};

function proposals(subject: PluginUnderTest, id: string, page: PageContext): Ordinal[] {
  const { extension, options: checker } = subject.extension('candidate_sources', id);
  const options = checker.defaults();
  const wanted = usuallyWanted(extension.per_item?.(options) ?? DEFAULT_PER_ITEM, page);
  const attribution = subject.registry.attribution('candidate_sources', id);
  return listItems(attribution, () => extension.compile(options)(page, wanted));
}

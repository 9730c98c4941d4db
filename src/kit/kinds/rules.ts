import { guardTest } from '../../feeds/guard.ts';
import { expectItems } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import { compiledWith } from '../options.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import { type BindToPage, checkPages, each, perItem, type Trial, valuesOf } from '../trials.ts';

export const visibility_rules: KindTests<'visibility_rules'> = {
  invariants(subject, id) {
    const registered = subject.extension('visibility_rules', id);
    const check = (run: (trial: Trial) => void) =>
      each(subject, registered, (options) => ({ bind: bindOf(subject, id, options) }), run);
    return [
      ...perItem('returns true or false for every item', check),
      {
        name: 'shows the same items in a feed',
        run: check((trial) => checkPages(trial, { visibility_rules: { [id]: trial.options } })),
      },
    ];
  },
  run(subject, id, given) {
    const world = subject.enter(given);
    const bind = bindOf(subject, id, given.options);
    expectItems(world, valuesOf({ world, bind }), given.expect);
  },
};

function bindOf(subject: PluginUnderTest, id: string, options: unknown): BindToPage {
  const attribution = subject.registry.attribution('visibility_rules', id);
  const { bind } = guardTest(attribution, compiledWith(subject.extension('visibility_rules', id), options));
  return (page) => bind(page.for_admission);
}

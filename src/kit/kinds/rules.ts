import { guardAllows, guardTest } from '../../feeds/guard.ts';
import { expectItems } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import { compiledWith } from '../options.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import { type BindToPage, checkPages, each, nameOf, perItem, type Trial, valuesOf } from '../trials.ts';

export const visibility_rules: KindTests<'visibility_rules'> = {
  invariants(subject, id) {
    const registered = subject.extension('visibility_rules', id);
    const check = (run: (trial: Trial) => void) =>
      each(subject, registered, (options) => bindOf(subject, id, options), run);
    return [
      ...perItem('returns true or false for every item', check),
      {
        name: 'allows no item that `allows` leaves out',
        run: check((trial) => checkAllows(subject, id, trial)),
      },
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

function checkAllows(subject: PluginUnderTest, id: string, trial: Trial): void {
  const { extension } = subject.extension('visibility_rules', id);
  const attribution = subject.registry.attribution('visibility_rules', id);
  const allows = guardAllows(attribution, extension.allows?.(trial.options));
  const allowed = allows?.(trial.world.request().for_admission);
  if (allowed === undefined) return;
  const listed = new Set(allowed);
  for (const [item, shown] of valuesOf(trial)) {
    if (shown === true && !listed.has(item))
      throw new Error(`${nameOf(trial.world, item)} is shown, but not listed`);
  }
}

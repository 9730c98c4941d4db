import type { CandidateSource, Filter, Signal, VisibilityRule } from '../kinds.ts';
import { isList } from '../listed-items.ts';
import { namedValuesProblem } from '../named-values.ts';
import { NONE, type Ordinal } from '../ordinal.ts';
import { postingsProblem } from '../postings.ts';
import { textOf } from '../text-of.ts';
import { DEFAULT_PER_ITEM, usuallyWanted } from '../wanted.ts';
import { each, measure, nameOf, type PerItem, perItemInvariants, type Trial, trials } from './invariants.ts';
import type { Invariant, Subject } from './subject.ts';
import type { TestRequest } from './test-request.ts';
import { frozen, withoutClock } from './traps.ts';
import type { TestWorld } from './world.ts';

const DAY = 86_400;
/** Maximum number of proposals of a source, since each is filtered and scored. */
const PROPOSED_MAX = 10_000;

const notBoolean = (value: unknown) => (typeof value === 'boolean' ? undefined : 'neither true nor false');
const notAShare = (value: unknown) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'not a number from 0 to 1';

export function filterInvariants(subject: Subject, extension: Filter): Invariant[] {
  const all = () => trials(subject, extension, true);
  return [
    ...perItemInvariants(all, 'returns true or false for every item', notBoolean),
    { name: 'keeps no item that its postings leave out', run: each(all, checkPostings) },
    { name: 'depends only on what depends_on declares', run: each(all, checkLasting) },
    { name: 'names values as a list of {column, given, values}', run: each(all, checkNamedValues) },
  ];
}

/** A filter with `depends_on` gives the same result for any viewer and time, and with `content` for any counters. */
function checkLasting(trial: Trial<Filter>): void {
  const { extension, options, world } = trial;
  const depends_on = extension.depends_on?.(structuredClone(options) as never);
  if (depends_on === undefined) return;
  const elsewhere = [...forOthers(world), later(trial)];
  const engagement = { likes_count: 1001, comments_count: 1002, shares_count: 1003 };
  if (depends_on === 'content')
    elsewhere.push({ ...world, items: world.items?.map((item) => ({ ...item, ...engagement })) });
  checkSameIn(elsewhere, trial);
}

function checkNamedValues({ extension, options }: Trial<Filter>): void {
  const named: unknown = extension.named_values?.(structuredClone(options) as never);
  const problem = named === undefined ? undefined : namedValuesProblem(named);
  if (problem !== undefined) throw new Error(problem);
}

function checkPostings(trial: Trial<Filter>): void {
  const request = trial.request();
  const postings = trial.extension.postings?.(structuredClone(trial.options) as never);
  if (postings === undefined) return;
  const named = postings(request);
  const problem = postingsProblem(named);
  if (problem !== undefined) throw new Error(problem);
  const listed = (item: Ordinal): boolean => {
    if ('created_since' in named) return request.created_at(item) >= named.created_since;
    if ('created_until' in named) return request.created_at(item) <= named.created_until;
    return named.values.some((value) => value !== NONE && request.has(named.column, item, value));
  };
  for (const [item, kept] of measure(trial)) {
    if (kept === true && !listed(item)) throw new Error(`${nameOf(trial, item)} is kept, but not listed`);
  }
}

export function ruleInvariants(subject: Subject, extension: VisibilityRule): Invariant[] {
  const all = () => trials(subject, extension, true);
  return [
    ...perItemInvariants(all, 'returns true or false for every item', notBoolean),
    { name: 'allows no item that `allows` leaves out', run: each(all, checkAllows) },
  ];
}

function checkAllows(trial: Trial<VisibilityRule>): void {
  const allowed = trial.extension.allows?.(structuredClone(trial.options) as never)(trial.request());
  if (allowed === undefined) return;
  if (!isList(allowed)) throw new Error(`it lists ${textOf(allowed)}, which is not a list of items`);
  const listed = new Set(allowed);
  for (const [item, shown] of measure(trial)) {
    if (shown === true && !listed.has(item))
      throw new Error(`${nameOf(trial, item)} is shown, but not listed`);
  }
}

export function signalInvariants(subject: Subject, extension: Signal): Invariant[] {
  const all = () => trials(subject, extension);
  return [
    ...perItemInvariants(all, 'gives every item a number from 0 to 1', notAShare),
    {
      name: `depends only on what depends_on declares: ${extension.depends_on}`,
      run: each(all, checkDependence),
    },
    { name: 'reaches every item with a value above 0', run: each(all, checkReaches) },
  ];
}

function checkDependence(trial: Trial<Signal>): void {
  const { extension, world } = trial;
  if (extension.depends_on === 'viewer') return;
  const elsewhere = forOthers(world);
  if (extension.depends_on === 'item') elsewhere.push(later(trial));
  checkSameIn(elsewhere, trial);
}

/** The same world without a viewer, with another viewer, and with another seed. */
function forOthers(world: TestWorld): TestWorld[] {
  return [
    { ...world, viewer: undefined },
    { ...world, viewer: 'viewer' },
    { ...world, seed: 99 },
  ];
}

/** The same world three days later. */
function later({ world, request }: Trial<PerItem>): TestWorld {
  const { now } = request();
  return { ...world, now: now + 3 * DAY, items: dated(world.items, now) };
}

/** Checks that the results are the same in other worlds, and that no fields of users are read. */
function checkSameIn(elsewhere: readonly TestWorld[], trial: Trial<PerItem>): void {
  const before = measure(trial);
  for (const world of elsewhere) {
    for (const [item, value] of measure(trial, trial.request({ world, lasting: true }))) {
      if (Object.is(value, before.get(item))) continue;
      throw new Error(`${nameOf(trial, item)}: ${textOf(before.get(item))} here, ${textOf(value)} there`);
    }
  }
}

/** Pins the creation times of items, whose default otherwise moves with `now`. */
function dated(items: Trial<Signal>['world']['items'], now: number): Trial<Signal>['world']['items'] {
  return items?.map((item) => ({ created_at: now - 3600, ...item }));
}

function checkReaches(trial: Trial<Signal>): void {
  const request = trial.request();
  const reached = trial.extension.reaches?.(structuredClone(trial.options) as never)(request);
  if (reached === undefined) return;
  const known = new Set(request.items);
  reached.forEach((item, weight) => {
    // The service ignores NONE, as in the list of a source.
    if (item === NONE) return;
    if (!known.has(item)) throw new Error(`it reaches ${textOf(item)}, which is not an item`);
    if (weight > 0 && weight === reached.weight(item)) return;
    throw new Error(`${nameOf(trial, item)}: visited with ${weight}, its weight is ${reached.weight(item)}`);
  });
  for (const [item, value] of measure(trial as Trial<PerItem>)) {
    const weight = reached.weight(item);
    if (!(weight >= 0)) throw new Error(`${nameOf(trial, item)}: its weight is ${weight}`);
    if (value !== 0 && weight === 0)
      throw new Error(`${nameOf(trial, item)}: ${textOf(value)}, but not reached`);
  }
}

export function sourceInvariants(subject: Subject, extension: CandidateSource): Invariant[] {
  const all = () => trials(subject, extension);
  return [
    {
      name: `lists items, each once and at most ${PROPOSED_MAX}`,
      run: each(all, (trial) => {
        const request = trial.request();
        checkList(propose(trial, request), request);
      }),
    },
    { name: 'lists the same items again with the same seed', run: each(all, checkSame) },
    {
      name: 'uses neither the clock nor Math.random',
      run: each(all, (trial) => withoutClock(() => propose(trial))),
    },
    {
      name: 'changes neither its options nor the request',
      run: each(all, (trial) => propose({ ...trial, options: frozen(structuredClone(trial.options)) })),
    },
    { name: 'proposes for an existing signal', run: () => checkProposes(subject, extension) },
  ];
}

function checkProposes(subject: Subject, { proposes_for }: CandidateSource): void {
  if (proposes_for !== undefined) subject.signal(proposes_for);
}

function propose({ extension, options, request }: Trial<CandidateSource>, of = request()): Ordinal[] {
  const list: Ordinal[] = [];
  const per_item = extension.per_item?.(options as never) ?? DEFAULT_PER_ITEM;
  const listed: unknown = extension.compile(options as never)(of, usuallyWanted(per_item, of));
  if (!isList(listed)) throw new Error(`it lists ${textOf(listed)}, which is not a list of items`);
  for (const item of listed as Iterable<Ordinal>) {
    list.push(item);
    if (list.length > PROPOSED_MAX) break;
  }
  return list;
}

function checkList(list: readonly Ordinal[], request: TestRequest): void {
  if (list.length > PROPOSED_MAX) throw new Error(`it lists more than ${PROPOSED_MAX} items`);
  // `request.item` returns NONE for an unknown id, and the service ignores it.
  const items = list.filter((item) => item !== NONE);
  const known = new Set(request.items);
  const stranger = items.find((item) => !known.has(item));
  if (stranger !== undefined) throw new Error(`it lists ${textOf(stranger)}, which is not an item`);
  const twice = items.find((item, index) => items.indexOf(item) !== index);
  if (twice !== undefined) throw new Error(`it lists item '${request.idOf(twice)}' twice`);
}

function checkSame(trial: Trial<CandidateSource>): void {
  const [one, other] = [propose(trial), propose(trial)];
  if (String(one) !== String(other)) throw new Error('it lists other items the second time');
}
